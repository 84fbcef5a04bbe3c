// The nodes of a graph in another order.
#include "graph/rearrange.hpp"

#include "graph/at.hpp"

#include <algorithm>
#include <charconv>

namespace repsc {
namespace {

constexpr Index none = -1;

}  // namespace

Graph rearranged(const Graph& graph, const std::vector<Index>& sources, bool loops,
                 NodeNames names) {
  std::vector<Index> targets(at(graph.num_nodes()), none);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] != none) targets[at(sources[i])] = static_cast<Index>(i);
  }
  std::vector<Offset> offsets{0};
  offsets.reserve(sources.size() + 1);
  for (const Index source : sources) {
    Offset size = source == none && loops ? 1 : 0;
    if (source != none) {
      for (const Index neighbor : graph.neighbors(source)) size += targets[at(neighbor)] != none;
    }
    offsets.push_back(offsets.back() + size);
  }
  std::vector<Index> neighbors;
  std::vector<double> weights;
  neighbors.reserve(static_cast<std::size_t>(offsets.back()));
  if (graph.weighted()) weights.reserve(neighbors.capacity());
  std::vector<std::pair<Index, double>> row;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    row.clear();
    if (sources[i] == none) {
      if (loops) row.emplace_back(static_cast<Index>(i), 1.0);
    } else {
      const auto old = graph.neighbors(sources[i]);
      const auto values = graph.weights(sources[i]);
      for (std::size_t j = 0; j < old.size(); ++j) {
        const Index target = targets[at(old[j])];
        if (target != none) row.emplace_back(target, values.empty() ? 1.0 : values[j]);
      }
    }
    std::sort(row.begin(), row.end());
    for (const auto& [neighbor, weight] : row) {
      neighbors.push_back(neighbor);
      if (graph.weighted()) weights.push_back(weight);
    }
  }
  return {std::move(offsets), std::move(neighbors), std::move(weights), std::move(names)};
}

std::vector<Index> order_by_number(const NodeNames& names, Index first) {
  std::vector<Index> order(at(names.size()));
  for (Index node = 0; node < names.size(); ++node) {
    Index number = first + node;
    const std::string_view name = names.view(node);
    if (!names.implied()) std::from_chars(name.data(), name.data() + name.size(), number);
    order[at(number - first)] = node;
  }
  return order;
}

}  // namespace repsc
