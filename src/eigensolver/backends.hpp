// A backend is one overload of solve() in its own folder, nothing else.
#pragma once

#include "repsc/eigensolver.hpp"

namespace repsc {

Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query, const solver::Lapack& how);
Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query,
                 const solver::Lanczos& how);
Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query,
                 const solver::Cholesky& how);

/// Whether solve_on_device() can: no penalty, and at most a constraint by groups.
bool runs_on_device(const ConstrainedLaplacian& A);
/// Lanczos on query.device, measured: values and residual are those of the vectors.
Eigenpairs solve_on_device(const ConstrainedLaplacian& A, const EigenQuery& query,
                           const solver::Lanczos& how);

/// query.memory_limit, or 80 % of the free memory.
double memory_limit_bytes(const EigenQuery& query);

/// Bytes that solver::Lapack needs: the matrix, LAPACK's workspace and the result.
inline double dense_bytes(Index num_nodes) { return 3.0 * 8 * num_nodes * num_nodes; }

/// Whether solver::Lanczos looks at EigenQuery::end_if_slow here: if it filters.
bool lanczos_tells_if_slow(const ConstrainedLaplacian& A, const EigenQuery& query);

/// solver::Cholesky if it applies, its memory is below `most_bytes` and its time is below that of
/// `most_products` products with the graph, as far as the symbolic factorization tells; otherwise
/// nothing.
std::optional<Eigenpairs> solve_if_affordable(const ConstrainedLaplacian& A,
                                              const EigenQuery& query, double most_bytes,
                                              double most_products);

}  // namespace repsc
