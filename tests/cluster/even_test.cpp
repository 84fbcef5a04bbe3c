// Rounding with equal shares: the shares by counting, the clusters on points where they are plain.
#include "cluster/even.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>

#include "core/random.hpp"
#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "repsc/models.hpp"
#include "support/points.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

using samples::random_points;

TEST(EvenLabels, give_every_cluster_its_share_of_every_set) {
  EXPECT_TRUE(rc::check("counts are n / K, rounded down or up; sizes differ by at most 1", [] {
    const int K = *rc::gen::inRange(1, 7);
    const Index N = *rc::gen::inRange(K, 60);
    const int num_sets = *rc::gen::inRange(1, 6);
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 100000);
    RandomStream stream(seed);
    Labels sets(static_cast<std::size_t>(N)), labels(static_cast<std::size_t>(N));
    for (Label& set : sets) set = static_cast<Label>(10 * stream.uniform() * num_sets);
    for (Label& label : labels) label = static_cast<Label>(stream.uniform() * K);
    const Labels found = even_labels(random_points(N, 3, seed), labels, sets, K);
    std::map<std::pair<Label, Label>, Index> counts;
    std::map<Label, Index> totals;
    std::vector<Index> sizes(static_cast<std::size_t>(K));
    for (std::size_t i = 0; i < found.size(); ++i) {
      RC_ASSERT(found[i] >= 0 && found[i] < K);
      ++counts[{sets[i], found[i]}];
      ++totals[sets[i]];
      ++sizes[static_cast<std::size_t>(found[i])];
    }
    for (const auto& [set, total] : totals) {
      for (Label k = 0; k < K; ++k) {
        const Index count = counts[std::pair(set, k)];
        RC_ASSERT(count == total / K || count == (total + K - 1) / K);
      }
    }
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    RC_ASSERT(*most - *least <= 1);
  }));
}

TEST(EvenLabels, keep_clusters_that_have_equal_shares) {
  // Four heaps of points; every second member is of the other set.
  Matrix points(40, 2);
  Labels truth(40), sets(40);
  for (Index i = 0; i < 40; ++i) {
    const Label k = static_cast<Label>(i / 10);
    truth[static_cast<std::size_t>(i)] = k;
    sets[static_cast<std::size_t>(i)] = static_cast<Label>(i % 2);
    points.row(i) << k + 0.01 * (i % 10), k % 2;
  }
  EXPECT_EQ(even_labels(points, truth, sets, 4), truth);
  // And find them again from labels of which some are wrong.
  Labels wrong = truth;
  std::swap(wrong[0], wrong[12]);
  std::swap(wrong[25], wrong[31]);
  EXPECT_EQ(even_labels(points, wrong, sets, 4), truth);
}

TEST(EvenLabels, part_one_heap_by_distance) {
  // One cluster has everything but a point: half of the rest must join that point, the nearest.
  Matrix points(10, 1);
  for (Index i = 0; i < 10; ++i) points(i, 0) = static_cast<double>(i);
  Labels labels(10, 0);
  labels[9] = 1;
  const Labels found = even_labels(points, labels, Labels(10, 0), 2);
  EXPECT_EQ(found, (Labels{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}));
}

TEST(EvenLabels, leave_clusters_empty_only_if_there_are_too_few_nodes) {
  EXPECT_EQ(even_labels(random_points(3, 2, 1), {0, 0, 0}, {0, 0, 0}, 3).size(), 3U);
  const Labels found = even_labels(random_points(3, 2, 1), {0, 0, 0}, {0, 1, 2}, 3);
  EXPECT_EQ(cluster_sizes(found, 3), (std::vector<Index>{1, 1, 1}));
}

/// Two dense halves, each mixed of both groups, and a tail of a few nodes that plain clustering
/// cuts off: its clusters are as unequal as can be.
struct Tailed {
  Graph G;
  Labels groups;
};
Tailed tailed() {
  const Index half = 60, tail = 6, N = 2 * half + tail;
  RandomStream stream(5);
  Matrix A = Matrix::Zero(N, N);
  const auto link = [&](Index i, Index j) { A(i, j) = A(j, i) = 1; };
  for (Index i = 0; i < 2 * half; ++i) {
    for (Index j = 0; j < i; ++j) {
      const bool same = (i < half) == (j < half);
      if (stream.uniform() < (same ? 0.3 : 0.12)) link(i, j);
    }
  }
  for (Index i = 2 * half; i < N; ++i) link(i, i == 2 * half ? 0 : i - 1);
  Labels groups(static_cast<std::size_t>(N));
  for (Index i = 0; i < N; ++i) groups[static_cast<std::size_t>(i)] = static_cast<Label>(i % 2);
  return {samples::from_dense(A), groups};
}

TEST(Bargain, is_good_where_plain_clusters_are_a_few_nodes) {
  const Tailed of = tailed();
  const Clustering plain = cluster(of.G, 2, {.method = Method::nsc});
  const std::vector<Index> sizes = cluster_sizes(plain.labels, 2);
  ASSERT_LT(std::min(sizes[0], sizes[1]), 10) << "plain clustering is meant to cut off the tail";
  const Clustering found = cluster(of.G, of.groups, 2);
  ASSERT_TRUE(found.structure_kept && found.fairness_gained);
  EXPECT_GT(*found.structure_kept * std::min(*found.fairness_gained, 1.0), 0.25)
      << "above every lottery between plain clustering and lots";
}

TEST(Bargain, has_no_equal_shares_without_refinement) {
  const Tailed of = tailed();
  const Plan with = plan({of.G, {}, of.groups}, 2, {});
  const Plan without = plan({of.G, {}, of.groups}, 2, {.refine = false});
  EXPECT_TRUE(with.search->equal_shares);
  EXPECT_FALSE(without.search->equal_shares);
  EXPECT_EQ(cluster(of.G, of.groups, 2, {.refine = false}).search->start.find("equal"),
            std::string::npos);
}

TEST(EvenLabels, let_those_choose_first_who_lose_most) {
  // 0, 1 and 2 are nearer to the first mean, which has room for two. 2 loses least.
  const Matrix points{{0}, {1}, {2}, {10}};
  EXPECT_EQ(even_labels(points, {0, 0, 0, 1}, {0, 0, 0, 0}, 2), (Labels{0, 0, 1, 1}));
}

}  // namespace
}  // namespace repsc
