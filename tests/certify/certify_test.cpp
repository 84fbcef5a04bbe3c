// The certificate against brute force over all labellings, and against a grid over the strength.
#include "repsc/certify.hpp"

#include <gtest/gtest.h>

#include <random>

#include "certify/dense_dual.hpp"
#include "repsc/metrics.hpp"
#include "repsc/representation.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"
#include "support/labellings.hpp"

namespace repsc {
namespace {

/// A small random problem, in the forms of the library and of the dense formulas.
struct Instance {
  Matrix A;
  Matrix R;
  Labels groups;  ///< empty: R is a graph
  int K = 2;
  CutKind cut = CutKind::normalized;

  [[nodiscard]] Representation representation() const {
    return groups.empty() ? Representation(samples::from_dense(R)) : Representation(groups);
  }
  [[nodiscard]] paper::DenseProblem dense() const {
    return paper::dense_problem(A, R, cut == CutKind::normalized);
  }
};

Instance random_instance(unsigned seed, Index N) {
  std::mt19937 random(seed);
  Instance result;
  result.K = seed % 2 == 0 ? 2 : 3;
  result.cut = seed / 2 % 2 == 0 ? CutKind::normalized : CutKind::ratio;
  const bool weighted = seed / 4 % 2 == 0;
  const bool by_groups = seed / 8 % 2 == 0;
  result.A = samples::random_dense(samples::shuffled_labels(N, 2, seed), 0.3, 0.3, seed, weighted);
  if (by_groups) {
    result.groups = samples::shuffled_labels(N, 2 + static_cast<int>(random() % 2), seed + 1);
    result.R = samples::block_representation(result.groups);
  } else if (random() % 4 == 0) {  // rows without entries
    result.R = samples::random_dense(Labels(static_cast<std::size_t>(N), 0), 0.3, 0, seed + 2);
    result.R.row(0).setZero();
    result.R.col(0).setZero();
  } else {
    result.R = samples::random_representation(N, 0.3, seed + 3);
    if (weighted) result.R *= 0.3;
  }
  return result;
}

struct CutAndDeviation {
  Labels labels;
  double cut;
  double deviation;
};

std::vector<CutAndDeviation> all_labellings(const Instance& instance) {
  const paper::DenseProblem problem = instance.dense();
  std::vector<CutAndDeviation> all;
  for_each_labelling(static_cast<Index>(instance.A.rows()), instance.K, [&](const Labels& labels) {
    const paper::Dense H = paper::indicators(problem, labels, instance.K);
    all.push_back({labels, 0.5 * paper::trace_form(problem.L, H), paper::trace_form(problem.C, H)});
  });
  return all;
}

double optimum(const std::vector<CutAndDeviation>& all, double deviation) {
  double best = INFINITY;
  for (const CutAndDeviation& one : all) {
    if (one.deviation <= deviation * (1 + 1e-10) + 1e-13) best = std::min(best, one.cut);
  }
  return best;
}

TEST(Certificate, is_never_above_the_optimum_of_all_labellings) {
  constexpr int graphs = 320;
  constexpr int per_graph = 10;
  int positive = 0;
  int above_plain = 0;
  int total = 0;
  for (unsigned seed = 0; seed < graphs; ++seed) {
    const auto N = static_cast<Index>(seed % 40 == 39 ? 11 : 6 + seed / 16 % 4);
    const Instance instance = random_instance(seed, N);
    const std::vector<CutAndDeviation> all = all_labellings(instance);
    Pipeline data(cluster_input(samples::from_dense(instance.A), instance.representation()));
    const double least = optimum(all, INFINITY);
    std::mt19937 random(seed);
    for (int i = 0; i < per_graph; ++i) {
      const CutAndDeviation& one = all[random() % all.size()];
      const Certificate proof =
          certify(data, one.labels, instance.K, {.cut = instance.cut, .memory_limit = 1 << 30});
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", labelling " << i);
      ++total;
      EXPECT_NEAR(proof.cut, one.cut, 1e-12 * (1 + one.cut));
      EXPECT_NEAR(proof.deviation, one.deviation, 1e-10 * (1 + one.deviation));
      EXPECT_LE(proof.lower_bound, optimum(all, one.deviation) * (1 + 1e-14));
      EXPECT_TRUE(proof.verified) << proof.reason;
      EXPECT_LE(proof.num_eigenproblems, 20);
      positive += proof.lower_bound > 0 ? 1 : 0;
      above_plain += proof.lower_bound > least ? 1 : 0;
    }
  }
  EXPECT_EQ(total, graphs * per_graph);
  EXPECT_GT(positive, 9 * total / 10);
  EXPECT_GT(above_plain, 0);  // some prove that fairness has a price
}

TEST(Certificate, is_within_one_percent_of_a_fine_grid_over_the_strength) {
  for (unsigned seed = 0; seed < 48; ++seed) {
    const Instance instance = random_instance(seed, static_cast<Index>(8 + seed % 17));
    const paper::DenseProblem problem = instance.dense();
    const Labels labels =
        samples::shuffled_labels(static_cast<Index>(instance.A.rows()), instance.K, seed + 7);
    const double deviation =
        paper::trace_form(problem.C, paper::indicators(problem, labels, instance.K));
    const double grid = paper::grid_bound(problem, deviation, instance.K, 1e-4, 1e6, 1.03);
    const Certificate proof = certify(samples::from_dense(instance.A), instance.representation(),
                                      labels, instance.K, {.cut = instance.cut});
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", strength " << proof.strength);
    EXPECT_GE(proof.lower_bound, 0.99 * grid);
    EXPECT_LE(proof.lower_bound, proof.cut * (1 + 1e-12));
  }
}

