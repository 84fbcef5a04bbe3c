// k-means, metrics, lots and whole clusterings on spread rows, against definitions and against one
// process.
#include <gtest/gtest.h>

#include <cmath>

#include "distributed/kmeans.hpp"
#include "distributed/metrics.hpp"
#include "distributed/ranks.hpp"
#include "repsc/io.hpp"
#include "repsc/kmeans.hpp"
#include "support/dense_scale.hpp"
#include "support/samples.hpp"
#include "support/temporary_folder.hpp"

namespace repsc::tests {
namespace {

constexpr Index N = 240;
constexpr int K = 3;

/// The same on every rank.
struct Sample {
  Labels truth = samples::shuffled_labels(N, K, 1);
  Labels groups = samples::shuffled_labels(N, 4, 2);
  Matrix A = samples::random_dense(truth, 0.02, 0.3, 3);
  Matrix R = samples::quotient_representation(N, 10, 0.3, 4);
  Graph G = samples::from_dense(A);
  Graph representation = samples::from_dense(R);
};

/// Three blobs far apart, node i in blob truth[i].
Matrix blobs(const Labels& truth) {
  Matrix points(static_cast<Eigen::Index>(truth.size()), 2);
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    const int k = truth[static_cast<std::size_t>(i)];
    points(i, 0) = 5 * k + std::sin(static_cast<double>(i));
    points(i, 1) = (k == 1 ? 4 : 0) + std::cos(static_cast<double>(3 * i));
  }
  return points;
}

TEST(SpreadKMeans, of_few_rows_is_that_of_one_process) {
  const Sample sample;
  const DistributedProblem problem = distribute(ranks(), {sample.G});
  const Matrix points = blobs(sample.truth);
  const auto found = spread_kmeans(*problem.rows, own_rows(*problem.rows, points), K, {.seed = 3});
  const KMeansResult expected = kmeans(points, K, {.seed = 3});
  EXPECT_EQ(all_labels(*problem.rows, found.labels), expected.labels);
  EXPECT_EQ(found.inertia, expected.inertia);
}

TEST(SpreadKMeans, of_many_rows_starts_from_a_sample) {
  const Sample sample;
  const DistributedProblem problem = distribute(ranks(), {sample.G});
  const Matrix points = blobs(sample.truth);
  const auto found = spread_kmeans(*problem.rows, own_rows(*problem.rows, points), K,
                                   {.seed = 3, .most_gathered = 100});
  const KMeansResult expected = kmeans(points, K, {.seed = 3});
  EXPECT_EQ(all_labels(*problem.rows, found.labels), expected.labels);
  EXPECT_NEAR(found.inertia, expected.inertia, 1e-9 * expected.inertia);
}

TEST(SpreadKMeans, is_the_same_whichever_ranks_hold_the_rows) {
  const Sample sample;
  Matrix points = blobs(sample.truth);
  points.col(1) *= 3;  // so that the clusters are not clear
  const SpreadKMeansOptions options{.restarts = 3, .seed = 3, .most_gathered = 100};
  const SpreadRows split(ranks(), split_rows(sample.G.offsets(), ranks().size()));
  const auto expected = spread_kmeans(split, own_rows(split, points), 7, options);
  for (int holder = 0; holder < ranks().size(); ++holder) {
    const SpreadRows there(ranks(), on_rank(holder, N));
    const auto found = spread_kmeans(there, own_rows(there, points), 7, options);
    EXPECT_EQ(all_labels(there, found.labels), all_labels(split, expected.labels)) << holder;
    EXPECT_EQ(found.inertia, expected.inertia) << holder;
  }
}

TEST(SpreadKMeans, leaves_no_cluster_empty) {
  const DistributedProblem problem = distribute(ranks(), {Sample().G});
  // Nearly all rows are equal, so that starts from a sample lose clusters.
  Matrix points = Matrix::Zero(N, 1);
  for (Index i = 0; i < 6; ++i) points(40 * i, 0) = std::pow(10, i);
  const auto found = spread_kmeans(*problem.rows, own_rows(*problem.rows, points), 5,
                                   {.seed = 1, .most_gathered = 60});
  Labels labels = all_labels(*problem.rows, found.labels);
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  EXPECT_EQ(labels, Labels({0, 1, 2, 3, 4}));
}

void expect_equal(const Metrics& found, const Metrics& expected) {
  constexpr double close = 1e-12;
  EXPECT_NEAR(found.ratio_cut, expected.ratio_cut, close);
  EXPECT_NEAR(found.normalized_cut, expected.normalized_cut, close);
  EXPECT_NEAR(found.modularity, expected.modularity, close);
  EXPECT_EQ(found.cluster_sizes, expected.cluster_sizes);
  EXPECT_NEAR(found.average_balance, expected.average_balance, close);
  EXPECT_EQ(found.minimum_balance, expected.minimum_balance);
  EXPECT_NEAR(found.average_proportional_balance, expected.average_proportional_balance, close);
  EXPECT_EQ(found.minimum_proportional_balance, expected.minimum_proportional_balance);
  EXPECT_NEAR(found.constraint_residual, expected.constraint_residual, close);
}

TEST(SpreadMetrics, of_a_representation_graph_are_those_of_the_definitions) {
  const Sample sample;
  const DistributedProblem problem = distribute(ranks(), {sample.G, sample.representation});
  const Metrics found = evaluate_spread(problem, own_labels(*problem.rows, sample.truth), K);
  EXPECT_NEAR(found.ratio_cut, dense_cut(sample.A, sample.truth, K, false), 1e-12);
  EXPECT_NEAR(found.normalized_cut, dense_cut(sample.A, sample.truth, K, true), 1e-12);
  EXPECT_NEAR(found.average_balance, dense_balance(sample.R, sample.truth, K), 1e-12);
  expect_equal(found, evaluate(sample.G, Representation(sample.representation), sample.truth, K));
}

TEST(SpreadMetrics, of_weights_are_those_of_one_process) {
  const Sample sample;
  const Graph G = samples::from_dense(samples::random_dense(sample.truth, 0.02, 0.3, 3, true));
  const Graph R = samples::from_dense(samples::random_dense(sample.groups, 0.02, 0.3, 8, true));
  const DistributedProblem problem = distribute(ranks(), {G, R});
  expect_equal(evaluate_spread(problem, own_labels(*problem.rows, sample.truth), K),
               evaluate(G, Representation(R), sample.truth, K));
}

TEST(SpreadMetrics, of_groups_are_those_of_one_process) {
  const Sample sample;
  const DistributedProblem problem = distribute(ranks(), {sample.G, std::nullopt, sample.groups});
  const Metrics found = evaluate_spread(problem, own_labels(*problem.rows, sample.truth), K);
  const Metrics expected = evaluate_groups(sample.G, sample.groups, sample.truth, K);
  expect_equal(found, expected);
  EXPECT_EQ(found.group_fairness->average, expected.group_fairness->average);
  EXPECT_EQ(found.group_fairness->largest_deviation, expected.group_fairness->largest_deviation);
}

TEST(SpreadLots, give_every_node_a_place_of_its_own) {
  for (const Index nodes : {1, 2, 17, 1000}) {
    for (const int clusters : {1, 3, 7}) {
      std::vector<Index> sizes(static_cast<std::size_t>(clusters), 0);
      for (Index i = 0; i < nodes; ++i)
        ++sizes[static_cast<std::size_t>(lot_of(i, nodes, clusters, 5))];
      const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
      EXPECT_LE(*most - *least, 1) << nodes << " nodes, " << clusters << " clusters";
    }
  }
}

TEST(SpreadLots, cost_what_the_lots_of_one_process_cost) {
  const Sample sample;
  const DistributedProblem problem = distribute(ranks(), {sample.G, sample.representation});
  const Lots found = draw_spread_lots(problem, K, 1);
  const Lots expected = draw_lots(sample.G, Representation(sample.representation), K, 1);
  // Means of 100 draws each: five standard errors of their difference.
  EXPECT_NEAR(found.cut, expected.cut, 5 * expected.cut_spread * std::sqrt(2.0 / found.draws));
  EXPECT_NEAR(found.average_balance, expected.average_balance,
              5 * expected.balance_spread * std::sqrt(2.0 / found.draws));
  EXPECT_NEAR(found.ratio_cut, expected.ratio_cut, 1e-12 * expected.ratio_cut);
}

ClusterInput at_root(const ClusterInput& input) {
  return ranks().is_root() ? input : ClusterInput{};
}

/// With rows that are spread, however few they are.
DistributedClustering spread_cluster(const ClusterInput& input, int clusters,
                                     DistributedOptions options = {}) {
  options.alone_up_to = 0;
  return cluster_distributed(ranks(), input, clusters, options);
}

TEST(ClusterDistributed, agrees_with_one_process) {
  const Sample sample;
  struct Case {
    ClusterInput input;
    DistributedOptions spread;
    ClusterOptions serial;
  };
  const ClusterInput plain{sample.G};
  const ClusterInput with_R{sample.G, sample.representation};
  const ClusterInput with_groups{sample.G, std::nullopt, sample.groups};
  const std::vector<Case> cases{
      {plain, {.method = Method::usc}, {.method = Method::usc}},
      {plain, {.method = Method::nsc}, {.method = Method::nsc}},
      {with_R,
       {.method = Method::urepsc, .rank = Rank::of(10)},
       {.method = Method::urepsc, .rank = Rank::of(10)}},
      {with_R,
       {.method = Method::nrepsc, .strength = 1},
       {.method = Method::nrepsc, .strength = 1}},
      {with_groups, {.method = Method::nrepsc}, {.method = Method::nrepsc}},
      {with_groups, {.method = Method::ufairsc}, {.method = Method::ufairsc}},
      {with_groups, {.method = Method::nfairsc}, {.method = Method::nfairsc}}};
  for (const Case& each : cases) {
    const auto found = spread_cluster(at_root(each.input), K, each.spread);
    const Labels labels = ranks().gather(std::span<const Label>(found.clustering.labels));
    SCOPED_TRACE(name(*each.spread.method));
    on_root(ranks(), [&] {
      const Clustering expected = cluster(each.input, K, each.serial);
      EXPECT_GE(adjusted_rand_index(labels, expected.labels), 0.999);
      const double cut = normalized_cut(sample.G, expected.labels, K);
      EXPECT_NEAR(found.metrics.normalized_cut, cut, 1e-3 * cut);
      EXPECT_EQ(found.clustering.constraint_rank, expected.constraint_rank);
      EXPECT_NEAR(found.clustering.constraint_residual, expected.constraint_residual, 1e-6);
      EXPECT_LT((found.clustering.eigenvalues - expected.eigenvalues).norm(),
                1e-6 * K * expected.eigenvalues.norm() + 1e-9);
    });
  }
}

TEST(ClusterDistributed, of_a_small_problem_is_that_of_one_process) {
  const Sample sample;
  const Graph cliques = samples::from_dense(samples::block_representation(sample.groups));
  const ClusterInput plain{sample.G};
  const ClusterInput with_R{sample.G, sample.representation};
  const ClusterInput with_groups{sample.G, std::nullopt, sample.groups};
  struct Case {
    ClusterInput input;
    DistributedOptions given;
    ClusterOptions serial;
  };
  const std::vector<Case> cases{
      {plain, {.method = Method::usc}, {.method = Method::usc}},
      {plain, {}, {.method = Method::nsc}},
      {with_R, {}, {.method = Method::nrepsc, .strength = 1}},
      {with_R,
       {.method = Method::urepsc, .strength = 3, .embedding_rows = EmbeddingRows::plain},
       {.method = Method::urepsc, .strength = 3, .embedding_rows = EmbeddingRows::plain}},
      {with_R, {.rank = Rank::of(7)}, {.method = Method::nrepsc, .rank = Rank::of(7)}},
      {with_R,
       {.constraint = ConstraintKind::hard},
       {.method = Method::nrepsc, .rank = Rank::of(automatic_rank(N, K))}},
      {{sample.G, cliques}, {}, {.method = Method::nrepsc, .rank = Rank::exact()}},
      {with_groups, {.method = Method::ufairsc}, {.method = Method::ufairsc}},
      {with_groups,
       {.method = Method::nfairsc, .tolerance = 1e-4, .kmeans_restarts = 2, .seed = 9},
       {.method = Method::nfairsc, .tolerance = 1e-4, .kmeans_restarts = 2, .seed = 9}},
      {with_groups,
       {.method = Method::nfairsc, .refine = true, .mu = 0.7},
       {.method = Method::nfairsc, .refine = true, .refinement = RefineOptions{.mu = 0.7}}}};
  for (const Case& each : cases) {
    const DistributedClustering all =
        cluster_distributed(ranks(), at_root(each.input), K, each.given);
    const Clustering& found = all.clustering;
    ClusterOptions how = each.serial;
    if (!how.refine) how.refine = false;
    const Clustering expected = cluster(each.input, K, how);
    SCOPED_TRACE(name(expected.method));
    EXPECT_TRUE(all.facts.root_alone);
    EXPECT_EQ(found.method, expected.method);
    EXPECT_EQ(ranks().gather(std::span<const Label>(found.labels)), expected.labels);
    EXPECT_EQ(found.eigenvalues, expected.eigenvalues);
    EXPECT_EQ(found.solver, expected.solver);
    EXPECT_EQ(found.strength, expected.strength);
    EXPECT_EQ(found.constraint_rank, expected.constraint_rank);
    EXPECT_EQ(found.residual, expected.residual);
    EXPECT_EQ(found.converged, expected.converged);
    EXPECT_EQ(found.inertia, expected.inertia);
    EXPECT_EQ(found.eigengap, expected.eigengap);
    ASSERT_EQ(found.refinement.has_value(), expected.refinement.has_value());
    if (expected.refinement) {
      EXPECT_EQ(found.refinement->objective, expected.refinement->objective);
      EXPECT_EQ(found.refinement->moves, expected.refinement->moves);
      EXPECT_EQ(ranks().gather(std::span<const Label>(found.before_refinement)),
                expected.before_refinement);
    }
    Pipeline whole(each.input);
    const Baselines scale = *baselines(whole, K, how);
    ASSERT_TRUE(found.baselines);
    EXPECT_EQ(found.baselines->plain.cut, scale.plain.cut);
    EXPECT_EQ(found.baselines->random.cut, scale.random.cut);
    if (expected.method == Method::usc || expected.method == Method::nsc) {
      EXPECT_TRUE(std::isnan(found.baselines->fair_balance));
    } else {
      EXPECT_EQ(found.baselines->fair_balance, scale.fair_balance);
    }
  }
}

TEST(ClusterDistributed, is_spread_above_a_number_of_entries_or_on_request) {
  const Sample sample;
  const ClusterInput input{sample.G, sample.representation};
  const Offset both = sample.G.num_entries() + sample.representation.num_entries();
  const auto alone = [&](const DistributedOptions& options) {
    return cluster_distributed(ranks(), at_root(input), K, options).facts.root_alone;
  };
  EXPECT_TRUE(alone({.baselines = false, .alone_up_to = both}));
  EXPECT_FALSE(alone({.baselines = false, .alone_up_to = both - 1}));
  EXPECT_FALSE(alone({.solver = DistributedSolver::lapack, .baselines = false}));
  EXPECT_FALSE(alone({.baselines = false, .exchange = Exchange::messages}));
}

TEST(ClusterDistributed, ends_on_every_rank_where_rank_0_fails_alone) {
  const Sample sample;
  const auto fails = [&](int clusters, const DistributedOptions& options) {
    try {
      (void)cluster_distributed(ranks(), at_root({sample.G, sample.representation}), clusters,
                                options);
    } catch (const InvalidInput&) {
      return ranks().is_root();
    } catch (const RootFailed&) {
      return !ranks().is_root();
    }
    return false;
  };
  EXPECT_TRUE(fails(K, {.rank = Rank::of(N)}));
}

TEST(ClusterDistributed, takes_cliques_for_groups) {
  const Sample sample;
  const Graph cliques = samples::from_dense(samples::block_representation(sample.groups));
  const auto by_graph = spread_cluster(at_root({sample.G, cliques}), K, {});
  const auto by_groups = spread_cluster(at_root({sample.G, std::nullopt, sample.groups}), K, {});
  EXPECT_EQ(by_graph.clustering.labels, by_groups.clustering.labels);
  EXPECT_EQ(by_graph.metrics.average_balance, by_groups.metrics.average_balance);
}

TEST(ClusterDistributed, finds_the_same_if_every_rank_has_the_input) {
  const Sample sample;
  std::vector<std::string> names;
  for (Index i = 0; i < N; ++i) names.push_back("n" + std::to_string(i));
  const Graph weighted =
      samples::from_dense(samples::random_dense(sample.truth, 0.02, 0.3, 3, true));
  const Graph G({weighted.offsets().begin(), weighted.offsets().end()},
                {weighted.neighbors().begin(), weighted.neighbors().end()},
                {weighted.weights().begin(), weighted.weights().end()}, NodeNames(names));
  for (const ClusterInput& input : {ClusterInput{G, sample.representation},
                                    ClusterInput{sample.G, std::nullopt, sample.groups}}) {
    const auto sent = spread_cluster(at_root(input), K, {.baselines = false});
    const auto taken = spread_cluster(input, K, {.baselines = false, .input_everywhere = true});
    EXPECT_EQ(taken.clustering.labels, sent.clustering.labels);
    EXPECT_EQ(taken.clustering.eigenvalues, sent.clustering.eigenvalues);
    EXPECT_EQ(taken.metrics.average_balance, sent.metrics.average_balance);
    EXPECT_TRUE(taken.names == sent.names);
  }
}

TEST(ClusterDistributed, places_the_result_between_plain_clustering_and_lots) {
  const Sample sample;
  const auto found = spread_cluster(at_root({sample.G}), K, {});
  ASSERT_TRUE(found.clustering.baselines.has_value());
  EXPECT_NEAR(*found.clustering.structure_kept, 1, 1e-9);  // it is plain clustering
  EXPECT_GT(found.clustering.baselines->random.cut, found.metrics.normalized_cut);
}

TEST(ClusterDistributed, refuses_what_it_cannot_do_on_every_rank) {
  const Sample sample;
  const auto refused = [&](const ClusterInput& input, int clusters,
                           const DistributedOptions& options) {
    EXPECT_THROW(static_cast<void>(spread_cluster(at_root(input), clusters, options)),
                 InvalidInput);
  };
  refused({sample.G, sample.representation}, K, {.rank = Rank::exact()});
  refused({sample.G, sample.representation}, K, {.rank = Rank::of(N)});
  refused({sample.G, sample.representation}, K, {.method = Method::nfairsc});
  refused({sample.G}, K, {.method = Method::nrepsc});
  refused({sample.G}, N + 1, {});
  refused({sample.G}, 1, {});
}

TEST(ClusterDistributed, scales_extreme_weights) {
  // Powers of two change no digit; cuts and eigenvalues are those of the graph as given.
  const Sample sample;
  const DistributedOptions options{.method = Method::urepsc, .refine = true};
  const auto run = [&](double G, double R) {
    const Matrix A = sample.A * G;
    const Matrix B = sample.R * R;
    return spread_cluster(at_root({samples::from_dense(A), samples::from_dense(B)}), K, options);
  };
  const DistributedClustering usual = run(1, 1);
  for (const int exponent : {-100, 300}) {
    const double unit = std::ldexp(1.0, exponent);
    const DistributedClustering found = run(unit, 1 / unit);
    EXPECT_EQ(found.clustering.labels, usual.clustering.labels);
    EXPECT_EQ(found.clustering.eigenvalues, Vector(unit * usual.clustering.eigenvalues));
    EXPECT_EQ(found.clustering.refinement->cut, unit * usual.clustering.refinement->cut);
    EXPECT_EQ(found.metrics.ratio_cut, unit * usual.metrics.ratio_cut);
    EXPECT_EQ(found.metrics.normalized_cut, usual.metrics.normalized_cut);
    EXPECT_EQ(found.start.ratio_cut, unit * usual.start.ratio_cut);
    EXPECT_EQ(found.clustering.baselines->random.ratio_cut,
              unit * usual.clustering.baselines->random.ratio_cut);
  }
}

TEST(WriteLabels, makes_the_file_of_one_process) {
  std::vector<char> folder_name(4096, '\0');
  std::optional<TemporaryFolder> folder;
  if (ranks().is_root()) {
    folder.emplace();
    const std::string path = *folder / "";
    std::copy(path.begin(), path.end(), folder_name.begin());
  }
  ranks().broadcast(folder_name);
  const std::string path = std::string(folder_name.data()) + "labels.csv";

  std::vector<std::string> names;
  for (Index i = 0; i < N; ++i)
    names.push_back("node \"" + std::to_string(i * i) + "\", " + std::to_string(i));
  const Graph plain = Sample().G;
  const Graph G({plain.offsets().begin(), plain.offsets().end()},
                {plain.neighbors().begin(), plain.neighbors().end()}, {}, NodeNames(names));
  for (const Graph& graph : {plain, G}) {
    const auto found = spread_cluster(at_root({graph}), K, {.baselines = false});
    write_labels(ranks(), found, path);
    const Labels labels = ranks().gather(std::span<const Label>(found.clustering.labels));
    if (ranks().is_root()) {
      repsc::write_labels(labels, graph.names(), *folder / "expected.csv");
      EXPECT_EQ(folder->read("labels.csv"), folder->read("expected.csv"));
      EXPECT_EQ(folder->num_files(), 2U);
    }
  }
  EXPECT_THROW(write_labels(ranks(), DistributedClustering{},
                            std::string(folder_name.data()) + "none/labels.csv"),
               IoError);
  ranks().barrier();  // the folder goes when rank 0 leaves
}

}  // namespace
}  // namespace repsc::tests
