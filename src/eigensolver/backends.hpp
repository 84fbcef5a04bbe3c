// A backend is one overload of solve() in its own folder, nothing else.
#pragma once

#include "repsc/eigensolver.hpp"

namespace repsc {

Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query, const solver::Lapack& how);
Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query,
                 const solver::Lanczos& how);
Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query,
                 const solver::Cholesky& how);

/// query.memory_limit, or 80 % of the free memory.
double memory_limit_bytes(const EigenQuery& query);

/// Bytes that solver::Lapack needs: the matrix, LAPACK's workspace and the result.
inline double dense_bytes(Index num_nodes) { return 3.0 * 8 * num_nodes * num_nodes; }

/// Bytes that solver::Cholesky would need, from a symbolic factorization; infinite if it does not
/// apply.
double cholesky_bytes(const ConstrainedLaplacian& A);

}  // namespace repsc
