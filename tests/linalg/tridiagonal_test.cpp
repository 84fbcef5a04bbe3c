// Tridiagonal form and eigenpairs of dense matrices against Eigen's own, and against what defines
// them.
#include "linalg/tridiagonal.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "linalg/dense.hpp"

namespace repsc {
namespace {

using Dense = Eigen::MatrixXd;

Matrix random_symmetric(Index n) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::normal_distribution<double> normal;
  const Dense half = Dense::NullaryExpr(n, n, [&] { return normal(random); });
  return half + half.transpose();
}

/// Sizes below, at and above those where the work is cut into panels and parts.
const Index sizes[] = {1, 2, 3, 40, 127, 128, 129, 130, 192, 193, 300, 513, 700};

TEST(Tridiagonal, is_the_matrix_turned) {
  for (const Index n : sizes) {
    SCOPED_TRACE(n);
    const Matrix S = random_symmetric(n);
    const Tridiagonal T = tridiagonalize(S);
    Dense Q = Dense::Identity(n, n);
    multiply_by_q(T, Q);
    EXPECT_LT((Q.transpose() * Q - Dense::Identity(n, n)).norm(), 1e-13 * n);
    Dense middle = T.diagonal.asDiagonal();
    for (Index i = 0; i + 1 < n; ++i) middle(i, i + 1) = middle(i + 1, i) = T.off_diagonal[i];
    EXPECT_LT((Q * middle * Q.transpose() - S).norm(), 1e-13 * S.norm());
  }
}

TEST(Tridiagonal, of_a_diagonal_matrix_is_that_matrix) {
  const Index n = 300;
  const Matrix S = Vector::LinSpaced(n, 1, n).asDiagonal();
  const Tridiagonal T = tridiagonalize(S);
  EXPECT_LT((T.diagonal - Vector::LinSpaced(n, 1, n)).norm(), 1e-12);
  EXPECT_LT(T.off_diagonal.norm(), 1e-12);
}

TEST(Tridiagonal, is_the_same_to_the_bit_on_any_number_of_threads) {
  const int before = num_threads();
  const Matrix S = random_symmetric(700);
  set_num_threads(1);
  const Tridiagonal one = tridiagonalize(S);
  const SymmetricEigen pairs = symmetric_eigen(S);
  for (const int threads : {2, 5}) {
    set_num_threads(threads);
    const Tridiagonal many = tridiagonalize(S);
    EXPECT_EQ(one.reflectors, many.reflectors);
    EXPECT_EQ(one.diagonal, many.diagonal);
    EXPECT_EQ(pairs.vectors, symmetric_eigen(S).vectors);
  }
  set_num_threads(before);
}

TEST(SymmetricEigen, has_all_pairs_or_the_smallest) {
  for (const Index n : sizes) {
    SCOPED_TRACE(n);
    const Matrix S = random_symmetric(n);
    const Eigen::SelfAdjointEigenSolver<Dense> expected{Dense(S)};
    const double scale = expected.eigenvalues().cwiseAbs().maxCoeff();
    const SymmetricEigen all = symmetric_eigen(S);
    EXPECT_LT((all.values - expected.eigenvalues()).norm(), 1e-13 * n * scale);
    EXPECT_LT((S * all.vectors - all.vectors * all.values.asDiagonal()).norm(), 1e-13 * n * scale);
    const Index count = std::max<Index>(1, n / 5);
    const SymmetricEigen few = smallest_symmetric_eigen(S, count);
    EXPECT_LT((few.values - expected.eigenvalues().head(count)).norm(), 1e-13 * n * scale);
    EXPECT_LT((S * few.vectors - few.vectors * few.values.asDiagonal()).norm(), 1e-13 * n * scale);
    EXPECT_LT((few.vectors.transpose() * few.vectors - Dense::Identity(count, count)).norm(),
              1e-12 * n);
  }
}

TEST(SymmetricEigen, finds_every_copy_of_a_multiple_eigenvalue) {
  const Index n = 400;
  const Matrix S = Matrix::Identity(n, n);
  const SymmetricEigen few = smallest_symmetric_eigen(S, 150);
  EXPECT_LT((few.values - Vector::Ones(150)).norm(), 1e-12);
  EXPECT_LT((few.vectors.transpose() * few.vectors - Dense::Identity(150, 150)).norm(), 1e-10);
}

// A graph of seven nodes with 1 as an eigenvalue of multiplicity three, of which one vector is
// asked for: LAPACK's dstemr returns it twice for some orders of the nodes.
TEST(SmallestSymmetricEigen, is_orthonormal_for_multiple_eigenvalues_in_any_order_of_the_rows) {
  constexpr Index n = 7;
  constexpr Index count = 3;
  constexpr std::array<std::pair<int, int>, 12> edges = {{{0, 1},
                                                          {0, 3},
                                                          {0, 4},
                                                          {0, 6},
                                                          {1, 2},
                                                          {1, 5},
                                                          {2, 3},
                                                          {2, 4},
                                                          {2, 6},
                                                          {3, 4},
                                                          {4, 5},
                                                          {5, 6}}};
  Matrix A = Matrix::Zero(n, n);
  for (const auto& [u, v] : edges) {
    A(u, v) = A(v, u) = 1;
  }
  const Vector scale = A.rowwise().sum().cwiseSqrt().cwiseInverse();
  const Matrix L = Matrix::Identity(n, n) - Matrix(scale.asDiagonal() * A * scale.asDiagonal());
  const Vector expected = symmetric_eigen(L).values.head(count);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  do {
    const SymmetricEigen found = smallest_symmetric_eigen(L(order, order), count);
    const Matrix gram = found.vectors.transpose() * found.vectors;
    ASSERT_LT((gram - Matrix::Identity(count, count)).cwiseAbs().maxCoeff(), 1e-9);
    ASSERT_LT((found.values - expected).cwiseAbs().maxCoeff(), 1e-12);
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace
}  // namespace repsc