/// A planted graph, and representatives that agree with its clusters in part, so that fairness has
/// a price.
struct Planted {
  Graph similarity;
  Graph representation;
  Labels groups;
  Labels clusters;
};

Planted planted(Index N, int K, unsigned seed) {
  Planted result;
  result.clusters = samples::shuffled_labels(N, K, seed);
  result.groups = samples::shuffled_labels(N, 5, seed + 1);
  for (std::size_t i = 0; i < result.groups.size(); i += 2) result.groups[i] = result.clusters[i];
  result.similarity =
      samples::from_dense(samples::random_dense(result.clusters, 8.0 / N, 16.0 / N, seed));
  Matrix R = samples::random_dense(result.groups, 2.0 / N, 30.0 / N, seed + 2);
  R.diagonal().setOnes();
  result.representation = samples::from_dense(R);
  return result;
}

// Above 500 nodes the eigenpairs are those of an iteration, with residuals that are far from zero.
TEST(Certificate, agrees_with_the_grid_where_eigenpairs_are_iterated) {
  constexpr Index N = 520;
  constexpr int K = 3;
  const Planted sample = planted(N, K, 5);
  const Matrix A = samples::to_dense(sample.similarity);
  for (const bool by_groups : {false, true}) {
    for (const CutKind cut : {CutKind::normalized, CutKind::ratio}) {
      const Representation R =
          by_groups ? Representation(sample.groups) : Representation(sample.representation);
      const Labels labels =
          refine(sample.similarity, R, sample.clusters, K, {.mu = 1, .cut = cut, .max_rounds = 1})
              .labels;
      const paper::DenseProblem problem =
          paper::dense_problem(A,
                               by_groups ? samples::block_representation(sample.groups)
                                         : samples::to_dense(sample.representation),
                               cut == CutKind::normalized);
      const double deviation = paper::trace_form(problem.C, paper::indicators(problem, labels, K));
      const Certificate proof = certify(sample.similarity, R, labels, K, {.cut = cut});
      EXPECT_TRUE(proof.verified) << proof.reason;
      EXPECT_GT(proof.strength, 0);
      EXPECT_NEAR(proof.deviation, deviation, 1e-8 * deviation);
      const double exact =
          paper::grid_bound(problem, proof.deviation, K, proof.strength, proof.strength, 2);
      EXPECT_LE(proof.lower_bound, exact * (1 + 1e-12));  // at its own strength, and nearly
      EXPECT_GE(proof.lower_bound, 0.998 * exact);
      const double grid =
          paper::grid_bound(problem, deviation, K, 0.3 * proof.strength, 3 * proof.strength, 1.8);
      EXPECT_GE(proof.lower_bound, 0.99 * grid);
    }
  }
}

TEST(Certificate, without_representatives_bounds_every_clustering) {
  const Instance instance = random_instance(3, 8);
  const std::vector<CutAndDeviation> all = all_labellings(instance);
  const Certificate proof = certify(samples::from_dense(instance.A), all.front().labels, instance.K,
                                    {.cut = instance.cut, .plain_cut = optimum(all, INFINITY)});
  EXPECT_TRUE(std::isnan(proof.deviation));
  EXPECT_EQ(proof.strength, 0);
  EXPECT_EQ(proof.num_eigenproblems, 1);
  EXPECT_GT(proof.lower_bound, 0);
  EXPECT_LE(proof.lower_bound, optimum(all, INFINITY));
  EXPECT_EQ(proof.price_of_fairness_at_least, 0);
}

