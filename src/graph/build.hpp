// Builds a graph from the edges that a reader found in a file.
#pragma once

#include <optional>
#include <string>

#include "graph/edge_store.hpp"
#include "repsc/graph.hpp"

namespace repsc {

struct Assembled {
  BuiltGraph built;
  std::optional<Edge> one_sided;  ///< the first pair that was given in one direction only
};

/// build_graph() for edges that are known to be in range; empties the store. `source` is the file,
/// for messages.
[[nodiscard]] Assembled assemble(NodeNames names, EdgeStore&& edges, SelfLoops self_loops,
                                 const std::string& source);

}  // namespace repsc
