// Targets: what no clustering can reach, what is reported as reached, and least cuts, against brute
// force.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <set>

#include "refine/dense_objective.hpp"
#include "repsc/metrics.hpp"
#include "repsc/models.hpp"
#include "repsc/targets.hpp"

namespace repsc {
namespace {

std::set<Index> nodes_of(const std::vector<UnreachableNode>& nodes) {
  std::set<Index> result;
  for (const UnreachableNode& node : nodes) result.insert(node.node);
  return result;
}

DenseCase connected_case(std::uint64_t seed, int least_nodes, int most_nodes) {
  DenseCase c = dense_case(false, seed, least_nodes, most_nodes, 3);
  for (int i = 0; i < c.N; ++i) {  // a ring, so that nobody is isolated
    c.A(i, (i + 1) % c.N) = c.A((i + 1) % c.N, i) = 1;
  }
  c.similarity = samples::from_dense(c.A);
  return c;
}

TEST(UnreachableNodes, are_exactly_those_that_brute_force_never_brings_to_alpha) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const DenseCase c = dense_case(false, seed, 4, 8, 3);
    Vector best = Vector::Zero(c.N);
    for_every_labelling(
        c.N, c.K, [&](const Labels& labels) { best = best.cwiseMax(dense_balances(c, labels)); });
    for (const double alpha : {0.0, 0.2, 0.5, 2.0 / 3, 0.9, 1.0}) {
      const auto found = unreachable_nodes(c.representation, c.K, alpha);
      std::set<Index> expected;
      for (Index i = 0; i < c.N; ++i) {
        if (best[i] < alpha) expected.insert(i);
      }
      EXPECT_EQ(nodes_of(found), expected) << "seed " << seed << ", alpha " << alpha;
      for (const UnreachableNode& node : found) EXPECT_EQ(node.best, best[node.node]);
    }
  }
}

TEST(ClusterToTarget, never_reports_a_node_below_alpha_as_satisfied) {
  EXPECT_TRUE(rc::check("random graphs", [] {
    const DenseCase c = connected_case(*rc::gen::arbitrary<std::uint64_t>(), 6, 14);
    const double alpha = *rc::gen::element(0.25, 0.5, 1.0);
    const TargetResult found = cluster_to_target(
        c.similarity, c.representation, c.K,
        {.targets = {.average_balance = {}, .individual_balance = alpha, .max_cut_increase = {}},
         .cluster = {}});
    const Vector rho = dense_balances(c, found.clustering.labels);
    const std::set<Index> below(found.below.begin(), found.below.end());
    const std::set<Index> unreachable = nodes_of(found.unreachable);
    Index satisfied = 0;
    for (Index i = 0; i < c.N; ++i) {
      const bool accused = below.count(i) + unreachable.count(i) > 0;
      RC_ASSERT(accused == (rho[i] < alpha));
      satisfied += accused ? 0 : 1;
    }
    RC_ASSERT(found.satisfied == satisfied);
    RC_ASSERT(found.met == below.empty());
    RC_ASSERT(std::abs(found.cut - dense_cut(c, found.clustering.labels, CutKind::normalized)) <
              1e-9);
  }));
}

TEST(ClusterToTarget, meets_individual_targets_that_brute_force_can_meet_near_its_least_cut) {
  int possible = 0;
  int met = 0;
  int optimal = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const DenseCase c = connected_case(seed, 6, 8);
    const double alpha = 0.5;
    const std::set<Index> unreachable = nodes_of(unreachable_nodes(c.representation, c.K, alpha));
    double least = std::numeric_limits<double>::infinity();
    for_every_labelling(c.N, c.K, [&](const Labels& labels) {
      const Vector rho = dense_balances(c, labels);
      for (Index i = 0; i < c.N; ++i) {
        if (unreachable.count(i) == 0 && rho[i] < alpha) return;
      }
      least = std::min(least, dense_cut(c, labels, CutKind::ratio));
    });
    const TargetResult found = cluster_to_target(
        c.similarity, c.representation, c.K,
        {.targets = {.average_balance = {}, .individual_balance = alpha, .max_cut_increase = {}},
         .cluster = {.method = Method::urepsc}});
    if (std::isinf(least)) {
      EXPECT_FALSE(found.met) << "seed " << seed;
      continue;
    }
    ++possible;
    if (!found.met) continue;
    ++met;
    EXPECT_GT(found.cut, least - 1e-9) << "seed " << seed;
    optimal += found.cut < least + 1e-9 ? 1 : 0;
  }
  EXPECT_GT(possible, 10);
  EXPECT_GE(met, possible * 9 / 10) << met << " of " << possible;
  EXPECT_GE(optimal, met / 2) << optimal << " of " << met;
}

