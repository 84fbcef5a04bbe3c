// Arrays of a matrix that may be a graph as they are: then nothing has to be built.
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

/// The graph, where building it from the entries would change nothing: rows strictly ascending and
/// in range, weights finite and above 0, symmetric, self-loops as asked for. Nothing otherwise. The
/// check is two passes over the arrays on all threads.
///
/// Symmetry is told by sums of 64-bit fingerprints of the entries above and below the diagonal, two
/// of them: they agree for a matrix that is not symmetric with a chance of 2^-128.
[[nodiscard]] std::optional<Graph> finished_graph(MatrixArrays&& arrays, SelfLoops self_loops);

}  // namespace repsc
