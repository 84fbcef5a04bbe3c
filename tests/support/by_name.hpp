// A graph as a plain list of named pairs: what files must keep, whatever the order of nodes.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "repsc/graph.hpp"

namespace repsc {

struct ByName {
  std::set<std::string> nodes;
  std::map<std::pair<std::string, std::string>, double> entries;  // both directions

  bool operator==(const ByName&) const = default;
};

inline ByName by_name(const Graph& graph) {
  ByName result;
  for (Index u = 0; u < graph.num_nodes(); ++u) {
    result.nodes.insert(graph.names()[u]);
    const auto row = graph.neighbors(u);
    const auto weights = graph.weights(u);
    for (std::size_t i = 0; i < row.size(); ++i) {
      result.entries[{graph.names()[u], graph.names()[row[i]]}] = weights.empty() ? 1 : weights[i];
    }
  }
  return result;
}

/// The promises of Graph, checked entry by entry.
inline void expect_well_formed(const Graph& graph) {
  ASSERT_EQ(graph.names().size(), graph.num_nodes());
  Offset loops = 0;
  std::map<std::pair<Index, Index>, double> entries;
  for (Index u = 0; u < graph.num_nodes(); ++u) {
    const auto row = graph.neighbors(u);
    for (std::size_t i = 0; i < row.size(); ++i) {
      ASSERT_GE(row[i], 0);
      ASSERT_LT(row[i], graph.num_nodes());
      ASSERT_TRUE(i == 0 || row[i - 1] < row[i]);
      const double weight = graph.weighted() ? graph.weights(u)[i] : 1;
      ASSERT_GT(weight, 0);
      entries[{u, row[i]}] = weight;
      loops += row[i] == u ? 1 : 0;
    }
  }
  ASSERT_EQ(graph.num_self_loops(), loops);
  for (const auto& [pair, weight] : entries) {
    ASSERT_EQ(entries.count({pair.second, pair.first}), 1U);
    ASSERT_EQ(entries.at({pair.second, pair.first}), weight);
  }
}

}  // namespace repsc
