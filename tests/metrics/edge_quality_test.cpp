// Modularity, conductance and internal shares against their double sums with dense matrices.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <numeric>

#include "random_case.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

// Sum of A_ij over i in cluster k, and j in cluster l; -1 for all nodes.
double between(const Matrix& A, const Labels& labels, Label k, Label l) {
  double sum = 0;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      const bool from = k < 0 || labels[static_cast<std::size_t>(i)] == k;
      const bool to = l < 0 || labels[static_cast<std::size_t>(j)] == l;
      if (from && to) sum += A(i, j);
    }
  }
  return sum;
}

// 1/2m sum over pairs of nodes in the same cluster of A_ij - d_i d_j / 2m (Newman 2006).
double dense_modularity(const Matrix& A, const Labels& labels) {
  const double twice_m = A.sum();
  if (twice_m == 0) return 0;
  double Q = 0;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      if (labels[static_cast<std::size_t>(i)] != labels[static_cast<std::size_t>(j)]) continue;
      Q += (A(i, j) - A.row(i).sum() * A.row(j).sum() / twice_m) / twice_m;
    }
  }
  return Q;
}

double dense_conductance(const Matrix& A, const Labels& labels, Label k) {
  const double inside = between(A, labels, k, k);
  const double volume = between(A, labels, k, -1);
  const double leaving = volume - inside;
  const double smaller = std::min(volume, A.sum() - volume);
  return smaller < 1e-9 ? 0 : leaving / smaller;
}

void expect_definitions(const Matrix& A, const Labels& labels, int K) {
  const Graph G = samples::from_dense(A);
  const Metrics metrics = evaluate(G, labels, K);
  double inside = 0;
  for (Label k = 0; k < K; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double own = between(A, labels, k, k);
    const double volume = between(A, labels, k, -1);
    inside += own;
    RC_ASSERT(std::abs(metrics.conductance[at] - dense_conductance(A, labels, k)) < 1e-11);
    RC_ASSERT(std::abs(metrics.cluster_internal_shares[at] - (volume > 0 ? own / volume : 1)) <
              1e-11);
  }
  RC_ASSERT(std::abs(metrics.internal_edge_share - (A.sum() > 0 ? inside / A.sum() : 1)) < 1e-12);
  RC_ASSERT(std::abs(metrics.modularity - dense_modularity(A, labels)) < 1e-12);
  RC_ASSERT(metrics.modularity == modularity(G, labels, K));
  RC_ASSERT(metrics.internal_edge_share == internal_edge_share(G, labels, K));
  RC_ASSERT(metrics.conductance == conductance(G, labels, K));
}

TEST(EdgeQuality, is_defined_by_double_sums) {
  for (const bool weighted : {false, true}) {
    EXPECT_TRUE(rc::check("random graphs and labels", [weighted] {
      const RandomCase c = random_case(weighted, *rc::gen::arbitrary<std::uint64_t>());
      expect_definitions(c.A, c.labels, c.K);
      expect_definitions(c.R, c.labels, c.K);  // with self-loops, each in its row once
      Labels each(c.labels.size());
      std::iota(each.begin(), each.end(), 0);
      expect_definitions(c.A, each, c.N);  // K = N
      expect_definitions(c.A, Labels(c.labels.size(), 0), 1);
      expect_definitions(Matrix::Zero(c.N, c.N), c.labels, c.K);  // no edges
      Matrix isolated = c.A;
      isolated.row(0).setZero();
      isolated.col(0).setZero();
      expect_definitions(isolated, c.labels, c.K);
    }));
  }
}

