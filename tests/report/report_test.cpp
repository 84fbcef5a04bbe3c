// The report stage: field names, their order, and numbers that survive.
#include "repsc/report.hpp"
#include "repsc/io.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

namespace repsc {
namespace {

using nlohmann::ordered_json;
using testing::ElementsAre;

std::vector<std::string> keys(const ordered_json& object) {
  std::vector<std::string> result;
  for (const auto& item : object.items()) result.push_back(item.key());
  return result;
}

Clustering some_clustering() {
  Clustering clustering;
  clustering.labels = {0, 1, 1};
  clustering.num_clusters = 2;
  clustering.method = Method::urepsc;
  clustering.eigenvalues = Vector{{0.1 + 0.2, 1.0 / 3}};
  clustering.inertia = 1e-300;
  clustering.converged = true;
  clustering.residual = 5e-324;
  clustering.constraint_rank = 1;
  clustering.solver = "lanczos";
  clustering.iterations = 7;
  return clustering;
}

Metrics some_metrics() {
  return {.ratio_cut = 1.5,
          .normalized_cut = 0.25,
          .average_balance = 0.5,
          .minimum_balance = 0,
          .constraint_residual = 0.125,
          .cluster_sizes = {1, 2}};
}

TEST(ClusterJson, has_the_fields_of_the_contract_in_its_order) {
  const auto json =
      ordered_json::parse(cluster_json(some_clustering(), some_metrics(), {.seed = 3}));
  EXPECT_THAT(
      keys(json),
      ElementsAre("repsc", "method", "nodes", "clusters", "constraint_rank", "seed", "solver",
                  "eigenvalues", "converged", "residual", "constraint_residual", "iterations",
                  "metrics", "seconds", "peak_memory_bytes", "inertia", "groups", "dropped_nodes",
                  "labels_settled", "constraint", "strength", "refinement", "target", "rank_unique",
                  "clusters_visible", "eigengap", "warnings", "time_limit_reached", "baselines",
                  "structure_kept", "fairness_gained", "search", "device"));
  EXPECT_THAT(keys(json["metrics"]),
              ElementsAre("ratio_cut", "normalized_cut", "average_balance", "minimum_balance",
                          "cluster_sizes", "constraint_residual", "average_proportional_balance",
                          "minimum_proportional_balance", "balance_counts", "modularity",
                          "internal_edge_share", "conductance", "cluster_internal_shares",
                          "group_balance"));
  EXPECT_THAT(keys(json["seconds"]), ElementsAre("load", "constraint", "eigen", "kmeans", "refine",
                                                 "search", "evaluate", "write", "other", "total"));
  EXPECT_EQ(json["repsc"], version);
  EXPECT_EQ(json["method"], "urepsc");
  EXPECT_EQ(json["nodes"], 3);
  EXPECT_EQ(json["seed"], 3);
}

TEST(ClusterJson, gives_numbers_that_read_back_as_the_same_double) {
  const auto json = ordered_json::parse(cluster_json(some_clustering(), some_metrics(), {}));
  EXPECT_EQ(json["eigenvalues"][0].get<double>(), 0.1 + 0.2);
  EXPECT_EQ(json["eigenvalues"][1].get<double>(), 1.0 / 3);
  EXPECT_EQ(json["residual"].get<double>(), 5e-324);
  EXPECT_EQ(json["inertia"].get<double>(), 1e-300);
}

TEST(ClusterJson, gives_null_for_a_balance_that_is_not_known) {
  Metrics metrics = some_metrics();
  metrics.average_balance = metrics.minimum_balance = std::numeric_limits<double>::quiet_NaN();
  const auto json = ordered_json::parse(cluster_json(some_clustering(), metrics, {}));
  EXPECT_TRUE(json["metrics"]["average_balance"].is_null());
  EXPECT_TRUE(json["metrics"]["minimum_balance"].is_null());
  EXPECT_TRUE(json["groups"].is_null());
}

TEST(ClusterJson, has_the_groups_of_each_cluster_and_null_for_an_empty_one) {
  Metrics metrics = some_metrics();
  const auto group_balance = [&] {
    return ordered_json::parse(
        cluster_json(some_clustering(), metrics, {}))["metrics"]["group_balance"];
  };
  EXPECT_TRUE(group_balance().is_null());
  metrics.group_fairness = group_fairness({4, 4, 9}, {0, 0, 0}, 2);
  const auto json = group_balance();
  EXPECT_THAT(keys(json), ElementsAre("average", "minimum", "relative_average", "relative_minimum",
                                      "best_possible", "largest_deviation", "smallest_ratio",
                                      "largest_ratio", "groups", "empty_clusters", "clusters"));
  EXPECT_EQ(json["best_possible"], 0.5);
  EXPECT_EQ(json["empty_clusters"], 1);
  EXPECT_THAT(keys(json["clusters"][0]),
              ElementsAre("balance", "relative_balance", "largest_deviation", "smallest_ratio",
                          "largest_ratio"));
  EXPECT_EQ(json["clusters"][0]["balance"], 0.5);
  EXPECT_TRUE(json["clusters"][1].is_null());
}

TEST(ClusterJson, says_what_balances_count_and_null_where_there_are_none) {
  Metrics metrics = some_metrics();
  const auto json = [&] {
    return ordered_json::parse(cluster_json(some_clustering(), metrics, {}))["metrics"];
  };
  EXPECT_EQ(json()["balance_counts"], "links");
  EXPECT_TRUE(json()["average_proportional_balance"].is_null());
  metrics.counting = Counting::weights;
  metrics.minimum_proportional_balance = 0.75;
  metrics.conductance = {0.5, 0.25};
  EXPECT_EQ(json()["balance_counts"], "weights");
  EXPECT_EQ(json()["minimum_proportional_balance"], 0.75);
  EXPECT_EQ(json()["conductance"], (std::vector<double>{0.5, 0.25}));
}

TEST(ClusterJson, counts_the_groups_of_a_fair_method) {
  Clustering clustering = some_clustering();
  clustering.groups = {2, 0, 1};
  const auto json = ordered_json::parse(cluster_json(clustering, some_metrics(), {}));
  EXPECT_EQ(json["groups"], 3);
}

TEST(ClusterJson, says_which_constraint_there_was) {
  Clustering clustering = some_clustering();
  const auto json = [&] {
    return ordered_json::parse(cluster_json(clustering, some_metrics(), {}));
  };
  EXPECT_EQ(json()["constraint"], "hard");
  EXPECT_TRUE(json()["strength"].is_null());
  clustering.strength = 0.5;
  EXPECT_EQ(json()["constraint"], "soft");
  EXPECT_EQ(json()["strength"], 0.5);
  clustering.strength.reset();
  clustering.method = Method::nsc;
  EXPECT_EQ(json()["constraint"], "none");
}

PathReport some_path() {
  RankPath path;
  path.decomposition_seconds = 0.5;
  for (const Index rank : {2, 7, 0}) path.steps.push_back({rank, some_clustering()});
  path.steps[1].clustering.converged = false;
  path.steps[1].clustering.labels = {1, 0, 0};
  path.steps[2].clustering.strength = 0.1;
  return {path,
          {some_metrics(), some_metrics(), some_metrics()},
          {false, true, true},
          {true, false, true}};
}

TEST(PathJson, has_the_fields_of_cluster_for_each_rank) {
  const auto json = ordered_json::parse(path_json(some_path(), {.seed = 3, .load_seconds = 9}));
  EXPECT_THAT(keys(json),
              ElementsAre("repsc", "method", "nodes", "clusters", "seed", "ranks", "converged",
                          "path", "seconds", "peak_memory_bytes", "dropped_nodes", "strengths",
                          "complete", "time_limit_reached", "interrupted", "input", "baselines"));
  EXPECT_THAT(keys(json["seconds"]),
              ElementsAre("load", "decomposition", "steps", "evaluate", "write", "other", "total"));
  EXPECT_EQ(json["converged"], false);
  EXPECT_EQ(json["ranks"], (std::vector<int>{2, 7}));
  EXPECT_EQ(json["strengths"], (std::vector<double>{0.1}));
  ASSERT_EQ(json["path"].size(), 3U);
  auto single = ordered_json::parse(cluster_json(some_clustering(), some_metrics(), {.seed = 3}));
  auto step = json["path"][0];
  EXPECT_EQ(keys(step).front(), "rank");
  EXPECT_EQ(step["rank"], 2);
  EXPECT_EQ(step["on_average_front"], false);
  EXPECT_EQ(step["on_minimum_front"], true);
  for (const char* own : {"rank", "on_average_front", "on_minimum_front", "mu"}) step.erase(own);
  single.erase("baselines");  // those of the path
  EXPECT_EQ(step, single);
  EXPECT_EQ(json["path"][1]["converged"], false);
  EXPECT_TRUE(json["path"][2]["rank"].is_null());
  EXPECT_EQ(json["path"][2]["strength"], 0.1);
}

Baselines some_baselines() {
  Baselines made;
  made.plain = {0.25, 0.25};
  made.random = {.cut = 0.75,
                 .cut_spread = 0.125,
                 .average_balance = 0.5,
                 .balance_spread = 0.0625,
                 .ratio_cut = 3,
                 .draws = 100};
  made.exact = Outcome{0.5, 0.75};
  made.fair_balance = 0.75;
  made.reachable_balance = 1;
  return made;
}

TEST(BaselinesJson, has_both_ends_of_the_scale_and_the_place_on_it) {
  Clustering clustering = some_clustering();
  clustering.baselines = some_baselines();
  clustering.search = SearchFacts{"nsc", 7, true};
  const auto json = ordered_json::parse(cluster_json(clustering, some_metrics(), {}));
  EXPECT_EQ(json["baselines"],
            ordered_json::parse(R"({"plain": {"cut": 0.25, "average_balance": 0.25},
        "random": {"cut": 0.75, "cut_spread": 0.125, "average_balance": 0.5,
                   "balance_spread": 0.0625, "ratio_cut": 3.0, "draws": 100},
        "exact": {"cut": 0.5, "average_balance": 0.75},
        "fair_balance": 0.75, "reachable_balance": 1.0})"));
  EXPECT_EQ(json["structure_kept"], 1);
  EXPECT_EQ(json["fairness_gained"], 0.5);
  EXPECT_EQ(json["search"], ordered_json::parse(R"({"start": "nsc", "tried": 7, "met": true})"));
  const auto path =
      ordered_json::parse(path_json(some_path(), {.seed = 3, .baselines = some_baselines()}));
  EXPECT_EQ(path["baselines"], json["baselines"]);
  EXPECT_EQ(path["path"][1]["fairness_gained"], 0.5);
  EXPECT_THAT(path_csv(some_path(), some_baselines()), ::testing::HasSubstr(",1,0.5\n"));
}

TEST(PathCsv, has_a_line_a_rank_and_labels_a_column_a_rank) {
  EXPECT_EQ(path_csv(some_path()),
            "rank,constraint_rank,ratio_cut,normalized_cut,average_balance,minimum_balance,"
            "constraint_residual,residual,converged,iterations,seconds,eigenvalue_1,eigenvalue_2,"
            "strength,on_average_front,on_minimum_front,mu,structure_kept,"
            "fairness_gained\n"
            "2,1,1.5,0.25,0.5,0,0,5e-324,true,7,0,0.30000000000000004,0.3333333333333333,,"
            "false,true,,,\n"
            "7,1,1.5,0.25,0.5,0,0,5e-324,false,7,0,0.30000000000000004,0.3333333333333333,,"
            "true,false,,,\n"
            ",1,1.5,0.25,0.5,0,0,5e-324,true,7,0,0.30000000000000004,0.3333333333333333,0.1,"
            "true,true,,,\n");
  EXPECT_EQ(path_labels_csv(some_path().path, NodeNames({"a", "b,c", "d"})),
            "node,rank_2,rank_7,strength_0.1\na,0,1,0\n\"b,c\",1,0,1\nd,1,0,1\n");
}

TEST(EvaluationJson, has_the_same_metrics_then_accuracy) {
  const auto json = ordered_json::parse(evaluation_json({.num_nodes = 3,
                                                         .cluster_names = {"re\"d", "blue"},
                                                         .metrics = some_metrics(),
                                                         .accuracy = 0.75,
                                                         .adjusted_rand_index = {}}));
  EXPECT_THAT(keys(json), ElementsAre("repsc", "nodes", "clusters", "metrics", "accuracy",
                                      "adjusted_rand_index", "cluster_names", "baselines",
                                      "structure_kept", "fairness_gained"));
  EXPECT_EQ(json["accuracy"], 0.75);
  EXPECT_TRUE(json["adjusted_rand_index"].is_null());
  EXPECT_EQ(json["cluster_names"][0], "re\"d");
}

TEST(EvaluationJson, stays_valid_where_names_are_not_utf8) {
  const std::string text = evaluation_json({.num_nodes = 1,
                                            .cluster_names = {"\xff\xfe"},
                                            .metrics = some_metrics(),
                                            .accuracy = {},
                                            .adjusted_rand_index = {}});
  EXPECT_TRUE(ordered_json::accept(text));
}

TEST(BalancesCsv, has_a_line_a_node_and_a_column_a_cluster) {
  NodeBalances nodes{.names = NodeNames({"a", "b,c"}),
                     .labels = {1, 0},
                     .balance = Vector{{0.5, 1.0 / 3}},
                     .proportional_balance = Vector{{0.25, 1}},
                     .counts = CountMatrix{{1, 2}, {3, 1}}};
  EXPECT_EQ(balances_csv(nodes),
            "node,cluster,balance,count_0,count_1,proportional_balance\n"
            "a,1,0.5,1,2,0.25\n"
            "\"b,c\",0,0.3333333333333333,3,1,1\n");
  nodes.weights = Matrix{{0.5, 2.5}, {3, 1e-17}};
  EXPECT_EQ(balances_csv(nodes),
            "node,cluster,balance,count_0,count_1,weight_0,weight_1,proportional_balance\n"
            "a,1,0.5,1,2,0.5,2.5,0.25\n"
            "\"b,c\",0,0.3333333333333333,3,1,3,1e-17,1\n");
}

TEST(BalancesCsv, gives_the_nodes_of_a_group_the_same_row) {
  NodeBalances nodes{.names = NodeNames(3, 1),
                     .labels = {0, 0, 1},
                     .balance = Vector{{1.0, 0.5, 1.0}},
                     .proportional_balance = Vector{{1.0, 0.75, 1.0}},
                     .counts = CountMatrix{{4, 4}, {1, 2}},
                     .count_rows = {0, 1, 0}};
  EXPECT_EQ(balances_csv(nodes),
            "node,cluster,balance,count_0,count_1,proportional_balance\n"
            "1,0,1,4,4,1\n2,0,0.5,1,2,0.75\n3,1,1,4,4,1\n");
}

TEST(EmbeddingCsv, keeps_every_bit) {
  const double third = 1.0 / 3;
  const std::string text = embedding_csv(Matrix{{third, -2}, {0, 1e-17}}, NodeNames(2, 1));
  EXPECT_EQ(text, "node,x_1,x_2\n1,0.3333333333333333,-2\n2,0,1e-17\n");
}

class TextFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string content(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("repsc_report_" + std::to_string(::getpid()) + '_' +
       testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(TextFile, replaces_what_was_there_and_leaves_nothing_else) {
  const std::string path = folder_ / "result.json";
  write_text_file(path, "old");
  write_text_file(path, "new");
  EXPECT_EQ(content("result.json"), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(TextFile, names_the_file_that_cannot_be_written) {
  const std::string path = folder_ / "missing" / "result.json";
  try {
    write_text_file(path, "text");
    FAIL() << "written to a folder that does not exist";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(path));
  }
}

TEST(PeakMemory, is_at_least_what_is_in_use) {
  const std::vector<char> megabytes(std::size_t{64} << 20U, 'x');
  EXPECT_GE(peak_memory_bytes(), static_cast<std::int64_t>(megabytes.size()));
}

}  // namespace
}  // namespace repsc
