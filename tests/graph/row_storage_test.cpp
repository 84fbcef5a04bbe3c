// Packed rows: the same rows, products, components and figures as those of the plain graph, bit for
// bit and on any number of threads, and nothing outside of them for bytes that are no rows.
#include "graph/row_storage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "core/random.hpp"
#include "graph/finished.hpp"
#include "graph/product.hpp"
#include "support/errors.hpp"

namespace repsc {
namespace {

using testing::HasSubstr;

constexpr Index N = 5000;  // several groups of rows, the last one incomplete

/// Nodes without edges (the last, and every 50th), self-loops, a hub longer than any tile, and many
/// components.
Graph sample_graph(bool weighted) {
  RandomStream random(1);
  std::vector<Edge> edges;
  std::vector<double> weights;
  const auto add = [&](Index u, Index v) {
    if (u % 50 == 7 || v % 50 == 7) return;
    edges.push_back({u, v});
    if (weighted) weights.push_back(random.uniform());
  };
  for (int e = 0; e < 30000; ++e) {
    add(static_cast<Index>(random.below(2000)), static_cast<Index>(random.below(2000)));
  }
  for (int e = 0; e < 1500; ++e) {  // a sparse part, in pieces
    add(static_cast<Index>(2000 + random.below(2900)),
        static_cast<Index>(2000 + random.below(2900)));
  }
  for (Index i = 0; i < 4600; ++i) add(1, i);
  for (Index i = 0; i < N - 100; i += 9) add(i, i);
  return build_graph(NodeNames(N, 0), edges, weights, SelfLoops::keep).graph;
}

class PackedRowsOf : public testing::TestWithParam<bool> {
 protected:
  Graph plain_ = sample_graph(GetParam());
  Graph packed_ = packed(plain_);
};
INSTANTIATE_TEST_SUITE_P(Weights, PackedRowsOf, testing::Bool());

TEST_P(PackedRowsOf, are_those_of_the_graph_in_any_range) {
  ASSERT_TRUE(packed_.packed());
  EXPECT_FALSE(plain_.packed());
  EXPECT_FALSE(packed_.streamed());
  for (const std::int64_t begin : {0, 1, 1023, 1024, 1500, 3000, 4999, 5000}) {
    for (const std::int64_t end : {0, 1, 1024, 1025, 2048, 4096, 4999, 5000}) {
      std::int64_t next = begin;
      for_rows(packed_, begin, end, [&](const RowTile& rows) {
        EXPECT_EQ(rows.begin, next);
        EXPECT_GT(rows.end, rows.begin);
        for (auto u = static_cast<Index>(rows.begin); u < rows.end; ++u) {
          EXPECT_TRUE(std::ranges::equal(rows.neighbors(u), plain_.neighbors(u)));
          EXPECT_TRUE(std::ranges::equal(rows.weights(u), plain_.weights(u)));
        }
        next = rows.end;
      });
      EXPECT_EQ(next, std::max(begin, end)) << begin << " " << end;
    }
  }
}

TEST_P(PackedRowsOf, are_unpacked_where_someone_asks_for_them) {
  const Graph copy = packed_;
  EXPECT_TRUE(std::ranges::equal(packed_.neighbors(), plain_.neighbors()));
  EXPECT_EQ(copy.neighbors().data(), packed_.neighbors().data());  // once for all copies
  for (Index u = 0; u < N; ++u) {
    EXPECT_TRUE(std::ranges::equal(packed_.neighbors(u), plain_.neighbors(u)));
    EXPECT_EQ(packed_.num_neighbors(u), static_cast<Index>(plain_.neighbors(u).size()));
  }
  EXPECT_TRUE(packed_.has_edge(1, 2));
}

template <typename Block>
Block random_columns(Index columns) {
  RandomStream random(3);
  Block X(N, columns);
  for (Eigen::Index i = 0; i < X.size(); ++i)
    X.data()[i] = static_cast<typename Block::Scalar>(random.normal());
  return X;
}

TEST_P(PackedRowsOf, have_the_same_products_bit_for_bit_on_any_number_of_threads) {
  for (const Index columns : {1, 4, 7, 8, 13, 21}) {
    const auto X = random_columns<Matrix>(columns);
    const FloatMatrix x = X.cast<float>();
    const Vector scale = X.col(0).cwiseAbs();
    Matrix Y;
    FloatMatrix y;
    FloatMatrix coarse;
    multiply(plain_, X, Y);
    multiply(plain_, x, y);
    const bool weighted = plain_.weighted();
    const float step = weighted ? 0 : multiply_coarsely(plain_, x, coarse, scale);
    for (const int threads : {1, 2, 4}) {
      set_num_threads(threads);
      Matrix Z;
      FloatMatrix z;
      multiply(packed_, X, Z);
      EXPECT_EQ(Z, Y);
      multiply(packed_, x, z);
      EXPECT_EQ(z, y);
      if (weighted) continue;
      EXPECT_EQ(multiply_coarsely(packed_, x, z, scale), step);
      EXPECT_EQ(z, coarse);
    }
    set_num_threads({});
  }
}

TEST_P(PackedRowsOf, are_multiplied_as_the_dense_matrix_is) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(N, N);
  for (Index i = 0; i < N; ++i) {
    for (std::size_t e = 0; e < plain_.neighbors(i).size(); ++e)
      dense(i, plain_.neighbors(i)[e]) = plain_.weighted() ? plain_.weights(i)[e] : 1;
  }
  const auto X = random_columns<Matrix>(3);
  Matrix Y;
  multiply(packed_, X, Y);
  const Eigen::MatrixXd answer = dense * X;
  EXPECT_LT((Y - answer).norm(), 1e-13 * answer.norm());
}

TEST_P(PackedRowsOf, have_the_same_components_figures_and_checks) {
  EXPECT_EQ(connected_components(packed_), connected_components(plain_));
  EXPECT_EQ(isolated_nodes(packed_), isolated_nodes(plain_));
  EXPECT_EQ(packed_.degrees(), plain_.degrees());
  EXPECT_EQ(distinct_rows(packed_), distinct_rows(plain_));
  const GraphSummary a = summarize(packed_);
  const GraphSummary b = summarize(plain_);
  EXPECT_GT(b.components, 100);
  EXPECT_EQ(a.components, b.components);
  EXPECT_EQ(a.largest_component, b.largest_component);
  EXPECT_EQ(a.isolated, b.isolated);
  EXPECT_EQ(a.largest_degree, b.largest_degree);
  const std::optional<RowFacts> facts = check_rows(packed_);
  ASSERT_TRUE(facts.has_value());
  EXPECT_EQ(facts->self_loops, plain_.num_self_loops());
  EXPECT_EQ(facts->all_one, !plain_.weighted());
}

/// A graph with these gaps, which it does not copy.
Graph with_bytes(const std::vector<Offset>& offsets, const std::vector<std::byte>& bytes,
                 const std::vector<std::uint64_t>& places) {
  return {offsets,
          {},
          {},
          nullptr,
          NodeNames(static_cast<Index>(offsets.size()) - 1, 0),
          0,
          std::make_shared<RowStorage>(PackedRows{bytes, places}, Streaming{}, "G.rgraph")};
}

TEST(PackedRows, that_are_none_are_refused_wherever_they_are_read) {
  const std::vector<Offset> offsets{0, 2, 2, 3, 3};
  const auto error = [&](std::vector<std::byte> bytes) {
    const std::vector<std::uint64_t> places{0, bytes.size()};
    const Graph graph = with_bytes(offsets, bytes, places);
    const std::string product = error_of([&] {
      Matrix Y;
      multiply(graph, Matrix(Matrix::Ones(4, 2)), Y);
      return 0;
    });
    EXPECT_EQ(error_of([&] { return graph.neighbors().size(); }), product);
    EXPECT_EQ(error_of([&] { return connected_components(graph).size(); }), product);
    return product;
  };
  const auto byte = [](int value) { return static_cast<std::byte>(value); };
  EXPECT_THAT(error({byte(2), byte(9), byte(0)}), HasSubstr("G.rgraph: block gaps: the neighbours "
                                                            "of node 0 are not numbers below 4"));
  EXPECT_THAT(error({byte(1), byte(0), byte(0)}), HasSubstr("node 0"));    // -1
  EXPECT_THAT(error({byte(2), byte(0), byte(255)}), HasSubstr("node 2"));  // no end
  EXPECT_THAT(error({byte(2), byte(0)}), HasSubstr("node 2"));             // too few
  EXPECT_THAT(error({byte(2), byte(0), byte(0), byte(0)}), HasSubstr("more bytes than the rows"));
}

TEST(PackedRows, too_many_to_unpack_are_refused_with_a_way_out) {
  constexpr Offset many = Offset{1} << 45U;
  const std::vector<Offset> offsets{0, many};
  const std::vector<std::byte> bytes;
  const std::vector<std::uint64_t> places{0, 0};
  const Graph graph = with_bytes(offsets, bytes, places);
  EXPECT_EQ(graph.num_entries(), many);
  EXPECT_THAT(error_of([&] { return graph.neighbors(0).size(); }),
              testing::AllOf(HasSubstr("needs the neighbours of G unpacked, which takes 128.0 TiB"),
                             HasSubstr("an .rgraph file that is not compressed")));
}

TEST(PackedRows, beyond_two_to_the_32_are_found) {
  // A byte of 0 is "the next node", the first of a row the node itself: pages that nobody wrote are
  // rows u, u + 1, ..., u + 65535.
  constexpr Index nodes = 200'000;
  constexpr Index rows = 70 * 1024;
  constexpr Offset length = 65536;
  constexpr auto bytes = static_cast<std::size_t>(rows * length);
  static_assert(rows * length > Offset{1} << 32U);
  void* const pages =
      ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) GTEST_SKIP() << "4.7 GB of addresses are not granted";
  std::vector<Offset> offsets(nodes + 1);
  for (Index i = 0; i <= nodes; ++i) {
    offsets[static_cast<std::size_t>(i)] = std::min<Offset>(i, rows) * length;
  }
  std::vector<std::uint64_t> places;
  for (std::int64_t group = 0; group <= num_groups(nodes); ++group) {
    places.push_back(static_cast<std::uint64_t>(std::min<Offset>(group * 1024, rows) * length));
  }
  const Graph graph(
      offsets, {}, {}, nullptr, NodeNames(nodes, 0), 0,
      std::make_shared<RowStorage>(
          PackedRows{{static_cast<const std::byte*>(pages), bytes}, places}, Streaming{}, ""));
  EXPECT_EQ(graph.num_entries(), rows * length);
  std::int64_t seen = 0;
  for_rows(graph, rows - 5, rows + 5, [&](const RowTile& tile) {
    for (auto u = static_cast<Index>(tile.begin); u < tile.end; ++u, ++seen) {
      const auto row = tile.neighbors(u);
      ASSERT_EQ(row.size(), u < rows ? static_cast<std::size_t>(length) : 0U);
      if (row.empty()) continue;
      EXPECT_EQ(row.front(), u);
      EXPECT_EQ(row.back(), u + length - 1);
    }
  });
  EXPECT_EQ(seen, 10);
  ::munmap(pages, bytes);
}

}  // namespace
}  // namespace repsc
