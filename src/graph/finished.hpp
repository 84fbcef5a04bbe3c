// Arrays of a matrix that may already be a valid graph, so that nothing has to be built.
#pragma once

#include <optional>
#include <vector>

#include "repsc/graph.hpp"

namespace repsc {

struct MatrixArrays {
  std::vector<Offset> offsets;  ///< one more than there are rows
  std::vector<Index> columns;
  std::vector<double> weights;  ///< empty: all 1
};

/// view_graph() of arrays that the graph then owns.
[[nodiscard]] std::optional<Graph> finished_graph(MatrixArrays&& arrays, SelfLoops self_loops);

}  // namespace repsc
