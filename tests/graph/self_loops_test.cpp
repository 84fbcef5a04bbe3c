// Self-loops set in a finished graph, and graphs that view the arrays of others.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"
#include "graph/row_storage.hpp"
#include "repsc/graph.hpp"

namespace repsc {
namespace {

struct Edges {
  Index nodes = 0;
  std::vector<Edge> edges;
  std::vector<double> weights;

  [[nodiscard]] Graph built(SelfLoops self_loops) const {
    return build_graph(NodeNames(nodes, 0), edges, weights, self_loops).graph;
  }
};

// Some loops, some weights, often all 1 but for the loops.
Edges random_edges(RandomStream& random) {
  Edges result;
  result.nodes = static_cast<Index>(random.below(6));
  const bool loops = random.below(3) > 0;
  const bool weighted = random.below(2) == 1;
  const double other = random.below(2) == 1 ? 1 : 3;
  for (Index u = 0; u < result.nodes; ++u) {
    for (Index v = u; v < result.nodes; ++v) {
      if (random.below(2) == 0 || (u == v && !loops)) continue;
      result.edges.push_back({u, v});
      if (weighted) result.weights.push_back(u == v && random.below(2) == 1 ? 2 : other);
    }
  }
  return result;
}

TEST(SelfLoops, are_set_as_building_the_graph_sets_them) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    RandomStream random(seed);
    const Edges given = random_edges(random);
    const Graph graph = given.built(SelfLoops::keep);
    for (const SelfLoops loops : {SelfLoops::drop, SelfLoops::keep, SelfLoops::add}) {
      const Graph expected = given.built(loops);
      const Graph found = with_self_loops(graph, loops);
      ASSERT_TRUE(std::ranges::equal(found.offsets(), expected.offsets())) << "seed " << seed;
      ASSERT_TRUE(std::ranges::equal(found.neighbors(), expected.neighbors())) << "seed " << seed;
      ASSERT_TRUE(std::ranges::equal(found.weights(), expected.weights())) << "seed " << seed;
      ASSERT_EQ(found.num_self_loops(), expected.num_self_loops()) << "seed " << seed;
      const Graph unpacked = with_self_loops(packed(graph), loops);
      ASSERT_TRUE(std::ranges::equal(unpacked.neighbors(), expected.neighbors()))
          << "seed " << seed;
      ASSERT_TRUE(std::ranges::equal(unpacked.weights(), expected.weights())) << "seed " << seed;
    }
  }
}

TEST(SelfLoops, cost_no_copy_where_they_are_right_already) {
  const Graph graph =
      build_graph(NodeNames(3, 0), {{0, 1}, {1, 2}}, {2.0, 3.0}, SelfLoops::add).graph;
  EXPECT_EQ(with_self_loops(graph, SelfLoops::add).neighbors().data(), graph.neighbors().data());
  EXPECT_NE(with_self_loops(graph, SelfLoops::drop).neighbors().data(), graph.neighbors().data());
}

TEST(ViewedGraph, shares_the_arrays_and_keeps_their_owner) {
  struct Arrays {
    std::vector<Offset> offsets{0, 1, 2};
    std::vector<Index> neighbors{1, 0};
    std::vector<double> weights{2.5, 2.5};
  };
  auto arrays = std::make_shared<Arrays>();
  const std::weak_ptr<Arrays> watched = arrays;
  {
    const auto graph =
        view_graph({arrays->offsets, arrays->neighbors, arrays->weights, arrays}, SelfLoops::drop);
    ASSERT_TRUE(graph.has_value());
    EXPECT_EQ(graph->neighbors().data(), arrays->neighbors.data());
    EXPECT_EQ(graph->weights().data(), arrays->weights.data());
    arrays.reset();
    EXPECT_FALSE(watched.expired());
    EXPECT_EQ(graph->degrees()[0], 2.5);
  }
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace repsc
