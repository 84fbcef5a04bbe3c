// A literal implementation of the soft constraint of docs/beyond.md with dense matrices. It shares
// no code with the library.
#pragma once

#include "support/paper.hpp"

namespace repsc::paper {

/// WRJ, W = diag(r)^-1/2, r = R1; a row of zeros stays one.
inline Dense weighted_deviations(const Dense& R) {
  Eigen::VectorXd w = R.rowwise().sum();
  for (Eigen::Index i = 0; i < w.size(); ++i) w[i] = w[i] > 0 ? 1 / std::sqrt(w[i]) : 0;
  return w.asDiagonal() * R * centering(R.rows());
}

/// C = tau (WRJ)'(WRJ), tau such that trace(C) = trace(D - A).
inline Dense penalty(const Dense& A, const Dense& R) {
  const Dense B = weighted_deviations(R);
  const Dense C = B.transpose() * B;
  return (degrees(A) - A).trace() / C.trace() * C;
}

/// The lowest eigenvectors H of L + lambda C.
inline Answer soft(const Dense& A, const Dense& R, double lambda, Eigen::Index K) {
  return lowest(degrees(A) - A + lambda * penalty(A, R), Dense::Identity(A.rows(), A.rows()), K);
}

/// The same against D: T = D^-1/2 X.
inline Answer soft_normalized(const Dense& A, const Dense& R, double lambda, Eigen::Index K) {
  const Dense S = degrees(A).diagonal().cwiseSqrt().cwiseInverse().asDiagonal();
  return lowest(S * (degrees(A) - A + lambda * penalty(A, R)) * S, S, K);
}

}  // namespace repsc::paper