TEST(ClusterToTarget, meets_an_average_that_brute_force_can_meet_and_tells_where_none_can) {
  int possible = 0;
  int met = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const DenseCase c = connected_case(seed, 6, 8);
    const double target = 0.4;
    double least = std::numeric_limits<double>::infinity();
    for_every_labelling(c.N, c.K, [&](const Labels& labels) {
      if (dense_balances(c, labels).mean() < target) return;
      least = std::min(least, dense_cut(c, labels, CutKind::normalized));
    });
    const TargetResult found = cluster_to_target(
        c.similarity, c.representation, c.K,
        {.targets = {.average_balance = target, .individual_balance = {}, .max_cut_increase = {}},
         .cluster = {}});
    EXPECT_EQ(found.met, found.average_balance >= target);
    EXPECT_NEAR(found.average_balance, dense_balances(c, found.clustering.labels).mean(), 1e-12);
    if (std::isinf(least)) {
      EXPECT_FALSE(found.met) << "seed " << seed;
      continue;
    }
    ++possible;
    met += found.met ? 1 : 0;
    if (found.met) {
      EXPECT_GT(found.cut, least - 1e-9) << "seed " << seed;
    }
  }
  EXPECT_GT(possible, 10);
  EXPECT_GE(met, possible * 9 / 10) << met << " of " << possible;
}

TEST(ClusterToTarget, stays_within_a_limit_on_the_cut_and_gains_balance) {
  Labels groups(120);
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = static_cast<Label>(i % 5);
  const Graph R = sample_planted_partition(groups, 0.8, 0.2, 1, SelfLoops::add);
  const Graph G =
      sample_rpp(R, equal_clusters(120, 3), {.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1}, 2);
  const Labels plain = cluster(G, 3, {.method = Method::nsc}).labels;
  const TargetResult found = cluster_to_target(
      G, R, 3,
      {.targets = {.average_balance = {}, .individual_balance = {}, .max_cut_increase = 0.1},
       .cluster = {}});
  const Metrics before = evaluate(G, R, plain, 3);
  const Metrics after = evaluate(G, R, found.clustering.labels, 3);
  EXPECT_TRUE(found.met);
  EXPECT_NEAR(found.plain_cut, before.normalized_cut, 1e-12);
  EXPECT_LE(after.normalized_cut, 1.1 * before.normalized_cut + 1e-9);
  EXPECT_GT(after.average_balance, before.average_balance);

  const TargetResult both = cluster_to_target(
      G, R, 3,
      {.targets = {.average_balance = 1.0, .individual_balance = {}, .max_cut_increase = 0.0},
       .cluster = {}});
  EXPECT_FALSE(both.met);
}

TEST(ClusterToTarget, refuses_targets_that_make_no_sense) {
  const DenseCase c = connected_case(1, 6, 8);
  const auto run = [&](const Targets& targets) {
    (void)cluster_to_target(c.similarity, c.representation, c.K,
                            {.targets = targets, .cluster = {}});
  };
  EXPECT_THROW(run({}), InvalidInput);
  EXPECT_THROW(run({1.5, {}, {}}), InvalidInput);
  EXPECT_THROW(run({{}, -0.5, {}}), InvalidInput);
  EXPECT_THROW(run({{}, {}, -0.1}), InvalidInput);
  EXPECT_THROW(run({0.5, 0.5, {}}), InvalidInput);
}

}  // namespace
}  // namespace repsc
