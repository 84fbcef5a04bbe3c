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

/// What a check of all rows finds.
struct RowFacts {
  Offset self_loops = 0;
  bool all_one = true;  ///< all weights
};

/// Nothing unless rows are strictly ascending and in range, weights finite and above 0, and the
/// matrix symmetric (see view_graph()). One pass, on all threads.
[[nodiscard]] std::optional<RowFacts> check_rows(const Graph& graph);

}  // namespace repsc
