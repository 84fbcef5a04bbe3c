// Random regular graphs: a regular graph to start from, then random switches of its edges.
#pragma once

#include <vector>

#include "core/random.hpp"
#include "repsc/graph.hpp"

namespace repsc {

/// The edges of a random simple `degree`-regular graph on nodes 0 .. n - 1, without self-loops.
/// Each edge appears once. degree < n, and n * degree is even.
[[nodiscard]] std::vector<Edge> random_regular_edges(Index n, Index degree, RandomStream& stream);

/// The edges (left, right) of a random bipartite simple graph with n nodes on either side, all of
/// `degree` <= n.
[[nodiscard]] std::vector<Edge> random_biregular_edges(Index n, Index degree, RandomStream& stream);

}  // namespace repsc
