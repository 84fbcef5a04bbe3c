// Weights of any size, brought to a size whose squares neither overflow nor vanish.
#include "graph/scale.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/parallel.hpp"

namespace repsc {
namespace {

/// A graph and the weights that replace its own.
struct Reweighted {
  Graph graph;
  std::vector<double> weights;
};

}  // namespace

WeightRange weight_range(const Graph& graph) {
  const auto weights = graph.weights();
  if (weights.empty()) return {};
  const auto [smallest, largest] = std::minmax_element(weights.begin(), weights.end());
  return {*smallest, *largest};
}

ScaledGraph well_scaled(const Graph& graph) {
  constexpr int usual = 64;
  const double largest = weight_range(graph).largest;
  if (!graph.weighted() || largest <= 0) return {graph};
  const int exponent = std::ilogb(largest);
  if (std::abs(exponent) <= usual) return {graph};
  auto owner = std::make_shared<Reweighted>(Reweighted{graph, {}});
  const auto given = graph.weights();
  owner->weights.resize(given.size());
  parallel_ranges(static_cast<std::int64_t>(given.size()), 1 << 16, [&](auto begin, auto end) {
    for (auto e = static_cast<std::size_t>(begin); e < static_cast<std::size_t>(end); ++e) {
      owner->weights[e] = std::ldexp(given[e], -exponent);
    }
  });
  const std::span<const double> weights(owner->weights);
  Graph scaled(graph.offsets(), graph.neighbors(), weights, std::move(owner), graph.names());
  return {std::move(scaled), exponent};
}

void require_finite_total(const Graph& graph) {
  if (!graph.weighted()) return;
  const auto weights = graph.weights();
  const double total = parallel_sum(static_cast<std::int64_t>(weights.size()), 1 << 16, 0.0,
                                    [&](std::int64_t begin, std::int64_t end) {
                                      double sum = 0;
                                      for (std::int64_t e = begin; e < end; ++e) {
                                        sum += weights[static_cast<std::size_t>(e)];
                                      }
                                      return sum;
                                    });
  if (std::isfinite(total)) return;
  throw InvalidInput(
      Fault{.what = joined("the weights of the graph add up to infinity: the largest is ",
                           weight_range(graph).largest),
            .remedies = {advice("divide all weights by a constant")}});
}

}  // namespace repsc
