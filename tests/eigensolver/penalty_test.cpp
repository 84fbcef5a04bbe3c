// Eigenvectors with a soft constraint whose norm is far above that of the Laplacian, against dense
// matrices: they have to be as good as those without.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

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

/// Two groups: one direction has the trace of the whole Laplacian.
Problem two_groups(Normalization normalization, double strength) {
  const Index N = 600;
  const Matrix A = samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.05, 0.03, 2);
  const Labels groups = samples::shuffled_labels(N, 2, 3);
  const Laplacian plain(samples::from_dense(A), normalization);
  const Dense D = paper::degrees(A);
  const Dense S = normalization == Normalization::none
                      ? Dense(Dense::Identity(N, N))
                      : Dense(D.diagonal().cwiseSqrt().cwiseInverse().asDiagonal());
  const Dense C = paper::penalty(A, samples::block_representation(groups));
  return {plain, plain.penalized(soft_constraint(plain, Representation(groups)), strength),
          S * (D - Dense(A) + strength * C) * S};
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
  EXPECT_LE(largest, tolerance);
  EXPECT_NEAR(found.residual, largest, 0.01 * tolerance);
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

}  // namespace
}  // namespace repsc
