// The soft constraint of a Laplacian: its scale and its norm.
#include <algorithm>

#include "linalg/lanczos.hpp"
#include "repsc/operators.hpp"

namespace repsc {
namespace {

/// The trace of D - A.
double trace_of(const Graph& A) {
  double trace = A.degrees().sum();
  if (A.num_self_loops() == 0) return trace;
  for (Index i = 0; i < A.num_nodes(); ++i) {
    const auto neighbors = A.neighbors(i);
    const auto at = std::lower_bound(neighbors.begin(), neighbors.end(), i);
    if (at == neighbors.end() || *at != i) continue;
    trace -= A.weighted() ? A.weights(i)[static_cast<std::size_t>(at - neighbors.begin())] : 1;
  }
  return trace;
}

/// ||S C S|| from below, within a few percent, which is enough to scale tolerances.
double norm_of(const RepresentationPenalty& penalty, const Vector& scale) {
  const KrylovOperator C{.size = penalty.num_nodes(),
                         .dimension = penalty.num_nodes(),
                         .apply = [&](const Matrix& X, Matrix& Y) {
                           Y = Matrix::Zero(X.rows(), X.cols());
                           if (scale.size() == 0) return penalty.add_product(X, 1, scale, Y);
                           penalty.add_product(scale.asDiagonal() * X, 1, scale, Y);
                         }};
  const KrylovResult found = thick_restart_lanczos(C, {.count = 1,
                                                       .wanted = Wanted::largest_magnitude,
                                                       .tolerance = 0.05,
                                                       .relative = true,
                                                       .max_iterations = 12,
                                                       .block_size = 2});
  return found.values[0];
}

}  // namespace

SoftConstraint soft_constraint(const Laplacian& L, const Representation& representation) {
  require(representation.num_nodes() == L.num_nodes(), "the similarity graph has ", L.num_nodes(),
          " nodes, the representation graph ", representation.num_nodes());
  auto penalty = std::make_shared<RepresentationPenalty>(representation, trace_of(L.graph()));
  const double norm = norm_of(*penalty, L.scale());
  return {std::move(penalty), norm};
}

}  // namespace repsc
