// The penalty of the soft constraint against its definition with dense matrices.
#include <gtest/gtest.h>

#include "repsc/operators.hpp"
#include "support/samples.hpp"
#include "support/soft.hpp"

namespace repsc {
namespace {

using Dense = Eigen::MatrixXd;
constexpr Index N = 70;

struct Case {
  const char* what;
  Matrix A;
  Matrix R;
};

std::vector<Case> cases() {
  const Labels clusters = samples::shuffled_labels(N, 3, 1);
  const Matrix plain = samples::random_dense(clusters, 0.1, 0.2, 2);
  Matrix looped = samples::random_dense(clusters, 0.1, 0.2, 3, true);
  looped(4, 4) = 2.5;  // a self-loop is in D and in A, and not in the trace of D - A
  Matrix weighted = samples::random_dense(clusters, 0.2, 0, 4, true);
  weighted.row(7).setZero();  // nobody represents this node
  weighted.col(7).setZero();
  return {{"plain", plain, samples::random_representation(N, 0.2, 5)},
          {"self-loops", looped, samples::random_representation(N, 0.1, 6)},
          {"weighted R with an empty row", plain, weighted},
          {"groups", plain, samples::block_representation(samples::shuffled_labels(N, 4, 7))}};
}

TEST(Penalty, adds_strength_times_C_to_both_laplacians_at_every_block_width) {
  for (const Case& given : cases()) {
    const Dense D = paper::degrees(given.A);
    const Dense S = D.diagonal().cwiseSqrt().cwiseInverse().asDiagonal();
    for (const double strength : {0.0, 0.3, 40.0}) {
      const Dense M = D - Dense(given.A) + strength * paper::penalty(given.A, given.R);
      for (const auto normalization : {Normalization::none, Normalization::symmetric}) {
        SCOPED_TRACE(std::string(given.what) + ", strength " + std::to_string(strength));
        const Dense expected = normalization == Normalization::none ? M : Dense(S * M * S);
        const Laplacian plain(samples::from_dense(given.A), normalization);
        const Laplacian L =
            plain.penalized(soft_constraint(plain, samples::from_dense(given.R)), strength);
        EXPECT_LT((L.dense() - expected).norm(), 1e-12 * expected.norm());
        EXPECT_LT((expected * L.null_vector()).norm(), 1e-12 * expected.norm());
        EXPECT_TRUE(L.fits_single());

        const double norm = expected.selfadjointView<Eigen::Lower>().eigenvalues().maxCoeff();
        EXPECT_LE(L.norm(), norm * (1 + 1e-9));
        EXPECT_LE(norm, 4 * L.norm());
        EXPECT_LT(norm, ConstrainedLaplacian({L, Projector(N, 0, Unconstrained{})}).lift());

        for (const Index width : {1, 4, 7, 8, 11}) {
          const Matrix X = Matrix::Random(N, width);
          Matrix Y;
          L.apply(X, Y);
          EXPECT_LT((Y - expected * X).norm(), 1e-12 * expected.norm() * X.norm()) << width;
          FloatMatrix single;
          L.apply(FloatMatrix(X.cast<float>()), single);
          EXPECT_LT((single.cast<double>() - Y).norm(), 1e-5 * norm * X.norm()) << width;
        }
      }
    }
  }
}

TEST(Penalty, has_the_trace_of_the_laplacian_whatever_the_weights) {
  const Matrix A = samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.1, 0.2, 2, true);
  const Matrix R = samples::random_representation(N, 0.2, 5);
  const auto added = [&](double a, double r) {
    const Laplacian L(samples::from_dense(a * A), Normalization::none);
    return Dense(L.penalized(soft_constraint(L, samples::from_dense(r * R)), 1).dense() -
                 L.dense());
  };
  const Dense expected = added(1, 1);
  EXPECT_NEAR(expected.trace(), A.sum(), 1e-9);
  EXPECT_LT((added(1, 1e-3) - expected).norm(), 1e-9 * expected.norm());
  EXPECT_LT((added(1e4, 7) / 1e4 - expected).norm(), 1e-9 * expected.norm());
}

TEST(Penalty, residual_is_that_of_the_formula) {
  for (const Case& given : cases()) {
    const Laplacian L(samples::from_dense(given.A), Normalization::none);
    const Laplacian M = L.penalized(soft_constraint(L, samples::from_dense(given.R)), 1);
    const Matrix H = Matrix::Random(N, 3);
    Eigen::VectorXd w = given.R.rowwise().sum();
    for (double& value : w) value = value > 0 ? 1 / std::sqrt(value) : 0;
    EXPECT_NEAR(
        M.penalty()->residual(H),
        (paper::weighted_deviations(given.R) * H).norm() / (w.asDiagonal() * Dense(given.R)).norm(),
        1e-12)
        << given.what;
  }
}

TEST(Penalty, vanishes_where_R_tells_no_nodes_apart) {
  const Laplacian L(
      samples::from_dense(samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.1, 0.2, 2)),
      Normalization::none);
  for (const Matrix& R : {Matrix(Matrix::Ones(N, N)), Matrix(Matrix::Zero(N, N))}) {
    const Laplacian M = L.penalized(soft_constraint(L, samples::from_dense(R)), 5);
    EXPECT_EQ((M.dense() - L.dense()).norm(), 0);
    EXPECT_LT(M.penalty()->residual(Matrix::Identity(N, N)), 1e-15);
  }
}

