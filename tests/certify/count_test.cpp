// The inertia counts against all eigenvalues of the dense formulas, and the bounds of eigenvalue
// sums against the sums themselves.
#include <gtest/gtest.h>

#include <random>

#include "certify/dense_dual.hpp"
#include "certify/eigenvalue_count.hpp"
#include "certify/sum_bound.hpp"

namespace repsc {
namespace {

using Way = CountOptions::Way;

struct Case {
  Matrix A;
  Matrix R;
  Representation representation;
};

Case random_case(unsigned seed) {
  std::mt19937 random(seed);
  const auto N = static_cast<Index>(12 + seed % 60);
  Case result;
  const bool weighted = seed % 2 == 0;
  result.A = samples::random_dense(samples::shuffled_labels(N, 3, seed), 0.05, 0.2, seed, weighted);
  if (seed / 2 % 2 == 0) {
    const Labels groups = samples::shuffled_labels(N, 2 + static_cast<int>(random() % 5), seed);
    result.R = samples::block_representation(groups);
    result.representation = Representation(groups);
  } else {
    result.R = samples::random_representation(N, 0.1, seed + 1);
    if (weighted) result.R = 0.7 * result.R;
    if (seed / 4 % 2 == 0) {  // a node without representatives
      result.R.row(1).setZero();
      result.R.col(1).setZero();
    }
    result.representation = Representation(samples::from_dense(result.R));
  }
  return result;
}

// Shifts below, within and above the spectrum, as near to eigenvalues as rounding allows.
TEST(EigenvalueCount, agrees_with_all_eigenvalues_of_the_dense_formulas) {
  int asked = 0;
  int counted = 0;
  int loose = 0;  // factors without pivots can lose digits, which they tell
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Case sample = random_case(seed);
    for (const bool normalized : {true, false}) {
      const paper::DenseProblem problem = paper::dense_problem(sample.A, sample.R, normalized);
      const Laplacian L(samples::from_dense(sample.A),
                        normalized ? Normalization::symmetric : Normalization::none);
      const SoftConstraint soft = soft_constraint(L, sample.representation);
      for (const double strength : {0.0, 0.03, 1.0, 50.0, 1e4}) {
        const Laplacian M = L.penalized(soft, strength);
        const Vector values = Eigen::SelfAdjointEigenSolver<paper::Dense>(
                                  paper::Dense(problem.L + strength * problem.C))
                                  .eigenvalues();
        std::vector<double> shifts{-0.1, 1.5 * values.maxCoeff()};
        for (Eigen::Index k = 0; k + 1 < values.size(); k += 1 + k / 3) {
          const double gap = values[k + 1] - values[k];
          if (gap < 1e-7 * values.maxCoeff()) continue;
          shifts.push_back(values[k] + 0.5 * gap);
          shifts.push_back(values[k] + 0.02 * gap);
        }
        for (const Way way : {Way::dense, Way::sparse}) {
          EigenvalueCounter counter(M, {.way = way});
          ASSERT_EQ(counter.obstacle(), "");
          for (const double shift : shifts) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << ", normalized " << normalized
                                            << ", strength " << strength << ", shift " << shift
                                            << ", " << (way == Way::dense ? "dense" : "sparse"));
            const std::optional<EigenvalueCount> found = counter.count_below(shift);
            ++asked;
            if (!found) continue;  // too near to an eigenvalue
            ++counted;
            EXPECT_EQ(found->below, (values.array() < shift).count());
            EXPECT_LE(found->shift, shift);
            loose += found->shift < shift - 1e-6 * values.maxCoeff() ? 1 : 0;
          }
        }
      }
    }
  }
  EXPECT_GT(asked, 10000);
  EXPECT_GT(counted, 0.999 * asked);
  EXPECT_LT(loose, 0.005 * asked);
}

TEST(EigenvalueCount, is_not_tried_beyond_the_memory_limit) {
  const Case sample = random_case(1);
  const Laplacian L(samples::from_dense(sample.A), Normalization::symmetric);
  for (const Way way : {Way::automatic, Way::dense, Way::sparse}) {
    const EigenvalueCounter counter(L, {.way = way, .memory_limit = 100});
    EXPECT_NE(counter.obstacle().find("more than the limit of 100 bytes"), std::string::npos)
        << counter.obstacle();
  }
}

