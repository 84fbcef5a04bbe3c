// Graph: its checks, degrees and edges; components and isolated nodes.
#include "repsc/graph.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/parallel.hpp"

namespace repsc {
namespace {

struct Arrays {
  std::vector<Offset> offsets;
  std::vector<Index> neighbors;
  std::vector<double> weights;
};

void check(std::span<const Offset> offsets, std::span<const Index> neighbors,
           std::span<const double> weights, const NodeNames& names) {
  require(!offsets.empty(), "graph: offsets are empty, but N nodes need N + 1");
  require(offsets.size() - 1 <= static_cast<std::size_t>(std::numeric_limits<Index>::max()),
          "graph: ", offsets.size() - 1, " nodes but at most ", std::numeric_limits<Index>::max());
  require(static_cast<std::size_t>(names.size()) == offsets.size() - 1, "graph: ", names.size(),
          " names but ", offsets.size() - 1, " nodes");
  require(offsets.front() == 0, "graph: offsets begin with ", offsets.front(),
          " but must begin with 0");
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    require(offsets[i - 1] <= offsets[i], "graph: offsets fall from ", offsets[i - 1], " to ",
            offsets[i], " at node ", i - 1);
  }
  require(static_cast<std::size_t>(offsets.back()) == neighbors.size(), "graph: offsets end with ",
          offsets.back(), " but there are ", neighbors.size(), " entries");
  require(weights.empty() || weights.size() == neighbors.size(), "graph: ", weights.size(),
          " weights but ", neighbors.size(), " entries");
}

}  // namespace

Graph::Graph(std::vector<Offset> offsets, std::vector<Index> neighbors, std::vector<double> weights,
             NodeNames names) {
  auto arrays = std::make_shared<const Arrays>(
      Arrays{std::move(offsets), std::move(neighbors), std::move(weights)});
  *this = Graph(arrays->offsets, arrays->neighbors, arrays->weights, arrays, std::move(names));
}

Graph::Graph(std::span<const Offset> offsets, std::span<const Index> neighbors,
             std::span<const double> weights, std::shared_ptr<const void> owner, NodeNames names,
             Offset num_self_loops)
    : offsets_(offsets),
      neighbors_(neighbors),
      weights_(weights),
      owner_(std::move(owner)),
      num_self_loops_(num_self_loops),
      names_(std::move(names)) {
  check(offsets_, neighbors_, weights_, names_);
}

Graph::Graph(std::span<const Offset> offsets, std::span<const Index> neighbors,
             std::span<const double> weights, std::shared_ptr<const void> owner, NodeNames names)
    : Graph(offsets, neighbors, weights, std::move(owner), std::move(names), 0) {
  num_self_loops_ =
      parallel_sum(num_nodes(), 4096, Offset{0}, [&](std::int64_t begin, std::int64_t end) {
        Offset count = 0;
        for (auto node = static_cast<Index>(begin); node < end; ++node)
          count += has_edge(node, node);
        return count;
      });
}

bool Graph::has_edge(Index u, Index v) const {
  require(u >= 0 && u < num_nodes() && v >= 0 && v < num_nodes(), "edge (", u, ", ", v, ") but ",
          num_nodes(), " nodes");
  const std::span<const Index> row = neighbors(u);
  return std::binary_search(row.begin(), row.end(), v);
}

Vector Graph::degrees() const {
  Vector result(num_nodes());
  parallel_ranges(num_nodes(), 4096, [&](std::int64_t first, std::int64_t last) {
    for (auto node = static_cast<Index>(first); node < last; ++node) {
      const std::span<const double> row = weights(node);
      result[node] = weighted() ? std::accumulate(row.begin(), row.end(), 0.0)
                                : static_cast<double>(neighbors(node).size());
    }
  });
  return result;
}

std::vector<Index> isolated_nodes(const Graph& graph) {
  std::vector<Index> result;
  for (Index node = 0; node < graph.num_nodes(); ++node) {
    const std::span<const Index> row = graph.neighbors(node);
    if (row.empty() || (row.size() == 1 && row[0] == node)) result.push_back(node);
  }
  return result;
}

Labels connected_components(const Graph& graph) {
  constexpr Label unseen = -1;
  Labels component(static_cast<std::size_t>(graph.num_nodes()), unseen);
  std::vector<Index> open;
  Label count = 0;
  Index left = graph.num_nodes();  // a dense graph is seen long before all of its rows are read
  for (Index start = 0; start < graph.num_nodes() && left > 0; ++start) {
    if (component[static_cast<std::size_t>(start)] != unseen) continue;
    component[static_cast<std::size_t>(start)] = count;
    --left;
    open.push_back(start);
    while (!open.empty() && left > 0) {
      const Index node = open.back();
      open.pop_back();
      for (const Index next : graph.neighbors(node)) {
        if (component[static_cast<std::size_t>(next)] != unseen) continue;
        component[static_cast<std::size_t>(next)] = count;
        --left;
        open.push_back(next);
      }
    }
    ++count;
  }
  return component;
}

}  // namespace repsc
