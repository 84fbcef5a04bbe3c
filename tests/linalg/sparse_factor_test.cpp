// Sparse Cholesky factors against Eigen's dense ones, for matrices that fill in and that do not.
#include "linalg/sparse_factor.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

#include "core/parallel.hpp"

namespace repsc {
namespace {

SparseColumns upper_of(const Eigen::MatrixXd& A) {
  SparseColumns upper;
  upper.starts.push_back(0);
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    for (Eigen::Index i = 0; i <= j; ++i) {
      if (A(i, j) == 0) continue;
      upper.rows.push_back(i);
      upper.values.push_back(A(i, j));
    }
    upper.starts.push_back(static_cast<std::int64_t>(upper.rows.size()));
  }
  return upper;
}

/// The Laplacian of a random graph with about `degree` neighbours per node, and the identity.
Eigen::MatrixXd shifted_laplacian(Index N, double degree) {
  std::mt19937 random(5);
  std::bernoulli_distribution linked(degree / N);
  Eigen::MatrixXd A = Eigen::MatrixXd::Identity(N, N);
  for (Index i = 0; i < N; ++i) {
    for (Index j = 0; j < i; ++j) {
      if (!linked(random)) continue;
      A(i, j) -= 1;
      A(j, i) -= 1;
      A(i, i) += 1;
      A(j, j) += 1;
    }
  }
  return A;
}

struct Threads {
  explicit Threads(int count) { set_num_threads(count); }
  ~Threads() { set_num_threads({}); }
};

class SparseCholeskyOf : public testing::TestWithParam<double> {};

// A degree of 2 leaves a few entries per column, one of 30 a factor that is nearly dense.
INSTANTIATE_TEST_SUITE_P(Degrees, SparseCholeskyOf, testing::Values(2.0, 5.0, 30.0));

TEST_P(SparseCholeskyOf, solves_as_a_dense_factorization_does) {
  const Index N = 700;
  const Eigen::MatrixXd A = shifted_laplacian(N, GetParam());
  const Eigen::LLT<Eigen::MatrixXd> dense(A);
  for (const Ordering ordering : {Ordering::quick, Ordering::thorough}) {
    SparseCholesky sparse(upper_of(A), ordering);
    sparse.factorize();
    for (const Index columns : {1, 2, 3, 4, 11, 40}) {
      const Matrix X = Matrix::Random(N, columns);
      const Eigen::MatrixXd expected = dense.solve(Eigen::MatrixXd(X));
      EXPECT_LT((sparse.solve(X) - Matrix(expected)).norm(), 1e-12 * expected.norm()) << columns;
    }
  }
}

TEST_P(SparseCholeskyOf, gives_the_same_bits_on_any_number_of_threads) {
  const Eigen::MatrixXd A = shifted_laplacian(400, GetParam());
  const Matrix X = Matrix::Random(400, 12);
  SparseCholesky sparse(upper_of(A));
  sparse.factorize();
  const Matrix once = [&] {
    const Threads one(1);
    return sparse.solve(X);
  }();
  for (const int count : {2, 3, 8}) {
    const Threads several(count);
    EXPECT_EQ(sparse.solve(X), once) << count;
  }
}

TEST(SparseCholesky, refuses_a_matrix_that_is_not_positive_definite) {
  Eigen::MatrixXd A = shifted_laplacian(50, 4);
  A(20, 20) = -1;
  SparseCholesky sparse(upper_of(A));
  EXPECT_THROW(sparse.factorize(), std::exception);
}

}  // namespace
}  // namespace repsc
