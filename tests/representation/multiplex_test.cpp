// Multiplex graphs: the counts published with the data, and dense formulas on small random files.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>

#include "representation/tables.hpp"
#include "support/data.hpp"
#include "support/temporary_folder.hpp"

namespace repsc::tests {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

using Ranges = std::vector<std::pair<Index, Index>>;

Graph from_text(const std::string& text, const MultiplexOptions& options = {}) {
  const TemporaryFolder folder;
  return graph_from_multiplex(folder.write("layers.edges", text), options);
}

std::string error_in(const std::string& text, const MultiplexOptions& options = {}) {
  return error_of([&] { return from_text(text, options); });
}

std::vector<std::string> names_of(const Graph& graph) {
  std::vector<std::string> names;
  for (Index i = 0; i < graph.num_nodes(); ++i) names.push_back(graph.names()[i]);
  return names;
}

struct Line {
  int layer = 0;
  int from = 0;
  int to = 0;
  int weight = 0;
};

double volume(const Matrix& W, Index u, Index v, Volume by) {
  switch (by) {
    case Volume::sum:
      return W(u, v) + W(v, u);
    case Volume::larger:
      return std::max(W(u, v), W(v, u));
    case Volume::outgoing:
      return W(u, v);
    default:
      return W(v, u);
  }
}

// The construction of the paper, with dense matrices.
Pairs slow_links(const std::vector<Line>& lines, Index num_nodes, int first, int last, int nearest,
                 Volume by) {
  Pairs pairs;
  for (int layer = first; layer <= last; ++layer) {
    Matrix W = Matrix::Zero(num_nodes, num_nodes);
    for (const Line& line : lines) {
      if (line.layer == layer && line.from != line.to) W(line.from, line.to) += line.weight;
    }
    for (Index u = 0; u < num_nodes; ++u) {
      std::vector<std::pair<double, Index>> partners;
      for (Index v = 0; v < num_nodes; ++v) {
        if (volume(W, u, v, by) > 0) partners.emplace_back(-volume(W, u, v, by), v);
      }
      std::sort(partners.begin(), partners.end());
      if (nearest > 0 && partners.size() > static_cast<std::size_t>(nearest)) {
        partners.resize(static_cast<std::size_t>(nearest));
      }
      for (const auto& partner : partners) {
        pairs.emplace(u, partner.second);
        pairs.emplace(partner.second, u);
      }
    }
  }
  return pairs;
}

TEST(GraphFromMultiplex, equals_the_dense_construction_for_every_volume) {
  EXPECT_TRUE(
      rc::check("layers 2-4 of 5, with ties, self-loops, repeated lines and weights of 0", [] {
        const auto number = [](int low, int high) { return rc::gen::inRange(low, high); };
        const Index N = 9;
        auto lines = *rc::gen::container<std::vector<Line>>(rc::gen::apply(
            [](int layer, int from, int to, int weight) {
              return Line{layer, from, to, weight};
            },
            number(1, 6), number(0, N), number(0, N), number(0, 4)));
        // Name every node in a layer that is not chosen, and the outermost layers.
        for (int u = 0; u < N; ++u) lines.push_back({u % 2 == 0 ? 5 : 1, u, u, 0});
        std::string text;
        for (const Line& line : lines) {
          text += fmt::format("{} {} {} {}.0\n", line.layer, line.from, line.to, line.weight);
        }
        const auto by =
            *rc::gen::element(Volume::sum, Volume::larger, Volume::outgoing, Volume::incoming);
        const int nearest = *number(0, 4);
        const Ranges all = {{1, 5}};
        const Ranges some = {{2, 3}, {4, 4}};
        const bool whole = *rc::gen::arbitrary<bool>();
        // A range without any line is refused, so let layers 3 and 4 always exist.
        text += "3 0 0 0\n4 0 0 0\n";
        const Graph graph = from_text(text, {.layers = whole ? all : some,
                                             .nearest = nearest,
                                             .volume = by,
                                             .self_loops = SelfLoops::drop});
        RC_ASSERT(graph.num_nodes() == N);
        RC_ASSERT(entries(graph) == slow_links(lines, N, whole ? 1 : 2, whole ? 5 : 4, nearest,
                                               nearest == 0 ? Volume::sum : by));
      }));
}

struct TradeCounts {
  const char* name;
  Volume volume;
  Offset representation_edges;
  Offset representation_isolated;
  Offset similarity_edges;
  Offset similarity_isolated;
};

class FaoTrade : public testing::TestWithParam<TradeCounts> {};
INSTANTIATE_TEST_SUITE_P(
    EveryVolume, FaoTrade,
    testing::Values(TradeCounts{"sum", Volume::sum, 6689, 0, 6140, 4},
                    TradeCounts{"larger", Volume::larger, 6695, 0, 6140, 4},
                    TradeCounts{"outgoing", Volume::outgoing, 5559, 0, 5177, 4},
                    TradeCounts{"incoming", Volume::incoming, 5675, 7, 5332, 13}),
    [](const auto& test) { return test.param.name; });

TEST_P(FaoTrade, has_the_counts_that_are_written_beside_the_data) {
  const auto path = data_file("fao_trade/fao_trade_multiplex.edges");
  if (!path) GTEST_SKIP() << no_data;
  const TradeCounts& expected = GetParam();
  const auto half = [&](const char* layers, SelfLoops self_loops) {
    return graph_from_multiplex(*path, {.layers = parse_layers(layers),
                                        .nearest = 5,
                                        .volume = expected.volume,
                                        .self_loops = self_loops});
  };
  const Graph R = half("1-182", SelfLoops::add);
  const Graph G = half("183-364", SelfLoops::drop);
  EXPECT_EQ(R.num_nodes(), 214);
  EXPECT_EQ(R.num_self_loops(), 214);
  EXPECT_EQ(R.num_edges() - R.num_self_loops(), expected.representation_edges);
  EXPECT_EQ(G.num_edges(), expected.similarity_edges);
  EXPECT_EQ(static_cast<Offset>(isolated_nodes(R).size()), expected.representation_isolated);
  EXPECT_EQ(static_cast<Offset>(isolated_nodes(G).size()), expected.similarity_isolated);
  EXPECT_EQ(G.names(), R.names());
  EXPECT_EQ(G.names()[0], "1");
  EXPECT_EQ(G.names()[213], "214");
}

TEST(EuAir, has_the_counts_that_are_written_beside_the_data) {
  const auto path = data_file("eu_air/EUAirTransportation_multiplex.edges");
  if (!path) GTEST_SKIP() << no_data;
  const auto airlines = [&](const char* layers) {
    return graph_from_multiplex(*path,
                                {.layers = parse_layers(layers), .self_loops = SelfLoops::drop});
  };
  const Graph G = airlines("7,4,1");
  const Graph R = airlines("6,3,2");
  EXPECT_EQ(G.num_nodes(), 417);
  EXPECT_EQ(R.num_nodes(), 417);
  EXPECT_EQ(G.num_edges(), 366);
  EXPECT_EQ(R.num_edges(), 1069);
  EXPECT_EQ(isolated_nodes(G).size(), 417U - 128U);
  EXPECT_EQ(isolated_nodes(R).size(), 417U - 206U);
}

TEST(GraphFromMultiplex, puts_whole_numbers_in_order_and_leaves_words_as_they_come) {
  EXPECT_THAT(names_of(from_text("1 10 9\n2 100 2\n", {.layers = {{1, 1}}})),
              ElementsAre("2", "9", "10", "100"));
  EXPECT_THAT(names_of(from_text("1 b 10\n1 a 9\n")), ElementsAre("b", "10", "a", "9"));
}

TEST(GraphFromMultiplex, gives_ties_to_the_smaller_name_whatever_the_order_of_the_file) {
  const MultiplexOptions one{
      .nearest = 1, .volume = Volume::outgoing, .self_loops = SelfLoops::drop};
  const Graph numbers = from_text("1 5 10\n1 5 9\n", one);
  EXPECT_EQ(entries(numbers), (Pairs{{0, 1}, {1, 0}}));  // 5 and 9, not 10
  const Graph words = from_text("1 x beta\n1 x alpha\n", one);
  EXPECT_EQ(entries(words), (Pairs{{0, 2}, {2, 0}}));  // x and alpha
}

TEST(GraphFromMultiplex, reads_headers_comments_commas_and_lines_without_weights) {
  const Graph graph =
      from_text("# comment\nlayerID nodeID nodeID weight\n% more\n\n1,1,2,0.5\n1\t2 3\n",
                {.self_loops = SelfLoops::drop});
  EXPECT_EQ(entries(graph), (Pairs{{0, 1}, {1, 0}, {1, 2}, {2, 1}}));
}

TEST(GraphFromMultiplex, treats_self_loops_as_asked) {
  for (const int nearest : {0, 1}) {
    const auto loops = [&](SelfLoops self_loops) {
      return from_text("1 1 1 9\n1 1 2 3\n", {.nearest = nearest, .self_loops = self_loops})
          .num_self_loops();
    };
    EXPECT_EQ(loops(SelfLoops::add), 2);
    EXPECT_EQ(loops(SelfLoops::keep), 1);
    EXPECT_EQ(loops(SelfLoops::drop), 0);
  }
}

TEST(GraphFromMultiplex, says_the_line_of_each_malformed_file) {
  EXPECT_THAT(error_in(""), HasSubstr("layers.edges: no line"));
  EXPECT_THAT(error_in("layer from to\n"), HasSubstr("no line"));
  EXPECT_THAT(error_in("1 1 2\n1 2\n"), HasSubstr("layers.edges:2: 2 fields"));
  EXPECT_THAT(error_in("1 1 2\n1 2 3 4 5\n"), HasSubstr("layers.edges:2: 5 fields"));
  EXPECT_THAT(error_in("1 1 2\nx 2 3\n"), HasSubstr("layers.edges:2: layer 'x'"));
  EXPECT_THAT(error_in("1.5 1 2\n"), HasSubstr("layers.edges:1: layer '1.5'"));
  EXPECT_THAT(error_in("1 1 2\n99999999999 1 2\n"), HasSubstr("layer '99999999999'"));
  EXPECT_THAT(error_in("1 1 2 -1\n"), AllOf(HasSubstr("layers.edges:1"), HasSubstr("negative")));
  EXPECT_THAT(error_in("1 1 2 nan\n"), AllOf(HasSubstr("layers.edges:1"), HasSubstr("'nan'")));
  EXPECT_THAT(error_in("1 1 2\n", {.nearest = -1}), HasSubstr("nearest = -1"));
}

TEST(GraphFromMultiplex, names_the_layer_that_is_not_there_and_those_that_are) {
  const std::string text = "2 1 2\n3 1 2\n7 1 3\n";
  EXPECT_THAT(error_in(text, {.layers = {{2, 9}}}),
              AllOf(HasSubstr("layer 9 is not in"), HasSubstr("3 layers from 2 to 7")));
  EXPECT_THAT(error_in(text, {.layers = {{3, 3}, {1, 7}}}), HasSubstr("layer 1 is not in"));
  EXPECT_THAT(error_in(text, {.layers = {{4, 6}}}), HasSubstr("layer 4-6 is not in"));
  EXPECT_EQ(error_in(text, {.layers = {{3, 5}}}), "");
}

TEST(GraphFromMultiplex, refuses_a_layer_with_the_file_and_the_option) {
  const TemporaryFolder folder;
  const std::string path = folder.write("trade.edges", "2 1 2\n7 1 3\n");
  const Fault fault = fault_of([&] { return graph_from_multiplex(path, {.layers = {{2, 9}}}); });
  EXPECT_EQ(fault.where, path);
  EXPECT_EQ(fault.option, "layers");
  EXPECT_EQ(fault.value, "9");
  EXPECT_EQ(fault.what, "layer 9 is not in the file, which has 2 layers from 2 to 7");
  EXPECT_EQ(fault_of([&] { return graph_from_multiplex(path, {.nearest = -1}); }).option,
            "nearest");
  EXPECT_EQ(fault_of([] { return parse_layers("x"); }).value, "x");
}

TEST(ParseLayers, reads_layers_and_ranges_joined_by_commas) {
  EXPECT_EQ(parse_layers("1-182"), (Ranges{{1, 182}}));
  EXPECT_EQ(parse_layers("7,4,1"), (Ranges{{7, 7}, {4, 4}, {1, 1}}));
  EXPECT_EQ(parse_layers(" 1 - 3, 8 "), (Ranges{{1, 3}, {8, 8}}));
  EXPECT_EQ(parse_layers("0-2147483647"), (Ranges{{0, 2147483647}}));
}

TEST(ParseLayers, says_what_is_wrong_with_everything_else) {
  const auto error = [](const std::string& text) {
    return error_of([&] { return parse_layers(text); });
  };
  EXPECT_THAT(error("5-3"), AllOf(HasSubstr("5-3"), HasSubstr("ends before it begins")));
  EXPECT_THAT(error(""), HasSubstr("no layer is given"));
  EXPECT_THAT(error("  "), HasSubstr("no layer is given"));
  for (const char* text : {"x", "1,", ",1", "1,,2", "-3", "3-", "1--2", "1-2-3", "1.5", "+1", "1 2",
                           "2147483648", "1-99999999999999999999"}) {
    EXPECT_THAT(error(text), HasSubstr("is not a layer or a range of layers")) << text;
  }
}

}  // namespace
}  // namespace repsc::tests
