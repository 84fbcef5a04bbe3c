// The search among candidates: what it returns is on the scale what the definitions say, and no
// worse than each of the candidates that a user could have asked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "repsc/models.hpp"
#include "support/dense_scale.hpp"
#include "support/errors.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

/// Clusters and groups that cross, both visible in G; R is random, or the groups themselves.
struct Case {
  Matrix A;
  Matrix R;
  Labels truth;
  Labels groups;
  int K = 0;

  [[nodiscard]] Graph G() const { return samples::from_dense(A); }
};

Case crossing(Index N, int K, int num_groups, bool random_R, unsigned seed) {
  Case made{.A = {},
            .R = {},
            .truth = samples::shuffled_labels(N, K, seed),
            .groups = samples::shuffled_labels(N, num_groups, seed + 1000),
            .K = K};
  const Matrix by_cluster = samples::random_dense(made.truth, 0.05, 0.25, seed + 1);
  const Matrix by_group = samples::random_dense(made.groups, 0.02, 0.3, seed + 2);
  made.A = by_cluster.cwiseMax(by_group);
  made.R = random_R ? samples::random_representation(N, 0.2, seed + 3)
                    : samples::block_representation(made.groups);
  return made;
}

struct Placed {
  double s;
  double f;
  [[nodiscard]] double value() const { return std::max(0.0, s) * std::clamp(f, 0.0, 1.0); }
};

/// By the definitions; lots and plain clustering as reported.
Placed placed(const Case& of, const Labels& labels, const Baselines& scale) {
  const double cut = dense_cut(of.A, labels, of.K, true);
  const double balance = dense_balance(of.R, labels, of.K);
  const double to_gain = scale.fair_balance - scale.plain.average_balance;
  const double gained = to_gain > 0 ? (balance - scale.plain.average_balance) / to_gain
                                    : std::min(1.0, balance / scale.fair_balance);
  return {(scale.random.cut - cut) / (scale.random.cut - scale.plain.cut), gained};
}

TEST(Search, reports_the_place_that_the_definitions_give) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const Case of = crossing(60, 3, 2, seed % 2 == 0, seed);
    const Clustering found = cluster(of.G(), samples::from_dense(of.R), of.K);
    ASSERT_TRUE(found.baselines && found.search);
    const Placed expected = placed(of, found.labels, *found.baselines);
    EXPECT_NEAR(*found.structure_kept, expected.s, 1e-9);
    EXPECT_NEAR(*found.fairness_gained, expected.f, 1e-9);
    EXPECT_GE(found.baselines->fair_balance, found.baselines->random.average_balance);
    EXPECT_TRUE(found.search->met);
    EXPECT_GT(found.search->tried, 3);
  }
}

TEST(Search, takes_the_better_of_both_scalings_as_plain_clustering) {
  const Case of = crossing(80, 4, 2, true, 5);
  Pipeline pipeline(ClusterInput{of.G(), samples::from_dense(of.R)});
  const auto scale = baselines(pipeline, of.K);
  ASSERT_TRUE(scale);
  double lowest = 1e300;
  for (const EmbeddingRows rows : {EmbeddingRows::plain, EmbeddingRows::unit}) {
    const Clustering plain = cluster(of.G(), of.K, {.method = Method::nsc, .embedding_rows = rows});
    lowest = std::min(lowest, dense_cut(of.A, plain.labels, of.K, true));
  }
  EXPECT_NEAR(scale->plain.cut, lowest, 1e-9);
  const Clustering unrefined = cluster(of.G(), of.K, {.refine = false});
  EXPECT_NEAR(dense_cut(of.A, unrefined.labels, of.K, true), lowest, 1e-9);
}

TEST(PlainClustering, ends_where_no_single_move_lowers_the_cut) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    const Case of = crossing(50, 2 + static_cast<int>(seed % 4), 2, true, seed);
    const Clustering found = cluster(of.G(), of.K);
    const double cut = dense_cut(of.A, found.labels, of.K, true);
    EXPECT_LE(cut, dense_cut(of.A, cluster(of.G(), of.K, {.refine = false}).labels, of.K, true));
    for (std::size_t i = 0; i < found.labels.size(); ++i) {
      const auto same = std::count(found.labels.begin(), found.labels.end(), found.labels[i]);
      if (same == 1) continue;
      for (Label k = 0; k < of.K; ++k) {
        Labels moved = found.labels;
        moved[i] = k;
        EXPECT_GE(dense_cut(of.A, moved, of.K, true), cut - 1e-6) << "seed " << seed;
      }
    }
  }
}

