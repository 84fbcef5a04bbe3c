// Cholesky QR: orthonormal columns for tall matrices, by products alone.
//
//   X'X = U'U, Q = X U^-1
//
// One pass leaves errors of about cond(X)^2 times rounding; a second one removes them if the
// columns are far from dependent (Yamamoto et al. 2015).
#pragma once

#include <Eigen/Cholesky>

#include "linalg/dense.hpp"

namespace repsc {

/// X = X U^-1 for a triangular view U.
template <typename Block, typename Upper>
void multiply_by_inverse(Block& X, const Upper& U) {
  const Matrix inverse = U.solve(Eigen::MatrixXd::Identity(X.cols(), X.cols())).eval();
  multiply_in_place(X, inverse);
}

/// One pass. Returns false and leaves X unchanged if X'X is not positive definite.
[[nodiscard]] inline bool cholesky_qr(Matrix& X) {
  const Eigen::LLT<Eigen::MatrixXd> gram{Eigen::MatrixXd(transposed_product(X, X))};
  if (gram.info() != Eigen::Success) return false;
  multiply_by_inverse(X, gram.matrixU());
  return true;
}

}  // namespace repsc
