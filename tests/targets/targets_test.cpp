// Targets: what no clustering can reach, what is reported as reached, and least cuts, against brute
// force.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <random>
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

// ---- every target is answered from the same front ----

/// Some of: a limit on the cut, an average balance, a balance of every node.
Targets random_targets(RandomStream& random) {
  Targets targets;
  const auto kind = random.below(5);
  if (kind <= 1) targets.average_balance = 0.9 * random.uniform();
  if (kind == 2) targets.individual_balance = random.uniform();
  if (kind != 0) targets.max_cut_increase = random.uniform();
  return targets;
}

/// What an answer is worth to somebody who asked for these targets: measured here, by dense sums.
struct Worth {
  bool satisfies = false;  ///< by more than rounding errors
  double value = 0;        ///< minus the cut, or the average balance if only the cut is limited
};

Worth worth_of(const Labels& labels, const Targets& targets, const DenseCase& c, double plain_cut) {
  constexpr double rounding = 1e-9;
  const double cut = dense_cut(c, labels, CutKind::normalized);
  const Vector rho = dense_balances(c, labels);
  bool satisfies = true;
  if (targets.max_cut_increase) {
    satisfies = cut < plain_cut * (1 + *targets.max_cut_increase) - rounding;
  }
  if (targets.average_balance) satisfies &= rho.mean() > *targets.average_balance + rounding;
  if (targets.individual_balance) {
    const std::set<Index> unreachable =
        nodes_of(unreachable_nodes(c.representation, c.K, *targets.individual_balance));
    for (Index i = 0; i < c.N; ++i) {
      satisfies &= unreachable.count(i) > 0 || rho[i] >= *targets.individual_balance;
    }
  }
  const bool wants_balance = targets.average_balance || targets.individual_balance;
  return {satisfies, wants_balance ? -cut : rho.mean()};
}