TEST(PlainClustering, takes_a_graph_with_fewer_distinct_rows_than_clusters) {
  Matrix A = Matrix::Ones(6, 6);  // complete: all rows of the embedding may coincide
  A.diagonal().setZero();
  const Clustering found = cluster(samples::from_dense(A), 5);
  EXPECT_EQ(found.labels.size(), 6U);
}

// Whether points are clustered for baselines, and the cut of plain clustering that they hold.
struct PlainBaseline {
  bool computed = false;
  double cut = 0;
};

PlainBaseline plain_baseline(Pipeline& pipeline, int K, ClusterOptions options) {
  PlainBaseline result;
  options.progress = [&](const Progress& at) {
    if (at.stage == "kmeans") result.computed = true;
  };
  result.cut = baselines(pipeline, K, options)->plain.cut;
  return result;
}

TEST(PlainClustering, is_its_own_baseline_and_not_computed_again) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const ClusterInput input{crossing(120, 3, 2, false, seed).G()};
    for (const ClusterOptions& options :
         {ClusterOptions{.seed = seed},
          ClusterOptions{.solver = solver::Lanczos{}, .kmeans_restarts = 2, .seed = seed}}) {
      Pipeline pipeline(input);
      const Clustering found = pipeline.run(plan(input, 3, options));
      const PlainBaseline known = plain_baseline(pipeline, 3, options);
      EXPECT_FALSE(known.computed);
      Pipeline other(input);
      const PlainBaseline computed = plain_baseline(other, 3, options);
      EXPECT_TRUE(computed.computed);
      EXPECT_DOUBLE_EQ(known.cut, computed.cut);
      EXPECT_LE(normalized_cut(input.similarity, found.labels, 3), known.cut);
    }
  }
}

TEST(PlainClustering, is_no_baseline_for_other_options) {
  const ClusterInput input{crossing(120, 3, 2, false, 1).G()};
  Pipeline pipeline(input);
  (void)pipeline.run(plan(input, 3, {.seed = 1}));
  EXPECT_TRUE(plain_baseline(pipeline, 2, {.seed = 1}).computed);
  EXPECT_TRUE(plain_baseline(pipeline, 3, {.seed = 2}).computed);
  EXPECT_TRUE(plain_baseline(pipeline, 3, {.solver = solver::Lanczos{}, .seed = 1}).computed);
  EXPECT_TRUE(plain_baseline(pipeline, 3, {.tolerance = 1e-4, .seed = 1}).computed);
  EXPECT_TRUE(plain_baseline(pipeline, 3, {.kmeans_restarts = 1, .seed = 1}).computed);
  // A method that is named runs as in the paper, without the better of two scalings.
  (void)pipeline.run(plan(input, 3, {.method = Method::nsc, .seed = 2}));
  EXPECT_TRUE(plain_baseline(pipeline, 3, {.seed = 2}).computed);
}

TEST(Search, is_never_worse_than_what_could_have_been_asked_for) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const Case of = crossing(60, 3, 2, seed % 2 == 0, seed);
    const Graph G = of.G();
    const Graph R = samples::from_dense(of.R);
    const Clustering found = cluster(G, R, of.K);
    const double own = placed(of, found.labels, *found.baselines).value();
    for (const double strength : {0.0, 0.01, 0.1, 1.0, 10.0}) {
      for (const EmbeddingRows rows : {EmbeddingRows::plain, EmbeddingRows::unit}) {
        const Clustering other = cluster(
            G, R, of.K, {.method = Method::nrepsc, .strength = strength, .embedding_rows = rows});
        EXPECT_GE(own, 0.99 * placed(of, other.labels, *found.baselines).value() - 1e-9)
            << "seed " << seed << ", strength " << strength;
      }
    }
  }
}

TEST(Search, is_not_both_less_fair_and_more_cut_than_plain_clustering) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const bool by_graph = seed % 2 == 0;
    const Case of = crossing(24 + static_cast<Index>(seed), 2 + static_cast<int>(seed % 4),
                             2 + static_cast<int>(seed % 3), by_graph, seed);
    const Graph G = of.G();
    const Clustering found =
        by_graph ? cluster(G, samples::from_dense(of.R), of.K) : cluster(G, of.groups, of.K);
    const Baselines& scale = *found.baselines;
    const double cut = dense_cut(of.A, found.labels, of.K, true);
    const double balance = dense_balance(of.R, found.labels, of.K);
    EXPECT_TRUE(cut <= scale.plain.cut + 1e-9 || balance >= scale.plain.average_balance - 1e-9)
        << "seed " << seed;
    const std::set<Label> used(found.labels.begin(), found.labels.end());
    EXPECT_EQ(used.size(), static_cast<std::size_t>(of.K)) << "seed " << seed;
  }
}

