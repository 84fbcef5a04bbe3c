// The eigenpairs of a dense symmetric matrix that are largest in absolute value.
#pragma once

#include <optional>

#include "linalg/dense.hpp"

namespace repsc {

/// `count` pairs by falling absolute value, of all that there are.
[[nodiscard]] SymmetricEigen largest_of_all_eigen(Matrix S, Index count);

/// The same without finding the others: one tridiagonalization, all eigenvalues, and only the
/// wanted vectors (dsterf, dstemr). Nothing where dstemr fails, as it may on tight
/// clusters.
[[nodiscard]] std::optional<SymmetricEigen> selected_largest_eigen(Matrix S, Index count);

}  // namespace repsc
