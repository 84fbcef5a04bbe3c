// The certificate's formulas with dense matrices, sharing no code with the library.
#pragma once

#include <algorithm>
#include <cmath>

#include "support/samples.hpp"
#include "support/soft.hpp"

namespace repsc::paper {

/// L and C of one family: D-weighted for the normalized cut.
struct DenseProblem {
  Dense L;
  Dense C;
  Dense D;  ///< I for the ratio cut
};

inline DenseProblem dense_problem(const Dense& A, const Dense& R, bool normalized) {
  const Dense D = degrees(A);
  const Eigen::Index N = A.rows();
  const Dense S = normalized ? Dense(D.diagonal().cwiseSqrt().cwiseInverse().asDiagonal())
                             : Dense::Identity(N, N);
  // R that links everybody alike has C = 0, which cannot be scaled.
  const bool any = weighted_deviations(R).norm() > 1e-9;
  const Dense C = any ? penalty(A, R) : Dense::Zero(N, N);
  return {S * (D - A) * S, S * C * S, normalized ? D : Dense::Identity(N, N)};
}

/// The orthonormal indicators of labels.
inline Dense indicators(const DenseProblem& problem, const Labels& labels, int K) {
  Dense H = Dense::Zero(problem.L.rows(), K);
  for (Eigen::Index i = 0; i < H.rows(); ++i) {
    H(i, labels[static_cast<std::size_t>(i)]) = std::sqrt(problem.D(i, i));
  }
  for (int k = 0; k < K; ++k) H.col(k).normalize();
  return H;
}

inline double trace_form(const Dense& M, const Dense& H) { return (H.transpose() * M * H).trace(); }

/// Half of the largest dual value over a fine grid of strengths, 0 included.
inline double grid_bound(const DenseProblem& problem, double deviation, int K, double from,
                         double to, double factor) {
  const auto value = [&](double t) {
    const Eigen::SelfAdjointEigenSolver<Dense> eigen(Dense(problem.L + t * problem.C),
                                                     Eigen::EigenvaluesOnly);
    return eigen.eigenvalues().head(K).sum() - t * deviation;
  };
  double best = std::max(0.0, value(0));
  for (double t = from; t > 0 && t <= to; t *= factor) best = std::max(best, value(t));
  return best / 2;
}

}  // namespace repsc::paper
