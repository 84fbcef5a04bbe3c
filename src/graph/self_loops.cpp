// A copy of a finished graph with other self-loops.
#include "graph/self_loops.hpp"

#include <algorithm>

#include "graph/at.hpp"
#include "graph/row_storage.hpp"

namespace repsc {
namespace {

/// Calls body(u, neighbours, weights) for all nodes u in order.
template <typename Body>
void for_each_row(const Graph& graph, const Body& body) {
  for_rows(graph, 0, graph.num_nodes(), [&](const RowTile& rows) {
    for (std::int64_t u = rows.begin; u < rows.end; ++u) {
      body(static_cast<Index>(u), rows.neighbors(u), rows.weights(u));
    }
  });
}

bool fits(const Graph& graph, SelfLoops self_loops) {
  switch (self_loops) {
    case SelfLoops::keep:
      return true;
    case SelfLoops::drop:
      return graph.num_self_loops() == 0;
    case SelfLoops::add:
      break;
  }
  return graph.num_self_loops() == graph.num_nodes() && self_loops_other_than_one(graph) == 0;
}

/// Whether an edge other than a self-loop has a weight other than 1. (All remaining self-loops have
/// weight 1.)
bool stays_weighted(const Graph& graph) {
  if (!graph.weighted()) return false;
  bool found = false;
  for_each_row(graph, [&](Index u, std::span<const Index> row, std::span<const double> weights) {
    for (std::size_t i = 0; i < row.size() && !found; ++i) found = row[i] != u && weights[i] != 1;
  });
  return found;
}

}  // namespace

Offset self_loops_other_than_one(const Graph& graph) {
  Offset count = 0;
  if (!graph.weighted()) return count;
  for_each_row(graph, [&](Index u, std::span<const Index> row, std::span<const double> weights) {
    const auto place = std::lower_bound(row.begin(), row.end(), u) - row.begin();
    if (place < std::ssize(row) && row[at(place)] == u && weights[at(place)] != 1) ++count;
  });
  return count;
}

Graph with_self_loops(const Graph& graph, SelfLoops self_loops) {
  if (fits(graph, self_loops)) return graph;
  const bool add = self_loops == SelfLoops::add;
  const bool weighted = stays_weighted(graph);
  const Index num_nodes = graph.num_nodes();
  const Offset others = graph.num_entries() - graph.num_self_loops();
  std::vector<Offset> offsets{0};
  std::vector<Index> neighbors;
  std::vector<double> weights;
  offsets.reserve(at(num_nodes) + 1);
  neighbors.reserve(at(others + (add ? num_nodes : 0)));
  if (weighted) weights.reserve(neighbors.capacity());
  const auto put = [&](Index v, double weight) {
    neighbors.push_back(v);
    if (weighted) weights.push_back(weight);
  };
  for_each_row(graph, [&](Index u, std::span<const Index> row, std::span<const double> given) {
    bool due = add;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (due && row[i] >= u) {
        put(u, 1);
        due = false;
      }
      if (row[i] != u) put(row[i], weighted ? given[i] : 1);
    }
    if (due) put(u, 1);
    offsets.push_back(static_cast<Offset>(neighbors.size()));
  });
  return {std::move(offsets), std::move(neighbors), std::move(weights), graph.names()};
}

}  // namespace repsc
