// Tables made in memory, and graphs as plain sets of pairs to compare them by.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "repsc/representation.hpp"
#include "support/errors.hpp"

namespace repsc::tests {

/// A numeric column of whole numbers, or of tenths, hundredths, ... of them; `missing` is a gap.
inline constexpr int missing = std::numeric_limits<int>::min();

inline Table::Column number_column(const std::string& name, const std::vector<int>& values,
                                   double unit = 1) {
  Table::Column column{name, {}, {}};
  for (const int value : values) {
    const bool gap = value == missing;
    column.numbers.push_back(gap ? std::numeric_limits<double>::quiet_NaN() : value * unit);
    column.words.push_back(gap ? "" : std::to_string(value));
  }
  return column;
}

/// A column of words w0, w1, ...; `missing` is a gap.
inline Table::Column word_column(const std::string& name, const std::vector<int>& values) {
  Table::Column column{name, {}, {}};
  for (const int value : values) {
    column.words.push_back(value == missing ? "" : fmt::format("w{}", value));
  }
  return column;
}

inline Table make_table(std::vector<Table::Column> columns) {
  const auto num_nodes = static_cast<Index>(columns.at(0).words.size());
  return {NodeNames(num_nodes, 0), std::move(columns)};
}

using Pairs = std::set<std::pair<Index, Index>>;

/// Every stored entry (i, j) of the graph.
inline Pairs entries(const Graph& graph) {
  Pairs pairs;
  for (Index i = 0; i < graph.num_nodes(); ++i) {
    for (const Index j : graph.neighbors(i)) pairs.emplace(i, j);
  }
  return pairs;
}

/// The entries (i, j) for which linked(i, j), over all pairs of nodes: the slow twin of a builder.
template <typename Linked>
Pairs entries_where(Index num_nodes, const Linked& linked) {
  Pairs pairs;
  for (Index i = 0; i < num_nodes; ++i) {
    for (Index j = 0; j < num_nodes; ++j) {
      if (linked(i, j)) pairs.emplace(i, j);
    }
  }
  return pairs;
}

}  // namespace repsc::tests
