// Rayleigh-Ritz on the vectors that a solver returned, and their residual, wherever the vectors
// are.
#pragma once

#include <cmath>

#include "core/numerical_failure.hpp"
#include "linalg/dense.hpp"
#include "linalg/small_factors.hpp"
#include "repsc/eigensolver.hpp"

namespace repsc {

/// X = P X with orthonormal columns, by two rounds of Cholesky QR (linalg/cholesky_qr.hpp).
template <typename Rows, typename Block, typename Project>
void orthonormalize(const Rows& rows, Block& X, const Project& project) {
  for (int pass = 0; pass < 2; ++pass) {
    project(X);
    const std::optional<Matrix> inverse = inverse_of_cholesky(rows.gram(X, X));
    if (!inverse) throw NumericalFailure("a solver returned dependent eigenvectors");
    rows.multiply(X, *inverse);
  }
}

/// X becomes Ritz vectors; sets the values and the residual, the largest ||P L x - lambda x|| /
/// unit over the pairs. In the precision of X, whatever the solver worked in.
template <typename Rows, typename Block, typename Apply, typename Project>
void measure(const Rows& rows, Block& X, const Apply& apply, const Project& project, double unit,
             Eigenpairs& pairs) {
  orthonormalize(rows, X, project);
  Block AX = rows.uninitialized(static_cast<Index>(X.cols()));
  apply(X, AX);
  project(AX);
  const Matrix projected = rows.gram(X, AX);
  SymmetricEigen ritz = symmetric_eigen(0.5 * (projected + projected.transpose()));
  pairs.values = std::move(ritz.values);
  rows.multiply(X, ritz.vectors);
  rows.multiply(AX, ritz.vectors);
  rows.subtract(AX, X, Matrix(pairs.values.asDiagonal()));
  pairs.residual = std::sqrt(rows.gram(AX, AX).diagonal().maxCoeff()) / unit;
  if (!std::isfinite(pairs.residual)) throw NumericalFailure("the residual is not a number");
}

}  // namespace repsc