TEST(Search, finds_planted_clusters_that_groups_hide) {
  Labels groups(600);
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = static_cast<Label>(i % 5);
  const Labels truth = equal_clusters(600, 4);
  const Graph R = sample_planted_partition(groups, 0.8, 0.2, 1, SelfLoops::add);
  const Graph G = sample_rpp(R, truth, {.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1}, 5);
  const Clustering plain = cluster(G, 4);
  const Clustering found = cluster(G, R, 4);
  EXPECT_LT(adjusted_rand_index(plain.labels, truth), 0.3);
  EXPECT_GT(adjusted_rand_index(found.labels, truth), 0.7);
  EXPECT_GT(*found.structure_kept, 1) << "fairer and a lower cut than plain clustering";
  EXPECT_GE(*found.fairness_gained, 1);
}

TEST(Search, keeps_the_paper_s_promise_where_the_constraint_can_be_satisfied) {
  const Labels truth = equal_clusters(200, 4);
  const Graph R = sample_regular_representation(200, 4, 40, 1);
  const Graph G = sample_rpp(R, truth, {.p = 0.5, .q = 0.4, .r = 0.3, .s = 0.1}, 2);
  const Clustering found = cluster(G, R, 4);
  ASSERT_TRUE(found.baselines->exact);
  EXPECT_NEAR(found.baselines->exact->average_balance, 1, 1e-12);
  EXPECT_EQ(found.baselines->fair_balance, found.baselines->exact->average_balance);
  EXPECT_NEAR(balance(R, found.labels, 4).minCoeff(), 1, 1e-12);
}

TEST(Search, keeps_the_structure_or_the_fairness_that_is_asked_for) {
  const Case of = crossing(80, 3, 2, true, 9);
  const Graph G = of.G();
  const Graph R = samples::from_dense(of.R);
  for (const double level : {0.0, 0.5, 0.9, 1.0}) {
    const Clustering found = cluster(G, R, of.K, {.keep_structure = level});
    EXPECT_TRUE(found.search->met);
    EXPECT_GE(placed(of, found.labels, *found.baselines).s, level - 1e-9);
    EXPECT_GE(placed(of, found.labels, *found.baselines).f, -1e-9) << "plain clustering has 0";
  }
  for (const double level : {0.5, 1.0, 1.3}) {
    const Clustering found = cluster(G, R, of.K, {.fairness = level});
    const Placed at = placed(of, found.labels, *found.baselines);
    EXPECT_EQ(found.search->met, at.f >= level - 1e-9);
    EXPECT_TRUE(found.search->met) << level;
  }
  const Clustering none = cluster(G, R, of.K, {.fairness = 1e5});
  EXPECT_FALSE(none.search->met);
  EXPECT_GT(*none.fairness_gained, 1) << "the fairest is returned";
}

TEST(Search, at_a_given_mu_is_at_least_as_good_as_refining_plain_clusters) {
  const Case of = crossing(60, 3, 2, true, 4);
  const Graph G = of.G();
  const Graph R = samples::from_dense(of.R);
  const double mu = 0.5;
  const auto objective = [&](const Labels& labels) {
    return dense_cut(of.A, labels, of.K, true) / cut_scale(G, of.K, CutKind::normalized) -
           mu * dense_balance(of.R, labels, of.K);
  };
  const Clustering found = cluster(G, R, of.K, {.refinement = RefineOptions{.mu = mu}});
  EXPECT_EQ(found.refinement->mu, mu);
  const Labels plain = cluster(G, of.K, {.method = Method::nsc}).labels;
  EXPECT_LE(objective(found.labels), objective(plain) + 1e-12);
  EXPECT_LE(objective(found.labels), objective(found.before_refinement) + 1e-12);
}

TEST(Search, leaves_labels_as_they_are_if_refinement_is_not_wanted) {
  const Case of = crossing(60, 3, 2, true, 4);
  const Clustering found = cluster(of.G(), samples::from_dense(of.R), of.K, {.refine = false});
  EXPECT_FALSE(found.refinement);
  EXPECT_TRUE(found.search);
}

