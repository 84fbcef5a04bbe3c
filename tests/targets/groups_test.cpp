// Targets for groups: answers and limits are those of the R that links the nodes of each group.
#include <gtest/gtest.h>

#include "repsc/metrics.hpp"
#include "repsc/targets.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

TEST(GroupsInTargets, are_answered_from_a_front_of_their_own) {
  constexpr Index N = 120;
  constexpr int K = 3;
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(N, K, 1), 0.05, 0.25, 2));
  Labels groups = samples::shuffled_labels(N, 6, 4);
  for (Label& group : groups) group = group < 3 ? 0 : group < 5 ? 1 : 2;
  const Graph R = samples::from_dense(samples::block_representation(groups));
  const TargetFront front = target_front(G, Representation(groups), K);
  double last_cut = 0;
  for (const double target : {0.3, 0.6, 0.9}) {
    const TargetResult found = cluster_to_target(
        front, {.average_balance = target, .individual_balance = {}, .max_cut_increase = {}});
    EXPECT_TRUE(found.met) << target;
    const Metrics metrics = evaluate(G, R, found.clustering.labels, K);
    EXPECT_GE(metrics.average_balance, target);
    EXPECT_NEAR(metrics.normalized_cut, found.cut, 1e-9);
    EXPECT_GE(found.cut, last_cut);
    last_cut = found.cut;
  }
  const TargetResult everyone = cluster_to_target(
      front, {.average_balance = {}, .individual_balance = 0.75, .max_cut_increase = {}});
  EXPECT_TRUE(everyone.met);
  EXPECT_EQ(everyone.satisfied, N);
}

TEST(UnreachableNodes, of_groups_are_those_of_their_graph) {
  const Labels groups{0, 0, 0, 1, 1, 2};
  const Representation by_groups{groups};
  const Graph R = samples::from_dense(samples::block_representation(groups));
  for (const double alpha : {0.0, 0.5, 1.0}) {
    const auto found = unreachable_nodes(by_groups, 2, alpha);
    const auto expected = unreachable_nodes(R, 2, alpha);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].node, expected[i].node);
      EXPECT_EQ(found[i].best, expected[i].best);
    }
  }
  EXPECT_EQ(average_balance_limit(by_groups, 2), average_balance_limit(R, 2));
}

}  // namespace
}  // namespace repsc
