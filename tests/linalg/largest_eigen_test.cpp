// Selected eigenpairs of dense matrices against Eigen's own decomposition.
#include "linalg/largest_eigen.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "support/samples.hpp"

namespace repsc {
namespace {

using Dense = Eigen::MatrixXd;

/// The `least` largest pairs, and more only where the next value is equal to the last.
void expect_largest(const LargestEigen& found, const Matrix& S, Index least) {
  const Eigen::SelfAdjointEigenSolver<Dense> eigen{Dense(S), Eigen::EigenvaluesOnly};
  Vector magnitudes = eigen.eigenvalues().cwiseAbs();
  std::sort(magnitudes.begin(), magnitudes.end(), std::greater<>());
  const double largest = magnitudes[0];
  const auto count = static_cast<Index>(found.values.size());
  ASSERT_GE(count, least);
  EXPECT_NEAR(magnitudes[count - 1], magnitudes[least - 1], 1e-12 * S.rows() * largest);
  EXPECT_NEAR(found.next, count < S.rows() ? magnitudes[count] : 0, 1e-12 * S.rows() * largest);
  EXPECT_LT((found.values.cwiseAbs() - magnitudes.head(count)).norm(), 1e-12 * S.rows() * largest);
  const Dense V = found.vectors;
  EXPECT_LT((V.transpose() * V - Dense::Identity(count, count)).norm(), 1e-10);
  EXPECT_LT((S * V - V * found.values.asDiagonal()).norm(), 1e-10 * largest);
}

TEST(LargestEigen, is_what_eigen_finds_whichever_way) {
  const Index N = 130;
  const Matrix random = samples::random_representation(N, 0.3, 1);
  const Matrix negative = random - 3 * Matrix::Identity(N, N);
  for (const Matrix& S : {random, negative, Matrix(-random)}) {
    for (const Index count : {1, 2, 30, 86}) {
      expect_largest(largest_of_all_eigen(S, count), S, count);
      const auto selected = selected_largest_eigen(S, count);
      ASSERT_TRUE(selected.has_value());
      expect_largest(*selected, S, count);
    }
  }
}

TEST(LargestEigen, is_right_or_nothing_where_eigenvalues_are_equal) {
  const Index N = 120;
  const std::vector<Matrix> multiple{
      samples::block_representation(samples::shuffled_labels(N, 4, 1)),
      samples::quotient_representation(N, 9, 0.4, 2), samples::circulant_representation(N, 3, 9),
      samples::repeated_components(30, 4, 0.3, 3), Matrix::Identity(N, N)};
  for (const Matrix& S : multiple) {
    for (const Index count : {1, 3, 4, 20, 80}) {
      constexpr double equal = 1e-13;
      expect_largest(largest_of_all_eigen(S, count, equal), S, count);
      const auto selected = selected_largest_eigen(S, count, equal);
      if (selected) expect_largest(*selected, S, count);
    }
  }
}

}  // namespace
}  // namespace repsc
