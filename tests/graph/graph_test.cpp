// Graph itself, its components, its isolated nodes and its parts.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "core/random.hpp"
#include "graph/row_storage.hpp"
#include "support/by_name.hpp"
#include "support/random_graph.hpp"

namespace repsc {
namespace {

// 0 - 1 - 2 with weights 2 and 3, a self-loop of weight 5 at 2, and 3 alone.
Graph path_with_loop() {
  return build_graph(NodeNames({"a", "b", "c", "d"}), {{0, 1}, {1, 2}, {2, 2}}, {2, 3, 5},
                     SelfLoops::keep)
      .graph;
}

TEST(Graph, without_nodes_is_empty) {
  const Graph graph;
  EXPECT_EQ(graph.num_nodes(), 0);
  EXPECT_EQ(graph.num_edges(), 0);
  EXPECT_EQ(graph.degrees().size(), 0);
  EXPECT_TRUE(connected_components(graph).empty());
}

TEST(Graph, counts_edges_and_degrees) {
  const Graph graph = path_with_loop();
  EXPECT_EQ(graph.num_nodes(), 4);
  EXPECT_EQ(graph.num_entries(), 5);
  EXPECT_EQ(graph.num_self_loops(), 1);
  EXPECT_EQ(graph.num_edges(), 3);
  EXPECT_EQ(graph.degrees(), (Vector(4) << 2, 5, 8, 0).finished());
  EXPECT_TRUE(graph.has_edge(0, 1));
  EXPECT_TRUE(graph.has_edge(1, 0));
  EXPECT_TRUE(graph.has_edge(2, 2));
  EXPECT_FALSE(graph.has_edge(0, 2));
  EXPECT_FALSE(graph.has_edge(0, 0));
  EXPECT_THROW(static_cast<void>(graph.has_edge(0, 4)), InvalidInput);
}

TEST(Graph, views_arrays_of_somebody_else_without_a_copy) {
  const auto owner = std::make_shared<std::vector<Index>>(std::vector<Index>{1, 0});
  const std::vector<Offset> offsets = {0, 1, 2};
  const Graph graph(offsets, *owner, {}, owner, NodeNames(2, 0));
  EXPECT_EQ(graph.neighbors().data(), owner->data());
  EXPECT_EQ(owner.use_count(), 2);
  EXPECT_EQ(graph.num_edges(), 1);
}

TEST(Graph, refuses_arrays_that_do_not_fit_together) {
  const auto build = [](std::vector<Offset> offsets, std::vector<Index> neighbors,
                        std::vector<double> weights, NodeNames names) {
    return Graph(std::move(offsets), std::move(neighbors), std::move(weights), std::move(names));
  };
  EXPECT_NO_THROW(build({0, 1, 2}, {1, 0}, {}, NodeNames(2, 0)));
  EXPECT_THROW(build({}, {}, {}, NodeNames()), InvalidInput);
  EXPECT_THROW(build({0, 1, 2}, {1, 0}, {}, NodeNames(3, 0)), InvalidInput);
  EXPECT_THROW(build({1, 1, 2}, {1, 0}, {}, NodeNames(2, 0)), InvalidInput);
  EXPECT_THROW(build({0, 2, 1}, {1}, {}, NodeNames(2, 0)), InvalidInput);
  EXPECT_THROW(build({0, 1, 2}, {1, 0, 1}, {}, NodeNames(2, 0)), InvalidInput);
  EXPECT_THROW(build({0, 1, 2}, {1, 0}, {1}, NodeNames(2, 0)), InvalidInput);
}

TEST(IsolatedNodes, have_no_neighbour_but_themselves) {
  const Graph graph =
      build_graph(NodeNames(4, 0), {{0, 0}, {1, 2}, {2, 2}}, {}, SelfLoops::keep).graph;
  EXPECT_EQ(isolated_nodes(graph), (std::vector<Index>{0, 3}));
}

TEST(ConnectedComponents, are_the_classes_of_reachability) {
  EXPECT_TRUE(rc::check("against the powers of (I + A)", [] {
    const Index N = *rc::gen::inRange<Index>(1, 10);
    const Graph graph = random_graph(NodeNames(N, 0), false, SelfLoops::keep);
    Matrix reach = Matrix::Identity(N, N);
    for (Index u = 0; u < N; ++u) {
      for (const Index v : graph.neighbors(u)) reach(u, v) = 1;
    }
    for (int doubling = 0; doubling < 4; ++doubling) reach = (reach * reach).cwiseMin(1).eval();
    const Labels component = connected_components(graph);
    Label next = 0;
    for (Index u = 0; u < N; ++u) {
      const Label mine = component[static_cast<std::size_t>(u)];
      RC_ASSERT(mine <= next);  // numbered in order of the first node
      next = std::max(next, mine + 1);
      for (Index v = 0; v < N; ++v) {
        RC_ASSERT((mine == component[static_cast<std::size_t>(v)]) == (reach(u, v) > 0));
      }
    }
  }));
}

TEST(ConnectedComponents, walk_paths_of_a_million_nodes) {
  constexpr Index N = 1000000;
  std::vector<Index> order(N);
  std::iota(order.begin(), order.end(), 0);
  const std::vector<Index> backward(order.rbegin(), order.rend());
  std::vector<Index> mixed = order;
  RandomStream random(1);
  for (std::size_t i = N; i > 1; --i) std::swap(mixed[i - 1], mixed[random.below(i)]);
  for (const auto& nodes : {order, backward, mixed}) {
    std::vector<Edge> edges;
    for (std::size_t i = 0; i + 1 < N; ++i) edges.push_back({nodes[i], nodes[i + 1]});
    const Graph graph = build_graph(NodeNames(N, 0), std::move(edges), {}, SelfLoops::drop).graph;
    EXPECT_EQ(connected_components(graph), Labels(std::size_t{N}, 0));
  }
}

/// From node to node.
Labels components_by_search(const Graph& graph) {
  Labels component(static_cast<std::size_t>(graph.num_nodes()), -1);
  Label count = 0;
  for (Index start = 0; start < graph.num_nodes(); ++start) {
    if (component[static_cast<std::size_t>(start)] >= 0) continue;
    std::vector<Index> open{start};
    component[static_cast<std::size_t>(start)] = count;
    while (!open.empty()) {
      const Index node = open.back();
      open.pop_back();
      for (const Index next : graph.neighbors(node)) {
        if (component[static_cast<std::size_t>(next)] >= 0) continue;
        component[static_cast<std::size_t>(next)] = count;
        open.push_back(next);
      }
    }
    ++count;
  }
  return component;
}

TEST(ConnectedComponents, are_those_of_a_search_on_any_number_of_threads) {
  for (const Index N : {1000, 200'000}) {
    // Few edges: many components; around N / 2 a large one grows; then it has nearly all nodes.
    for (const double edges_per_node : {0.0, 0.1, 0.5, 0.6, 1.0, 3.0}) {
      RandomStream random(static_cast<std::uint64_t>(N * edges_per_node));
      std::vector<Edge> edges(static_cast<std::size_t>(N * edges_per_node));
      for (Edge& edge : edges) {
        edge = {static_cast<Index>(random.below(static_cast<std::uint64_t>(N))),
                static_cast<Index>(random.below(static_cast<std::uint64_t>(N)))};
      }
      const Graph graph = build_graph(NodeNames(N, 0), edges, {}, SelfLoops::keep).graph;
      const Labels expected = components_by_search(graph);
      for (const int threads : {1, 8}) {
        set_num_threads(threads);
        EXPECT_EQ(connected_components(graph), expected) << N << ", " << edges_per_node;
        EXPECT_EQ(connected_components(packed(graph)), expected) << N << ", " << edges_per_node;
      }
    }
  }
  set_num_threads({});
}

TEST(InducedSubgraph, keeps_exactly_the_edges_between_kept_nodes) {
  EXPECT_TRUE(rc::check("against a filter on the named entries", [] {
    const Index N = *rc::gen::inRange<Index>(1, 10);
    const Graph graph = random_graph(awkward_names(N), true, SelfLoops::keep);
    const auto keep = *rc::gen::container<std::vector<bool>>(static_cast<std::size_t>(N),
                                                             rc::gen::arbitrary<bool>());
    ByName expected = by_name(graph);
    std::vector<std::string> order;
    for (Index node = 0; node < N; ++node) {
      const std::string name = graph.names()[node];
      if (keep[static_cast<std::size_t>(node)]) {
        order.push_back(name);
        continue;
      }
      expected.nodes.erase(name);
      std::erase_if(expected.entries, [&](const auto& entry) {
        return entry.first.first == name || entry.first.second == name;
      });
    }
    const Graph part = induced_subgraph(graph, keep);
    expect_well_formed(part);
    RC_ASSERT(by_name(part) == expected);
    RC_ASSERT(part.names() == NodeNames(order));
  }));
  EXPECT_THROW(static_cast<void>(induced_subgraph(path_with_loop(), {true})), InvalidInput);
}

}  // namespace
}  // namespace repsc
