// Groups wherever a representation graph can be given: the formulas with the dense R of the groups.
#include <gtest/gtest.h>

#include <algorithm>

#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "support/paper.hpp"
#include "support/samples.hpp"
#include "support/soft.hpp"

namespace repsc {
namespace {

using Dense = Eigen::MatrixXd;

constexpr Index N = 120;
constexpr int K = 3;

/// Groups of 60, 40 and 20 nodes, so that every rank has one best approximation.
Labels unequal_groups() {
  Labels groups = samples::shuffled_labels(N, 6, 4);
  for (Label& group : groups) group = group < 3 ? 0 : group < 5 ? 1 : 2;
  return groups;
}

struct Sample {
  Matrix A = samples::random_dense(samples::shuffled_labels(N, K, 1), 0.05, 0.25, 2);
  Labels groups = unequal_groups();
  Matrix R = samples::block_representation(groups);
  Graph G = samples::from_dense(A);
  Representation by_groups{groups};
};

void expect_values(const Clustering& found, const paper::Answer& expected) {
  ASSERT_TRUE(found.converged) << found.residual;
  EXPECT_LT((found.eigenvalues - expected.values).cwiseAbs().maxCoeff(),
            1e-7 * std::max(1.0, expected.largest));
}

TEST(GroupsInAPath, have_the_eigenvalues_of_the_dense_formula_at_every_rank_and_strength) {
  const Sample given;
  for (const Method method : {Method::urepsc, Method::nrepsc}) {
    const bool normalized = is_normalized(method);
    const RankPath found = path(given.G, given.by_groups, K,
                                PathPoints{.ranks = {1, 2, 3, 50}, .strengths = {0, 1, 30}},
                                {.method = method, .tolerance = 1e-9});
    ASSERT_EQ(found.steps.size(), 7U);
    for (const PathStep& step : found.steps) {
      SCOPED_TRACE(name(method) + " at rank " + std::to_string(step.rank));
      if (step.rank == 0) {
        const double strength = *step.clustering.strength;
        expect_values(step.clustering, normalized
                                           ? paper::soft_normalized(given.A, given.R, strength, K)
                                           : paper::soft(given.A, given.R, strength, K));
        continue;
      }
      const Index rank = std::min<Index>(step.rank, 3);
      const Dense C = paper::best_approximation(given.R, rank) * paper::centering(N);
      expect_values(step.clustering, normalized ? paper::constrained_normalized(given.A, C, K)
                                                : paper::constrained(given.A, C, K));
      EXPECT_EQ(step.clustering.constraint_rank, rank == 3 ? 2 : rank);
      EXPECT_LT(step.clustering.constraint_residual, 1e-8);
    }
  }
}

TEST(GroupsInCluster, are_a_soft_or_a_hard_constraint_and_can_be_refined) {
  const Sample given;
  const auto run = [&](const ClusterOptions& options) {
    return cluster(given.G, given.groups, K, options);
  };
  const Clustering soft = run({.strength = 3, .embedding_rows = EmbeddingRows::plain});
  EXPECT_EQ(soft.method, Method::nrepsc);
  expect_values(soft, paper::soft_normalized(given.A, given.R, 3, K));
  const Clustering exact = run({.method = Method::nrepsc});
  const Clustering fair = run({.method = Method::nfairsc});
  EXPECT_EQ(exact.labels, fair.labels);  // the same constraint
  EXPECT_LT((exact.eigenvalues - fair.eigenvalues).norm(), 1e-9);
  for (const Method method : {Method::nrepsc, Method::usc}) {
    const Clustering refined = run({.method = method, .refine = true});
    const Metrics before = evaluate(given.G, given.by_groups, refined.before_refinement, K);
    const Metrics after = evaluate(given.G, samples::from_dense(given.R), refined.labels, K);
    EXPECT_NEAR(refined.refinement->average_balance, after.average_balance, 1e-12);
    EXPECT_GT(after.average_balance, before.average_balance - 1e-12);
  }
}

TEST(GroupsInCluster, of_equal_size_are_named_as_a_choice_among_equal_approximations) {
  const Sample given;
  Labels equal(N);
  for (Index i = 0; i < N; ++i) equal[static_cast<std::size_t>(i)] = i % 4;
  const Clustering cut_through = cluster(given.G, equal, K, {.rank = Rank::of(2)});
  EXPECT_FALSE(cut_through.rank_unique);
  const Clustering all = cluster(given.G, equal, K, {.rank = Rank::of(40)});
  EXPECT_TRUE(all.rank_unique);
  EXPECT_EQ(all.constraint_rank, 3);
}

}  // namespace
}  // namespace repsc
