// Products with a graph against the sum over its edges, for every width that has a loop of its own.
#include "graph/product.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace repsc {
namespace {

constexpr Index N = 700;

/// Some edges, a hub, and nodes without any.
std::vector<Edge> some_edges() {
  RandomStream random(1);
  std::vector<Edge> edges;
  for (int e = 0; e < 3000; ++e)
    edges.push_back(
        {static_cast<Index>(random.below(N - 50)), static_cast<Index>(random.below(N - 50))});
  for (Index i = 1; i < N - 50; ++i) edges.push_back({0, i});
  return edges;
}

Graph sample_graph(bool weighted) {
  std::vector<double> weights;
  RandomStream random(2);
  if (weighted)
    for (std::size_t e = 0; e < some_edges().size(); ++e) weights.push_back(random.uniform());
  return build_graph(NodeNames(N, 0), some_edges(), weights, SelfLoops::keep).graph;
}

Eigen::MatrixXd expected(const Graph& A, const Eigen::MatrixXd& X) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(A.num_nodes(), A.num_nodes());
  for (Index i = 0; i < A.num_nodes(); ++i) {
    for (std::size_t e = 0; e < A.neighbors(i).size(); ++e)
      dense(i, A.neighbors(i)[e]) = A.weighted() ? A.weights(i)[e] : 1;
  }
  return dense * X;
}

template <typename Block>
Block random_columns(Index rows, Index columns) {
  RandomStream random(3);
  Block X(rows, columns);
  for (Eigen::Index i = 0; i < X.size(); ++i)
    X.data()[i] = static_cast<typename Block::Scalar>(random.normal());
  return X;
}

TEST(Product, is_the_sum_over_the_edges_at_every_width) {
  for (const bool weighted : {false, true}) {
    const Graph A = sample_graph(weighted);
    for (const Index columns : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 21}) {
      SCOPED_TRACE(columns);
      const auto X = random_columns<Matrix>(N, columns);
      const FloatMatrix single = X.cast<float>();
      Matrix Y;
      multiply(A, X, Y);
      FloatMatrix Z;
      multiply(A, single, Z);
      const Eigen::MatrixXd answer = expected(A, X);
      EXPECT_LT((Y - answer).norm(), 1e-13 * answer.norm());
      EXPECT_LT((Z.cast<double>() - answer).norm(), 1e-6 * answer.norm());
    }
  }
}

TEST(CoarseProduct, is_the_sum_over_the_edges_of_rounded_numbers) {
  const Graph A = sample_graph(false);
  for (const Index columns : {1, 3, 4, 5, 8, 9, 12, 21}) {
    SCOPED_TRACE(columns);
    auto X = random_columns<FloatMatrix>(N, columns);
    X.col(0) *= 1e-6F;  // columns have steps of their own
    FloatMatrix Y;
    const float step = multiply_coarsely(A, X, Y);
    EXPECT_FLOAT_EQ(step, X.cwiseAbs().maxCoeff() / 32767);
    for (Eigen::Index c = 0; c < columns; ++c) {
      const double own = X.col(c).cwiseAbs().maxCoeff() / 32767;
      const Eigen::VectorXd rounded = own * (X.col(c).cast<double>() / own).array().round();
      const Eigen::VectorXd answer = expected(A, rounded);
      // Numbers about halfway between two steps may go to either; the hub meets all of them.
      EXPECT_LT((Y.col(c).cast<double>() - answer).cwiseAbs().maxCoeff(),
                6 * own + 1e-6 * answer.cwiseAbs().maxCoeff());
    }
  }
}

TEST(CoarseProduct, of_zeros_is_zero) {
  FloatMatrix Y;
  EXPECT_EQ(multiply_coarsely(sample_graph(false), FloatMatrix::Zero(N, 5), Y), 0);
  EXPECT_EQ(Y, FloatMatrix::Zero(N, 5));
}

TEST(CoarseProduct, sums_more_rows_than_32_bits_hold) {
  constexpr Index leaves = 200'000;
  std::vector<Edge> edges;
  for (Index i = 1; i <= leaves; ++i) edges.push_back({0, i});
  const Graph star = build_graph(NodeNames(leaves + 1, 0), edges, {}, SelfLoops::drop).graph;
  FloatMatrix Y;
  (void)multiply_coarsely(star, FloatMatrix::Constant(leaves + 1, 4, 2), Y);
  EXPECT_NEAR(Y(0, 3), 2.0 * leaves, 1);
}

}  // namespace
}  // namespace repsc
