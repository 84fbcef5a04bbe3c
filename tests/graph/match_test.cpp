// Bringing two graphs to the same nodes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/by_name.hpp"
#include "support/errors.hpp"

namespace repsc {
namespace {

using testing::HasSubstr;

Graph graph(const std::vector<std::string>& names, std::vector<Edge> edges,
            SelfLoops loops = SelfLoops::drop, std::vector<double> weights = {}) {
  return build_graph(NodeNames(names), std::move(edges), std::move(weights), loops).graph;
}

std::string message(const Graph& G, const Graph& R, NodeMatch match) {
  return error_of([&] { return match_graphs(G, R, match); });
}

TEST(MatchGraphs, brings_the_second_graph_into_the_order_of_the_first) {
  const Graph G = graph({"a", "b", "c"}, {{0, 1}});
  const Graph R = graph({"c", "a", "b"}, {{0, 1}, {1, 2}}, SelfLoops::add, {2, 3});
  const MatchedGraphs matched = match_graphs(G, R);
  EXPECT_EQ(by_name(matched.similarity), by_name(G));
  EXPECT_EQ(by_name(matched.representation), by_name(R));
  EXPECT_EQ(matched.representation.names(), G.names());
  expect_well_formed(matched.representation);
}

TEST(MatchGraphs, leaves_graphs_on_the_same_nodes_alone) {
  const Graph G = graph({"1", "2"}, {{0, 1}});
  const Graph R = build_graph(NodeNames(2, 1), {{0, 1}}, {}, SelfLoops::add).graph;
  const MatchedGraphs matched = match_graphs(G, R);
  EXPECT_EQ(matched.representation.neighbors().data(), R.neighbors().data());
}

TEST(MatchGraphs, says_how_many_nodes_differ_and_which_come_first) {
  const Graph G = graph({"a", "b", "c", "d", "e"}, {{0, 1}});
  const Graph R = graph({"e", "x"}, {{0, 1}});
  const std::string text = message(G, R, NodeMatch::strict);
  EXPECT_THAT(text, HasSubstr("4 of 5 nodes only in the similarity graph ('a', 'b', 'c', ...)"));
  EXPECT_THAT(text, HasSubstr("1 of 2 nodes only in the representation graph ('x')"));
  EXPECT_THAT(text, HasSubstr("use nodes = intersection or use nodes = union"));
  const Graph part = graph({"a", "b"}, {{0, 1}});
  EXPECT_THAT(message(part, G, NodeMatch::strict), HasSubstr("3 of 5 nodes only in the repr"));
  EXPECT_THAT(message(part, G, NodeMatch::strict), testing::Not(HasSubstr("similarity")));
}

TEST(MatchGraphs, refuses_different_nodes_with_the_option_and_its_alternatives) {
  const Graph G = graph({"a", "b"}, {{0, 1}});
  const Graph R = graph({"x"}, {});
  const Fault strict = fault_of([&] { return match_graphs(G, R, NodeMatch::strict); });
  EXPECT_EQ(strict.option, "nodes");
  EXPECT_EQ(strict.value, "strict");
  ASSERT_EQ(strict.remedies.size(), 2U);
  EXPECT_EQ(strict.remedies[0].action, Remedy::Action::use);
  EXPECT_EQ(strict.remedies[0].option, "nodes");
  EXPECT_EQ(strict.remedies[0].value, "intersection");
  EXPECT_EQ(strict.remedies[1].value, "union");
  const Fault common = fault_of([&] { return match_graphs(G, R, NodeMatch::intersection); });
  EXPECT_EQ(common.value, "intersection");
  EXPECT_THAT(common.what, HasSubstr("begins with 'a', the representation graph with 'x'"));
}

TEST(MatchGraphs, can_take_the_common_nodes) {
  const Graph G = graph({"a", "b", "c", "d"}, {{0, 1}, {1, 2}, {2, 3}});
  const Graph R = graph({"d", "x", "b", "a"}, {{0, 1}, {0, 2}, {2, 3}}, SelfLoops::add);
  const MatchedGraphs matched = match_graphs(G, R, NodeMatch::intersection);
  EXPECT_EQ(matched.similarity.names(), NodeNames({"a", "b", "d"}));
  EXPECT_EQ(matched.representation.names(), NodeNames({"a", "b", "d"}));
  EXPECT_EQ(by_name(matched.similarity), by_name(graph({"a", "b", "d"}, {{0, 1}})));
  EXPECT_EQ(by_name(matched.representation),
            by_name(graph({"a", "b", "d"}, {{1, 2}, {0, 1}}, SelfLoops::add)));
  EXPECT_THAT(message(G, graph({"x"}, {}), NodeMatch::intersection),
              HasSubstr("no node in common"));
}

TEST(MatchGraphs, can_take_all_nodes) {
  const Graph G = graph({"a", "b"}, {{0, 1}});
  const Graph R = graph({"x", "b"}, {{0, 1}}, SelfLoops::add, {2});
  const std::vector<std::string> all = {"a", "b", "x"};
  const MatchedGraphs matched = match_graphs(G, R, NodeMatch::united);
  EXPECT_EQ(matched.similarity.names(), NodeNames(all));
  EXPECT_EQ(by_name(matched.similarity), by_name(graph(all, {{0, 1}})));
  EXPECT_EQ(by_name(matched.representation), by_name(graph(all, {{1, 2}}, SelfLoops::add, {2})));
  expect_well_formed(matched.representation);

  const Graph bare = graph({"x", "b"}, {{0, 1}});
  EXPECT_EQ(by_name(match_graphs(G, bare, NodeMatch::united, SelfLoops::drop).representation),
            by_name(graph(all, {{1, 2}})));
}

}  // namespace
}  // namespace repsc
