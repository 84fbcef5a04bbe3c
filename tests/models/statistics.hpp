// What the tests of random graphs share: exact structure, and how far counts are from their means.
#pragma once

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "repsc/graph.hpp"

namespace repsc {

/// Rows strictly ascending, every entry in range and in both rows, no values; self-loops all or
/// none.
inline void expect_simple_symmetric(const Graph& graph, bool self_loops) {
  for (Index u = 0; u < graph.num_nodes(); ++u) {
    const auto row = graph.neighbors(u);
    EXPECT_TRUE(std::adjacent_find(row.begin(), row.end(), std::greater_equal<>()) == row.end())
        << "row " << u << " is not strictly ascending";
    EXPECT_EQ(std::binary_search(row.begin(), row.end(), u), self_loops) << "node " << u;
    for (const Index v : row) {
      ASSERT_TRUE(v >= 0 && v < graph.num_nodes());
      const auto back = graph.neighbors(v);
      EXPECT_TRUE(std::binary_search(back.begin(), back.end(), u)) << u << " - " << v;
    }
  }
  EXPECT_FALSE(graph.weighted());
  EXPECT_EQ(graph.num_self_loops(), self_loops ? graph.num_nodes() : 0);
}

inline bool same_entries(const Graph& a, const Graph& b) {
  return std::ranges::equal(a.offsets(), b.offsets()) &&
         std::ranges::equal(a.neighbors(), b.neighbors());
}

/// The pairs i < j of a graph of at most 11 nodes as bits, numbered (0,1), (0,2), ..., (1,2), ...
inline std::uint64_t pair_bits(const Graph& graph) {
  std::uint64_t bits = 0;
  unsigned number = 0;
  for (Index i = 0; i < graph.num_nodes(); ++i) {
    for (Index j = i + 1; j < graph.num_nodes(); ++j, ++number) {
      const auto row = graph.neighbors(i);
      if (std::find(row.begin(), row.end(), j) != row.end()) bits |= std::uint64_t{1} << number;
    }
  }
  return bits;
}

/// How many standard deviations a count of successes is from its binomial mean. No deviation at all
/// is allowed where the outcome is certain.
inline double binomial_z(double successes, double trials, double probability) {
  const double deviation = std::sqrt(trials * probability * (1 - probability));
  const double distance = successes - trials * probability;
  return distance == 0 ? 0 : distance / deviation;
}

/// Pearson's chi-square against expected counts, in its own standard deviations above its mean.
template <typename Outcome>
double chi_square_z(const std::map<Outcome, double>& observed,
                    const std::map<Outcome, double>& expected) {
  double chi_square = 0;
  double cells = 0;
  for (const auto& [outcome, mean] : expected) {
    if (mean == 0) continue;
    const auto found = observed.find(outcome);
    const double count = found == observed.end() ? 0 : found->second;
    chi_square += (count - mean) * (count - mean) / mean;
    ++cells;
  }
  for (const auto& [outcome, count] : observed) {
    const auto found = expected.find(outcome);
    if (found == expected.end() || found->second == 0) return INFINITY;  // it cannot happen
  }
  return (chi_square - (cells - 1)) / std::sqrt(2 * (cells - 1));
}

/// Probability of every graph on N nodes whose pairs i < j are independent with probability(i, j).
template <typename Probability>
std::map<std::uint64_t, double> graph_distribution(Index N, const Probability& probability) {
  std::vector<double> of_pair;
  for (Index i = 0; i < N; ++i) {
    for (Index j = i + 1; j < N; ++j) of_pair.push_back(probability(i, j));
  }
  std::map<std::uint64_t, double> distribution;
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << of_pair.size(); ++bits) {
    double product = 1;
    for (std::size_t pair = 0; pair < of_pair.size(); ++pair) {
      product *= ((bits >> pair) & 1U) != 0 ? of_pair[pair] : 1 - of_pair[pair];
    }
    distribution[bits] = product;
  }
  return distribution;
}

/// chi_square_z of `count` graphs sample(seed), seed = 0, 1, ..., against that distribution.
template <typename Probability, typename Sample>
double distribution_z(Index N, int count, const Probability& probability, const Sample& sample) {
  std::map<std::uint64_t, double> expected = graph_distribution(N, probability);
  for (auto& [bits, mean] : expected) mean *= count;
  std::map<std::uint64_t, double> observed;
  for (int seed = 0; seed < count; ++seed) {
    ++observed[pair_bits(sample(static_cast<std::uint64_t>(seed)))];
  }
  return chi_square_z(observed, expected);
}

/// Assumption 4.1: self-loops, symmetric, simple, degree/K neighbours in each cluster.
inline void expect_assumption(const Graph& R, Index K, Index degree) {
  expect_simple_symmetric(R, true);
  const Index n = R.num_nodes() / K;
  for (Index u = 0; u < R.num_nodes(); ++u) {
    std::vector<Index> in_cluster(static_cast<std::size_t>(K), 0);
    for (const Index v : R.neighbors(u)) ++in_cluster[static_cast<std::size_t>(v / n)];
    EXPECT_THAT(in_cluster, testing::Each(degree / K)) << "node " << u;
  }
}

}  // namespace repsc
