// A backend is one overload of solve() in its own folder, nothing else.
#pragma once

#include "repsc/eigensolver.hpp"

namespace repsc {

Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query, const solver::Lapack& how);
Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query,
                 const solver::Lanczos& how);

}  // namespace repsc