TEST(Certificate, of_an_optimum_with_a_known_price) {
  // Two cliques, joined by one edge, and groups that are the cliques: clusters as fair as two
  // halves of each clique must cut through both.
  Matrix A = Matrix::Zero(8, 8);
  A.topLeftCorner(4, 4).setOnes();
  A.bottomRightCorner(4, 4).setOnes();
  A.diagonal().setZero();
  A(3, 4) = A(4, 3) = 1;
  const Labels groups{0, 0, 0, 0, 1, 1, 1, 1};
  const Labels fair{0, 0, 1, 1, 0, 0, 1, 1};
  const Graph G = samples::from_dense(A);
  const double plain = 0.5 * (1.0 / 13 + 1.0 / 13);
  const Certificate proof = certify(G, Representation(groups), fair, 2, {.plain_cut = plain});
  EXPECT_NEAR(proof.deviation, 0, 1e-12);
  EXPECT_TRUE(proof.verified);
  EXPECT_GT(*proof.price_of_fairness_at_least, 5);
  EXPECT_NEAR(*proof.price_of_fairness_at_least, proof.lower_bound / plain - 1, 1e-12);
  EXPECT_NEAR(proof.gap, proof.cut / proof.lower_bound - 1, 1e-12);
  // Balanced clusters of the plain kind are less fair, and nothing is proved about a price.
  EXPECT_EQ(certify(G, Representation(groups), groups, 2, {.plain_cut = plain})
                .price_of_fairness_at_least,
            0);
}

