// Nodes in an order in which equal labels are adjacent, so that the nodes of a label are a range.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "repsc/core.hpp"

namespace repsc {

/// Nodes 0 .. count - 1 sorted by `less`, ties in the order of their numbers.
template <typename Less>
std::vector<Index> sorted_nodes(std::size_t count, const Less& less) {
  std::vector<Index> order(count);
  std::iota(order.begin(), order.end(), Index{0});
  if (!std::is_sorted(order.begin(), order.end(), less)) {
    std::stable_sort(order.begin(), order.end(), less);
  }
  return order;
}

/// For each position of `order`, where the run of nodes that are `same` as its node ends.
template <typename Same>
std::vector<Index> run_ends(const std::vector<Index>& order, const Same& same) {
  std::vector<Index> ends(order.size());
  for (std::size_t i = order.size(); i-- > 0;) {
    const bool last = i + 1 == order.size() || !same(order[i], order[i + 1]);
    ends[i] = last ? static_cast<Index>(i + 1) : ends[i + 1];
  }
  return ends;
}

/// Pairs of nodes in the same run.
inline double pairs_within(const std::vector<Index>& ends) {
  double pairs = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    pairs += static_cast<double>(ends[i]) - static_cast<double>(i) - 1;
  }
  return pairs;
}

/// Pairs of `count` nodes.
inline double all_pairs(std::size_t count) {
  return static_cast<double>(count) * (static_cast<double>(count) - 1) / 2;
}

}  // namespace repsc
