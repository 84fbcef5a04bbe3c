// Theorems 4.1 and 4.2 and Lemmas D.3 and D.4 against the paper's formulas and dense matrices.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "repsc/models.hpp"
#include "repsc/theory.hpp"
#include "support/errors.hpp"

namespace repsc {
namespace {

using Dense = Eigen::MatrixXd;

const RppModel paper{1200, 5, 40, 0.4, 0.3, 0.2, 0.1};

TEST(Theorems, are_the_formulas_of_the_paper) {
  const TheoremParameters given{.C = 2, .alpha = 0.5, .epsilon = 0.1};
  const Theorems found = theorems(paper, given, 24, 0.1);
  const double noise = 0.4 * 1200 * std::log(1200.0);
  EXPECT_NEAR(found.largest_C, 0.4 * 1200 / std::log(1200.0), 1e-9);
  EXPECT_TRUE(found.dense_enough);
  EXPECT_NEAR(found.probability, 1 - 2 / std::sqrt(1200.0), 1e-12);
  EXPECT_NEAR(found.random_error, 1.6, 1e-12);
  EXPECT_NEAR(found.unnormalized.bound, 2.1 / (24.0 * 24.0) * noise, 1e-9);
  const double lambda_1 = 0.3 * 40 + 0.1 * 1160 + 0.1 * 8 + 0.1 * 232;
  const double x = std::sqrt(noise) / (lambda_1 - 0.4);
  EXPECT_NEAR(found.normalized.x, x, 1e-12);
  EXPECT_NEAR(found.normalized.first, x * (x + 1 / (6 * std::sqrt(2.0))), 1e-12);
  EXPECT_NEAR(found.normalized.first_limit, 1 / (16 * 1.5), 1e-12);
  const double bracket = 8 * std::sqrt(5.0) / 0.1 + 1;
  EXPECT_NEAR(found.normalized.bound,
              32 * 2.1 * bracket * bracket * noise / std::pow(lambda_1 - 0.4, 2), 1e-6);
}

TEST(Theorems, meet_their_conditions_at_the_largest_constant) {
  const Theorems found = theorems(paper, {.epsilon = 0.3}, 24, 0.1);
  const double log_N = std::log(1200.0);
  const double c = found.unnormalized.largest_constant;
  EXPECT_NEAR(24.0 * 24.0, c * 2.3 * 0.4 * 1200 * 5 * log_N, 1e-8);
  const double c3 = found.normalized.largest_constant;
  const double lambda_1 = expected_eigenvalues(paper).lambda_1;
  const double left = 16 * 2.3 * std::pow(8 * c3 * std::sqrt(5.0) / 0.1 + c3, 2) * 0.4 * 1200 *
                      1200 * log_N / std::pow(lambda_1 - 0.4, 2);
  EXPECT_NEAR(left, 1200.0 / 5, 1e-8);
  // At the largest constants the theorems bound M by 1/K and 2/K.
  EXPECT_NEAR(c * found.unnormalized.bound, 0.2, 1e-12);
  EXPECT_NEAR(c3 * c3 * found.normalized.bound, 0.4, 1e-12);
}

TEST(Theorems, take_the_smallest_eigengap_of_any_R) {
  const RppModel uneven{600, 3, 30, 0.7, 0.4, 0.2, 0.1};  // p - q differs from r - s
  const Theorems found = theorems(uneven);
  EXPECT_EQ(found.unnormalized.gamma, eigengap_bounds(uneven, false).lower);
  EXPECT_EQ(found.normalized.gamma, eigengap_bounds(uneven, true).lower);
}

TEST(Theorems, say_nothing_at_the_sizes_of_the_papers_figures) {
  // With const = 1 and any epsilon: the bound is above the error of random labels.
  for (const double N : {400.0, 1200.0, 4000.0}) {
    RppModel model = paper;
    model.num_nodes = N;
    EXPECT_GT(theorems(model).unnormalized.bound, theorems(model).random_error);
    EXPECT_FALSE(theorems(model).normalized.first_holds());
  }
  RppModel large = paper;
  large.num_nodes = 1e6;
  EXPECT_LT(theorems(large).unnormalized.bound, 1.0 / 5);
  EXPECT_TRUE(theorems(large).normalized.first_holds());
}

TEST(Theorems, refuse_parameters_without_meaning) {
  const auto option = [](const TheoremParameters& given) {
    return fault_of([&] { return theorems(paper, given); }).option;
  };
  EXPECT_EQ(option({.C = 0}), "C");
  EXPECT_EQ(option({.alpha = -1}), "alpha");
  EXPECT_EQ(option({.epsilon = NAN}), "epsilon");
  RppModel empty = paper;
  empty.p = empty.q = empty.r = empty.s = 0;
  EXPECT_EQ(fault_of([&] { return theorems(empty); }).option, "p");
  RppModel endless = paper;
  endless.num_nodes = 1e300;
  EXPECT_EQ(fault_of([&] { return theorems(endless); }).option, "num_nodes");
}

TEST(LemmaD3, is_an_orthonormal_basis_of_the_lowest_eigenvectors) {
  for (const int K : {1, 2, 3, 5}) {
    const Index N = 30;
    const Index d = 6 / std::gcd(6, K) * K <= N ? 6 / std::gcd(6, K) * K : K;
    const Graph R = sample_regular_representation(N, K, d, 3);
    const Labels clusters = equal_clusters(N, K);
    const Matrix Y = expected_eigenvectors(clusters, K);
    EXPECT_LT((Y.transpose() * Y - Matrix::Identity(K, K)).norm(), 1e-12);
    // RJ y = 0 (Lemma D.1), from the definition.
    Dense dense = Dense::Zero(N, N);
    for (Index i = 0; i < N; ++i) {
      for (const Index j : R.neighbors(i)) dense(i, j) = 1;
    }
    const Dense J = Dense::Identity(N, N) - Dense::Constant(N, N, 1.0 / N);
    EXPECT_LT((dense * J * Y).norm(), 1e-10);
    // The K lowest eigenvectors of the expected Laplacian span the same space.
    Dense A(N, N);
    for (Index i = 0; i < N; ++i) {
      for (Index j = 0; j < N; ++j) {
        const bool same =
            clusters[static_cast<std::size_t>(i)] == clusters[static_cast<std::size_t>(j)];
        const bool linked = dense(i, j) > 0;
        A(i, j) = i == j ? 0 : linked ? (same ? 0.9 : 0.5) : (same ? 0.6 : 0.1);
      }
    }
    const Dense L = Dense(A.rowwise().sum().asDiagonal()) - A;
    const Dense lowest = Eigen::SelfAdjointEigenSolver<Dense>(L).eigenvectors().leftCols(K);
    EXPECT_LT((lowest * lowest.transpose() - Y * Y.transpose()).norm(), 1e-8) << "K = " << K;
  }
}

TEST(LemmaD3, needs_equal_clusters) {
  EXPECT_THROW((void)expected_eigenvectors({0, 0, 1}, 2), InvalidInput);
  EXPECT_THROW((void)expected_eigenvectors({0, 2}, 2), InvalidInput);
  EXPECT_THROW((void)expected_eigenvectors({}, 2), InvalidInput);
}

TEST(LemmaD4, finds_the_clusters_of_the_expected_graph_exactly) {
  for (const int K : {2, 3, 4}) {
    const Index N = 24 * K;
    const Graph R = sample_regular_representation(N, K, 4 * K, 7);
    // Not in order, so that nothing depends on it.
    const Labels clusters = equal_clusters(N, K);
    for (const RppModel& probabilities : {paper, RppModel{0, 0, 0, 0.9, 0.4, 0.2, 0.1}}) {
      RppModel model = probabilities;
      model.num_nodes = N;
      model.num_clusters = K;
      model.degree = 4 * K;
      const Graph expected = expected_similarity(R, clusters, model);
      for (const Method method : {Method::urepsc, Method::nrepsc}) {
        const Clustering found = cluster(expected, R, K, {.method = method, .rank = Rank::exact()});
        EXPECT_EQ(accuracy(found.labels, clusters), 1) << "K = " << K;
      }
    }
  }
}

TEST(ExpectedSimilarity, has_the_probabilities_as_weights) {
  const Graph R = sample_regular_representation(12, 2, 4, 1);
  const Labels clusters = equal_clusters(12, 2);
  const Graph expected = expected_similarity(R, clusters, {12, 2, 4, 0.8, 0.6, 0.4, 0});
  EXPECT_EQ(expected.num_self_loops(), 0);
  for (Index i = 0; i < 12; ++i) {
    for (Index j = 0; j < 12; ++j) {
      if (i == j) continue;
      const bool same = (i < 6) == (j < 6);
      const double wanted = R.has_edge(i, j) ? (same ? 0.8 : 0.6) : (same ? 0.4 : 0);
      EXPECT_EQ(expected.has_edge(i, j), wanted > 0);
      double found = 0;
      std::size_t at = 0;
      for (const Index k : expected.neighbors(i)) {
        if (k == j) found = expected.weights(i)[at];
        ++at;
      }
      EXPECT_EQ(found, wanted);
    }
  }
}

}  // namespace
}  // namespace repsc
