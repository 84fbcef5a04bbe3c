// Graphs of which each rank holds some rows: products, and what they send.
#include "distributed/graph.hpp"

#include <gtest/gtest.h>

#include <set>

#include "distributed/ranks.hpp"
#include "graph/product.hpp"
#include "support/samples.hpp"

namespace repsc::tests {
namespace {

struct Sample {
  Graph graph;
  SpreadRows rows;
  explicit Sample(bool weighted, Index N = 200)
      : graph(samples::from_dense(
            samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.03, 0.2, 2, weighted))),
        rows(ranks(), split_rows(graph.offsets(), ranks().size())) {}
};

Matrix vectors(Index N, Index columns) {
  return Matrix::NullaryExpr(N, columns, [](Eigen::Index i, Eigen::Index j) {
    return std::sin(static_cast<double>(7 * i + 3 * j + 1));
  });
}

class WithOrWithoutWeights : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Graphs, WithOrWithoutWeights, testing::Bool());

TEST_P(WithOrWithoutWeights, products_have_the_bits_of_one_process) {
  const Sample sample(GetParam());
  for (const Index columns : {1, 4, 9}) {
    const Matrix X = vectors(200, columns);
    Matrix expected;
    multiply(sample.graph, X, expected);
    const DistributedGraph viewed(sample.rows, sample.graph);
    const DistributedGraph scattered =
        DistributedGraph::scattered(sample.rows, ranks().is_root() ? sample.graph : Graph());
    for (const DistributedGraph* graph : {&viewed, &scattered}) {
      Matrix Y;
      graph->multiply(own_rows(sample.rows, X), Y);
      EXPECT_EQ(all_rows(sample.rows, Y), expected);
    }
  }
}

TEST_P(WithOrWithoutWeights, degrees_are_those_of_the_rows) {
  const Sample sample(GetParam());
  const DistributedGraph graph(sample.rows, sample.graph);
  EXPECT_EQ(all_rows(sample.rows, graph.degrees()), Matrix(sample.graph.degrees()));
}

/// The rows of other ranks that the entries of the own rows name, by brute force.
std::set<Index> ghosts_of(const Sample& sample, int rank) {
  std::set<Index> found;
  const Partition& parts = sample.rows.partition();
  for (Index i = parts.begin(rank); i < parts.end(rank); ++i) {
    for (const Index j : sample.graph.neighbors(i)) {
      if (j < parts.begin(rank) || j >= parts.end(rank)) found.insert(j);
    }
  }
  return found;
}

TEST(Communication, follows_the_model) {
  const Sample sample(false);
  const DistributedGraph graph(sample.rows, sample.graph);
  EXPECT_EQ(graph.num_ghosts(), static_cast<Index>(ghosts_of(sample, ranks().rank()).size()));
  // This rank sends a row to each rank that has it as a ghost, in one message per receiver.
  std::int64_t rows = 0;
  std::int64_t messages = 0;
  const Partition& parts = sample.rows.partition();
  for (int other = 0; other < ranks().size(); ++other) {
    std::int64_t count = 0;
    for (const Index ghost : ghosts_of(sample, other)) {
      count += ghost >= parts.begin(ranks().rank()) && ghost < parts.end(ranks().rank()) ? 1 : 0;
    }
    rows += count;
    messages += count > 0 ? 1 : 0;
  }
  const Traffic before = ranks().traffic();
  Matrix Y;
  graph.multiply(own_rows(sample.rows, vectors(200, 4)), Y);
  const Traffic after = ranks().traffic();
  EXPECT_EQ(after.exchanges - before.exchanges, 1);
  EXPECT_EQ(after.messages - before.messages, messages);
  EXPECT_EQ(after.bytes - before.bytes, rows * 4 * 8);
  EXPECT_EQ(graph.sent_bytes(4 * 8), rows * 4 * 8);
  EXPECT_EQ(graph.sent_messages(), messages);
  EXPECT_EQ(after.reductions, before.reductions);
}

TEST(Communication, of_a_product_of_tall_matrices_is_two_reductions) {
  const Sample sample(false);
  const Matrix A = own_rows(sample.rows, vectors(200, 6));
  const Traffic before = ranks().traffic();
  static_cast<void>(sample.rows.gram(A, A.leftCols(4)));
  const Traffic after = ranks().traffic();
  EXPECT_EQ(after.reductions - before.reductions, 2);
  EXPECT_EQ(after.reduced_bytes - before.reduced_bytes, 6 * 4 * (8 + 16));
  EXPECT_EQ(after.messages, before.messages);
}

TEST(DistributedGraph, exchanges_labels) {
  const Sample sample(false);
  const DistributedGraph graph(sample.rows, sample.graph);
  Labels whole(200);
  for (Index i = 0; i < 200; ++i) whole[static_cast<std::size_t>(i)] = i * i;
  const Labels all = graph.with_ghosts(own_labels(sample.rows, whole));
  std::vector<Label> expected(own_labels(sample.rows, whole));
  for (const Index ghost : ghosts_of(sample, ranks().rank())) expected.push_back(ghost * ghost);
  EXPECT_EQ(all, expected);
}

TEST(DistributedGraph, may_leave_ranks_without_rows) {
  const Sample sample(true, 20);
  const DistributedGraph graph(sample.rows, sample.graph);
  const Matrix X = vectors(20, 2);
  Matrix expected;
  multiply(sample.graph, X, expected);
  Matrix Y;
  graph.multiply(own_rows(sample.rows, X), Y);
  EXPECT_EQ(all_rows(sample.rows, Y), expected);
}

}  // namespace
}  // namespace repsc::tests