TEST(EdgeQuality, of_two_cliques_joined_by_an_edge) {
  // Two cliques of 4 and one edge between them: m = 13, Vol = 13 each, 12 of them inside.
  Matrix A = Matrix::Zero(8, 8);
  A.topLeftCorner(4, 4).setOnes();
  A.bottomRightCorner(4, 4).setOnes();
  A.diagonal().setZero();
  A(3, 4) = A(4, 3) = 1;
  const Graph G = samples::from_dense(A);
  const Labels labels{0, 0, 0, 0, 1, 1, 1, 1};
  EXPECT_DOUBLE_EQ(modularity(G, labels, 2), 12.0 / 13 - 0.5);
  EXPECT_DOUBLE_EQ(internal_edge_share(G, labels, 2), 12.0 / 13);
  EXPECT_EQ(conductance(G, labels, 2), (std::vector<double>{1.0 / 13, 1.0 / 13}));
  // Without the edge the cliques are the components: 1/2 is the largest modularity of two clusters.
  A(3, 4) = A(4, 3) = 0;
  EXPECT_EQ(modularity(samples::from_dense(A), labels, 2), 0.5);
}

TEST(EdgeQuality, of_one_cluster_and_of_empty_ones_is_a_number) {
  const Graph G = samples::from_dense(Matrix{{0, 2}, {2, 0}});
  EXPECT_EQ(modularity(G, {0, 0}, 1), 0);
  EXPECT_EQ(internal_edge_share(G, {0, 0}, 1), 1);
  EXPECT_EQ(conductance(G, {0, 0}, 2), (std::vector<double>{0, 0}));
  EXPECT_EQ(modularity(G, {0, 1}, 2), -0.5);
  EXPECT_EQ(conductance(G, {0, 1}, 2), (std::vector<double>{1, 1}));
  EXPECT_EQ(modularity(Graph(), {}, 1), 0);
  EXPECT_EQ(internal_edge_share(Graph(), {}, 1), 1);
  EXPECT_EQ(conductance(Graph(), {}, 1), std::vector<double>{0});
  EXPECT_EQ(internal_edge_share(samples::from_dense(Matrix::Zero(3, 3)), {0, 1, 2}, 3), 1);
}

TEST(EdgeQuality, does_not_depend_on_the_unit_of_the_weights) {
  const RandomCase c = random_case(/*weighted=*/true, /*seed=*/2, /*most_nodes=*/40);
  const Metrics expected = evaluate(samples::from_dense(c.A), c.labels, c.K);
  ASSERT_GT(expected.conductance[0], 0.01);
  // The sum of all weights is infinite at the last two.
  for (const double unit : {1e-300, 1e-200, 1e200, 1e306, 1e307}) {
    const Metrics found = evaluate(samples::from_dense(unit * c.A), c.labels, c.K);
    EXPECT_NEAR(found.modularity, expected.modularity, 1e-12) << unit;
    EXPECT_NEAR(found.internal_edge_share, expected.internal_edge_share, 1e-12) << unit;
    EXPECT_NEAR(found.normalized_cut, expected.normalized_cut, 1e-12) << unit;
    for (std::size_t k = 0; k < found.conductance.size(); ++k) {
      EXPECT_NEAR(found.conductance[k], expected.conductance[k], 1e-12) << unit;
    }
  }
}

TEST(EdgeQuality, survives_a_cluster_with_nearly_all_of_the_weight) {
  // The volume of the other cluster, 7, vanishes beside 1e20, and a difference of sums would be 0.
  const Matrix A{{0, 1e20, 0, 0}, {1e20, 0, 1, 0}, {0, 1, 0, 3}, {0, 0, 3, 0}};
  const Labels labels{0, 0, 1, 1};
  EXPECT_EQ(conductance(samples::from_dense(A), labels, 2), (std::vector<double>{1. / 7, 1. / 7}));
  EXPECT_EQ(internal_edge_share(samples::from_dense(A), labels, 2), 1);
}

TEST(EdgeQuality, needs_labels_that_fit_the_graph) {
  const Graph G = samples::from_dense(Matrix::Zero(3, 3));
  EXPECT_THROW((void)modularity(G, {0, 1}, 2), InvalidInput);
  EXPECT_THROW((void)conductance(G, {0, 1, 2}, 2), InvalidInput);
  EXPECT_THROW((void)internal_edge_share(G, {0, -1, 0}, 2), InvalidInput);
}

}  // namespace
}  // namespace repsc
