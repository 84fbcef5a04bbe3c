// Laplacians against their definition with dense matrices.
#include <gtest/gtest.h>

#include "repsc/operators.hpp"
#include "support/paper.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

using Dense = Eigen::MatrixXd;

TEST(Laplacian, is_D_minus_A_or_I_minus_the_scaled_A_at_every_block_width) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (const bool weighted : {false, true}) {
    Matrix A = samples::random_dense(samples::shuffled_labels(70, 3, 1), 0.1, 0.2, 2, weighted);
    A(3, 3) = 2;  // a self-loop counts in D and in A
    const Dense D = paper::degrees(A);
    const Dense S = D.diagonal().cwiseSqrt().cwiseInverse().asDiagonal();
    for (const auto normalization : {Normalization::none, Normalization::symmetric}) {
      const Dense expected = normalization == Normalization::none
                                 ? Dense(D - A)
                                 : Dense(Dense::Identity(70, 70) - S * A * S);
      const Laplacian L(samples::from_dense(A), normalization);
      EXPECT_LT((L.dense() - expected).norm(), 1e-12);
      EXPECT_LT((expected * L.null_vector()).norm(), 1e-12);
      const double norm = expected.selfadjointView<Eigen::Lower>().eigenvalues().maxCoeff();
      EXPECT_LE(norm, 2 * L.norm() + 1e-12);
      EXPECT_LT(norm, ConstrainedLaplacian({L, Projector(70, 0, Unconstrained{})}).lift());
      for (const Index width : {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19}) {
        const Matrix X = Matrix::NullaryExpr(70, width, [&] { return normal(random); });
        Matrix Y;
        L.apply(X, Y);
        EXPECT_LT((Y - expected * X).norm(), 1e-11) << width;
        FloatMatrix single;
        L.apply(FloatMatrix(X.cast<float>()), single);
        EXPECT_LT((single.cast<double>() - Y).norm(), 1e-5 * norm * X.norm()) << width;
      }
    }
  }
}

TEST(Laplacian, knows_the_error_of_its_coarse_products) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const Index N = 2000;
  Matrix A = samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.01, 0.02, 2);
  A.row(0).setOnes();  // a hub
  A.col(0).setOnes();
  A(0, 0) = 0;
  for (const auto normalization : {Normalization::none, Normalization::symmetric}) {
    const Laplacian L(samples::from_dense(A), normalization);
    for (const double peak : {0.0, 1000.0}) {  // spread out, or nearly all in one node
      Matrix X = Matrix::NullaryExpr(N, 4, [&] { return normal(random); });
      X(7, 2) += peak;
      X.colwise().normalize();
      Matrix exact;
      L.apply(X, exact);
      FloatMatrix coarse;
      const double estimate = L.apply_coarsely(FloatMatrix(X.cast<float>()), coarse);
      const double error = (coarse.cast<double>() - exact).colwise().norm().maxCoeff() / L.norm();
      EXPECT_LT(error, 1.1 * estimate) << peak;
      EXPECT_GT(error, 1e-3 * estimate) << peak;
      EXPECT_LT(estimate, peak > 0 ? 1e-3 : 1e-4);
    }
  }
}

TEST(Laplacian, regularized_is_that_of_the_graph_with_a_little_more_everywhere) {
  const Index N = 60;
  const double tau = 7.5;
  Matrix A = samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.1, 0.2, 2, true);
  A.row(5).setZero();  // an isolated node is welcome here
  A.col(5).setZero();
  const Dense more = Dense(A) + Dense::Constant(N, N, tau / N);
  const Dense S = more.rowwise().sum().cwiseSqrt().cwiseInverse().asDiagonal();
  const Dense expected = Dense::Identity(N, N) - S * more * S;
  const Laplacian L(samples::from_dense(A), Normalization::symmetric, tau);
  EXPECT_LT((L.dense() - expected).norm(), 1e-12);
  EXPECT_LT((expected * L.null_vector()).norm(), 1e-12);
  EXPECT_LT((Dense(L.scale().asDiagonal()) - S).norm(), 1e-12);
  const Matrix X = Matrix::Random(N, 6);
  Matrix Y;
  L.apply(X, Y);
  EXPECT_LT((Y - expected * X).norm(), 1e-11);
  FloatMatrix single;
  L.apply(FloatMatrix(X.cast<float>()), single);
  EXPECT_LT((single.cast<double>() - Y).norm(), 1e-5 * X.norm());
  EXPECT_THROW(Laplacian(samples::from_dense(A), Normalization::none, tau), InvalidInput);
  EXPECT_THROW(Laplacian(samples::from_dense(A), Normalization::symmetric, -2), InvalidInput);
}

TEST(Laplacian, names_the_isolated_node_that_the_normalized_form_cannot_take) {
  Matrix A = Matrix::Ones(4, 4) - Matrix::Identity(4, 4);
  A.row(2).setZero();
  A.col(2).setZero();
  const Graph graph = samples::from_dense(A);
  EXPECT_NO_THROW(Laplacian(graph, Normalization::none));
  try {
    const Laplacian L(graph, Normalization::symmetric);
    FAIL() << "an isolated node was accepted";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("node 3 "), std::string::npos) << error.what();
    ASSERT_FALSE(error.fault().remedies.empty());
    EXPECT_EQ(error.fault().remedies[0].option, "isolated");
    EXPECT_EQ(error.fault().remedies[0].value, "drop");
  }
}

}  // namespace
}  // namespace repsc