TEST(Search, depends_on_the_seed_alone) {
  const Case of = crossing(70, 3, 2, true, 8);
  const Graph G = of.G();
  const Graph R = samples::from_dense(of.R);
  const Clustering once = cluster(G, R, of.K, {.seed = 5});
  set_num_threads(1);
  const Clustering again = cluster(G, R, of.K, {.seed = 5});
  set_num_threads({});
  EXPECT_EQ(once.labels, again.labels);
  EXPECT_EQ(once.baselines->random.cut, again.baselines->random.cut);
}

TEST(Search, keeps_to_the_least_size_of_a_cluster) {
  const Case of = crossing(60, 3, 2, true, 4);
  const Clustering found = cluster(of.G(), samples::from_dense(of.R), of.K,
                                   {.refinement = RefineOptions{.min_cluster_size = 15}});
  for (const Index size : cluster_sizes(found.labels, of.K)) EXPECT_GE(size, 15);
  EXPECT_THAT(error_of([&] {
                return cluster(of.G(), samples::from_dense(of.R), of.K,
                               {.refinement = RefineOptions{.min_cluster_size = 21}});
              }),
              HasSubstr("min_cluster_size"));
}

TEST(Search, ends_where_there_is_nothing_to_find) {
  const Matrix complete = Matrix::Ones(12, 12) - Matrix::Identity(12, 12);
  const Graph K12 = samples::from_dense(complete);
  const Labels one_group(12, 0);
  const Labels own_groups = [] {
    Labels labels(12);
    for (int i = 0; i < 12; ++i) labels[static_cast<std::size_t>(i)] = i;
    return labels;
  }();
  for (const Labels& groups : {one_group, own_groups, samples::shuffled_labels(12, 5, 1)}) {
    for (const int K : {2, 5, 12}) {
      const Clustering found = cluster(K12, groups, K);
      EXPECT_EQ(found.labels.size(), 12U);
      EXPECT_TRUE(std::isfinite(*found.structure_kept));
      EXPECT_TRUE(std::isfinite(*found.fairness_gained));
      EXPECT_THAT(found.warnings, Contains(Field(&Warning::code, "no_better_than_lots")));
    }
  }
}

TEST(Search, has_no_baselines_on_a_graph_with_an_isolated_node) {
  Matrix A = Matrix::Zero(6, 6);
  A(0, 1) = A(1, 0) = A(2, 3) = A(3, 2) = A(3, 4) = A(4, 3) = 1;
  Pipeline pipeline(ClusterInput{samples::from_dense(A)});
  EXPECT_FALSE(baselines(pipeline, 2));
}

TEST(Search, ends_at_the_deadline_with_an_answer) {
  const Case of = crossing(200, 4, 3, true, 2);
  const Clustering found =
      cluster(of.G(), samples::from_dense(of.R), of.K, {.deadline = Deadline::after(1e-6)});
  EXPECT_TRUE(found.out_of_time);
  EXPECT_EQ(found.labels.size(), 200U);
  EXPECT_TRUE(found.baselines);
}

TEST(Search, refuses_goals_that_contradict_other_options) {
  const Case of = crossing(30, 2, 2, true, 1);
  const Graph G = of.G();
  const Graph R = samples::from_dense(of.R);
  const auto message = [&](const ClusterOptions& options) {
    return error_of([&] { return cluster(G, R, 2, options); });
  };
  EXPECT_THAT(message({.method = Method::nrepsc, .fairness = 1}), HasSubstr("fairness = 1"));
  EXPECT_THAT(message({.keep_structure = 0.5, .fairness = 1}), HasSubstr("only one of"));
  EXPECT_THAT(message({.keep_structure = 1.5}), HasSubstr("from 0 to 1"));
  EXPECT_THAT(message({.keep_structure = std::nan("")}), HasSubstr("from 0 to 1"));
  EXPECT_THAT(message({.fairness = -1}), HasSubstr("at least 0"));
  EXPECT_THAT(message({.refinement = RefineOptions{.mu = 1}, .keep_structure = 0.5}),
              HasSubstr("leave out mu"));
  EXPECT_THAT(error_of([&] { return cluster(G, 2, {.fairness = 1}); }),
              HasSubstr("needs a representation graph or groups"));
}

}  // namespace
}  // namespace repsc