/// Ritz pairs of M in the space of the columns of X, as solvers return them.
RitzPairsOf ritz_pairs(const paper::Dense& M, const paper::Dense& X, std::optional<double> next) {
  const paper::Dense Q = Eigen::HouseholderQR<paper::Dense>(X).householderQ() *
                         paper::Dense::Identity(X.rows(), X.cols());
  const Eigen::SelfAdjointEigenSolver<paper::Dense> small(paper::Dense(Q.transpose() * M * Q));
  const paper::Dense V = Q * small.eigenvectors();
  RitzPairsOf ritz{.values = small.eigenvalues(), .residuals = {}, .next = next};
  ritz.residuals = (M * V - V * small.eigenvalues().asDiagonal()).colwise().norm().transpose();
  ritz.rounding = 1e-14;
  ritz.shift_error = 1e-12;
  return ritz;
}

TEST(SumBound, is_below_the_sum_for_vectors_of_any_precision) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  int tight = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Case sample = random_case(seed);
    const paper::DenseProblem problem = paper::dense_problem(sample.A, sample.R, true);
    const paper::Dense M = problem.L + 0.5 * problem.C;
    const Eigen::SelfAdjointEigenSolver<paper::Dense> all(M);
    const Vector& values = all.eigenvalues();
    constexpr Eigen::Index K = 4;
    const double noise = std::pow(10, -1.0 - seed % 7);
    const paper::Dense X =
        all.eigenvectors().leftCols(K) +
        noise * paper::Dense::NullaryExpr(M.rows(), K, [&] { return normal(random); });
    const RitzPairsOf ritz = ritz_pairs(M, X, values[K]);
    for (Index count = 0; count <= K; ++count) {
      // Any shift with that many eigenvalues below it.
      const double lowest = count > 0 ? values[count - 1] : values[0] - 1;
      const double shift = lowest + 0.9 * (values[count] - lowest);
      const SumBound bound = sum_bound(ritz, count, shift);
      EXPECT_LE(bound.value, values.head(K).sum() + 1e-12) << "seed " << seed << ", " << count;
      tight += count == K && values.head(K).sum() - bound.value < 1e-3 * values.head(K).sum();
    }
  }
  EXPECT_GT(tight, 200);
}

TEST(SumBound, of_a_multiple_eigenvalue_without_a_gap_is_verified) {
  // Three equal components: each eigenvalue three times, and K between two equal ones.
  const Matrix A = samples::repeated_components(9, 3, 0.3, 4);
  const Laplacian L(samples::from_dense(A), Normalization::symmetric);
  const paper::Dense M = paper::dense_problem(A, Matrix::Identity(27, 27), true).L;
  const Eigen::SelfAdjointEigenSolver<paper::Dense> all(M);
  const Vector& values = all.eigenvalues();
  ASSERT_NEAR(values[3], values[5], 1e-12);
  for (const Eigen::Index K : {2, 4, 5}) {
    const RitzPairsOf ritz = ritz_pairs(M, all.eigenvectors().leftCols(K), values[K]);
    for (const Way way : {Way::dense, Way::sparse}) {
      EigenvalueCounter counter(L, {.way = way});
      const CheckedBound bound = checked_bound(ritz, &counter);
      EXPECT_TRUE(bound.verified) << bound.reason;
      EXPECT_LE(bound.value, values.head(K).sum() + 1e-13);
      EXPECT_GE(bound.value, values.head(K).sum() - 1e-9);
    }
  }
}

TEST(SumBound, of_a_solver_that_missed_an_eigenvalue_is_not_verified) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Case sample = random_case(seed);
    const Laplacian L(samples::from_dense(sample.A), Normalization::symmetric);
    const SoftConstraint soft = soft_constraint(L, sample.representation);
    const Laplacian M = L.penalized(soft, 0.5);
    const paper::DenseProblem problem = paper::dense_problem(sample.A, sample.R, true);
    const paper::Dense dense = problem.L + 0.5 * problem.C;
    const Eigen::SelfAdjointEigenSolver<paper::Dense> all(dense);
    constexpr Eigen::Index K = 3;
    for (Eigen::Index missed = 0; missed <= K; ++missed) {  // K: none of the wanted ones
      paper::Dense X(dense.rows(), K);
      Eigen::Index column = 0;
      for (Eigen::Index k = 0; column < K; ++k) {
        if (k != missed) X.col(column++) = all.eigenvectors().col(k);
      }
      const Vector& values = all.eigenvalues();
      const RitzPairsOf ritz = ritz_pairs(dense, X, values[missed < K ? K + 1 : K]);
      for (const Way way : {Way::dense, Way::sparse}) {
        EigenvalueCounter counter(M, {.way = way});
        const CheckedBound bound = checked_bound(ritz, &counter);
        EXPECT_EQ(bound.verified, missed == K) << "seed " << seed << ", missed " << missed;
        EXPECT_EQ(bound.missed, missed < K);
        if (missed < K) {
          EXPECT_NE(bound.reason.find("of which the eigensolver found"), std::string::npos);
        }
      }
    }
  }
}

}  // namespace
}  // namespace repsc
