// Weights of any size: the result is that of weights of the usual size, or an error with a reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

using ::testing::HasSubstr;

Matrix weighted_clusters(Index N) {
  return samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.1, 0.4, 2, true);
}

Graph times(const Matrix& A, int exponent) {
  return samples::from_dense(A.unaryExpr([=](double a) { return std::ldexp(a, exponent); }));
}

/// Every method, with each kind of constraint.
std::vector<ClusterOptions> every_call() {
  std::vector<ClusterOptions> calls;
  for (const Method method : {Method::usc, Method::nsc, Method::ufairsc, Method::nfairsc}) {
    calls.push_back({.method = method});
  }
  for (const Method method : {Method::urepsc, Method::nrepsc}) {
    calls.push_back({.method = method, .rank = Rank::exact()});
    calls.push_back({.method = method, .rank = Rank::of(4)});
    calls.push_back({.method = method, .strength = 1.0, .refine = true});
  }
  return calls;
}

TEST(ExtremeWeights, give_the_labels_of_usual_ones_and_eigenvalues_in_their_unit) {
  for (const Index N : {90, 600}) {  // dense and iterative
    const Matrix A = weighted_clusters(N);
    const Matrix R =
        samples::quotient_representation(N, 12, 0.3, 5).cwiseProduct(Matrix::Constant(N, N, 0.75));
    for (ClusterOptions options : every_call()) {
      const ClusterInput usual{times(A, 0), times(R, 0)};
      const bool normalized = is_normalized(*options.method);
      if (N > 90) options.refine = false;
      const Clustering expected = cluster(usual, 3, options);
      for (const int exponent : {-1000, 600, 1000}) {
        SCOPED_TRACE(joined(name(*options.method), " ", N, " 2^", exponent));
        const Clustering found =
            cluster(ClusterInput{times(A, exponent), times(R, -exponent)}, 3, options);
        EXPECT_EQ(found.labels, expected.labels);
        EXPECT_TRUE(found.converged);
        for (Index k = 1; k < 3; ++k) {
          const double value =
              normalized ? found.eigenvalues[k] : std::ldexp(found.eigenvalues[k], -exponent);
          EXPECT_NEAR(value, expected.eigenvalues[k], 1e-9 * expected.eigenvalues[2]);
        }
        const Metrics metrics = evaluate(times(A, exponent), times(R, -exponent), found.labels, 3);
        const Metrics of_usual = evaluate(times(A, 0), times(R, 0), found.labels, 3);
        EXPECT_DOUBLE_EQ(std::ldexp(metrics.ratio_cut, -exponent), of_usual.ratio_cut);
        EXPECT_DOUBLE_EQ(metrics.normalized_cut, of_usual.normalized_cut);
        EXPECT_DOUBLE_EQ(metrics.constraint_residual, of_usual.constraint_residual);
      }
    }
  }
}

TEST(ExtremeWeights, scale_the_regularization_with_the_graph) {
  const Matrix A = weighted_clusters(90);
  const Clustering expected =
      cluster(times(A, 0), 3, {.method = Method::nsc, .regularization = 0.5});
  const Clustering found =
      cluster(times(A, 900), 3, {.method = Method::nsc, .regularization = std::ldexp(0.5, 900)});
  EXPECT_LT((found.eigenvalues - expected.eigenvalues).norm(), 1e-10);
  EXPECT_THROW((void)cluster(times(A, -1000), 3, {.method = Method::nsc, .regularization = 1e300}),
               InvalidInput);
}

TEST(ExtremeWeights, end_in_numbers_or_in_an_error_with_a_reason) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(-300, 300);
  for (int trial = 0; trial < 12; ++trial) {
    const Index N = trial % 3 == 0 ? 8 : 40;
    Matrix A = samples::random_dense(Labels(static_cast<std::size_t>(N), 0), 0.2, 0, 10 + trial);
    Matrix R = samples::random_representation(N, 0.3, 20 + trial);
    const auto draw = [&](Matrix& M) {
      for (Index i = 0; i < N; ++i) {
        for (Index j = 0; j < i; ++j) {
          if (M(i, j) > 0) M(i, j) = M(j, i) = std::pow(10, exponent(random));
        }
      }
    };
    draw(A);
    if (trial % 2 == 0) draw(R);
    for (const ClusterOptions& options : every_call()) {
      SCOPED_TRACE(joined(name(*options.method), " ", trial));
      const Graph G = samples::from_dense(A);
      const Graph representation = samples::from_dense(R);
      try {
        const Clustering found = cluster(ClusterInput{G, representation}, 2, options);
        EXPECT_TRUE(found.converged) << found.residual;  // N is small, so the solver is direct
        EXPECT_TRUE(found.eigenvalues.allFinite());
        EXPECT_TRUE(std::isfinite(found.residual));
        EXPECT_TRUE(std::isfinite(found.inertia));
        const Metrics metrics = evaluate(G, representation, found.labels, 2);
        EXPECT_TRUE(std::isfinite(metrics.ratio_cut));
        EXPECT_TRUE(std::isfinite(metrics.normalized_cut));
        EXPECT_TRUE(std::isfinite(metrics.constraint_residual));
      } catch (const InvalidInput& error) {
        EXPECT_FALSE(error.fault().what.empty());
      }
    }
  }
}

