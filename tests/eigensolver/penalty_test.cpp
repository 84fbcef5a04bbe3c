// Eigenvectors with a soft constraint whose norm is far above that of the Laplacian, against dense
// matrices: they have to be as good as those without.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "repsc/eigensolver.hpp"
#include "support/device.hpp"
#include "support/paper.hpp"
#include "support/samples.hpp"
#include "support/soft.hpp"

namespace repsc {
namespace {

using Dense = Eigen::MatrixXd;

struct Problem {
  Laplacian plain;
  Laplacian penalized;
  Dense M;
};

Problem with_groups(const Matrix& A, const Labels& groups, Normalization normalization,
                    double strength) {
  const Laplacian plain(samples::from_dense(A), normalization);
  const Dense D = paper::degrees(A);
  const Dense S = normalization == Normalization::none
                      ? Dense(Dense::Identity(D.rows(), D.cols()))
                      : Dense(D.diagonal().cwiseSqrt().cwiseInverse().asDiagonal());
  const bool any = *std::max_element(groups.begin(), groups.end()) > 0;  // else C = 0
  const Dense C = any ? paper::penalty(A, samples::block_representation(groups))
                      : Dense(Dense::Zero(D.rows(), D.cols()));
  return {plain, plain.penalized(soft_constraint(plain, Representation(groups)), strength),
          S * (D - Dense(A) + strength * C) * S};
}

/// One direction has the trace of the whole Laplacian.
Problem two_groups(Normalization normalization, double strength) {
  const Index N = 400;
  return with_groups(samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.08, 0.05, 2),
                     samples::shuffled_labels(N, 2, 3), normalization, strength);
}

double largest_diagonal(const Laplacian& L) {
  return L.normalization() == Normalization::none ? L.degrees().maxCoeff() : 1;
}

/// Tolerance 1e-6 is that of the Laplacian. In units of the penalized one, all vectors that satisfy
/// the constraint hardly had to be eigenvectors.
void expect_eigenvectors(const Problem& given, const Eigenpairs& found, double tolerance) {
  ASSERT_TRUE(found.converged) << found.residual;
  const Dense X = found.vectors;
  const Dense rest = given.M * X - X * found.values.asDiagonal();
  const double largest = rest.colwise().norm().maxCoeff() / largest_diagonal(given.plain);
  const double rounding = 1e-12 * given.penalized.norm() / largest_diagonal(given.plain);
  EXPECT_LE(largest, tolerance + rounding);
  EXPECT_NEAR(found.residual, largest, 0.01 * tolerance + rounding);
  const Vector expected = Eigen::SelfAdjointEigenSolver<Dense>(given.M).eigenvalues();
  EXPECT_LT((found.values - expected.head(found.values.size())).norm(),
            tolerance * largest_diagonal(given.plain));
}

TEST(EigenvectorsWithAPenalty, are_as_precise_as_those_without) {
  const double tolerance = 1e-6;
  for (const auto normalization : {Normalization::none, Normalization::symmetric}) {
    for (const double strength : {1.0, 30.0}) {
      const Problem given = two_groups(normalization, strength);
      EXPECT_GT(given.penalized.norm(), 100 * given.plain.norm());
      EXPECT_EQ(given.penalized.residual_unit(), given.plain.norm());
      const Constraint none = no_constraint(given.M.rows());
      EigenQuery query{.count = 4, .tolerance = tolerance};
      expect_eigenvectors(
          given, smallest_eigenpairs({given.penalized, none.projector}, query, solver::Lanczos{}),
          tolerance);
      query.device = samples::device();
      const Eigenpairs on_device =
          smallest_eigenpairs({given.penalized, none.projector}, query, solver::Lanczos{});
      EXPECT_NE(on_device.device, "cpu");
      expect_eigenvectors(given, on_device, tolerance);
    }
  }
}

// The inverse of a sum with a matrix of low rank, also where G has components, or the penalty
// vanishes.
TEST(EigenvectorsWithAPenalty, are_found_by_factors_if_R_is_given_by_groups) {
  const Index N = 200;
  const Matrix connected =
      samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.04, 0.06, 2, true);
  const Matrix components = samples::repeated_components(N / 4, 4, 0.2, 5);
  for (const Matrix& A : {connected, components}) {
    for (const Index num_groups : {1, 2, 7, 150}) {
      for (const auto normalization : {Normalization::none, Normalization::symmetric}) {
        for (const double strength : {0.0, 1.0, 1e4}) {
          SCOPED_TRACE(joined(num_groups, " groups, strength ", strength));
          const Problem given =
              with_groups(A, samples::shuffled_labels(N, num_groups, 3), normalization, strength);
          const Constraint none = no_constraint(N);
          const Eigenpairs found =
              smallest_eigenpairs({given.penalized, none.projector},
                                  {.count = 4, .tolerance = 1e-7}, solver::Cholesky{});
          EXPECT_EQ(found.solver, "cholesky");
          expect_eigenvectors(given, found, 1e-7);
        }
      }
    }
  }
}

