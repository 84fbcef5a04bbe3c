// Graphs with more than 2^32 stored entries, and the largest number of nodes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "graph/product.hpp"
#include "support/errors.hpp"
#include "support/huge_graph.hpp"
#include "support/memory.hpp"

namespace repsc {
namespace {

using testing::HasSubstr;

// Memory that is promised and never used: arrays of any length, all 0.
template <typename Value>
class Promised {
 public:
  explicit Promised(std::size_t count) : bytes_(count * sizeof(Value)), count_(count) {
    pages_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~Promised() {
    if (fine()) ::munmap(pages_, bytes_);
  }
  Promised(const Promised&) = delete;
  Promised& operator=(const Promised&) = delete;

  [[nodiscard]] bool fine() const { return pages_ != MAP_FAILED; }
  [[nodiscard]] std::span<const Value> values() const {
    return {static_cast<const Value*>(pages_), count_};
  }

 private:
  std::size_t bytes_;
  std::size_t count_;
  void* pages_ = nullptr;
};

constexpr Offset beyond = Offset{1} << 32U;

TEST(BeyondThirtyTwoBits, offsets_lead_to_the_right_rows) {
  // A fake: rows longer than a graph of three nodes has, which nobody reads.
  const Promised<Index> neighbors(static_cast<std::size_t>(beyond) + 10);
  const Promised<double> weights(static_cast<std::size_t>(beyond) + 10);
  if (!neighbors.fine() || !weights.fine()) GTEST_SKIP() << "48 GiB of addresses are not granted";
  const std::vector<Offset> offsets{0, beyond - 1, beyond + 1, beyond + 10};
  const Graph graph(offsets, neighbors.values(), weights.values(), nullptr, NodeNames(3, 0), 0);
  EXPECT_EQ(graph.num_entries(), beyond + 10);
  EXPECT_EQ(graph.num_edges(), beyond / 2 + 5);
  EXPECT_EQ(graph.neighbors(0).size(), static_cast<std::size_t>(beyond) - 1);
  EXPECT_EQ(graph.neighbors(1).data(), neighbors.values().data() + beyond - 1);
  EXPECT_EQ(graph.neighbors(1).size(), 2U);
  EXPECT_EQ(graph.weights(2).data(), weights.values().data() + beyond + 1);
  EXPECT_EQ(graph.weights(2).size(), 9U);
  EXPECT_EQ(Representation(graph).num_entries(), beyond + 10);
}

TEST(BeyondThirtyTwoBits, nodes_are_refused_by_number) {
  constexpr std::size_t nodes = std::size_t{1} << 31U;
  const Promised<Offset> offsets(nodes + 1);
  if (!offsets.fine()) GTEST_SKIP() << "16 GiB of addresses are not granted";
  const auto message = "2147483648 nodes but at most 2147483647";
  EXPECT_THAT(error_of([&] { return Graph(offsets.values(), {}, {}, nullptr, NodeNames(), 0); }),
              HasSubstr(message));
  EXPECT_THAT(error_of([&] {
                return view_graph({offsets.values(), {}, {}, nullptr}, SelfLoops::keep);
              }),
              HasSubstr(message));
}

TEST(BeyondThirtyTwoBits, a_graph_is_checked_multiplied_and_summed_up) {
  if (REPSC_MEMORY_IS_INSTRUMENTED) GTEST_SKIP() << "takes minutes with sanitizers";
  const std::optional<Graph> made = CompleteGraph::make();
  if (!made) GTEST_SKIP() << "18 GB of addresses are not granted";
  const Graph& graph = *made;
  const auto N = static_cast<Offset>(graph.num_nodes());
  ASSERT_GT(graph.num_entries(), beyond);
  EXPECT_EQ(graph.num_entries(), N * N);
  EXPECT_EQ(graph.num_self_loops(), N);
  EXPECT_EQ(graph.num_edges(), N * (N + 1) / 2);
  EXPECT_TRUE(graph.has_edge(graph.num_nodes() - 1, graph.num_nodes() - 2));

  // Symmetric, by fingerprints of all entries.
  const std::optional<Graph> viewed =
      view_graph({graph.offsets(), graph.neighbors(), {}, nullptr}, SelfLoops::add);
  ASSERT_TRUE(viewed.has_value());
  EXPECT_EQ(viewed->num_self_loops(), N);

  EXPECT_EQ(graph.degrees(), Vector::Constant(N, static_cast<double>(N)));
  // A = 11', so that A x is the sum of x, in whole numbers.
  Matrix x(N, 1);
  for (Offset i = 0; i < N; ++i) x(i, 0) = static_cast<double>(i % 7);
  Matrix y(N, 1);
  multiply(graph, x, y);
  EXPECT_EQ(y, Matrix::Constant(N, 1, x.sum()));
  EXPECT_EQ(connected_components(graph), Labels(static_cast<std::size_t>(N), 0));
}

}  // namespace
}  // namespace repsc
