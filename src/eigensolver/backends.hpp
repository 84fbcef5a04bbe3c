// A backend is one overload of solve() in its own folder, nothing else.
#pragma once

#include <memory>

#include "linalg/sparse_factor.hpp"
#include "repsc/eigensolver.hpp"

namespace repsc {

Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query, const solver::Lapack& how);
Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query,
                 const solver::Lanczos& how);
Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query,
                 const solver::Cholesky& how);

/// Whether solve_on_device() can: not with a spectrum of R that is on the host alone, or a soft
/// constraint by an R in packed rows.
bool runs_on_device(const ConstrainedLaplacian& A);
/// The most vectors that it keeps for `count` eigenvectors: kernels take no more than
/// REPSC_CUDA_MOST_COLUMNS.
Index basis_on_device(Index num_nodes, Index count, const solver::Lanczos& how);
/// Lanczos on query.device, measured: values and residual are those of the vectors.
Eigenpairs solve_on_device(const ConstrainedLaplacian& A, const EigenQuery& query,
                           const solver::Lanczos& how);

/// query.memory_limit, or 80 % of the free memory.
double memory_limit_bytes(const EigenQuery& query);

/// Bytes that solver::Lapack needs: the matrix, LAPACK's workspace and the result.
inline double dense_bytes(Index num_nodes) { return 3.0 * 8 * num_nodes * num_nodes; }

/// Whether solver::Lanczos looks at EigenQuery::end_if_slow here: if it filters.
bool lanczos_tells_if_slow(const ConstrainedLaplacian& A, const EigenQuery& query);

/// The symbolic factorization of solver::Cholesky, which tells the cost before it is paid.
struct SymbolicCholesky {
  std::unique_ptr<SparseCholesky> factors;
  double bytes = 0;
  double products = 0;  ///< with the graph that take as long, roughly
};
/// Nothing where solver::Cholesky does not apply.
std::optional<SymbolicCholesky> analyze(const ConstrainedLaplacian& A, const EigenQuery& query,
                                        Ordering ordering);
Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query,
                 SymbolicCholesky& symbolic);

}  // namespace repsc
