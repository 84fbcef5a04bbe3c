// The symmetric matrix of an upper triangle.
#pragma once

#include "graph/triangle.hpp"
#include "repsc/graph.hpp"

namespace repsc {

/// Row i of the result is column i of the triangle, then its row i. With `add_loops` every row gets
/// a self-loop of 1. Frees the triangle bucket by bucket.
[[nodiscard]] Graph unfold(Triangle& upper, MergeResult& merged, bool add_loops, NodeNames names);

}  // namespace repsc
