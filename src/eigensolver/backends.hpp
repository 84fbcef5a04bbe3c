// A backend is one overload of solve() in its own folder, nothing else.
#pragma once

#include "repsc/eigensolver.hpp"

namespace repsc {

Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query, const solver::Lapack& how);
Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query,
                 const solver::Lanczos& how);
Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query,
                 const solver::ShiftInvert& how);

/// Bytes that solver::ShiftInvert would take, by a symbolic factorization; infinite where it does
/// not apply.
double shift_invert_bytes(const ConstrainedLaplacian& A);

}  // namespace repsc
