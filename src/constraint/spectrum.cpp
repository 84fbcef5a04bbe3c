// Eigenpairs of a representation graph, largest absolute value first.
#include <cmath>
#include <limits>

#include "constraint/shared.hpp"
#include "graph/product.hpp"
#include "linalg/dense.hpp"
#include "linalg/lanczos.hpp"
#include "linalg/largest_eigen.hpp"
#include "repsc/constraint.hpp"

namespace repsc {
namespace {

std::string what(Index N, Index count) {
  return "decomposing a representation graph of " + std::to_string(N) + " nodes at rank " +
         std::to_string(count);
}

double frobenius_norm(const Graph& R) {
  if (!R.weighted()) return std::sqrt(static_cast<double>(R.num_entries()));
  const auto weights = R.weights();
  return Eigen::Map<const Vector>(weights.data(), static_cast<Eigen::Index>(weights.size())).norm();
}

RepresentationSpectrum decompose_dense(const Graph& R, Index count,
                                       const SpectrumOptions& options) {
  const Index N = R.num_nodes();
  if (options.progress) options.progress({"constraint"});
  std::optional<SymmetricEigen> pairs;
  if (select_vectors(N, count)) pairs = selected_largest_eigen(dense_adjacency(R), count);
  if (!pairs) {
    if (options.progress) options.progress({"constraint"});
    require_memory(all_vectors_bytes(N, count), options.memory_limit, what(N, count),
                   smaller_constraints());
    pairs = largest_of_all_eigen(dense_adjacency(R), count);
  }
  return {std::move(pairs->values), std::move(pairs->vectors), frobenius_norm(R), count == N, true};
}

RepresentationSpectrum decompose_by_products(const Graph& R, Index count,
                                             const SpectrumOptions& options) {
  const KrylovOperator A{.size = R.num_nodes(),
                         .dimension = R.num_nodes(),
                         .norm = R.degrees().maxCoeff(),  // ||R|| <= largest row sum
                         .apply = [&](const Matrix& X, Matrix& Y) { multiply(R, X, Y); }};
  KrylovResult pairs = thick_restart_lanczos(A, {.count = count,
                                                 .wanted = Wanted::largest_magnitude,
                                                 .tolerance = options.tolerance,
                                                 .max_iterations = options.max_iterations,
                                                 .block_size = spectrum_block_size(count),
                                                 .basis_size = spectrum_basis_size(A.size, count),
                                                 .seed = options.seed,
                                                 .stage = "constraint",
                                                 .progress = options.progress});
  return {std::move(pairs.values), std::move(pairs.vectors), frobenius_norm(R),
          count == R.num_nodes(), pairs.converged};
}

}  // namespace

Matrix dense_adjacency(const Graph& R) {
  Matrix dense = Matrix::Zero(R.num_nodes(), R.num_nodes());
  for (Index i = 0; i < R.num_nodes(); ++i) {
    const auto neighbors = R.neighbors(i);
    const auto weights = R.weights(i);
    for (std::size_t e = 0; e < neighbors.size(); ++e)
      dense(i, neighbors[e]) = weights.empty() ? 1.0 : weights[e];
  }
  return dense;
}

Index RepresentationSpectrum::rank() const {
  if (values.size() == 0) return 0;
  const double threshold = static_cast<double>(vectors.rows()) *
                           std::numeric_limits<double>::epsilon() * std::abs(values[0]);
  return static_cast<Index>((values.array().abs() > threshold).count());
}

Index RepresentationSpectrum::constraint_rank() const {
  const Index r = rank();
  const auto N = static_cast<double>(vectors.rows());
  const double share = N * column_means(vectors.leftCols(r)).squaredNorm();  // ||V'1||^2 / N
  return r - (1 - share < 1e-12 ? 1 : 0);
}

RepresentationSpectrum decompose(const Graph& representation, Index count,
                                 const SpectrumOptions& options) {
  const Index N = representation.num_nodes();
  require_option(count >= 1 && count <= N, "rank", count,
                 "it must be from 1 to the number of nodes, ", N);
  require_memory(decomposition_bytes(N, count), options.memory_limit, what(N, count),
                 smaller_constraints());
  return decompose_densely(N, count) ? decompose_dense(representation, count, options)
                                     : decompose_by_products(representation, count, options);
}

}  // namespace repsc