TEST(ClusterToTarget, gives_no_target_a_worse_answer_than_was_found_for_another_one) {
  const std::uint64_t first = std::random_device{}();
  int compared = 0;
  for (std::uint64_t seed = first; seed < first + 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const DenseCase c = connected_case(seed, 8, 26);
    const double plain_cut = dense_cut(
        c, cluster(c.similarity, c.K, {.method = Method::nsc}).labels, CutKind::normalized);
    RandomStream random(seed, 1);
    std::vector<Targets> asked;
    std::vector<TargetResult> answers;
    for (int i = 0; i < 8; ++i) {
      asked.push_back(random_targets(random));
      answers.push_back(cluster_to_target(c.similarity, c.representation, c.K,
                                          {.targets = asked.back(), .cluster = {}}));
      const TargetResult& answer = answers.back();
      EXPECT_NEAR(answer.plain_cut, plain_cut, 1e-9);
      EXPECT_NEAR(answer.cut, dense_cut(c, answer.clustering.labels, CutKind::normalized), 1e-9);
      EXPECT_NEAR(answer.average_balance, dense_balances(c, answer.clustering.labels).mean(), 1e-9);
      if (worth_of(answer.clustering.labels, asked.back(), c, plain_cut).satisfies) {
        EXPECT_TRUE(answer.met);
      }
    }
    for (std::size_t a = 0; a < asked.size(); ++a) {
      for (std::size_t b = 0; b < asked.size(); ++b) {
        const Worth other = worth_of(answers[a].clustering.labels, asked[b], c, plain_cut);
        if (a == b || !other.satisfies) continue;
        const Worth own = worth_of(answers[b].clustering.labels, asked[b], c, plain_cut);
        EXPECT_TRUE(answers[b].met) << "targets " << a << " and " << b;
        EXPECT_GE(own.value, other.value - 1e-9) << "targets " << a << " and " << b;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 50);
}

TEST(TargetFront, answers_as_separate_calls_do_and_on_any_number_of_threads) {
  const DenseCase c = connected_case(5, 20, 26);
  set_num_threads(1);
  const TargetFront front = target_front(c.similarity, c.representation, c.K);
  set_num_threads(4);
  for (const double average : {0.1, 0.3, 0.5, 0.7}) {
    const Targets targets{
        .average_balance = average, .individual_balance = {}, .max_cut_increase = {}};
    const TargetResult shared = cluster_to_target(front, targets);
    const TargetResult own =
        cluster_to_target(c.similarity, c.representation, c.K, {.targets = targets, .cluster = {}});
    EXPECT_EQ(shared.clustering.labels, own.clustering.labels);
    EXPECT_EQ(shared.cut, own.cut);
  }
  set_num_threads(std::nullopt);
  for (std::size_t i = 1; i < front.points.size(); ++i) {
    EXPECT_LE(front.points[i - 1].cut, front.points[i].cut);
  }
}

TEST(AverageBalanceLimit, is_never_exceeded_and_is_reached_by_groups_that_divide_evenly) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const DenseCase c = dense_case(false, seed, 4, 8, 3);
    double best = 0;
    for_every_labelling(c.N, c.K, [&](const Labels& labels) {
      best = std::max(best, dense_balances(c, labels).mean());
    });
    EXPECT_LE(best, average_balance_limit(c.representation, c.K) + 1e-12) << "seed " << seed;
  }
  // Groups of 4 and 8 people: two clusters can share both evenly, three cannot (1/2 and 2/3).
  Labels groups(12, 0);
  std::fill(groups.begin() + 4, groups.end(), 1);
  const Graph R = samples::from_dense(samples::block_representation(groups));
  EXPECT_EQ(average_balance_limit(R, 2), 1);
  EXPECT_NEAR(average_balance_limit(R, 3), (4 * 1.0 / 2 + 8 * 2.0 / 3) / 12, 1e-12);
  const TargetResult found = cluster_to_target(
      samples::from_dense(samples::random_dense(groups, 0.5, 0.5, 1)), R, 3,
      {.targets = {.average_balance = 0.9, .individual_balance = {}, .max_cut_increase = {}},
       .cluster = {.method = Method::urepsc}});
  EXPECT_FALSE(found.met);
  EXPECT_NEAR(found.balance_limit, average_balance_limit(R, 3), 0);
}

TEST(ClusterToTarget, returns_the_best_so_far_at_the_deadline) {
  Labels groups(300);
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = static_cast<Label>(i % 5);
  const Graph R = sample_planted_partition(groups, 0.8, 0.2, 1, SelfLoops::add);
  const Graph G =
      sample_rpp(R, equal_clusters(300, 3), {.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1}, 2);
  const TargetOptions options{
      .targets = {.average_balance = 0.999, .individual_balance = {}, .max_cut_increase = {}},
      .cluster = {.deadline = Deadline::after(1e-9)}};
  const TargetResult found = cluster_to_target(G, R, 3, options);
  EXPECT_TRUE(found.out_of_time);
  EXPECT_FALSE(found.met);
  const Metrics metrics = evaluate(G, R, found.clustering.labels, 3);
  EXPECT_EQ(found.average_balance, metrics.average_balance);
  EXPECT_EQ(found.cut, metrics.normalized_cut);
}

TEST(ClusterToTarget, does_not_depend_on_the_unit_of_weights) {
  const DenseCase c = connected_case(3, 10, 14);
  const TargetOptions options{
      .targets = {.average_balance = 0.3, .individual_balance = {}, .max_cut_increase = {}},
      .cluster = {.method = Method::urepsc}};
  const auto found = [&](double unit) {
    return cluster_to_target(samples::from_dense(unit * c.A), c.representation, c.K, options);
  };
  const TargetResult usual = found(1.5);
  const TargetResult large = found(std::ldexp(1.5, 900));
  EXPECT_EQ(large.clustering.labels, usual.clustering.labels);
  EXPECT_DOUBLE_EQ(std::ldexp(large.cut, -900), usual.cut);
  EXPECT_DOUBLE_EQ(std::ldexp(large.plain_cut, -900), usual.plain_cut);
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
