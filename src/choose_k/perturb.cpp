// The same graph with other weights.
#include <algorithm>
#include <memory>
#include <utility>

#include "choose_k/spectrum.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"

namespace repsc {
namespace {

/// Of the edge between i and j, the same in both rows and on any number of threads.
double factor(Index i, Index j, std::uint64_t key) {
  const auto low = static_cast<std::uint64_t>(std::min(i, j));
  const auto high = static_cast<std::uint64_t>(std::max(i, j));
  std::uint64_t state = key ^ (low << 32U | high);
  const double uniform = static_cast<double>(splitmix64(state) >> 11U) * 0x1.0p-53;
  constexpr double smallest = 1e-6;  // no edge may disappear
  return std::max(smallest, 2 * uniform);
}

/// Weights of one's own, on the structure of another graph.
struct OtherWeights {
  Graph graph;
  std::vector<double> weights;
};

}  // namespace

Graph perturbed(const Graph& graph, std::uint64_t seed) {
  const std::uint64_t key = RandomStream(seed).bits();
  auto made = std::make_shared<OtherWeights>(OtherWeights{graph, {}});
  made->weights.resize(static_cast<std::size_t>(graph.num_entries()));
  constexpr std::int64_t grain = 1024;
  parallel_ranges(graph.num_nodes(), grain, [&](auto begin, auto end) {
    for (auto row = begin; row < end; ++row) {
      const auto i = static_cast<Index>(row);
      const auto first = static_cast<std::size_t>(graph.offsets()[static_cast<std::size_t>(i)]);
      const auto neighbors = graph.neighbors(i);
      const auto weights = graph.weights(i);
      for (std::size_t k = 0; k < neighbors.size(); ++k) {
        made->weights[first + k] =
            factor(i, neighbors[k], key) * (weights.empty() ? 1 : weights[k]);
      }
    }
  });
  const std::span<const double> weights = made->weights;
  return Graph(graph.offsets(), graph.neighbors(), weights, std::move(made), graph.names());
}

}  // namespace repsc
