// Weights of any size, brought to a size whose squares neither overflow nor vanish.
#pragma once

#include "repsc/graph.hpp"

namespace repsc {

/// Smallest and largest weight; 1 and 1 without weights.
struct WeightRange {
  double smallest = 1;
  double largest = 1;
};
[[nodiscard]] WeightRange weight_range(const Graph& graph);

/// A graph whose weights are those of another times 2^-exponent: no digit is lost, unless weights
/// differ by more than 2^1000.
struct ScaledGraph {
  Graph graph;
  int exponent = 0;
};

/// The graph as it is while its largest weight is between 2^-64 and 2^64. Otherwise a copy of the
/// weights, the largest of which is from 1 to 2; the structure is shared.
[[nodiscard]] ScaledGraph well_scaled(const Graph& graph);

/// Throws InvalidInput if the weights add up to infinity, because then no cut is a number.
void require_finite_total(const Graph& graph);

}  // namespace repsc
