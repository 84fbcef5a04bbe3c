// A literal implementation of the paper's formulas with small dense matrices and Eigen's own
// decompositions. It shares no code with the library, whose results are compared with it.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

namespace repsc::paper {

using Dense = Eigen::MatrixXd;

inline Dense centering(Eigen::Index N) {
  return Dense::Identity(N, N) - Dense::Constant(N, N, 1.0 / double(N));
}

/// Orthonormal basis Y of null(C), explicit: the last columns of Q in C' = Q R, R revealing the
/// rank.
inline Dense null_space(const Dense& C, double threshold = 1e-10) {
  if (C.norm() < threshold) return Dense::Identity(C.cols(), C.cols());
  Eigen::ColPivHouseholderQR<Dense> qr;
  qr.setThreshold(threshold);
  qr.compute(C.transpose());
  const Dense Q = qr.householderQ();
  return Q.rightCols(C.cols() - qr.rank());
}

/// The best approximation of R of that rank: eigenvalues largest in absolute value.
inline Dense best_approximation(const Dense& R, Eigen::Index rank) {
  const Eigen::SelfAdjointEigenSolver<Dense> eigen(R);
  std::vector<Eigen::Index> order(static_cast<std::size_t>(R.rows()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) {
    return std::abs(eigen.eigenvalues()[a]) > std::abs(eigen.eigenvalues()[b]);
  });
  Dense approximation = Dense::Zero(R.rows(), R.rows());
  for (Eigen::Index i = 0; i < rank; ++i) {
    const auto v = eigen.eigenvectors().col(order[static_cast<std::size_t>(i)]);
    approximation += eigen.eigenvalues()[order[static_cast<std::size_t>(i)]] * v * v.transpose();
  }
  return approximation;
}

inline Dense degrees(const Dense& A) { return A.rowwise().sum().asDiagonal(); }

/// K lowest eigenvalues and the orthogonal projector onto their eigenvectors (unique if the gap
/// above them is not 0), with the whole spectrum's largest value for relative comparisons.
struct Answer {
  Eigen::VectorXd values;
  Dense embedding;  ///< N x K: H, or T
  double largest = 0;
  double gap = 0;  ///< value K + 1 minus value K; infinite if there is none
};

inline Answer lowest(const Dense& M, const Dense& back, Eigen::Index K) {
  const Eigen::SelfAdjointEigenSolver<Dense> eigen(Dense(0.5 * (M + M.transpose())));
  const auto& values = eigen.eigenvalues();
  return {values.head(K), back * eigen.eigenvectors().leftCols(K),
          std::max(1e-300, values.cwiseAbs().maxCoeff()),
          M.rows() > K ? values[K] - values[K - 1] : INFINITY};
}

/// Algorithm 1.
inline Answer usc(const Dense& A, Eigen::Index K) {
  return lowest(degrees(A) - A, Dense::Identity(A.rows(), A.rows()), K);
}

/// Algorithm 3, before the rows are scaled.
inline Answer nsc(const Dense& A, Eigen::Index K) {
  const Dense S = degrees(A).diagonal().cwiseSqrt().cwiseInverse().asDiagonal();
  const Dense I = Dense::Identity(A.rows(), A.rows());
  return lowest(I - S * A * S, I, K);
}

/// Algorithm 2 for a constraint matrix C = R J: H = Y Z.
inline Answer constrained(const Dense& A, const Dense& C, Eigen::Index K) {
  const Dense Y = null_space(C);
  const Dense L = degrees(A) - A;
  return lowest(Y.transpose() * L * Y, Y, K);
}

/// Algorithm 4: Q = sqrt(Y'DY), T = Y Q^-1 V.
inline Answer constrained_normalized(const Dense& A, const Dense& C, Eigen::Index K) {
  const Dense Y = null_space(C);
  const Dense L = degrees(A) - A;
  const Eigen::SelfAdjointEigenSolver<Dense> squared(Dense(Y.transpose() * degrees(A) * Y));
  const Dense Q_inverse = squared.operatorInverseSqrt();
  return lowest(Q_inverse * Y.transpose() * L * Y * Q_inverse, Y * Q_inverse, K);
}

/// F' J of Kleindessner et al.
inline Dense group_matrix(const std::vector<int>& groups, int P) {
  Dense F = Dense::Zero(static_cast<Eigen::Index>(groups.size()), P);
  for (std::size_t i = 0; i < groups.size(); ++i) F(static_cast<Eigen::Index>(i), groups[i]) = 1;
  return F.transpose() * centering(F.rows());
}

/// How far the column spaces of X and Y are apart: || P_X - P_Y ||_F.
inline double subspace_distance(const Dense& X, const Dense& Y) {
  const auto projector = [](const Dense& M) -> Dense {
    const Dense Q =
        Eigen::HouseholderQR<Dense>(M).householderQ() * Dense::Identity(M.rows(), M.cols());
    return Q * Q.transpose();
  };
  return (projector(X) - projector(Y)).norm();
}

}  // namespace repsc::paper
