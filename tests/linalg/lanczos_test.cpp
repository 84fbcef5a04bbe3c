// Thick-restart block Lanczos against Eigen's dense solver, on spectra that are known by
// construction.
#include "linalg/lanczos.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "support/paper.hpp"

namespace repsc {
namespace {

using Dense = Eigen::MatrixXd;

Dense random_orthogonal(Index n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  return Eigen::HouseholderQR<Dense>(Dense::NullaryExpr(n, n, [&] { return normal(random); }))
      .householderQ();
}

/// A symmetric matrix with the given spectrum.
Dense with_spectrum(const Vector& values, unsigned seed) {
  const Dense Q = random_orthogonal(static_cast<Index>(values.size()), seed);
  return Q * values.asDiagonal() * Q.transpose();
}

KrylovOperator operator_of(const Dense& M) {
  return {.size = static_cast<Index>(M.rows()),
          .dimension = static_cast<Index>(M.rows()),
          .norm = M.operatorNorm(),
          .apply = [&M](const Matrix& X, Matrix& Y) { Y = M * X; }};
}

TEST(ThickRestart, finds_the_smallest_pairs_to_the_tolerance) {
  const Dense M = with_spectrum(Vector::LinSpaced(300, 0.1, 7), 1);
  const KrylovResult found = thick_restart_lanczos(
      operator_of(M), {.count = 5, .tolerance = 1e-10, .max_iterations = 2000});
  ASSERT_TRUE(found.converged);
  EXPECT_LT((found.values - Vector::LinSpaced(300, 0.1, 7).head(5)).norm(), 1e-9);
  EXPECT_LT((M * found.vectors - found.vectors * found.values.asDiagonal()).norm(), 1e-8);
  EXPECT_LT((found.vectors.transpose() * found.vectors - Dense::Identity(5, 5)).norm(), 1e-12);
}

TEST(ThickRestart, says_once_that_no_product_follows) {
  const Dense M = with_spectrum(Vector::LinSpaced(300, 0.1, 7), 1);
  KrylovOperator A = operator_of(M);
  int ends = 0;
  A.apply = [&](const Matrix& X, Matrix& Y) {
    EXPECT_EQ(ends, 0);
    Y = M * X;
  };
  A.ended = [&] { ++ends; };
  EXPECT_TRUE(thick_restart_lanczos(A, {.count = 5, .tolerance = 1e-8}).converged);
  EXPECT_EQ(ends, 1);
}

TEST(ThickRestart, finds_every_copy_of_a_multiple_eigenvalue) {
  for (const Index copies : {2, 4, 6}) {
    Vector values = Vector::LinSpaced(200, 1, 10);
    values.head(copies).setConstant(0.25);
    const Dense M = with_spectrum(values, 2);
    const KrylovResult found = thick_restart_lanczos(
        operator_of(M), {.count = 6, .tolerance = 1e-10, .max_iterations = 2000});
    ASSERT_TRUE(found.converged) << copies;
    EXPECT_LT((found.values - values.head(6)).norm(), 1e-8) << found.values.transpose();
  }
}

TEST(ThickRestart, finds_copies_even_with_blocks_narrower_than_the_multiplicity) {
  Vector values = Vector::LinSpaced(120, 1, 3);
  values.head(5).setConstant(0.5);
  const Dense M = with_spectrum(values, 3);
  const KrylovResult found = thick_restart_lanczos(
      operator_of(M),
      {.count = 5, .tolerance = 1e-11, .max_iterations = 4000, .block_size = 3, .basis_size = 24});
  ASSERT_TRUE(found.converged);
  EXPECT_LT((found.values - values.head(5)).norm(), 1e-8) << found.values.transpose();
}

TEST(ThickRestart, separates_eigenvalues_within_a_thousandth_of_each_other) {
  Vector values = Vector::LinSpaced(400, 1, 4);
  values.head(5) << 0.5, 0.5002, 0.5004, 0.5007, 0.5009;
  const Dense M = with_spectrum(values, 4);
  const KrylovResult found = thick_restart_lanczos(
      operator_of(M), {.count = 4, .tolerance = 1e-9, .max_iterations = 5000});
  ASSERT_TRUE(found.converged);
  EXPECT_LT((found.values - values.head(4)).norm(), 1e-8) << found.values.transpose();
}

TEST(ThickRestart, orders_by_magnitude_when_asked) {
  Vector values = Vector::LinSpaced(150, -1, 1);
  values[0] = -9;
  values[149] = 8;
  values[1] = -7;
  const Dense M = with_spectrum(values, 5);
  const KrylovResult found = thick_restart_lanczos(
      operator_of(M), {.count = 3, .wanted = Wanted::largest_magnitude, .tolerance = 1e-10});
  ASSERT_TRUE(found.converged);
  EXPECT_LT((found.values - Eigen::Vector3d(-9, 8, -7)).norm(), 1e-8) << found.values.transpose();
}

TEST(ThickRestart, exhausts_small_spaces_exactly) {
  for (const Index n : {1, 2, 3, 5, 8, 13}) {
    const Vector values = Vector::LinSpaced(n, 1, 2);
    const Dense M = with_spectrum(values, 6);
    for (Index count = 1; count <= n; ++count) {
      const KrylovResult found =
          thick_restart_lanczos(operator_of(M), {.count = count, .tolerance = 1e-12});
      ASSERT_TRUE(found.converged) << n << " " << count;
      ASSERT_EQ(found.values.size(), count);
      EXPECT_LT((found.values - values.head(count)).norm(), 1e-12) << n << " " << count;
      EXPECT_LT((M * found.vectors - found.vectors * found.values.asDiagonal()).norm(), 1e-11);
    }
  }
}

TEST(ThickRestart, handles_zero_and_identity_matrices) {
  const Dense zero = Dense::Zero(50, 50);
  KrylovOperator A = operator_of(zero);
  A.norm = 1;
  EXPECT_LT(thick_restart_lanczos(A, {.count = 7}).values.norm(), 1e-14);
  const Dense identity = Dense::Identity(50, 50);
  const KrylovResult found = thick_restart_lanczos(operator_of(identity), {.count = 7});
  EXPECT_TRUE(found.converged);
  EXPECT_LT((found.values - Vector::Ones(7)).norm(), 1e-12);
  EXPECT_LT((found.vectors.transpose() * found.vectors - Dense::Identity(7, 7)).norm(), 1e-12);
}

TEST(ThickRestart, stays_within_the_allowed_vectors) {
  const Dense M = with_spectrum(Vector::LinSpaced(90, 1, 5), 7);
  const Dense Q = random_orthogonal(90, 8);
  const Dense Y = Q.leftCols(30);
  const KrylovOperator A{.size = 90,
                         .dimension = 30,
                         .norm = 5,
                         .apply = [&](const Matrix& X, Matrix& W) { W = M * X; },
                         .project = [&](Matrix& X) { X = (Y * (Y.transpose() * X)).eval(); }};
  const Eigen::SelfAdjointEigenSolver<Dense> exact(Dense(Y.transpose() * M * Y));
  for (const Index count : {1, 4, 29, 30}) {
    const KrylovResult found = thick_restart_lanczos(A, {.count = count, .tolerance = 1e-10});
    ASSERT_TRUE(found.converged) << count;
    EXPECT_LT((found.values - exact.eigenvalues().head(count)).norm(), 1e-9) << count;
    EXPECT_LT((found.vectors - Y * (Y.transpose() * found.vectors)).norm(), 1e-12) << count;
  }
}

FloatKrylovOperator float_operator_of(const Dense& M) {
  return {.size = static_cast<Index>(M.rows()),
          .dimension = static_cast<Index>(M.rows()),
          .norm = M.operatorNorm(),
          .apply = [&M](const FloatMatrix& X, FloatMatrix& Y) { Y = M.cast<float>() * X; }};
}

TEST(ThickRestart, finds_copies_in_single_precision_to_what_that_allows) {
  Vector values = Vector::LinSpaced(300, 1, 4);
  values.head(4).setConstant(0.5);
  const Dense M = with_spectrum(values, 11);
  const KrylovResult found = thick_restart_lanczos(
      float_operator_of(M), {.count = 5, .tolerance = 2e-5, .max_iterations = 2000});
  ASSERT_TRUE(found.converged);
  EXPECT_LT((found.values - values.head(5)).norm(), 1e-4) << found.values.transpose();
  EXPECT_LT((M * found.vectors - found.vectors * found.values.asDiagonal()).norm(), 4e-4);
  EXPECT_LT((found.vectors.transpose() * found.vectors - Dense::Identity(5, 5)).norm(), 1e-4);
}

TEST(ThickRestart, is_done_where_the_start_is_the_answer) {
  const Dense M = with_spectrum(Vector::LinSpaced(300, 0.1, 7), 12);
  const KrylovResult cold = thick_restart_lanczos(operator_of(M), {.count = 4, .tolerance = 1e-9});
  const KrylovResult warm = thick_restart_lanczos(
      operator_of(M), {.count = 4, .tolerance = 1e-8, .block_size = 4, .start = &cold.vectors});
  EXPECT_GT(cold.iterations, 20);
  EXPECT_LE(warm.iterations, 2);
  EXPECT_LT((warm.values - cold.values).norm(), 1e-9);
}

TEST(ThickRestart, gives_vectors_to_spare_after_the_wanted_ones) {
  const Vector values = Vector::LinSpaced(300, 0.1, 7);
  const Dense M = with_spectrum(values, 1);
  const KrylovOptions how{.count = 2, .tolerance = 1e-10, .max_iterations = 2000, .block_size = 5};
  KrylovOptions more = how;
  more.spare = 3;
  const KrylovResult usual = thick_restart_lanczos(operator_of(M), how);
  const KrylovResult found = thick_restart_lanczos(operator_of(M), more);
  EXPECT_EQ(found.iterations, usual.iterations);
  EXPECT_EQ(found.values, usual.values);
  ASSERT_EQ(found.vectors.cols(), 5);
  EXPECT_EQ(found.vectors.leftCols(2), usual.vectors);
  EXPECT_LT((found.vectors.transpose() * found.vectors - Dense::Identity(5, 5)).norm(), 1e-12);
  // Their Rayleigh quotients are near the next values, which need not have converged.
  for (Index k = 2; k < 5; ++k) {
    EXPECT_NEAR(found.vectors.col(k).dot(M * found.vectors.col(k)), values[k], 0.01) << k;
  }
  more.spare = 1000;
  more.max_iterations = 1;
  EXPECT_LE(thick_restart_lanczos(operator_of(M), more).vectors.cols(), 10);
}

TEST(ThickRestart, ends_where_its_caller_has_enough) {
  const Dense M = with_spectrum(Vector::LinSpaced(300, 0.1, 7), 13);
  int asked = 0;
  const KrylovResult found = thick_restart_lanczos(
      operator_of(M),
      {.count = 3, .tolerance = 1e-12, .settled = [&](const RitzPairs& at) {
         EXPECT_GE(at.values.size(), 4);
         const Matrix X = at.vectors();
         const double residual =
             (M * X - X * at.values.head(3).asDiagonal()).colwise().norm().maxCoeff();
         EXPECT_NEAR(residual, at.residual, 1e-8);
         const std::vector<Index> some{0, 17, 299};
         EXPECT_LT((at.rows_of_vectors(some) - X(some, Eigen::all)).norm(), 1e-12);
         return ++asked == 5;
       }});
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(asked, 5);
}

TEST(ThickRestart, says_so_when_it_has_not_converged) {
  const Dense M = with_spectrum(Vector::LinSpaced(500, 0, 1).array().square(), 9);
  const KrylovResult found =
      thick_restart_lanczos(operator_of(M), {.count = 4, .tolerance = 1e-12, .max_iterations = 3});
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.iterations, 3);
  EXPECT_EQ(found.vectors.cols(), 4);
}

TEST(ThickRestart, gives_the_same_bits_on_any_number_of_threads) {
  const Dense M = with_spectrum(Vector::LinSpaced(700, 0.1, 7), 10);
  const auto solve = [&](int threads) {
    set_num_threads(threads);
    KrylovResult found = thick_restart_lanczos(operator_of(M), {.count = 3, .tolerance = 1e-6});
    set_num_threads({});
    return found;
  };
  const KrylovResult one = solve(1);
  for (const int threads : {2, 3}) {
    const KrylovResult other = solve(threads);
    EXPECT_EQ(one.values, other.values);
    EXPECT_EQ(one.vectors, other.vectors);
    EXPECT_EQ(one.iterations, other.iterations);
  }
}

}  // namespace
}  // namespace repsc
