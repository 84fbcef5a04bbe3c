// When labels count as settled: on points whose labels are known, and end to end.
#include "cluster/label_watch.hpp"

#include <gtest/gtest.h>

#include <random>

#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "repsc/models.hpp"

namespace repsc {
namespace {

/// Three clusters on a circle, in the plane turned by `angle`; the first `strays` points of the
/// first lie at the second.
Matrix three_clusters(Index N, Index strays, double angle) {
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 0.1);
  Matrix points(N, 2);
  for (Index i = 0; i < N; ++i) {
    const Index cluster = i < strays ? 1 : i % 3;
    const double at = 2 * M_PI * cluster / 3 + angle;
    points.row(i) << std::cos(at) + noise(random), std::sin(at) + noise(random);
  }
  return points;
}

TEST(LabelWatch, needs_two_embeddings_that_agree) {
  LabelWatch watch(3, 0);
  EXPECT_FALSE(watch.settled(three_clusters(3000, 0, 0), 1e-2));
  EXPECT_TRUE(watch.settled(three_clusters(3000, 0, 0), 1e-3));
}

TEST(LabelWatch, follows_embeddings_that_turn) {
  LabelWatch watch(3, 0);
  EXPECT_FALSE(watch.settled(three_clusters(3000, 0, 0), 1e-2));
  EXPECT_TRUE(watch.settled(three_clusters(3000, 0, 2.5), 1e-3));
}

TEST(LabelWatch, does_not_trust_two_looks_with_nearly_the_same_error) {
  LabelWatch watch(3, 0);
  EXPECT_FALSE(watch.settled(three_clusters(3000, 0, 0), 0.290));
  EXPECT_FALSE(watch.settled(three_clusters(3000, 0, 0), 0.289));
  EXPECT_TRUE(watch.settled(three_clusters(3000, 0, 0), 0.288));  // three do
}

TEST(LabelWatch, asks_the_same_of_20000_nodes_as_of_a_sample) {
  EXPECT_TRUE(watched_nodes(19999, 0).empty());
  EXPECT_EQ(watched_nodes(20000, 0).size(), 20000U);
  EXPECT_EQ(watched_nodes(20001, 0).size(), 20000U);
}

TEST(LabelWatch, waits_while_nodes_move_or_the_error_does_not_fall) {
  LabelWatch moving(3, 0);
  EXPECT_FALSE(moving.settled(three_clusters(3000, 300, 0), 1e-2));
  EXPECT_FALSE(moving.settled(three_clusters(3000, 0, 0), 5e-3));  // 200 moved
  EXPECT_TRUE(moving.settled(three_clusters(3000, 0, 0), 1e-5));   // a thousandth of them may
  LabelWatch stuck(3, 0);
  EXPECT_FALSE(stuck.settled(three_clusters(3000, 0, 0), 1e-2));
  EXPECT_FALSE(stuck.settled(three_clusters(3000, 0, 0), 1e-2));
}

TEST(LabelWatch, remembers_more_than_the_last_look) {
  // 200 nodes have moved and then rest, while the error has hardly fallen.
  LabelWatch watch(3, 0);
  EXPECT_FALSE(watch.settled(three_clusters(3000, 300, 0), 1e-2));
  EXPECT_FALSE(watch.settled(three_clusters(3000, 0, 0), 8e-3));
  EXPECT_FALSE(watch.settled(three_clusters(3000, 0, 0), 7e-3));
  EXPECT_FALSE(watch.settled(three_clusters(3000, 0, 0), 6e-3));
  EXPECT_TRUE(watch.settled(three_clusters(3000, 0, 0), 5e-3));  // and forgets
}

/// `small` nodes far from all others, of which the first `moved` lie at a neighbour instead.
Matrix with_a_small_cluster(Index N, Index small, Index moved) {
  Matrix points = three_clusters(N, 0, 0);
  for (Index i = 0; i < small; ++i) points.row(i) << (i < moved ? 10 : 20), 0;
  for (Index i = small; i < 2 * small; ++i) points.row(i) << 10, 0;
  return points;
}

TEST(LabelWatch, counts_moves_by_the_size_of_the_cluster) {
  // Two nodes of 6000 are few, and a tenth of a cluster of 20.
  const Index N = 6000;
  LabelWatch watch(5, 0);
  EXPECT_FALSE(watch.settled(with_a_small_cluster(N, 20, 0), 1e-2));
  EXPECT_FALSE(watch.settled(with_a_small_cluster(N, 20, 2), 3e-3));
  LabelWatch still(5, 0);
  EXPECT_FALSE(still.settled(with_a_small_cluster(N, 20, 2), 1e-2));
  EXPECT_TRUE(still.settled(with_a_small_cluster(N, 20, 2), 3e-3));
}

TEST(LabelWatch, does_not_take_the_slowness_of_lloyd_for_an_embedding_that_moves) {
  // Evenly spread points have no clusters that Lloyd's iteration could find at once.
  const Index N = 4000;
  Matrix elsewhere(N, 1);
  Matrix line(N, 1);
  for (Index i = 0; i < N; ++i) {
    elsewhere(i, 0) = i % 20 < 11 ? 0.01 * (i % 20) : 100 + i;
    line(i, 0) = i;
  }
  LabelWatch watch(12, 0);
  EXPECT_FALSE(watch.settled(elsewhere, 1e-2));
  int looks = 1;
  for (double residual = 1e-3; !watch.settled(line, residual) && looks < 30; residual /= 10)
    ++looks;
  EXPECT_LE(looks, 5);
}

TEST(LabelWatch, knows_labels_that_keep_moving) {
  LabelWatch moving(3, 0);
  EXPECT_FALSE(moving.unsettled(three_clusters(3000, 0, 0)));  // the first call compares nothing
  EXPECT_TRUE(moving.unsettled(three_clusters(3000, 300, 0)));
  EXPECT_FALSE(moving.unsettled(three_clusters(3000, 300, 1)));
}

/// About 20 neighbours per node, or a multiple; `more`: how much more likely edges within clusters
/// are than between them.
Graph groups_graph(Index N, const Labels& truth, const Labels& groups, double more) {
  const double s = 20.0 / N;
  return sample_rpp_groups(groups, truth, {s * (1 + 2 * more), s * (1 + more), s * (1 + more), s},
                           1);
}

TEST(GraphsWithoutClusters, end_early_with_labels_as_good_as_after_many_products) {
  const Index N = 20000;
  const Labels truth = equal_clusters(N, 4);
  Labels groups(N);
  for (Index i = 0; i < N; ++i) groups[static_cast<std::size_t>(i)] = i % 8;
  for (const Method method : {Method::nsc, Method::nfairsc}) {
    SCOPED_TRACE(name(method));
    const auto run = [&](const Graph& G, std::optional<double> tolerance) {
      return cluster(ClusterInput{G, std::nullopt, groups}, 4,
                     {.method = method, .tolerance = tolerance, .max_iterations = 1000});
    };
    const Graph none = groups_graph(N, truth, groups, 0.01);
    const Clustering found = run(none, std::nullopt);
    EXPECT_FALSE(found.clusters_visible);
    EXPECT_TRUE(found.converged);
    EXPECT_FALSE(found.settled);
    EXPECT_LT(found.iterations, 60);
    ASSERT_TRUE(found.eigengap.has_value());
    EXPECT_LT(*found.eigengap, 0.01);
    ASSERT_FALSE(found.warnings.empty());
    EXPECT_EQ(found.warnings.front().code, "no_visible_clusters");
    const Clustering precise = run(none, 1e-5);
    EXPECT_TRUE(precise.clusters_visible);  // it converges, so nothing is looked for
    EXPECT_GT(precise.iterations, 2 * found.iterations);
    const double cut = evaluate(none, found.labels, 4).normalized_cut;
    EXPECT_LT(cut, 1.01 * evaluate(none, precise.labels, 4).normalized_cut);

    const Clustering clear = run(groups_graph(N, truth, groups, 3), std::nullopt);
    EXPECT_TRUE(clear.clusters_visible);
    EXPECT_TRUE(clear.settled);
    EXPECT_GT(clear.eigengap.value_or(0), 0.05);
    EXPECT_TRUE(clear.warnings.empty());
  }
}

TEST(AutomaticTolerance, gives_the_labels_of_full_precision) {
  const Index N = 6000;
  const Labels truth = equal_clusters(N, 4);
  Labels groups(N);
  for (Index i = 0; i < N; ++i) groups[static_cast<std::size_t>(i)] = i % 3;
  const Graph G = sample_rpp_groups(groups, truth, {0.03, 0.02, 0.012, 0.004}, 1);
  for (const Method method : {Method::ufairsc, Method::nfairsc}) {
    const Clustering settled = cluster(G, groups, 4, {.method = method});
    const Clustering strict = cluster(G, groups, 4, {.method = method, .tolerance = 1e-9});
    EXPECT_TRUE(settled.settled);
    EXPECT_FALSE(strict.settled);
    EXPECT_LT(settled.iterations, strict.iterations);
    EXPECT_GE(accuracy(settled.labels, strict.labels), 0.998);
    EXPECT_LT(settled.constraint_residual, 1e-8);
  }
}

TEST(AutomaticTolerance, is_full_precision_up_to_2000_nodes) {
  EXPECT_EQ(tolerance_for(2000, {}), 1e-8);
  EXPECT_EQ(tolerance_for(2001, {}), 1e-6);
  EXPECT_EQ(tolerance_for(2001, {.tolerance = 1e-3}), 1e-3);
}

TEST(Regularization, is_refused_by_the_unnormalized_methods_not_ignored) {
  const Labels truth = equal_clusters(60, 2);
  const Graph G = sample_planted_partition(truth, 0.6, 0.2, 1);
  for (const std::optional<double> tau : {std::optional<double>(2.0), std::optional<double>()}) {
    EXPECT_THROW((void)cluster(G, 2, {.method = Method::usc, .regularization = tau}), InvalidInput);
    EXPECT_THROW((void)cluster(G, truth, 2, {.method = Method::ufairsc, .regularization = tau}),
                 InvalidInput);
    EXPECT_THROW((void)path(G, G, 2, {3}, {.method = Method::urepsc, .regularization = tau}),
                 InvalidInput);
    EXPECT_NO_THROW((void)path(G, G, 2, {3}, {.method = Method::nrepsc, .regularization = tau}));
  }
}

TEST(Regularization, keeps_a_whisker_from_being_a_cluster) {
  // Two dense clusters, and a chain hanging off the first: its end is the best normalized cut.
  const Index N = 400;
  const Index chain = 60;
  const Labels truth = equal_clusters(N, 2);
  const Graph body = sample_planted_partition(truth, 0.08, 0.03, 3);
  std::vector<Edge> edges;
  for (Index i = 0; i < N; ++i) {
    for (const Index j : body.neighbors(i)) {
      if (i < j) edges.push_back({i, j});
    }
  }
  for (Index i = 0; i < chain; ++i) edges.push_back({i == 0 ? 0 : N + i - 1, N + i});
  const Graph G = build_graph(NodeNames(N + chain, 0), std::move(edges), {}, SelfLoops::drop).graph;
  const auto share = [&](const Clustering& found) {
    return accuracy(Labels(found.labels.begin(), found.labels.begin() + N), truth);
  };
  EXPECT_LT(share(cluster(G, 2)), 0.7);
  EXPECT_GT(share(cluster(G, 2, {.regularization = std::nullopt})), 0.9);
}

/// The filter of the eigensolver takes steps of several products on such graphs.
TEST(SparseGraphs, settle_on_the_labels_of_precise_eigenvectors) {
  const Index N = 12000;
  const Labels truth = equal_clusters(N, 5);
  for (const std::uint64_t seed : {1, 2}) {
    // Six neighbours within the cluster, 1.6 outside.
    const Graph drawn = sample_planted_partition(truth, 30.0 / N, 2.0 / N, seed);
    const Labels component = connected_components(drawn);
    std::vector<bool> keep;
    for (const Label part : component) keep.push_back(part == component.front());
    const Graph G = induced_subgraph(drawn, keep);
    const Clustering settled = cluster(G, 5, {.seed = seed});
    const Clustering precise = cluster(G, 5, {.tolerance = 1e-8, .seed = seed});
    EXPECT_TRUE(settled.settled);
    EXPECT_GT(settled.iterations, 16);  // it was filtered
    EXPECT_GT(accuracy(settled.labels, precise.labels), 0.99);
    EXPECT_LT((settled.eigenvalues - precise.eigenvalues).cwiseAbs().maxCoeff(), 0.01);
  }
}

}  // namespace
}  // namespace repsc
