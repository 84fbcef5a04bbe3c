// A copy of a finished graph with other self-loops.
#include <algorithm>

#include "repsc/graph.hpp"

#include "graph/at.hpp"

namespace repsc {
namespace {

bool fits(const Graph& graph, SelfLoops self_loops) {
  switch (self_loops) {
    case SelfLoops::keep:
      return true;
    case SelfLoops::drop:
      return graph.num_self_loops() == 0;
    case SelfLoops::add:
      break;
  }
  if (graph.num_self_loops() != graph.num_nodes()) return false;
  for (Index u = 0; u < graph.num_nodes() && graph.weighted(); ++u) {
    const auto row = graph.neighbors(u);
    const auto place = std::lower_bound(row.begin(), row.end(), u) - row.begin();
    if (graph.weights(u)[at(place)] != 1) return false;
  }
  return true;
}

/// Whether an edge other than a self-loop has a weight other than 1. (All remaining self-loops have
/// weight 1.)
bool stays_weighted(const Graph& graph) {
  for (Index u = 0; u < graph.num_nodes() && graph.weighted(); ++u) {
    const auto row = graph.neighbors(u);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] != u && graph.weights(u)[i] != 1) return true;
    }
  }
  return false;
}

}  // namespace

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
  for (Index u = 0; u < num_nodes; ++u) {
    const auto row = graph.neighbors(u);
    bool due = add;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (due && row[i] >= u) {
        put(u, 1);
        due = false;
      }
      if (row[i] != u) put(row[i], weighted ? graph.weights(u)[i] : 1);
    }
    if (due) put(u, 1);
    offsets.push_back(static_cast<Offset>(neighbors.size()));
  }
  return {std::move(offsets), std::move(neighbors), std::move(weights), graph.names()};
}

}  // namespace repsc
