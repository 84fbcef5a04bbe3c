// The eigenpairs of a dense symmetric matrix that are largest in absolute value.
#pragma once

#include <optional>

#include "linalg/dense.hpp"

namespace repsc {

/// The first `count` pairs by falling absolute value, from all pairs.
[[nodiscard]] SymmetricEigen largest_of_all_eigen(Matrix S, Index count);

/// The same without computing the other pairs: one tridiagonalization, all eigenvalues, and only
/// the wanted vectors (dsterf, dstemr). Empty if dstemr fails, as it may for tightly clustered
/// eigenvalues.
[[nodiscard]] std::optional<SymmetricEigen> selected_largest_eigen(Matrix S, Index count);

}  // namespace repsc
