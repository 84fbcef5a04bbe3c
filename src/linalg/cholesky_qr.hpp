// Cholesky QR: orthonormal columns for tall matrices, by products alone.
//
//   X'X = U'U, Q = X U^-1
//
// One pass leaves errors of about cond(X)^2 times rounding; a second one removes them if the
// columns are far from dependent (Yamamoto et al. 2015).
#pragma once

#include "linalg/dense.hpp"
#include "linalg/small_factors.hpp"

namespace repsc {

/// One pass. Returns false and leaves X unchanged if X'X is not positive definite.
[[nodiscard]] inline bool cholesky_qr(Matrix& X) {
  const std::optional<Matrix> inverse = inverse_of_cholesky(transposed_product(X, X));
  if (inverse) multiply_in_place(X, *inverse);
  return inverse.has_value();
}

}  // namespace repsc
