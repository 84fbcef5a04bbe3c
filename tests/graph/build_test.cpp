// Building a graph, against dense matrices filled by hand.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <tuple>

#include "core/random.hpp"
#include "graph/build.hpp"
#include "support/by_name.hpp"

namespace repsc {
namespace {

struct Given {
  Index num_nodes = 0;
  std::vector<Edge> edges;
  std::vector<double> weights;
};

Given random_edges(bool weighted) {
  Given given;
  given.num_nodes = *rc::gen::inRange<Index>(1, 7);
  for (int i = *rc::gen::inRange(0, 25); i > 0; --i) {
    given.edges.push_back({*rc::gen::inRange<Index>(0, given.num_nodes),
                           *rc::gen::inRange<Index>(0, given.num_nodes)});
    if (weighted) given.weights.push_back(*rc::gen::element(0.0, 0.25, 1.0, 1.0, 2.0));
  }
  return given;
}

struct Expected {
  Matrix adjacency;
  GraphChanges changes;
};

// S(u, v) is the sum over all edges given as (u, v), n(u, v) their number; A = max(S, S').
Expected brute_force(const Given& given, SelfLoops self_loops) {
  const Index N = given.num_nodes;
  Matrix S = Matrix::Zero(N, N);
  Matrix n = Matrix::Zero(N, N);
  Expected result;
  for (std::size_t i = 0; i < given.edges.size(); ++i) {
    const auto [u, v] = given.edges[i];
    const double weight = given.weights.empty() ? 1 : given.weights[i];
    if (weight == 0) {
      result.changes.zero_weights_dropped += u != v ? 1 : 0;
    } else if (u == v && self_loops == SelfLoops::drop) {
      ++result.changes.self_loops_dropped;
    } else {
      if (n(u, v) > 0) ++result.changes.duplicates_merged;
      n(u, v) += 1;
      S(u, v) = given.weights.empty() ? 1 : S(u, v) + weight;
    }
  }
  result.adjacency = S.cwiseMax(S.transpose());
  for (Index u = 0; u < N; ++u) {
    for (Index v = u + 1; v < N; ++v) {
      if (n(u, v) > 0 && n(v, u) > 0 && S(u, v) != S(v, u)) ++result.changes.directions_merged;
    }
    if (self_loops != SelfLoops::add || result.adjacency(u, u) == 1) continue;
    ++result.changes.self_loops_added;
    if (result.adjacency(u, u) != 0) ++result.changes.self_loops_dropped;
    result.adjacency(u, u) = 1;
  }
  return result;
}

Matrix dense(const Graph& graph) {
  Matrix result = Matrix::Zero(graph.num_nodes(), graph.num_nodes());
  for (Index u = 0; u < graph.num_nodes(); ++u) {
    const auto row = graph.neighbors(u);
    for (std::size_t i = 0; i < row.size(); ++i) {
      result(u, row[i]) = graph.weighted() ? graph.weights(u)[i] : 1;
    }
  }
  return result;
}

void expect_same(const BuiltGraph& found, const Expected& expected) {
  expect_well_formed(found.graph);
  RC_ASSERT(dense(found.graph) == expected.adjacency);
  const bool ones = ((expected.adjacency.array() == 0) || (expected.adjacency.array() == 1)).all();
  RC_ASSERT(found.graph.weighted() == !ones);
  RC_ASSERT(found.changes.self_loops_dropped == expected.changes.self_loops_dropped);
  RC_ASSERT(found.changes.self_loops_added == expected.changes.self_loops_added);
  RC_ASSERT(found.changes.duplicates_merged == expected.changes.duplicates_merged);
  RC_ASSERT(found.changes.directions_merged == expected.changes.directions_merged);
  RC_ASSERT(found.changes.zero_weights_dropped == expected.changes.zero_weights_dropped);
}

class EveryPolicy : public testing::TestWithParam<SelfLoops> {};
INSTANTIATE_TEST_SUITE_P(SelfLoops, EveryPolicy,
                         testing::Values(SelfLoops::drop, SelfLoops::keep, SelfLoops::add));

TEST_P(EveryPolicy, builds_what_dense_matrices_give) {
  for (const bool weighted : {false, true}) {
    EXPECT_TRUE(rc::check(weighted ? "weighted" : "unweighted", [&] {
      const Given given = random_edges(weighted);
      const Expected expected = brute_force(given, GetParam());
      const NodeNames names(given.num_nodes, 0);
      expect_same(build_graph(names, given.edges, given.weights, GetParam()), expected);

      EdgeStore store;  // the way that readers take
      for (std::size_t i = 0; i < given.edges.size(); ++i) {
        const auto [from, to] = given.edges[i];
        weighted ? store.add(from, to, given.weights[i]) : store.add(from, to);
      }
      expect_same(assemble(names, std::move(store), GetParam(), "").built, expected);
    }));
  }
}

TEST(EdgeStore, gives_back_what_was_added_over_many_chunks) {
  constexpr int count = 700000;  // several chunks of edges and of weights
  const auto edge = [](RandomStream& random) -> Edge {
    const std::uint64_t range = random.below(2) == 0 ? 100 : 2147483647;
    return {static_cast<Index>(random.below(range)), static_cast<Index>(random.below(range))};
  };
  EdgeStore store;
  RandomStream random(5);
  for (int i = 0; i < count; ++i) {
    const auto [from, to] = edge(random);
    store.add(from, to, i < 300000 ? 1 : i);  // weights other than 1 begin late
  }
  EXPECT_EQ(store.size(), count);
  EXPECT_TRUE(store.weighted());
  RandomStream again(5);
  int i = 0;
  store.visit([&](Index from, Index to, double weight) {
    const Edge expected = edge(again);
    ASSERT_EQ(from, expected.from);
    ASSERT_EQ(to, expected.to);
    ASSERT_EQ(weight, i < 300000 ? 1 : i);
    ++i;
  });
  EXPECT_EQ(i, count);
}

TEST(EdgeStore, joins_parts_in_their_order) {
  EdgeStore whole;
  std::vector<std::tuple<Index, Index, double>> expected;
  RandomStream random(6);
  for (int part = 0; part < 20; ++part) {
    EdgeStore store;
    const std::uint64_t count = part % 5 == 3 ? 0 : random.below(100'000);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto from = static_cast<Index>(random.below(1000));
      const double weight = part % 3 == 0 && i > 5 ? random.uniform() : 1;
      store.add(from, static_cast<Index>(i), weight);
      expected.emplace_back(from, static_cast<Index>(i), weight);
    }
    whole.append(std::move(store));
    whole.add(7, static_cast<Index>(part), 1);  // between parts, too
    expected.emplace_back(7, static_cast<Index>(part), 1);
  }
  EXPECT_EQ(whole.size(), static_cast<Offset>(expected.size()));
  EXPECT_TRUE(whole.weighted());
  std::size_t i = 0;
  whole.visit([&](Index from, Index to, double weight) {
    ASSERT_EQ(std::tuple(from, to, weight), expected[i++]);
  });
  EXPECT_EQ(i, expected.size());
}

TEST(BuildGraph, with_many_buckets_agrees_with_a_map_on_any_number_of_threads) {
  // Hubs, copies in both directions and self-loops, in far more rows and entries than a bucket has.
  constexpr Index N = 150'000;
  for (const bool weighted : {false, true}) {
    RandomStream random(8);
    std::vector<Edge> edges;
    std::vector<double> weights;
    std::map<std::pair<Index, Index>, double> sums;
    for (int i = 0; i < 100'000; ++i) {
      const std::uint64_t range = random.below(4) == 0 ? 300 : N;
      const auto u = static_cast<Index>(random.below(range));
      const auto v = static_cast<Index>(random.below(random.below(4) == 0 ? 300 : N));
      edges.push_back({u, v});
      if (weighted) weights.push_back(random.uniform());
      double& sum = sums[{u, v}];
      sum = weighted ? sum + weights.back() : 1;
    }
    std::map<std::pair<Index, Index>, double> expected;
    for (const auto& [pair, sum] : sums) {
      for (const auto& entry : {pair, std::pair(pair.second, pair.first)}) {
        double& weight = expected[entry];
        weight = std::max(weight, sum);
      }
    }
    for (const int threads : {1, 3}) {
      set_num_threads(threads);
      const Graph graph = build_graph(NodeNames(N, 0), edges, weights, SelfLoops::keep).graph;
      ASSERT_EQ(graph.num_entries(), static_cast<Offset>(expected.size()));
      auto next = expected.begin();
      for (Index u = 0; u < N; ++u) {
        for (std::size_t i = 0; i < graph.neighbors(u).size(); ++i, ++next) {
          ASSERT_EQ(std::pair(u, graph.neighbors(u)[i]), next->first);
          ASSERT_EQ(weighted ? graph.weights(u)[i] : 1, next->second);
        }
      }
    }
    set_num_threads({});
  }
}

TEST(BuildGraph, gives_the_same_bits_on_any_number_of_threads) {
  RandomStream random(3);
  std::vector<Edge> edges;
  std::vector<double> weights;
  for (int i = 0; i < 60000; ++i) {
    edges.push_back({static_cast<Index>(random.below(5000)), static_cast<Index>(random.below(40))});
    weights.push_back(random.uniform());
  }
  set_num_threads(1);
  const Graph one = build_graph(NodeNames(5000, 0), edges, weights, SelfLoops::keep).graph;
  set_num_threads(4);
  const Graph four = build_graph(NodeNames(5000, 0), edges, weights, SelfLoops::keep).graph;
  set_num_threads({});
  EXPECT_TRUE(std::ranges::equal(one.offsets(), four.offsets()));
  EXPECT_TRUE(std::ranges::equal(one.neighbors(), four.neighbors()));
  EXPECT_TRUE(std::ranges::equal(one.weights(), four.weights()));
}

TEST(BuildGraph, refuses_what_is_no_graph_and_says_why) {
  const auto message = [](std::vector<Edge> edges, std::vector<double> weights) -> std::string {
    try {
      static_cast<void>(
          build_graph(NodeNames(3, 0), std::move(edges), std::move(weights), SelfLoops::drop));
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message({{0, 3}}, {}), "edge 0: (0, 3) but nodes are numbered from 0 to 2");
  EXPECT_EQ(message({{0, 1}, {-1, 0}}, {}), "edge 1: (-1, 0) but nodes are numbered from 0 to 2");
  EXPECT_EQ(message({{0, 1}}, {-1}), "edge 0: weight -1 but weights must be finite and at least 0");
  EXPECT_NE(message({{0, 1}}, {std::nan("")}), "no error");
  EXPECT_NE(message({{0, 1}}, {INFINITY}), "no error");
  EXPECT_EQ(message({{0, 1}}, {1, 2}), "edges: 1 but 2 weights");
  EXPECT_EQ(message({{0, 1}, {0, 1}}, {1e308, 1e308}),
            "the weights of edge '0' '1' add up to infinity");
  EXPECT_EQ(message({}, {}), "no error");
}

TEST(BuildGraph, counts_edges_that_lose_their_direction_if_others_have_both) {
  const auto dropped = [](std::vector<Edge> edges) {
    return build_graph(NodeNames(4, 0), std::move(edges), {}, SelfLoops::drop)
        .changes.directions_dropped;
  };
  EXPECT_EQ(dropped({{0, 1}, {1, 2}, {2, 3}}), 0);          // a list of undirected edges
  EXPECT_EQ(dropped({{0, 1}, {1, 0}, {1, 2}, {2, 1}}), 0);  // a symmetric matrix
  EXPECT_EQ(dropped({{0, 1}, {1, 0}, {1, 2}, {3, 2}}), 2);
  EXPECT_EQ(dropped({{0, 1}, {0, 1}, {1, 2}}), 0);
}

TEST(Describe, says_what_was_changed_in_words) {
  EXPECT_EQ(describe({.header_skipped = true,
                      .directions_dropped = 2,
                      .header = "Source,Target,Type",
                      .columns_ignored = "Type"}),
            "skipped the header 'Source,Target,Type', ignored the columns Type, dropped the "
            "direction of 2 edges");
  EXPECT_EQ(describe({}), "");
  EXPECT_EQ(describe({.self_loops_dropped = 3, .duplicates_merged = 12}),
            "dropped 3 self-loops, merged 12 duplicates");
  EXPECT_EQ(describe({.self_loops_added = 1,
                      .directions_merged = 2,
                      .zero_weights_dropped = 1,
                      .header_skipped = true}),
            "skipped the header line, added 1 self-loop, merged the directions of 2 edges (larger "
            "weights kept), dropped 1 edge of weight 0");
}

}  // namespace
}  // namespace repsc
