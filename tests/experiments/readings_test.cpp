// Readings give the graphs that they say; grids end at N - K; data is the file it should be.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "experiments/experiments.hpp"
#include "experiments/page.hpp"
#include "experiments/rows.hpp"
#include "experiments/run.hpp"
#include "experiments/sweep.hpp"
#include "made_up.hpp"
#include "support/data.hpp"
#include "support/temporary_folder.hpp"

namespace repsc::experiments {
namespace {

RunOptions tiny(const std::string& out, std::vector<std::string> ids,
                std::vector<std::string> readings) {
  return {.ids = std::move(ids),
          .request = {.size = Size::tiny, .repeats = 1, .seed = 7, .readings = std::move(readings)},
          .out = out,
          .threads = 2};
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

std::string data_folder() {
  const auto path = data_file("fao_trade/fao_trade_multiplex.edges");
  if (!path || !data_file("eu_air/EUAirTransportation_multiplex.edges")) return "";
  return std::filesystem::path(*path).parent_path().parent_path();
}

TEST(Grid, ends_at_n_minus_k_and_is_dense_there) {
  EXPECT_EQ(up_to_the_end<Index>({2, 8, 90, 95}, 92, {0, 1, 4}),
            (std::vector<Index>{2, 8, 88, 90, 91, 92}));
  EXPECT_EQ(up_to_the_end<int>({2, 4}, 3, {0, 2, 8}), (std::vector<int>{2, 3}));
  for (const char* id : {"planted", "dreg-rank"}) {
    for (const Size size : {Size::tiny, Size::quick, Size::paper}) {
      std::map<std::pair<Index, int>, Index> ranks;
      std::map<std::pair<Index, int>, int> groups;
      for (const Instance& instance :
           experiment_by_id(id).instances({.size = size, .repeats = 1})) {
        for (const Setting& setting : instance.settings) {
          const std::pair place(setting.nodes, setting.clusters);
          ranks[place] = std::max(ranks[place], setting.rank);
          groups[place] = std::max(groups[place], setting.groups);
        }
      }
      for (const auto& [place, rank] : ranks) {
        EXPECT_EQ(rank, place.first - place.second) << id << ' ' << place.first;
        EXPECT_EQ(groups[place], place.first - place.second) << id << ' ' << place.first;
      }
    }
  }
}

TEST(Readings, run_only_where_they_are_asked_for_and_leave_the_default_as_it_is) {
  const TemporaryFolder folder;
  run_experiments(tiny(folder / "one", {"planted"}, {}));
  run_experiments(tiny(folder / "all", {"planted"}, {"all"}));
  const auto rows = [&](const char* out) {
    std::map<std::string, std::vector<std::string>> by_reading;
    for (Row row : rows_in(folder / out + "/planted")) {
      row.outcome.seconds = row.outcome.shared_seconds = 0;
      by_reading[row.setting.reading].push_back(csv_line(row));
    }
    return by_reading;
  };
  auto one = rows("one"), all = rows("all");
  EXPECT_EQ(one.size(), 1U);
  EXPECT_EQ(all.size(), 4U);
  EXPECT_EQ(one[""], all[""]);
  for (const std::string& line : all["fairsc-nsc"])
    EXPECT_NE(line.find(",normalized,nfairsc,"), std::string::npos) << line;

  const std::string page = folder.read("all/index.html");
  for (const char* part : {"Reading <code>groups-spread</code>", "<td>groups-random</td>",
                           "planted/groups-spread-ratio-normalized-n60-k2.svg"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_NE(folder.read("one/index.html").find("--reading groups-random"), std::string::npos)
      << "readings that did not run are named";
}

// Balance and cut of the true clusters tell how the groups lie: see the outcomes of lots, which do
// not depend on a method.
TEST(Readings, of_planted_groups_change_r_and_nothing_else) {
  const TemporaryFolder folder;
  run_experiments(tiny(folder / "out", {"planted"}, {"groups-spread", "groups-random"}));
  std::map<std::string, std::set<double>> balances;
  for (const Row& row : rows_in(folder / "out/planted")) {
    if (row.setting.method == "ulots")
      balances[row.setting.reading].insert(row.outcome.average_balance);
  }
  EXPECT_EQ(balances.size(), 3U);
  EXPECT_NE(balances[""], balances["groups-spread"]);
  EXPECT_NE(balances[""], balances["groups-random"]);
}

TEST(Readings, of_a_summary_take_the_default_s_rows_where_the_graphs_are_the_same) {
  const Row repsc{{.experiment = "x", .method = "nrepsc", .nodes = 100}, {}};
  const Row fairsc{{.experiment = "x", .method = "nfairsc", .nodes = 100}, {}};
  Row large = repsc, other = fairsc;
  large.setting.nodes = 300;
  other.setting.reading = "fairsc-nsc";
  const std::vector<Row> rows{repsc, fairsc, large, other};
  const auto taken = rows_of_reading(rows, fairsc_by_nsc_reading());
  ASSERT_EQ(taken.size(), 2U) << "its own, and RepSC at its number of nodes";
  EXPECT_EQ(taken[0].setting.reading, "fairsc-nsc");
  EXPECT_EQ(taken[1].setting.method, "nrepsc");
  EXPECT_EQ(rows_of_reading(rows, {}).size(), 3U);
  EXPECT_EQ(rows_of_reading(rows, {.name = "fairsc-nsc", .other_graphs = true}).size(), 1U);
}

TEST(Readings, are_refused_with_the_list_if_they_are_unknown) {
  const std::string why = refusal([] { require_reading("volumes", {"fao", "planted"}); });
  for (const char* part : {"volumes", "all", "volume-larger", "nodes-214", "groups-random"})
    EXPECT_NE(why.find(part), std::string::npos) << why;
  EXPECT_EQ(refusal([] { require_reading("nodes-100", {"fao", "air"}); }), "");
  EXPECT_NE(refusal([] { require_reading("nodes-100", {"fao"}); }), "");
}

// Independent of the library: the edge file read line by line, each country linked to its five
// partners of largest volume in each layer.
std::set<std::pair<int, int>> fao_links(const std::string& path, int first, int last,
                                        double (*volume)(double out, double in)) {
  std::map<int, std::map<int, std::map<int, double>>> layers;  // layer, from, to
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    int layer = 0, from = 0, to = 0;
    double weight = 1;
    words >> layer >> from >> to >> weight;
    if (layer < first || layer > last || from == to) continue;
    layers[layer][from][to] += weight;
    layers[layer][to][from] += 0;
  }
  std::set<std::pair<int, int>> links;
  for (auto& [layer, weights] : layers) {
    for (auto& [country, partners] : weights) {
      std::vector<std::pair<double, int>> order;
      for (const auto& [other, out] : partners) {
        const double between = volume(out, weights[other][country]);
        if (between > 0) order.emplace_back(-between, other);
      }
      std::sort(order.begin(), order.end());
      for (std::size_t i = 0; i < std::min<std::size_t>(5, order.size()); ++i)
        links.insert(std::minmax(country, order[i].second));
    }
  }
  return links;
}

TEST(Readings, of_fao_volumes_have_the_edges_of_the_file_read_again) {
  const std::string data = data_folder();
  if (data.empty()) GTEST_SKIP() << no_data;
  const TemporaryFolder folder;
  RunOptions options = tiny(folder / "out", {"fao"}, {"all"});
  options.request.data = data;
  run_experiments(options);
  const std::string about = folder.read("out/fao/about.json");
  struct Case {
    const char* name;
    double (*volume)(double, double);
  };
  for (const Case& at :
       {Case{"N", [](double out, double in) { return out + in; }},
        Case{"Reading volume-larger: n", [](double out, double in) { return std::max(out, in); }},
        Case{"Reading volume-out: n", [](double out, double) { return out; }},
        Case{"Reading volume-in: n", [](double, double in) { return in; }}}) {
    const std::string path = data + "/fao_trade/fao_trade_multiplex.edges";
    const auto similar = fao_links(path, 183, 364, at.volume);
    const auto representing = fao_links(path, 1, 182, at.volume);
    std::set<int> linked;
    for (const auto& [u, v] : similar) linked.insert({u, v});
    const auto left =
        std::count_if(representing.begin(), representing.end(), [&](const auto& link) {
          return linked.contains(link.first) && linked.contains(link.second);
        });
    std::ostringstream expected;
    expected << at.name << "odes left after each pass of dropping isolated ones: 214, then "
             << linked.size() << ". G has " << similar.size() << " edges, R " << left << " besides";
    EXPECT_NE(about.find(expected.str()), std::string::npos) << expected.str() << '\n' << about;
  }
  EXPECT_NE(about.find("Reading nodes-214: nodes left after each pass of dropping isolated ones: "
                       "214. G has 6140 edges"),
            std::string::npos)
      << about;
  for (const Row& row : rows_in(folder / "out/fao")) {
    if (row.setting.reading != "nodes-214") continue;
    EXPECT_EQ(row.setting.nodes, 214);
    EXPECT_FALSE(row.setting.normalized) << "it needs degrees above 0";
  }
}

TEST(Readings, of_air_have_the_nodes_and_loops_they_say) {
  const std::string data = data_folder();
  if (data.empty()) GTEST_SKIP() << no_data;
  const TemporaryFolder folder;
  RunOptions options = tiny(folder / "out", {"air"}, {"nodes-100", "no-self-loops"});
  options.request.data = data;
  run_experiments(options);
  std::map<std::string, std::set<Index>> nodes;
  std::map<std::string, double> balance;
  for (const Row& row : rows_in(folder / "out/air")) {
    nodes[row.setting.reading].insert(row.setting.nodes);
    if (row.setting.method == "ulots") balance[row.setting.reading] += row.outcome.average_balance;
  }
  EXPECT_EQ(nodes[""], std::set<Index>{96});
  EXPECT_EQ(nodes["nodes-100"], std::set<Index>{100});
  EXPECT_EQ(nodes["no-self-loops"], std::set<Index>{96});
  // A self-loop is a representative in the own cluster that no other cluster has.
  EXPECT_NE(balance[""], balance["no-self-loops"]);
}

TEST(Data, is_refused_if_it_is_another_file) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "data/eu_air");
  folder.write("data/eu_air/EUAirTransportation_multiplex.edges", "1 1 2 1\n");
  RunOptions options = tiny(folder / "out", {"air"}, {});
  options.request.data = folder / "data";
  const std::string why = refusal([&] { run_experiments(options); });
  for (const char* part :
       {"EUAirTransportation_multiplex.edges", "--data",
        "its SHA-256 is 52c3e196da3f03ca08c5f8f98919a1cf1a31980d9cde7084a183de7c1fed2399",
        "expected 781bc202cdce79cf196c9ec7c5b8379de0f2bcf94a25e525860cf8e022ec67ec"}) {
    EXPECT_NE(why.find(part), std::string::npos) << why;
  }
}

}  // namespace
}  // namespace repsc::experiments
