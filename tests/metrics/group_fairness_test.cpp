// Groups in clusters against the definitions, with a table of counts.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "random_case.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Nodes of each group, in cluster k or (-1) anywhere. Every group of the graph is listed.
std::map<Label, double> counts_in(const Labels& groups, const Labels& labels, Label k) {
  std::map<Label, double> counts;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    counts[groups[i]] += k < 0 || labels[i] == k ? 1 : 0;
  }
  return counts;
}

double smallest_ratio(const std::map<Label, double>& counts) {
  double smallest = infinity;
  for (const auto& [s, of_s] : counts) {
    for (const auto& [t, of_t] : counts) {
      smallest = std::min(smallest, of_s == 0 && of_t == 0 ? 1 : of_s / of_t);
    }
  }
  return smallest;
}

ClusterFairness dense_cluster(const Labels& groups, const Labels& labels, Label k) {
  const std::map<Label, double> overall = counts_in(groups, labels, -1);
  const std::map<Label, double> inside = counts_in(groups, labels, k);
  double size = 0;
  for (const auto& [s, number] : inside) size += number;
  ClusterFairness result{.balance = smallest_ratio(inside),
                         .relative_balance = smallest_ratio(inside) / smallest_ratio(overall),
                         .largest_deviation = 0,
                         .smallest_ratio = infinity,
                         .largest_ratio = 0};
  for (const auto& [s, number] : inside) {
    const double share = number / size;
    const double expected = overall.at(s) / static_cast<double>(groups.size());
    result.largest_deviation = std::max(result.largest_deviation, std::abs(share - expected));
    result.smallest_ratio = std::min(result.smallest_ratio, share / expected);
    result.largest_ratio = std::max(result.largest_ratio, share / expected);
  }
  return result;
}

void expect_close(double found, double expected) {
  RC_ASSERT(std::abs(found - expected) < 1e-13 * std::max(1.0, std::abs(expected)));
}

void expect_definitions(const Labels& groups, const Labels& labels, int K) {
  const GroupFairness found = group_fairness(groups, labels, K);
  const std::map<Label, double> overall = counts_in(groups, labels, -1);
  const std::vector<double> sizes = sizes_of(labels, K);
  expect_close(found.best_possible, smallest_ratio(overall));
  RC_ASSERT(static_cast<std::size_t>(found.num_groups) == overall.size());
  RC_ASSERT(static_cast<int>(found.clusters.size()) == K);
  double sum = 0;
  Index counted = 0;
  GroupFairness all{.minimum = infinity, .smallest_ratio = infinity, .largest_ratio = 0};
  for (Label k = 0; k < K; ++k) {
    const std::optional<ClusterFairness>& cluster = found.clusters[static_cast<std::size_t>(k)];
    RC_ASSERT(cluster.has_value() == (sizes[static_cast<std::size_t>(k)] > 0));
    if (!cluster) continue;
    const ClusterFairness expected = dense_cluster(groups, labels, k);
    expect_close(cluster->balance, expected.balance);
    expect_close(cluster->relative_balance, expected.relative_balance);
    expect_close(cluster->largest_deviation, expected.largest_deviation);
    expect_close(cluster->smallest_ratio, expected.smallest_ratio);
    expect_close(cluster->largest_ratio, expected.largest_ratio);
    sum += expected.balance;
    ++counted;
    all.minimum = std::min(all.minimum, expected.balance);
    all.largest_deviation = std::max(all.largest_deviation, expected.largest_deviation);
    all.smallest_ratio = std::min(all.smallest_ratio, expected.smallest_ratio);
    all.largest_ratio = std::max(all.largest_ratio, expected.largest_ratio);
  }
  RC_ASSERT(found.num_empty_clusters == K - counted);
  expect_close(found.average, sum / counted);
  expect_close(found.minimum, all.minimum);
  expect_close(found.relative_average, sum / counted / smallest_ratio(overall));
  expect_close(found.relative_minimum, all.minimum / smallest_ratio(overall));
  expect_close(found.largest_deviation, all.largest_deviation);
  expect_close(found.smallest_ratio, all.smallest_ratio);
  expect_close(found.largest_ratio, all.largest_ratio);
  RC_ASSERT(found.relative_minimum <= 1 + 1e-14);  // best_possible is the best possible
}