// The shift of the factors is that of the graph: one in proportion to the penalty would hide the
// small eigenvalues of a path.
TEST(EigenvectorsWithAPenalty, approach_the_exact_constraint_by_factors) {
  const Index N = 300;
  Matrix A = Matrix::Zero(N, N);
  Labels groups;
  for (Index i = 0; i < N; ++i) groups.push_back(i % 2);
  for (Index i = 1; i < N; ++i) A(i, i - 1) = A(i - 1, i) = 1;
  const Problem given = with_groups(A, groups, Normalization::none, 1e6);
  const Constraint none = no_constraint(N);
  const Eigenpairs found = smallest_eigenpairs({given.penalized, none.projector},
                                               {.count = 3, .tolerance = 1e-6}, solver::Cholesky{});
  const Dense C = Dense(samples::block_representation(groups)) * paper::centering(N);
  const Vector expected = paper::constrained(A, C, 3).values.head(3);
  EXPECT_LT((found.values - expected).norm(), 1e-3 * expected[1]);
  EXPECT_LT(found.iterations, 50);
}

TEST(EigenvectorsWithAPenalty, are_not_found_by_factors_if_R_is_a_graph) {
  const Matrix A = samples::random_dense(samples::shuffled_labels(60, 3, 1), 0.1, 0.2, 2);
  const Laplacian L(samples::from_dense(A), Normalization::none);
  const Representation R(samples::from_dense(samples::random_representation(60, 0.2, 3)));
  const Laplacian M = L.penalized(soft_constraint(L, R), 1);
  const Constraint none = no_constraint(60);
  EXPECT_THROW((void)smallest_eigenpairs({M, none.projector}, {.count = 3}, solver::Cholesky{}),
               InvalidInput);
}

// Rounding is relative to the norm of the penalty, however large.
TEST(EigenvectorsWithAPenalty, converge_however_strong_it_is) {
  const Problem given = two_groups(Normalization::symmetric, 1e6);
  EXPECT_GT(given.penalized.residual_unit(), given.plain.norm());
  const Constraint none = no_constraint(given.M.rows());
  const Eigenpairs found = smallest_eigenpairs({given.penalized, none.projector},
                                               {.count = 4, .tolerance = 1e-8}, solver::Lanczos{});
  EXPECT_TRUE(found.converged) << found.residual;
  Matrix H = found.vectors;
  for (Index i = 0; i < H.rows(); ++i) H.row(i) *= given.plain.scale()[i];
  EXPECT_LT(given.penalized.penalty()->residual(H), 1e-6);
}

// A residual of 1.1e-10 is rounding here, as the penalty is 1e5 times as large as the Laplacian.
TEST(EigenvectorsWithAPenalty, of_dense_matrices_are_not_refused_for_its_rounding_errors) {
  const Index N = 1400;
  const Problem given =
      with_groups(samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.08, 0.05, 2),
                  samples::shuffled_labels(N, 20, 3), Normalization::symmetric, 1e6);
  const Constraint none = no_constraint(N);
  const Eigenpairs found = smallest_eigenpairs({given.penalized, none.projector},
                                               {.count = 5, .tolerance = 1e-12}, solver::Lapack{});
  EXPECT_FALSE(found.converged);
  EXPECT_LT(found.residual, 1e-8);
}

}  // namespace
}  // namespace repsc
