// What the self-loops of a finished graph are.
#pragma once

#include "repsc/graph.hpp"

namespace repsc {

/// How many self-loops have a weight other than 1. Rows are not unpacked.
[[nodiscard]] Offset self_loops_other_than_one(const Graph& graph);

}  // namespace repsc