TEST(Certificate, of_a_cut_of_zero_is_exact) {
  const Matrix A = samples::repeated_components(5, 2, 0.4, 3);
  const Labels components{0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  for (const CutKind cut : {CutKind::normalized, CutKind::ratio}) {
    const Certificate proof = certify(samples::from_dense(A), Representation(components),
                                      components, 2, {.cut = cut, .plain_cut = 0});
    EXPECT_EQ(proof.cut, 0);
    EXPECT_EQ(proof.lower_bound, 0);
    EXPECT_EQ(proof.gap, 0);
    EXPECT_EQ(proof.price_of_fairness_at_least, 0);
    EXPECT_TRUE(proof.verified);
  }
}

TEST(Certificate, of_as_many_clusters_as_nodes_and_of_one) {
  const Instance instance = random_instance(1, 7);
  const Graph G = samples::from_dense(instance.A);
  const Certificate all = certify(G, instance.representation(), {0, 1, 2, 3, 4, 5, 6}, 7, {});
  EXPECT_NEAR(all.lower_bound, all.cut, 1e-10);  // the trace of L, whatever the labels
  EXPECT_LE(all.lower_bound, all.cut);
  EXPECT_TRUE(all.verified);
  const Certificate one = certify(G, instance.representation(), Labels(7, 0), 1, {});
  EXPECT_EQ(one.cut, 0);
  EXPECT_EQ(one.lower_bound, 0);
  EXPECT_EQ(one.gap, 0);
}

TEST(Certificate, with_one_group_is_that_of_plain_clustering) {
  const Instance instance = random_instance(2, 9);
  const Graph G = samples::from_dense(instance.A);
  const Labels labels = samples::shuffled_labels(9, 2, 1);
  const Certificate proof = certify(G, Representation(Labels(9, 0)), labels, 2);
  EXPECT_EQ(proof.deviation, 0);
  EXPECT_NEAR(proof.lower_bound, certify(G, labels, 2).lower_bound, 1e-12);
  EXPECT_GT(proof.lower_bound, 0);
}

TEST(Certificate, is_in_the_unit_of_the_weights_as_given) {
  const Instance instance = random_instance(4, 9);
  const Labels labels = samples::shuffled_labels(9, 2, 1);
  for (const CutKind cut : {CutKind::normalized, CutKind::ratio}) {
    const auto of = [&](double factor) {
      return certify(samples::from_dense(factor * instance.A), instance.representation(), labels, 2,
                     {.cut = cut});
    };
    const Certificate usual = of(1);
    for (const double factor : {0x1p-700, 0x1p+600}) {
      const Certificate extreme = of(factor);
      const double unit = cut == CutKind::ratio ? factor : 1;
      EXPECT_NEAR(extreme.lower_bound / unit, usual.lower_bound, 1e-9 * usual.lower_bound);
      EXPECT_NEAR(extreme.deviation / unit, usual.deviation, 1e-9);
      EXPECT_NEAR(extreme.cut / unit, usual.cut, 1e-9);
      EXPECT_NEAR(extreme.gap, usual.gap, 1e-8);
    }
  }
}

TEST(Certificate, of_a_search_that_ends_early_is_weaker_and_holds) {
  const Planted sample = planted(200, 2, 3);
  const Labels labels = samples::shuffled_labels(200, 2, 9);
  const Representation R(sample.clusters);  // random labels are far fairer to them than plain ones
  const double full = certify(sample.similarity, R, labels, 2).lower_bound;
  const Certificate brief = certify(sample.similarity, R, labels, 2, {.max_eigenproblems = 1});
  EXPECT_EQ(brief.num_eigenproblems, 1);
  EXPECT_GT(brief.lower_bound, 0);
  EXPECT_LT(brief.lower_bound, full);
  std::atomic<bool> cancelled = true;
  const Certificate late =
      certify(sample.similarity, R, labels, 2, {.deadline = {.cancelled = &cancelled}});
  EXPECT_TRUE(late.out_of_time);
  EXPECT_FALSE(late.verified);
  EXPECT_LE(late.lower_bound, full);
}

TEST(Certificate, says_why_it_is_not_verified) {
  const Planted sample = planted(200, 2, 3);
  const Representation R(sample.representation);
  const Certificate unasked = certify(sample.similarity, R, sample.clusters, 2, {.verify = false});
  EXPECT_FALSE(unasked.verified);
  EXPECT_EQ(unasked.reason, "verification was not asked for");
  EXPECT_EQ(certify(sample.similarity, R, sample.clusters, 2).reason, "");
}

TEST(Certificate, of_labels_that_do_not_fit_is_refused) {
  const Graph G = samples::from_dense(random_instance(1, 6).A);
  const Representation R(Labels{0, 1, 0, 1, 0, 1});
  EXPECT_NE(error_of([&] {
              return certify(G, R, {0, 0, 0, 0, 2, 2}, 3);
            }).find("the labels leave cluster 1 of 3 empty"),
            std::string::npos);
  EXPECT_NE(error_of([&] { return certify(G, R, {0, 1}, 2); }).find("2 labels"), std::string::npos);
  EXPECT_NE(error_of([&] {
              return certify(G, R, {0, 0, 0, 1, 1, 1}, 2, {.tolerance = 0});
            }).find("tolerance"),
            std::string::npos);
  Matrix isolated = samples::to_dense(G);
  isolated.row(2).setZero();
  isolated.col(2).setZero();
  const Graph with_isolated = samples::from_dense(isolated);
  const Labels labels{0, 0, 1, 1, 1, 0};
  EXPECT_NE(error_of([&] {
              return certify(with_isolated, R, labels, 2);
            }).find("has no edges in the similarity graph"),
            std::string::npos);
  EXPECT_TRUE(certify(with_isolated, R, labels, 2, {.cut = CutKind::ratio}).verified);
}

// The trade of 210 countries; plain clusters, made fair by refinement. A bound of the dense
// formulas over a grid is at most 0.3 % higher.
TEST(Certificate, of_the_trade_network_proves_a_price_of_fairness) {
  const auto path = data_file("fao_trade/fao_trade_multiplex.edges");
  if (!path) GTEST_SKIP() << no_data;
  const auto half = [&](const char* layers, SelfLoops self_loops) {
    return graph_from_multiplex(
        *path, {.layers = parse_layers(layers), .nearest = 5, .self_loops = self_loops});
  };
  Graph G = half("183-364", SelfLoops::drop);
  Graph R = half("1-182", SelfLoops::add);
  std::vector<bool> keep(static_cast<std::size_t>(G.num_nodes()), true);
  for (const Index node : isolated_nodes(G)) keep[static_cast<std::size_t>(node)] = false;
  G = induced_subgraph(G, keep);
  R = induced_subgraph(R, keep);
  ASSERT_EQ(G.num_nodes(), 210);
  struct Expected {
    int K;
    int rounds;  ///< of refinement
    double most_gap;
    double least_price;
  };
  for (const Expected& expected :
       {Expected{2, 3, 0.14, 0.045}, {4, 1, 0.17, 0.02}, {8, 1, 0.18, -1}}) {
    const Labels plain = cluster(G, expected.K, {.method = Method::nsc}).labels;
    const Labels fair =
        refine(G, R, plain, expected.K, {.mu = 4, .max_rounds = expected.rounds}).labels;
    const Certificate proof = certify(G, Representation(R), fair, expected.K,
                                      {.plain_cut = normalized_cut(G, plain, expected.K)});
    SCOPED_TRACE(testing::Message() << "K = " << expected.K << ", gap " << proof.gap << ", price "
                                    << proof.price_of_fairness_at_least.value_or(-1));
    EXPECT_TRUE(proof.verified) << proof.reason;
    EXPECT_GT(proof.gap, 0.05);
    EXPECT_LT(proof.gap, expected.most_gap);
    EXPECT_GT(proof.price_of_fairness_at_least, expected.least_price);
    const paper::DenseProblem problem =
        paper::dense_problem(samples::to_dense(G), samples::to_dense(R), true);
    const double grid = paper::grid_bound(problem, proof.deviation, expected.K, 0.01, 1, 1.1);
    EXPECT_GE(proof.lower_bound, 0.997 * grid);
  }
}

}  // namespace
}  // namespace repsc
