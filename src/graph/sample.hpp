// A part of the edges of a graph.
#pragma once

#include "repsc/graph.hpp"

namespace repsc {

/// The same nodes with about one of `one_in` edges. A hash of its two nodes decides whether an edge
/// is kept, so that both of its entries are, however the rows are stored. Two passes over the rows.
/// Nodes are named 0, 1, ...
[[nodiscard]] Graph sampled_edges(const Graph& graph, int one_in);

}  // namespace repsc
