// Real data sets: the counts that their description gives.
#include <gtest/gtest.h>

#include <algorithm>

#include "repsc/io.hpp"
#include "support/data.hpp"

namespace repsc {
namespace {

Index num_components(const Graph& graph) {
  const Labels labels = connected_components(graph);
  return labels.empty() ? 0 : 1 + *std::ranges::max_element(labels);
}

struct DataSet {
  const char* file;
  Index nodes;
  Offset edges;
  Index components;
  bool header = false;
  Offset self_loops = 0;
};

class RealData : public testing::TestWithParam<DataSet> {};
INSTANTIATE_TEST_SUITE_P(
    DataSets, RealData,
    testing::Values(DataSet{"lastfm_asia/lastfm_asia_edges.csv", 7624, 27806, 1, true},
                    DataSet{"email_enron/email-Enron.txt.gz", 36692, 183831, 1065},
                    DataSet{"german/german_edges.txt", 1000, 21742, 1},
                    DataSet{"nba/nba_relationship.txt", 400, 10621, 1},
                    DataSet{"email_eu_core/email-Eu-core.txt", 1005, 16064, 20, false, 642},
                    DataSet{"luxembourg_osm/luxembourg_osm.mtx", 114599, 119666, 1},
                    DataSet{"recidivism/bail_edges.txt.gz", 18876, 311870, 1},
                    DataSet{"credit_education/credit_edges.csv", 29460, 136196, 1, true},
                    DataSet{"musae_facebook/facebook_edges.csv", 22470, 170823, 1, true, 179}),
    [](const auto& test) {
      const std::string file = test.param.file;
      return file.substr(0, file.find('/'));
    });

TEST_P(RealData, has_the_nodes_edges_and_components_of_its_description) {
  const DataSet& expected = GetParam();
  const auto path = data_file(expected.file);
  if (!path) GTEST_SKIP() << no_data;
  const BuiltGraph found = read_graph(*path, {.format = GraphFormat::edge_list});
  EXPECT_EQ(found.graph.num_nodes(), expected.nodes);
  EXPECT_EQ(found.graph.num_edges(), expected.edges);
  EXPECT_EQ(num_components(found.graph), expected.components);
  EXPECT_EQ(found.changes.header_skipped, expected.header);
  EXPECT_EQ(found.changes.self_loops_dropped, expected.self_loops);
  EXPECT_FALSE(found.graph.weighted());
}

TEST(RealDataFiles, of_luxembourg_are_no_matrix_market_and_say_so) {
  const auto path = data_file("luxembourg_osm/luxembourg_osm.mtx");
  if (!path) GTEST_SKIP() << no_data;
  EXPECT_THROW(static_cast<void>(read_graph(*path)), InvalidInput);
}

TEST(RealDataFiles, of_the_nba_keep_64_bit_ids) {
  const auto path = data_file("nba/nba_relationship.txt");
  if (!path) GTEST_SKIP() << no_data;
  const Graph graph = read_graph(*path).graph;
  Index longest = 0;
  for (Index node = 0; node < graph.num_nodes(); ++node) {
    longest = std::max(longest, static_cast<Index>(graph.names()[node].size()));
  }
  EXPECT_EQ(longest, 19);
}

TEST(RealDataLabels, of_lastfm_and_eu_core_fit_their_graphs) {
  const auto lastfm = data_file("lastfm_asia/lastfm_asia_edges.csv");
  const auto countries = data_file("lastfm_asia/lastfm_asia_target.csv");
  const auto email = data_file("email_eu_core/email-Eu-core.txt");
  const auto departments = data_file("email_eu_core/email-Eu-core-department-labels.txt");
  if (!lastfm || !countries || !email || !departments) GTEST_SKIP() << no_data;
  const NamedLabels country = read_labels(*countries, read_graph(*lastfm).graph.names());
  EXPECT_EQ(country.values.size(), 18U);
  EXPECT_EQ(std::ranges::count(country.labels, 17), 1572);
  EXPECT_EQ(read_labels(*departments, read_graph(*email).graph.names()).values.size(), 42U);
}

}  // namespace
}  // namespace repsc
