// The figures of a graph that one wants to see first.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "graph/row_storage.hpp"

namespace repsc {
namespace {

// Sums that differ by rounding only are equal.
bool all_equal(const Vector& sums) {
  if (sums.size() == 0) return true;
  const double largest = sums.maxCoeff();
  return largest - sums.minCoeff() <= 1e-12 * largest;
}

}  // namespace

GraphSummary summarize(const Graph& graph) {
  GraphSummary result{.nodes = graph.num_nodes(),
                      .edges = graph.num_edges(),
                      .self_loops = graph.num_self_loops(),
                      .weighted = graph.weighted()};
  if (graph.weighted()) {
    const auto [low, high] = std::minmax_element(graph.weights().begin(), graph.weights().end());
    result.smallest_weight = *low;
    result.largest_weight = *high;
  }
  if (result.nodes == 0) return result;
  result.smallest_degree = std::numeric_limits<Index>::max();
  for_rows(graph, 0, graph.num_nodes(), [&](const RowTile& rows) {
    for (std::int64_t node = rows.begin; node < rows.end; ++node) {
      const auto row = rows.neighbors(node);
      const bool loop = std::binary_search(row.begin(), row.end(), node);
      const Index degree = static_cast<Index>(row.size()) - (loop ? 1 : 0);
      result.smallest_degree = std::min(result.smallest_degree, degree);
      result.largest_degree = std::max(result.largest_degree, degree);
      result.isolated += degree == 0 ? 1 : 0;
    }
  });
  const auto ends = static_cast<double>(graph.num_entries() - graph.num_self_loops());
  result.mean_degree = ends / result.nodes;
  const Labels components = connected_components(graph);
  result.components = 1 + *std::max_element(components.begin(), components.end());
  std::vector<Index> sizes(static_cast<std::size_t>(result.components), 0);
  for (const Label component : components) ++sizes[static_cast<std::size_t>(component)];
  result.largest_component = *std::max_element(sizes.begin(), sizes.end());
  result.numbered_from = numbered_from(graph.names());
  result.regular = all_equal(graph.degrees());
  return result;
}

Index distinct_rows(const Graph& graph) {
  const auto mixed = [](std::uint64_t hash, std::uint64_t value) {  // splitmix64
    hash = (hash ^ value) + 0x9e3779b97f4a7c15ULL;
    hash = (hash ^ (hash >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    hash = (hash ^ (hash >> 27U)) * 0x94d049bb133111ebULL;
    return hash ^ (hash >> 31U);
  };
  std::vector<std::uint64_t> prints(static_cast<std::size_t>(graph.num_nodes()));
  for_rows(graph, 0, graph.num_nodes(), [&](const RowTile& rows) {
    for (std::int64_t node = rows.begin; node < rows.end; ++node) {
      std::uint64_t print = 0;
      for (const Index neighbor : rows.neighbors(node)) {
        print = mixed(print, static_cast<std::uint64_t>(neighbor));
      }
      for (const double weight : rows.weights(node)) {
        print = mixed(print, std::bit_cast<std::uint64_t>(weight));
      }
      prints[static_cast<std::size_t>(node)] = print;
    }
  });
  std::sort(prints.begin(), prints.end());
  return static_cast<Index>(std::unique(prints.begin(), prints.end()) - prints.begin());
}

}  // namespace repsc