TEST(GroupFairness, is_defined_by_shares_of_groups) {
  EXPECT_TRUE(rc::check("random groups and labels", [] {
    const RandomCase c = random_case(false, *rc::gen::arbitrary<std::uint64_t>(), 20);
    expect_definitions(c.groups, c.labels, c.K);
    Labels each(c.labels.size());
    std::iota(each.begin(), each.end(), 0);
    expect_definitions(c.groups, each, c.N);  // every node is a cluster
    expect_definitions(each, c.labels, c.K);  // every node is a group
    expect_definitions(c.groups, Labels(c.labels.size(), 0), 1);
    expect_definitions(Labels(c.labels.size(), 5), c.labels, c.K);
    Labels gaps;
    for (const Label group : c.groups) gaps.push_back(1'000'000'000 - 7 * group);
    expect_definitions(gaps, c.labels, c.K);
  }));
}

TEST(GroupFairness, of_six_people_done_by_hand) {
  // Four f and two m: overall 1/2. Cluster 0 has two of each, cluster 1 two f, cluster 2 nobody.
  const GroupFairness found = group_fairness({0, 0, 1, 1, 0, 0}, {0, 0, 0, 0, 1, 1}, 3);
  EXPECT_EQ(found.best_possible, 0.5);
  EXPECT_EQ(found.num_empty_clusters, 1);
  EXPECT_EQ(found.average, 0.5);
  EXPECT_EQ(found.minimum, 0);
  EXPECT_EQ(found.relative_average, 1);
  EXPECT_EQ(found.clusters[0]->balance, 1);
  EXPECT_EQ(found.clusters[0]->relative_balance, 2);
  EXPECT_DOUBLE_EQ(found.clusters[0]->largest_deviation, 1.0 / 6);
  EXPECT_EQ(found.clusters[0]->smallest_ratio, 0.75);
  EXPECT_EQ(found.clusters[0]->largest_ratio, 1.5);
  EXPECT_DOUBLE_EQ(found.clusters[1]->largest_deviation, 1.0 / 3);
  EXPECT_EQ(found.clusters[1]->smallest_ratio, 0);
  EXPECT_FALSE(found.clusters[2]);
}

TEST(GroupFairness, is_exact_where_every_cluster_has_the_shares_of_the_whole) {
  Labels groups;
  Labels labels;
  for (int i = 0; i < 7 * 30; ++i) {  // shares 1/7 and 6/7, which have no finite binary digits
    groups.push_back(i % 7 == 0 ? 3 : 9);
    labels.push_back(i / 7 % 10 < 3 ? 0 : 1);
  }
  const GroupFairness found = group_fairness(groups, labels, 2);
  EXPECT_EQ(found.largest_deviation, 0);
  EXPECT_EQ(found.smallest_ratio, 1);
  EXPECT_EQ(found.largest_ratio, 1);
  EXPECT_EQ(found.relative_minimum, 1);
}

TEST(GroupFairness, of_nobody_and_of_one_group_is_a_number) {
  const GroupFairness nobody = group_fairness({}, {}, 1);
  EXPECT_EQ(nobody.average, 1);
  EXPECT_EQ(nobody.relative_minimum, 1);
  EXPECT_EQ(nobody.largest_deviation, 0);
  EXPECT_EQ(nobody.num_empty_clusters, 1);
  const GroupFairness one = group_fairness({8, 8, 8}, {0, 1, 1}, 2);
  EXPECT_EQ(one.minimum, 1);
  EXPECT_EQ(one.largest_deviation, 0);
  EXPECT_THROW((void)group_fairness({0, -1, 0}, {0, 1, 1}, 2), InvalidInput);
  EXPECT_THROW((void)group_fairness({0, 0}, {0, 1, 1}, 2), InvalidInput);
  EXPECT_THROW((void)group_fairness({0, 0, 0}, {0, 1, 2}, 2), InvalidInput);
}

TEST(GroupFairness, is_reported_where_the_representatives_are_groups) {
  const RandomCase c = random_case(false, 3, 60);
  const Graph A = samples::from_dense(c.A);
  EXPECT_FALSE(evaluate(A, c.labels, c.K).group_fairness);
  EXPECT_FALSE(evaluate(A, samples::from_dense(c.R), c.labels, c.K).group_fairness);
  const Metrics metrics = evaluate_groups(A, c.groups, c.labels, c.K);
  ASSERT_TRUE(metrics.group_fairness);
  const GroupFairness expected = group_fairness(c.groups, c.labels, c.K);
  EXPECT_EQ(metrics.group_fairness->average, expected.average);
  EXPECT_EQ(metrics.group_fairness->largest_deviation, expected.largest_deviation);
  EXPECT_GT(expected.largest_deviation, 0);
}

}  // namespace
}  // namespace repsc
