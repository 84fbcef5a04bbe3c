// Graph: its checks, degrees and edges; isolated nodes.
#include "repsc/graph.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "graph/row_storage.hpp"

namespace repsc {
namespace {

struct Arrays {
  std::vector<Offset> offsets;
  std::vector<Index> neighbors;
  std::vector<double> weights;
};

void check(std::span<const Offset> offsets, std::size_t num_entries,
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
  require(static_cast<std::size_t>(offsets.back()) == num_entries, "graph: offsets end with ",
          offsets.back(), " but there are ", num_entries, " entries");
  require(weights.empty() || weights.size() == num_entries, "graph: ", weights.size(),
          " weights but ", num_entries, " entries");
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
             Offset num_self_loops, std::shared_ptr<const RowStorage> storage)
    : offsets_(offsets),
      neighbors_(neighbors),
      weights_(weights),
      owner_(std::move(owner)),
      num_self_loops_(num_self_loops),
      names_(std::move(names)),
      storage_(std::move(storage)),
      packed_(storage_ != nullptr && storage_->packed()) {
  const bool known = !packed_ || offsets.empty();  // packed rows are counted by the offsets alone
  check(offsets_, known ? neighbors_.size() : static_cast<std::size_t>(offsets.back()), weights_,
        names_);
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

Graph Graph::also_on_device(std::shared_ptr<const ArraysOnDevice> arrays) const {
  Graph result = *this;
  result.on_device_ = std::move(arrays);
  return result;
}

std::span<const Index> Graph::unpacked() const { return storage_->unpacked(*this); }

bool Graph::streamed() const { return storage_ != nullptr && storage_->streaming().on; }

bool Graph::has_edge(Index u, Index v) const {
  require(u >= 0 && u < num_nodes() && v >= 0 && v < num_nodes(), "edge (", u, ", ", v, ") but ",
          num_nodes(), " nodes");
  const std::span<const Index> row = neighbors(u);
  return std::binary_search(row.begin(), row.end(), v);
}

Vector Graph::degrees() const {
  Vector result(num_nodes());
  ask_for_large_pages(result.data(), static_cast<std::size_t>(result.size()) * sizeof(double));
  parallel_ranges(num_nodes(), 4096, [&](std::int64_t first, std::int64_t last) {
    for (auto node = static_cast<Index>(first); node < last; ++node) {
      const std::span<const double> row = weights(node);
      result[node] = weighted() ? std::accumulate(row.begin(), row.end(), 0.0)
                                : static_cast<double>(num_neighbors(node));
    }
  });
  return result;
}

std::vector<Index> isolated_nodes(const Graph& graph) {
  std::vector<Index> result;
  bool others = false;  // nodes with one neighbour, which may be the node itself
  for (Index node = 0; node < graph.num_nodes(); ++node) {
    const Index count = graph.num_neighbors(node);
    if (count == 0) result.push_back(node);
    others = others || (count == 1 && graph.num_self_loops() > 0);
  }
  if (!others) return result;
  std::vector<Index> loops;
  for_rows(graph, 0, graph.num_nodes(), [&](const RowTile& rows) {
    for (std::int64_t i = rows.begin; i < rows.end; ++i) {
      const std::span<const Index> row = rows.neighbors(i);
      if (row.size() == 1 && row[0] == i) loops.push_back(row[0]);
    }
  });
  std::vector<Index> both;
  std::merge(result.begin(), result.end(), loops.begin(), loops.end(), std::back_inserter(both));
  return both;
}

}  // namespace repsc
