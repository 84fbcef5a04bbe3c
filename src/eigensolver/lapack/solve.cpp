// Dense: Y'LY if the projector stores a basis Y, else P L P + sigma (I - P), by LAPACK.
#include "eigensolver/backends.hpp"
#include "linalg/dense.hpp"

namespace repsc {
namespace {

/// Z = the lowest eigenvectors of Y'LY, lifted to X = Y Z.
Eigenpairs solve_in_basis(const ConstrainedLaplacian& A, const EigenQuery& query, const Matrix& Y) {
  Matrix LY;
  A.laplacian.apply(Y, LY);
  Matrix small = transposed_product(Y, LY);
  small = 0.5 * (small + small.transpose()).eval();
  const SymmetricEigen pairs = smallest_symmetric_eigen(std::move(small), query.count);
  Eigenpairs result;
  result.values = pairs.values;
  result.vectors.resize(A.num_nodes(), query.count);
  assign_product(result.vectors, Y, pairs.vectors);
  return result;
}

/// P M P + sigma (I - P), M symmetric.
Matrix lifted(Matrix M, const Projector& P, double sigma) {
  P.apply(M);
  M.transposeInPlace();
  P.apply(M);
  Matrix removed = Matrix::Identity(M.rows(), M.cols());
  P.apply(removed);
  M -= sigma * removed;
  M.diagonal().array() += sigma;
  return 0.5 * (M + M.transpose());
}

}  // namespace

Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query, const solver::Lapack&) {
  const Index N = A.num_nodes();
  if (N > max_dense_nodes) {
    throw InvalidInput(
        Fault{.what = joined("it forms dense matrices of ", N, " x ", N, " numbers; at most ",
                             max_dense_nodes, " nodes are supported"),
              .option = "solver",
              .value = solver::Lapack::name,
              .remedies = {{Remedy::Action::use, "solver", "lanczos"}}});
  }
  if (query.progress) query.progress({"eigen"});
  if (const auto* kept = std::get_if<KeptBasis>(&A.projector.kind()))
    return solve_in_basis(A, query, kept->basis);
  require_memory(static_cast<std::int64_t>(dense_bytes(N)), query.memory_limit,
                 "the dense solver (lapack) of " + std::to_string(N) + " nodes",
                 {{Remedy::Action::use, "solver", "lanczos"}});
  Matrix M = A.laplacian.dense();
  if (A.projector.rank() > 0) M = lifted(std::move(M), A.projector, A.lift());
  if (query.progress) query.progress({"eigen"});
  const SymmetricEigen pairs = smallest_symmetric_eigen(std::move(M), query.count);
  Eigenpairs result;
  result.values = pairs.values;
  result.vectors = pairs.vectors;
  A.projector.apply(result.vectors);  // removes the rounding errors of the lift
  return result;
}

}  // namespace repsc
