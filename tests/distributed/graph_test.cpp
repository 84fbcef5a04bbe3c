// Graphs of which each rank holds some rows: products, and what they send.
#include "distributed/graph.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <tuple>

#include "distributed/ranks.hpp"
#include "graph/product.hpp"
#include "graph/row_storage.hpp"
#include "support/samples.hpp"

namespace repsc::tests {
namespace {

struct Sample {
  Graph graph;
  SpreadRows rows;
  explicit Sample(bool weighted, Index N = 200, Exchange how = Exchange::messages)
      : graph(samples::from_dense(
            samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.03, 0.2, 2, weighted))),
        rows(ranks(), split_rows(graph.offsets(), ranks().size()), how) {}
};

Matrix vectors(Index N, Index columns) {
  return Matrix::NullaryExpr(N, columns, [](Eigen::Index i, Eigen::Index j) {
    return std::sin(static_cast<double>(7 * i + 3 * j + 1));
  });
}

using Kind = std::tuple<bool, Exchange>;  // weighted or not
class EveryExchange : public testing::TestWithParam<Kind> {
 protected:
  const Sample sample{std::get<0>(GetParam()), 200, std::get<1>(GetParam())};
};
INSTANTIATE_TEST_SUITE_P(Graphs, EveryExchange,
                         testing::Combine(testing::Bool(),
                                          testing::Values(Exchange::messages,
                                                          Exchange::shared_memory)));

TEST_P(EveryExchange, products_have_the_bits_of_one_process) {
  for (const Index columns : {1, 4, 8, 9, 19}) {
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

TEST_P(EveryExchange, degrees_are_those_of_the_rows) {
  const DistributedGraph graph(sample.rows, sample.graph);
  EXPECT_EQ(all_rows(sample.rows, graph.degrees()), Matrix(sample.graph.degrees()));
}

TEST_P(EveryExchange, gives_each_neighbour_its_label) {
  const DistributedGraph graph(sample.rows, sample.graph);
  Labels whole(200);
  for (Index i = 0; i < 200; ++i) whole[static_cast<std::size_t>(i)] = i * i;
  const Labels labels = graph.by_column(own_labels(sample.rows, whole));
  for (Index i = 0; i < sample.rows.stored(); ++i) {
    const Index node = sample.rows.begin() + i;
    EXPECT_EQ(labels[static_cast<std::size_t>(graph.column_of(i))], node * node);
    const auto neighbors = sample.graph.neighbors(node);
    ASSERT_EQ(graph.neighbors(i).size(), neighbors.size());
    for (std::size_t e = 0; e < neighbors.size(); ++e) {
      EXPECT_EQ(labels[static_cast<std::size_t>(graph.neighbors(i)[e])],
                neighbors[e] * neighbors[e]);
    }
  }
}

// More numbers than the shared memory of a product has room for are shared in turns.
TEST_P(EveryExchange, gives_each_neighbour_its_numbers) {
  const DistributedGraph graph(sample.rows, sample.graph);
  for (const Index width : {2, 16, 17, 40}) {
    Labels own(static_cast<std::size_t>(sample.rows.stored() * width));
    for (std::size_t at = 0; at < own.size(); ++at) {
      own[at] = static_cast<Label>(at) + sample.rows.begin() * width;
    }
    const Labels numbers = graph.by_column(own, width);
    for (Index i = 0; i < sample.rows.stored(); ++i) {
      const auto neighbors = sample.graph.neighbors(sample.rows.begin() + i);
      for (std::size_t e = 0; e < neighbors.size(); ++e) {
        for (Index k = 0; k < width; ++k) {
          ASSERT_EQ(numbers[static_cast<std::size_t>(graph.neighbors(i)[e] * width + k)],
                    neighbors[e] * width + k);
        }
      }
    }
  }
}

TEST_P(EveryExchange, takes_the_rows_of_a_packed_graph_and_outlives_it) {
  std::optional<Graph> whole = packed(sample.graph);
  const DistributedGraph viewed(sample.rows, *whole);
  const DistributedGraph scattered =
      DistributedGraph::scattered(sample.rows, ranks().is_root() ? *whole : Graph());
  whole.reset();
  const Matrix X = vectors(200, 4);
  Matrix expected;
  multiply(sample.graph, X, expected);
  for (const DistributedGraph* graph : {&viewed, &scattered}) {
    Matrix Y;
    graph->multiply(own_rows(sample.rows, X), Y);
    EXPECT_EQ(all_rows(sample.rows, Y), expected);
  }
}

/// The rows of other ranks that the entries of the own rows name, by brute force.
std::set<Index> ghosts_of(const Sample& sample, int rank) {
  std::set<Index> found;
  const RowRanges& parts = sample.rows.ranges();
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
  const RowRanges& parts = sample.rows.ranges();
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
  EXPECT_EQ(graph.sent_messages(4 * 8), messages);
  EXPECT_EQ(after.reductions, before.reductions);
}

TEST(Communication, sends_many_rows_in_pieces) {
  // Every row is needed on the other side: with two ranks 2 pieces of 16384 rows of 256 bytes.
  const Index N = 60'000;
  std::vector<Edge> edges;
  for (Index i = 0; i < N / 2; ++i) edges.push_back({i, i + N / 2});
  const Graph whole = build_graph(NodeNames(N, 0), std::move(edges), {}, SelfLoops::drop).graph;
  const SpreadRows rows(ranks(), split_rows(whole.offsets(), ranks().size()));
  const DistributedGraph graph(rows, whole);
  const Matrix X = vectors(N, 32);
  const Traffic before = ranks().traffic();
  Matrix Y;
  graph.multiply(own_rows(rows, X), Y);
  EXPECT_EQ(ranks().traffic().messages - before.messages, graph.sent_messages(32 * 8));
  const std::int64_t pieces = ranks().size() == 2 ? 2 : graph.sent_messages(32 * 8);
  EXPECT_EQ(graph.sent_messages(32 * 8), pieces);
  Matrix expected(N, 32);
  expected << X.bottomRows(N / 2), X.topRows(N / 2);
  EXPECT_EQ(Y, own_rows(rows, expected));
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

TEST(Communication, in_shared_memory_sends_nothing) {
  const Sample sample(false, 200, Exchange::shared_memory);
  const DistributedGraph graph(sample.rows, sample.graph);
  EXPECT_EQ(graph.num_ghosts(), 0);
  const Traffic before = ranks().traffic();
  Matrix Y;
  graph.multiply(own_rows(sample.rows, vectors(200, 4)), Y);
  const Traffic after = ranks().traffic();
  EXPECT_EQ(after.exchanges - before.exchanges, 1);
  EXPECT_EQ(after.messages, before.messages);
  EXPECT_EQ(after.bytes, before.bytes);
  EXPECT_EQ(after.reductions, before.reductions);
}

TEST(DistributedGraph, may_leave_ranks_without_rows) {
  for (const Exchange how : {Exchange::messages, Exchange::shared_memory}) {
    const Sample sample(true, 20, how);
    const DistributedGraph graph(sample.rows, sample.graph);
    const Matrix X = vectors(20, 2);
    Matrix expected;
    multiply(sample.graph, X, expected);
    Matrix Y;
    graph.multiply(own_rows(sample.rows, X), Y);
    EXPECT_EQ(all_rows(sample.rows, Y), expected);
  }
}

std::set<std::string> shared_objects() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm")) {
    const std::string name = entry.path().filename();
    if (name.starts_with("repsc-" + std::to_string(::getpid()))) names.insert(name);
  }
  return names;
}

TEST(SharedMemory, is_seen_by_all_ranks_and_has_no_name) {
  const SharedMemory memory = SharedMemory::among(ranks(), 64);
  ASSERT_TRUE(memory);
  auto* const numbers = reinterpret_cast<int*>(memory.data());
  numbers[ranks().rank()] = 100 + ranks().rank();
  ranks().barrier();
  for (int rank = 0; rank < ranks().size(); ++rank) EXPECT_EQ(numbers[rank], 100 + rank);
  EXPECT_TRUE(shared_objects().empty());
}

TEST(SharedMemory, is_none_on_every_rank_where_there_is_too_little) {
  constexpr std::size_t more_than_any_machine_has = std::size_t{1} << 46U;
  EXPECT_FALSE(SharedMemory::among(ranks(), more_than_any_machine_has));
  EXPECT_TRUE(shared_objects().empty());
}

}  // namespace
}  // namespace repsc::tests