TEST(Penalty, at_another_strength_is_the_same_operator_as_a_new_one) {
  const Graph R = samples::from_dense(samples::random_representation(N, 0.2, 5));
  const Laplacian L(
      samples::from_dense(samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.1, 0.2, 2)),
      Normalization::symmetric);
  const SoftConstraint soft = soft_constraint(L, R);
  EXPECT_EQ(L.penalized(soft, 1).penalized(soft, 8).dense(), L.penalized(soft, 8).dense());
  EXPECT_EQ(L.penalized(soft, 1).penalized(soft, 8).norm(), L.penalized(soft, 8).norm());
  EXPECT_EQ(L.penalty(), nullptr);
}

TEST(Penalty, refuses_a_wrong_strength_and_another_number_of_nodes) {
  const Laplacian L(samples::from_dense(Matrix::Ones(5, 5) - Matrix::Identity(5, 5)),
                    Normalization::none);
  const Graph R = samples::from_dense(Matrix::Identity(5, 5));
  for (const double wrong : {-1.0, std::nan(""), double(INFINITY)})
    EXPECT_THROW((void)L.penalized(soft_constraint(L, R), wrong), InvalidInput);
  EXPECT_THROW(
      (void)L.penalized(soft_constraint(L, samples::from_dense(Matrix::Identity(6, 6))), 1),
      InvalidInput);
  EXPECT_THROW((void)L.penalized({}, 1), InvalidInput);
}

TEST(Penalty, knows_which_weights_single_precision_cannot_hold) {
  const Matrix A = samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.1, 0.2, 2);
  const Laplacian L(samples::from_dense(A), Normalization::none);
  const Matrix R = samples::random_representation(N, 0.2, 5);
  EXPECT_TRUE(L.penalized(soft_constraint(L, samples::from_dense(R)), 1).fits_single());
  EXPECT_FALSE(L.penalized(soft_constraint(L, samples::from_dense(1e-30 * R)), 1).fits_single());
  EXPECT_FALSE(L.penalized(soft_constraint(L, samples::from_dense(1e30 * R)), 1).fits_single());
}

TEST(Penalty, refuses_strengths_that_hide_the_graph) {
  const Matrix A = samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.1, 0.2, 2);
  const Laplacian L(samples::from_dense(A), Normalization::none);
  const SoftConstraint soft =
      soft_constraint(L, samples::from_dense(samples::random_representation(N, 0.2, 5)));
  EXPECT_NO_THROW((void)L.penalized(soft, 1e15));
  EXPECT_THROW((void)L.penalized(soft, 1e20), InvalidInput);
}

}  // namespace
}  // namespace repsc
