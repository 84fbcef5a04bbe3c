// Factors of indefinite symmetric matrices against all eigenvalues.
#include "linalg/symmetric_factor.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

namespace repsc {
namespace {

/// A random symmetric matrix with about `per_row` entries in each row, and its upper triangle.
struct Sample {
  Eigen::MatrixXd dense;
  SparseColumns upper;
};

Sample random_sample(Index n, double per_row, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::bernoulli_distribution present(per_row / n);
  Sample sample{Eigen::MatrixXd::Zero(n, n), {}};
  sample.upper.starts.push_back(0);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i <= j; ++i) {
      if (i < j && !present(random)) continue;
      const double value = normal(random);
      sample.dense(i, j) = sample.dense(j, i) = value;
      sample.upper.rows.push_back(i);
      sample.upper.values.push_back(value);
    }
    sample.upper.starts.push_back(static_cast<std::int64_t>(sample.upper.rows.size()));
  }
  return sample;
}

Index num_negative(const Eigen::MatrixXd& S) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> all(S, Eigen::EigenvaluesOnly);
  return static_cast<Index>((all.eigenvalues().array() < 0).count());
}

TEST(SymmetricFactor, counts_negative_eigenvalues_and_solves) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const auto n = static_cast<Index>(1 + 3 * seed);
    const Sample sample = random_sample(n, 4, seed);
    const Eigen::VectorXd subtracted = Eigen::VectorXd::Random(n);
    Eigen::MatrixXd S = sample.dense;
    S.diagonal() -= subtracted;
    const Eigen::MatrixXd X = Eigen::MatrixXd::Random(n, 2);

    const DenseLdl dense(S);
    EXPECT_EQ(dense.num_negative(), num_negative(S)) << n;
    EXPECT_LT((S * dense.solve(X) - X).norm(), 1e-7) << n;

    SparseLdl sparse(sample.upper);
    ASSERT_TRUE(sparse.factorize(subtracted)) << n;
    EXPECT_EQ(sparse.num_negative(), num_negative(S)) << n;
    const double error = (sparse.product(Eigen::MatrixXd::Identity(n, n)) - S).norm();
    EXPECT_LE((sparse.product(X) - S * X).norm(), (error + 1e-12) * X.norm());
    EXPECT_LT((sparse.product(sparse.solve(X)) - X).norm(), 1e-7) << n;
    EXPECT_GE(sparse.error(), 0.1 * error) << n;
    EXPECT_GT(sparse.bytes(), 0);
  }
}

TEST(SymmetricFactor, tells_a_pivot_of_zero) {
  EXPECT_EQ(DenseLdl(Eigen::MatrixXd::Zero(3, 3)).num_negative(), std::nullopt);
  SparseLdl sparse({{0, 1, 3}, {0, 0, 1}, {0.0, 1.0, 0.0}});  // (0 1; 1 0) needs pivots
  EXPECT_FALSE(sparse.factorize(Vector::Zero(2)));
  EXPECT_TRUE(sparse.factorize(Vector::Constant(2, 0.5)));
  EXPECT_EQ(sparse.num_negative(), 1);
}

}  // namespace
}  // namespace repsc