/// Weights over many decades, where some factorization breaks down now and then.
Graph graph_over_decades(Index N, double lowest, double highest, std::mt19937& random) {
  std::uniform_real_distribution<double> exponent(lowest, highest);
  std::bernoulli_distribution edge(0.4);
  Matrix A = Matrix::Zero(N, N);
  for (Index i = 0; i < N; ++i) {
    for (Index j = 0; j < i; ++j) {
      if (j == i - 1 || edge(random)) A(i, j) = A(j, i) = std::pow(10, exponent(random));
    }
  }
  return samples::from_dense(A);
}

TEST(ExtremeWeights, leave_out_baselines_with_a_reason_and_the_clusters_remain) {
  std::mt19937 random(3);
  int found = 0;
  int refused = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Index N = trial % 2 == 0 ? 6 : 20;
    const Graph W = trial % 4 < 2 ? graph_over_decades(N, -300, 300, random)
                                  : graph_over_decades(N, 200, 300, random);
    Pipeline pipeline({W, W});
    const Clustering clusters = pipeline.run(plan(pipeline.input(), 2, {.method = Method::urepsc}));
    EXPECT_TRUE(clusters.converged);
    try {
      const std::optional<Baselines> scale = baselines(pipeline, 2);
      ASSERT_TRUE(scale.has_value());
      EXPECT_TRUE(std::isfinite(scale->plain.cut));
      ++found;
    } catch (const InvalidInput& error) {
      EXPECT_THAT(error.fault().what, HasSubstr("the weights"));
      if (error.fault().what.starts_with("double precision")) ++refused;
    }
  }
  EXPECT_GT(found, 0);
  EXPECT_GT(refused, 0) << "no trial is hard enough to test anything";
}

TEST(ExtremeWeights, that_spoil_a_dense_matrix_are_refused_and_not_called_unconverged) {
  std::mt19937 random(5);
  int spoiled = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const Index N = trial % 2 == 0 ? 20 : 60;
    const double range = trial % 3 == 0 ? 20 : 300;
    const Graph W = graph_over_decades(N, -range, range, random);
    try {
      const Clustering found =
          cluster(ClusterInput{W, W}, 2, {.method = Method::nrepsc, .rank = Rank::of(2)});
      EXPECT_TRUE(found.converged) << found.residual;
    } catch (const InvalidInput& error) {
      if (error.fault().what.find("have a residual of") != std::string::npos) ++spoiled;
    }
  }
  EXPECT_GT(spoiled, 0) << "no trial is hard enough to test anything";
}

TEST(ExtremeWeights, whose_sum_is_infinite_are_refused) {
  Matrix A = weighted_clusters(90);
  A *= 1e307 / A.maxCoeff();
  try {
    (void)cluster(samples::from_dense(A), 3);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.fault().what, HasSubstr("add up to infinity"));
    EXPECT_FALSE(error.fault().remedies.empty());
  }
  const Graph R =
      samples::from_dense(samples::block_representation(samples::shuffled_labels(90, 2, 1)));
  EXPECT_THROW((void)refine(samples::from_dense(A), R, samples::shuffled_labels(90, 3, 1), 3),
               InvalidInput);
}

TEST(ExtremeWeights, that_are_denormal_count_as_none_for_unnormalized_methods) {
  const Matrix A = weighted_clusters(60);
  Matrix B = A;
  std::mt19937 random(3);
  for (int extra = 0; extra < 200; ++extra) {
    const Index i = static_cast<Index>(random() % 60);
    const Index j = static_cast<Index>(random() % 60);
    if (i != j && A(i, j) == 0) B(i, j) = B(j, i) = 5e-324;
  }
  const Clustering expected = cluster(samples::from_dense(A), 3, {.method = Method::usc});
  const Clustering found = cluster(samples::from_dense(B), 3, {.method = Method::usc});
  EXPECT_LT((found.eigenvalues - expected.eigenvalues).norm(), 1e-12);
  EXPECT_EQ(found.labels, expected.labels);
}

TEST(ExtremeStrengths, are_refused_with_a_reason) {
  const Graph G = samples::from_dense(weighted_clusters(60));
  const Graph R = samples::from_dense(samples::random_representation(60, 0.2, 1));
  EXPECT_NO_THROW((void)cluster(G, R, 3, {.strength = 1e-300}));
  EXPECT_NO_THROW((void)cluster(G, R, 3, {.strength = 1e12}));
  EXPECT_THROW((void)cluster(G, R, 3, {.strength = 1e308}), InvalidInput);
}

}  // namespace
}  // namespace repsc
