// The nodes of a graph in another order.
#pragma once

#include <vector>

#include "repsc/graph.hpp"

namespace repsc {

/// The graph whose node i is node sources[i] of `graph`, or a new node if that is -1; a new node
/// gets a self-loop with `loops`. Nodes that are not in `sources` are dropped.
[[nodiscard]] Graph rearranged(const Graph& graph, const std::vector<Index>& sources, bool loops,
                               NodeNames names);

/// The nodes in the order of their numbers, for names that are numbered from `first`.
[[nodiscard]] std::vector<Index> order_by_number(const NodeNames& names, Index first);

}  // namespace repsc
