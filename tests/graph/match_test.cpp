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

TEST(MatchGraphs, notices_numbers_from_0_against_numbers_from_1) {
  const Graph G = graph({"2", "0", "1"}, {{0, 1}});                                  // 2-0
  const Graph R = build_graph(NodeNames(3, 1), {{0, 1}}, {}, SelfLoops::add).graph;  // 1-2
  const Fault fault = fault_of([&] { return match_graphs(G, R); });
  EXPECT_THAT(fault.what, HasSubstr("from 0, the representation graph from 1"));
  for (const Remedy& remedy : fault.remedies) {
    EXPECT_NE(remedy.value, "intersection");
    EXPECT_NE(remedy.value, "union");
  }
  EXPECT_EQ(fault.remedies.front().value, "rows");
  const Fault other = fault_of([&] { return match_graphs(R, G); });
  EXPECT_THAT(other.what, HasSubstr("from 1, the representation graph from 0"));

  const MatchedGraphs matched = match_graphs(G, R, NodeMatch::rows);
  EXPECT_EQ(matched.representation.names(), G.names());
  EXPECT_EQ(by_name(matched.similarity), by_name(G));
  // 1-2 in R is 0-1 in G's numbers, nodes 1 and 2 of G.
  EXPECT_TRUE(matched.representation.has_edge(1, 2));
  EXPECT_EQ(matched.representation.num_edges(), 4);
  EXPECT_THROW(static_cast<void>(match_graphs(graph({"a", "b"}, {{0, 1}}), R, NodeMatch::rows)),
               InvalidInput);
  EXPECT_THROW(static_cast<void>(match_graphs(graph({"0", "1"}, {{0, 1}}), R, NodeMatch::rows)),
               InvalidInput);
  // A node that is only missing is no other numbering.
  const Graph part = graph({"1", "2"}, {{0, 1}});
  EXPECT_THAT(message(G, part, NodeMatch::strict), HasSubstr("intersection"));
}

TEST(Numbering, is_known_for_whole_numbers_from_0_and_from_1_in_any_order) {
  EXPECT_EQ(numbered_from(NodeNames({"2", "0", "1"})), 0);
  EXPECT_EQ(numbered_from(NodeNames({"3", "1", "2"})), 1);
  EXPECT_EQ(numbered_from(NodeNames(4, 1)), 1);
  for (const std::vector<std::string>& names :
       std::vector<std::vector<std::string>>{{"a", "1"},
                                             {"0", "2"},
                                             {"2", "3"},
                                             {"01", "2"},
                                             {"1", "2", "4"},
                                             {"-1", "0"},
                                             {"1.0", "2"}}) {
    EXPECT_FALSE(numbered_from(NodeNames(names)).has_value()) << names[0];
  }
  EXPECT_TRUE(counted_differently(NodeNames(5, 0), NodeNames(5, 1)));
  EXPECT_FALSE(counted_differently(NodeNames(5, 0), NodeNames(4, 1)));
  EXPECT_FALSE(counted_differently(NodeNames(5, 0), NodeNames(5, 0)));
  EXPECT_TRUE(counted_differently(NodeNames({"0", "2", "9"}), NodeNames(10, 1)));
}

TEST(Overlap, counts_nodes_by_name) {
  const NodeOverlap nodes = overlap(NodeNames({"a", "b", "c"}), NodeNames({"c", "x"}));
  EXPECT_EQ(nodes.common, 1);
  EXPECT_EQ(nodes.only_first, 2);
  EXPECT_EQ(nodes.only_second, 1);
  EXPECT_FALSE(nodes.counted_differently);
}

TEST(Summary, holds_the_figures_of_a_graph_done_by_hand) {
  const Graph G =
      graph({"1", "2", "3", "4"}, {{0, 1}, {1, 2}, {1, 1}}, SelfLoops::keep, {2, 0.5, 7});
  const GraphSummary found = summarize(G);
  EXPECT_EQ(found.nodes, 4);
  EXPECT_EQ(found.edges, 3);
  EXPECT_EQ(found.self_loops, 1);
  EXPECT_TRUE(found.weighted);
  EXPECT_EQ(found.smallest_weight, 0.5);
  EXPECT_EQ(found.largest_weight, 7);
  EXPECT_EQ(found.smallest_degree, 0);
  EXPECT_EQ(found.largest_degree, 2);
  EXPECT_EQ(found.mean_degree, 1);
  EXPECT_EQ(found.isolated, 1);
  EXPECT_EQ(found.components, 2);
  EXPECT_EQ(found.largest_component, 3);
  EXPECT_EQ(found.numbered_from, 1);
  EXPECT_FALSE(found.regular);
  EXPECT_TRUE(summarize(graph({"a", "b"}, {{0, 1}}, SelfLoops::add)).regular);
  EXPECT_EQ(distinct_rows(graph({"a", "b", "c"}, {{0, 1}}, SelfLoops::add)), 2);
  EXPECT_EQ(distinct_rows(graph({"a", "b", "c"}, {{0, 1}, {1, 2}}, SelfLoops::add)), 3);
}

}  // namespace
}  // namespace repsc
