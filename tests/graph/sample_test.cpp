// A part of the edges: the same ones however the rows are stored, both entries of each or none.
#include "graph/sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "graph/row_storage.hpp"
#include "support/by_name.hpp"

namespace repsc {
namespace {

Graph random_graph(bool weighted) {
  RandomStream random(3);
  std::vector<Edge> edges;
  std::vector<double> weights;
  for (int e = 0; e < 20'000; ++e) {
    edges.push_back(
        {static_cast<Index>(random.below(3000)), static_cast<Index>(random.below(3000))});
    if (weighted) weights.push_back(0.5 + random.uniform());
  }
  for (Index i = 0; i < 3000; i += 7) edges.push_back({i, i});
  if (weighted) weights.resize(edges.size(), 2);
  return build_graph(NodeNames(3000, 0), edges, weights, SelfLoops::keep).graph;
}

class SampleOf : public testing::TestWithParam<bool> {
 protected:
  Graph graph_ = random_graph(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Weights, SampleOf, testing::Bool());

TEST_P(SampleOf, edges_has_edges_of_the_graph_with_their_weights) {
  const Graph part = sampled_edges(graph_, 4);
  ASSERT_EQ(part.num_nodes(), graph_.num_nodes());
  EXPECT_EQ(part.weighted(), graph_.weighted());
  expect_well_formed(part);  // symmetric, too
  for (Index u = 0; u < part.num_nodes(); ++u) {
    for (std::size_t k = 0; k < part.neighbors(u).size(); ++k) {
      const Index v = part.neighbors(u)[k];
      ASSERT_TRUE(graph_.has_edge(u, v));
      if (!part.weighted()) continue;
      const auto row = graph_.neighbors(u);
      const auto place = std::lower_bound(row.begin(), row.end(), v) - row.begin();
      EXPECT_EQ(part.weights(u)[k], graph_.weights(u)[static_cast<std::size_t>(place)]);
    }
  }
}

TEST_P(SampleOf, edges_has_about_as_many_as_asked_for) {
  for (const int one_in : {2, 3, 8}) {
    const auto edges = static_cast<double>(graph_.num_edges());
    const double deviation = std::sqrt(edges * (one_in - 1)) / one_in;
    EXPECT_NEAR(static_cast<double>(sampled_edges(graph_, one_in).num_edges()), edges / one_in,
                4 * deviation);
  }
  EXPECT_EQ(by_name(sampled_edges(graph_, 1)), by_name(graph_));
}

TEST_P(SampleOf, edges_does_not_depend_on_how_rows_are_stored) {
  const Graph other = packed(graph_);
  EXPECT_EQ(by_name(sampled_edges(other, 8)), by_name(sampled_edges(graph_, 8)));
}

TEST(Sample, of_a_graph_without_edges_or_nodes_is_the_same_graph) {
  EXPECT_EQ(sampled_edges(Graph(), 8).num_nodes(), 0);
  const Graph none(std::vector<Offset>(6), {}, {}, NodeNames(5, 0));
  EXPECT_EQ(sampled_edges(none, 8).num_nodes(), 5);
  EXPECT_EQ(sampled_edges(none, 8).num_entries(), 0);
}

}  // namespace
}  // namespace repsc
