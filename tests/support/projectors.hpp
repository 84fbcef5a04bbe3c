// Projectors as dense matrices, and the paper's formula for them.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "repsc/constraint.hpp"
#include "support/paper.hpp"

namespace repsc::projectors {

using Dense = Eigen::MatrixXd;

/// P as a dense matrix.
inline Dense dense(const Projector& P) {
  Matrix X = Matrix::Identity(P.num_nodes(), P.num_nodes());
  P.apply(X);
  return X;
}

/// YY' for an explicit orthonormal basis Y of null(C S).
inline Dense expected_projector(const Dense& C, const Vector& scale) {
  const Dense scaled = scale.size() == 0 ? C : Dense(C * scale.asDiagonal());
  const Dense Y = paper::null_space(scaled);
  return Y * Y.transpose();
}

inline Vector random_scale(Index N, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> degree(1, 40);
  return Vector::NullaryExpr(N, [&] { return 1 / std::sqrt(degree(random)); });
}

/// The two scales: none, and D^-1/2.
inline std::vector<Vector> scales(Index N) { return {Vector(), random_scale(N, 5)}; }

inline void expect_projector(const Constraint& constraint, const Dense& C, const Vector& scale) {
  const Dense P = dense(constraint.projector);
  const Dense expected = expected_projector(C, scale);
  EXPECT_LT((P - expected).norm(), 1e-9);
  EXPECT_EQ(constraint.projector.dimension(), std::lround(expected.trace()));
}

}  // namespace repsc::projectors
