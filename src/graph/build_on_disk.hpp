// Builds a graph from more edges than fit into memory.
#pragma once

#include <string>

#include "graph/build.hpp"
#include "graph/edge_store.hpp"

namespace repsc {

/// assemble() for a store with on_disk(): the same graph and the same changes, in about as much
/// memory as the store was allowed and 8 bytes per node. The neighbours and weights of the graph
/// are in files without a name, mapped into memory.
[[nodiscard]] Assembled assemble_on_disk(NodeNames names, EdgeStore&& edges, SelfLoops self_loops,
                                         const std::string& source);

}  // namespace repsc
