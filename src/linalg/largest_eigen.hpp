// The eigenpairs of a dense symmetric matrix that are largest in absolute value.
#pragma once

#include <optional>
#include <vector>

#include "linalg/dense.hpp"

namespace repsc {

/// Most pairs that are added so as not to cut a group of equal values.
constexpr Index max_equal_pairs(Index count) { return 32 + count / 4; }

/// Pairs by falling absolute value, and the absolute value of the first one that is left out.
struct LargestEigen {
  Vector values;
  Matrix vectors;
  double next = 0;  ///< 0 if no pair is left out
};

/// Which of all eigenvalues are wanted.
struct LargestValues {
  std::vector<Index> order;  ///< positions by falling absolute value
  double next = 0;           ///< absolute value of the first one that is left out, or 0
};

/// The first `count` values by falling absolute value, and those that follow as below.
[[nodiscard]] LargestValues largest_values(const Vector& values, Index count, double equal);

/// The first `count` pairs by falling absolute value, and those that follow with the same absolute
/// value, which may differ by `equal` times the largest one: no group of equal values is cut,
/// except zeros and groups of more than max_equal_pairs(count). Computes all pairs.
[[nodiscard]] LargestEigen largest_of_all_eigen(Matrix S, Index count, double equal = 0);

/// The same without computing the other pairs: one tridiagonalization, all eigenvalues, and only
/// the wanted vectors (dsterf, dstemr). Empty if dstemr fails, as it may for tightly clustered
/// eigenvalues.
[[nodiscard]] std::optional<LargestEigen> selected_largest_eigen(Matrix S, Index count,
                                                                 double equal = 0);

}  // namespace repsc
