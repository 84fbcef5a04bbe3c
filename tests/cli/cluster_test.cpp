// repsc cluster: the contract of its label file, its JSON and its options.
#include <gmock/gmock.h>

#include <set>

#include "cli/tool.hpp"
#include "repsc/core.hpp"

namespace repsc::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class Cluster : public ToolTest {};

std::vector<std::string> keys(const nlohmann::ordered_json& object) {
  std::vector<std::string> result;
  for (const auto& item : object.items()) result.push_back(item.key());
  return result;
}

nlohmann::ordered_json without_costs(const std::string& text) {
  auto json = parsed(text);
  json.erase("seconds");
  json.erase("peak_memory_bytes");
  return json;
}

TEST_F(Cluster, writes_labels_to_standard_output_in_the_order_of_the_graph) {
  write_triangles();
  const Result result = fine("cluster G.txt -k 2");
  EXPECT_EQ(result.out, "node,cluster\na,0\nb,0\nc,0\nd,1\ne,1\nf,1\n");
}

TEST_F(Cluster, writes_the_same_labels_to_a_file_and_nothing_to_standard_output) {
  write_triangles();
  const Result result = fine("cluster G.txt -k 2 -o labels.csv");
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(content("labels.csv"), "node,cluster\na,0\nb,0\nc,0\nd,1\ne,1\nf,1\n");
}

TEST_F(Cluster, gives_json_with_the_fields_of_the_contract_in_order) {
  generate_sample();
  const Result result = fine(
      "cluster sample.similarity.mtx sample.representation.mtx -k 3 --method nrepsc --seed 7 "
      "--json -");
  const auto json = parsed(result.out);
  const std::vector<std::string> expected{"repsc",
                                          "method",
                                          "nodes",
                                          "clusters",
                                          "constraint_rank",
                                          "seed",
                                          "solver",
                                          "eigenvalues",
                                          "converged",
                                          "residual",
                                          "constraint_residual",
                                          "iterations",
                                          "metrics",
                                          "seconds",
                                          "peak_memory_bytes"};
  const std::vector<std::string> found = keys(json);
  ASSERT_GE(found.size(), expected.size());
  EXPECT_EQ(std::vector<std::string>(found.begin(), found.begin() + 15), expected);
  const std::vector<std::string> metrics = keys(json["metrics"]);
  EXPECT_THAT(std::vector<std::string>(metrics.begin(), metrics.begin() + 5),
              ElementsAre("ratio_cut", "normalized_cut", "average_balance", "minimum_balance",
                          "cluster_sizes"));
  EXPECT_THAT(keys(json["seconds"]), ElementsAre("load", "constraint", "eigen", "kmeans", "refine",
                                                 "search", "evaluate", "write", "other", "total"));
  EXPECT_EQ(json["method"], "nrepsc");
  EXPECT_EQ(json["nodes"], 120);
  EXPECT_EQ(json["clusters"], 3);
  EXPECT_EQ(json["seed"], 7);
  EXPECT_EQ(json["eigenvalues"].size(), 3U);
  EXPECT_EQ(json["converged"], true);
  EXPECT_GT(json["peak_memory_bytes"].get<std::int64_t>(), 1000000);
  EXPECT_EQ(json["metrics"]["cluster_sizes"], (std::vector<int>{40, 40, 40}));
  EXPECT_EQ(json["metrics"]["minimum_balance"], 1.0);
}

TEST_F(Cluster, reports_its_own_peak_memory_not_that_of_the_process_that_starts_it) {
  write_triangles();
  const Result result = shell(
      "python3 -c \"import os; held = b'x' * 400_000_000; "
      "os.execvp('repsc', 'repsc cluster G.txt -k 2 --json -'.split())\"");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_LT(parsed(result.out)["peak_memory_bytes"].get<std::int64_t>(), 300'000'000);
}

TEST_F(Cluster, chooses_the_method_by_what_is_given) {
  write_triangles();
  EXPECT_EQ(parsed(fine("cluster G.txt -k 2 --json -").out)["method"], "nsc");
  EXPECT_FALSE(parsed(fine("cluster G.txt R.txt -k 2 --json -").out)["search"].is_null());
  EXPECT_EQ(parsed(fine("cluster G.txt R.txt -k 2 --rank 2 --json -").out)["method"], "nrepsc");
  const auto fair = parsed(fine("cluster G.txt --groups groups.csv -k 2 --json -").out);
  EXPECT_FALSE(fair["search"].is_null());
  EXPECT_EQ(fair["groups"], 2);
  const auto found = parsed(fine("cluster G.txt R.txt -k 2 --num-groups 3 --json -").out);
  EXPECT_EQ(found["method"], "nfairsc");
  EXPECT_EQ(found["groups"], 3);
  EXPECT_FALSE(parsed(fine("cluster G.txt R.txt --groups groups.csv -k 2 --json -").out)["search"]
                   .is_null());
}

TEST_F(Cluster, runs_every_method_and_says_which_ran) {
  generate_sample();
  for (const std::string method : {"usc", "nsc", "urepsc", "nrepsc", "ufairsc", "nfairsc"}) {
    const auto json = parsed(fine("cluster sample.similarity.mtx sample.representation.mtx -k 3 "
                                  "--method " +
                                  method + " --json -")
                                 .out);
    EXPECT_EQ(json["method"], method);
    EXPECT_EQ(json["metrics"]["cluster_sizes"].size(), 3U) << method;
  }
}

TEST_F(Cluster, gives_null_balances_without_r_and_groups) {
  write_triangles();
  const auto json = parsed(fine("cluster G.txt -k 2 --json -").out);
  EXPECT_TRUE(json["metrics"]["average_balance"].is_null());
  EXPECT_EQ(json["constraint_rank"], 0);
}

TEST_F(Cluster, takes_every_rank_and_refuses_one_that_is_infeasible) {
  generate_sample();
  const std::string call = "cluster sample.similarity.mtx sample.representation.mtx -k 3 --json - ";
  EXPECT_LE(parsed(fine(call + "--rank 5").out)["constraint_rank"].get<int>(), 5);
  EXPECT_EQ(parsed(fine(call + "--rank exact").out)["metrics"]["minimum_balance"], 1.0);
  fine(call + "--rank auto");
  expect_error(call + "--rank 118", 3, "118");
  expect_error(call + "--rank 0", 2, "--rank");
  expect_error(call + "--rank much", 2, "--rank");
}

TEST_F(Cluster, takes_a_soft_constraint_and_refuses_what_contradicts_it) {
  generate_sample();
  const std::string call = "cluster sample.similarity.mtx sample.representation.mtx -k 3 --json - ";
  const auto soft = parsed(fine(call + "--constraint soft").out);
  EXPECT_EQ(soft["constraint"], "soft");
  EXPECT_EQ(soft["strength"], 1.0);
  EXPECT_EQ(soft["constraint_rank"], 0);
  EXPECT_EQ(soft["method"], "nrepsc");
  EXPECT_EQ(parsed(fine(call + "--strength 0.25").out)["strength"], 0.25);
  EXPECT_EQ(parsed(fine(call + "--constraint hard").out)["constraint"], "hard");
  EXPECT_EQ(parsed(fine(call + "--rank 5").out)["constraint"], "hard");
  EXPECT_NE(fine(call + "--strength 1").out,
            fine(call + "--strength 1 --embedding-rows plain").out);
  expect_error(call + "--strength 1 --rank 5", 2, "--rank");
  expect_error(call + "--strength 1 --constraint hard", 2, "--strength");
  expect_error(call + "--strength 1 --method nsc", 2, "--strength");
  expect_error(call + "--constraint soft --method nfairsc", 2, "--constraint");
  expect_error(call + "--constraint firm", 2, "--constraint");
  for (const std::string wrong : {"-1", "x", "nan", "inf", "''"}) {
    expect_error(call + "--strength " + wrong, 2, "--strength");
  }
  expect_error(call + "--strength 1 --solver cholesky", 3, "--solver lanczos");
  expect_error(call + "--embedding-rows long", 2, "--embedding-rows");
}

TEST_F(Cluster, refuses_an_exact_rank_that_leaves_no_room_and_suggests_rank) {
  write("G.txt", "1 2\n2 3\n3 4\n4 5\n5 1\n1 3\n");
  write("R.txt", "1 2\n2 3\n3 4\n4 5\n");
  expect_error("cluster G.txt R.txt -k 3 --rank exact", 3, "--rank");
}

TEST_F(Cluster, gives_the_same_bytes_on_any_number_of_threads) {
  fine(
      "generate rpp -n 900 -k 4 -P 3 --within 0.3 --across 0.1 -p 0.2 -q 0.15 -r 0.1 -s 0.05 "
      "-o sample --quiet");
  for (const std::string options : {"--method nsc --solver lanczos", "--method nrepsc --rank 40",
                                    "--method ufairsc --num-groups 3"}) {
    const std::string call =
        "cluster sample.similarity.mtx sample.representation.mtx -k 4 --seed 5 " + options +
        " --embedding e.csv -o l.csv --json j.json --threads ";
    fine(call + "1");
    const std::string labels = content("l.csv");
    const std::string embedding = content("e.csv");
    const std::string json = content("j.json");
    fine(call + "2");
    EXPECT_EQ(content("l.csv"), labels) << options;
    EXPECT_EQ(content("e.csv"), embedding) << options;
    EXPECT_EQ(without_costs(content("j.json")).dump(), without_costs(json).dump()) << options;
  }
}

TEST_F(Cluster, writes_results_and_ends_with_4_when_not_converged) {
  fine("generate planted -n 600 -k 4 --within 0.05 --across 0.04 -o plain --quiet");
  const Result result = repsc(
      "cluster plain.similarity.mtx -k 4 --solver lanczos --max-iterations 1 --tol 1e-14 "
      "-o labels.csv --json result.json --quiet --no-baselines");
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.err, StartsWith("repsc: not converged"));
  EXPECT_EQ(lines_of(result.err).size(), 1U);
  EXPECT_EQ(parsed(content("result.json"))["converged"], false);
  EXPECT_EQ(lines_of(content("labels.csv")).size(), 601U);
}

TEST_F(Cluster, names_an_isolated_node_and_drops_it_where_asked) {
  write("G.txt", "a b 1\nb c 1\nc a 1\nlost lost 0\nd e 1\ne f 1\nf d 1\nc d 1\n");
  write("R.txt", "a d\nb e\nc f\nlost a\n");
  write("groups.csv", "node,group\na,x\nb,y\nc,x\nd,x\ne,y\nf,x\nlost,z\n");
  expect_error("cluster G.txt -k 2", 3, "lost");
  for (const std::string more : {"", "R.txt", "--groups groups.csv"}) {
    const Result result = fine("cluster G.txt " + more + " -k 2 --isolated drop");
    EXPECT_EQ(lines_of(result.out).size(), 7U) << more;
    EXPECT_THAT(result.out, testing::Not(HasSubstr("lost"))) << more;
    EXPECT_THAT(result.err, HasSubstr("dropped 1 node isolated in the similarity graph: lost"));
  }
  EXPECT_EQ(parsed(fine("cluster G.txt -k 2 --isolated drop --json -").out)["dropped_nodes"], 1);
}

TEST_F(Cluster, matches_nodes_by_name_as_it_is_told) {
  write("G.txt", "a b\nb c\nc a\nd e\ne f\nf d\nc d\n");
  write("R.txt", "f c\ne b\nd a\nd z\n");
  expect_error("cluster G.txt R.txt -k 2 --method usc", 3, "--nodes");
  const Result result = fine("cluster G.txt R.txt -k 2 --method usc --nodes intersection");
  EXPECT_THAT(result.out, StartsWith("node,cluster\na,"));
  EXPECT_EQ(lines_of(result.out).size(), 7U);
  const Result united = fine("cluster G.txt R.txt -k 2 --method usc --nodes union");
  EXPECT_EQ(lines_of(united.out).size(), 8U);
}

TEST_F(Cluster, reads_a_graph_from_standard_input) {
  write_triangles();
  const Result result = shell("cat G.txt | repsc cluster - -k 2");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, "node,cluster\na,0\nb,0\nc,0\nd,1\ne,1\nf,1\n");
}

TEST_F(Cluster, tells_what_reading_changed_unless_quiet) {
  write("G.txt", "a b\nb c\nc a\nd e\ne f\nf d\nc d\na a\nb a\n");
  EXPECT_THAT(fine("cluster G.txt -k 2").err, HasSubstr("self-loop"));
  EXPECT_EQ(fine("cluster G.txt -k 2 --quiet --no-baselines").err, "");
  EXPECT_THAT(fine("cluster G.txt -k 2 --verbose").err, HasSubstr("eigen: "));
}

TEST_F(Cluster, shows_no_progress_and_no_colour_where_nobody_watches) {
  generate_sample();
  const Result result = fine("cluster sample.similarity.mtx sample.representation.mtx -k 3");
  EXPECT_EQ((result.out + result.err).find('\033'), std::string::npos);
  EXPECT_EQ((result.out + result.err).find('\r'), std::string::npos);
}

TEST_F(Cluster, uses_groups_for_the_fair_methods_and_r_for_the_balance) {
  write_triangles();
  const auto with_r =
      parsed(fine("cluster G.txt R.txt --groups groups.csv --method nfairsc -k 2 --json -").out);
  const auto without =
      parsed(fine("cluster G.txt --groups groups.csv --method nfairsc -k 2 --json -").out);
  EXPECT_EQ(with_r["eigenvalues"], without["eigenvalues"]);
  EXPECT_EQ(with_r["metrics"]["ratio_cut"], without["metrics"]["ratio_cut"]);
}

TEST_F(Cluster, writes_the_embedding_with_a_row_a_node) {
  write_triangles();
  const Result result = fine("cluster G.txt -k 2 --embedding -");
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0], "node,x_1,x_2");
  EXPECT_THAT(lines[1], StartsWith("a,"));
}

// ---- time ----

/// The stages add up to the total, and little of it has no name.
void expect_complete(const nlohmann::ordered_json& seconds) {
  double sum = 0;
  for (const auto& item : seconds.items()) {
    if (item.key() != "total") sum += item.value().get<double>();
  }
  const double total = seconds["total"];
  EXPECT_NEAR(sum, total, 1e-9 + 1e-6 * total) << seconds;
  EXPECT_LT(seconds["other"].get<double>(), 0.5 * total + 0.1) << seconds;
}

TEST_F(Cluster, accounts_for_every_second) {
  fine("generate rpp -n 400 -k 4 -d 20 -p 0.6 -q 0.4 -r 0.3 -s 0.1 --seed 1 -o big --quiet");
  const std::string graphs = "big.similarity.mtx big.representation.mtx ";
  const std::string call = "cluster " + graphs + "-k 4 -o labels.csv --json - ";
  for (const std::string options :
       {"", "--refine --mu 2", "--target-balance 0.9", "--embedding e.csv --method nsc"}) {
    SCOPED_TRACE(options);
    expect_complete(parsed(fine(call + options).out)["seconds"]);
  }
  const auto search = parsed(fine(call + "--target-balance 0.9").out)["seconds"];
  EXPECT_GT(search["search"].get<double>(), search["eigen"].get<double>());
  expect_complete(parsed(fine("refine " + graphs + "labels.csv --json -").out)["seconds"]);
  expect_complete(
      parsed(fine("path " + graphs + "-k 4 --ranks 5,50 --refine 1 --json -").out)["seconds"]);
}

TEST_F(Cluster, returns_the_best_so_far_at_the_time_limit) {
  generate_sample();
  const std::string call =
      "cluster sample.similarity.mtx sample.representation.mtx -k 3 -o labels.csv --json run.json ";
  const Stopwatch watch;
  const Result result = fine(call + "--restarts 2000000000 --time-limit 1");
  EXPECT_LT(watch.seconds(), 30);
  EXPECT_THAT(result.err, HasSubstr("repsc: the time limit of 1 s ended the run"));
  EXPECT_EQ(parsed(content("run.json"))["time_limit_reached"], true);
  EXPECT_EQ(lines_of(content("labels.csv")).size(), 121U);
  fine(call + "--max-cut-increase 10% --time-limit 0.001");
  EXPECT_EQ(parsed(content("run.json"))["time_limit_reached"], true);
  fine(call + "--time-limit 1000");
  EXPECT_EQ(parsed(content("run.json"))["time_limit_reached"], false);
  for (const std::string wrong : {"0", "-1", "x", "nan", "''"}) {
    expect_error(call + "--time-limit " + wrong, 2, "--time-limit");
  }
}

TEST_F(Cluster, announces_work_that_takes_long) {
  generate_sample();
  const std::string call = "cluster sample.similarity.mtx sample.representation.mtx -k 3 ";
  const Result result = fine(call + "--restarts 2000000000 --time-limit 7 -o labels.csv");
  EXPECT_THAT(result.err, HasSubstr("left; --time-limit SECONDS ends it earlier"));
  const Result quiet = fine(call + "--restarts 2000000000 --time-limit 1 -o labels.csv --quiet");
  EXPECT_EQ(lines_of(quiet.err).size(), 1U) << quiet.err;
}

TEST_F(Cluster, names_the_average_balance_that_no_clustering_exceeds) {
  // Everybody has three representatives, so the most even spread over two clusters is 1 to 2.
  write("G.txt", "a b\nb c\nc d\nd e\ne f\nf a\n");
  write("R.txt", "a b\nb c\nc a\nd e\ne f\nf d\n");
  const Result result = repsc("cluster G.txt R.txt -k 2 --target-balance 0.6 --json run.json");
  EXPECT_EQ(result.code, 5);
  EXPECT_THAT(result.err, HasSubstr("no clustering can have an average balance above 0.5000"));
  EXPECT_THAT(result.err, HasSubstr("--target-balance 0.6"));
  EXPECT_EQ(parsed(content("run.json"))["target"]["average_balance_limit"], 0.5);
  EXPECT_EQ(lines_of(result.out).size(), 7U) << "the nearest result";
  fine("cluster G.txt R.txt -k 2 --target-balance 0.5");
}

TEST_F(Cluster, says_once_what_reading_changed_in_the_summary_and_in_the_json) {
  write("G.txt", "a b\nb a\nb c\nb c\nc a\na a\nd e\ne f\nf d\nlost lost\n");
  write("R.txt", "a d\nb e\nc f\nz a\n");
  const Result result =
      fine("cluster G.txt R.txt -k 2 --nodes intersection --isolated drop --json r.json");
  for (const char* part : {"dropped 2 self-loops", "merged 1 duplicate",
                           "dropped the direction of 5 edges", "2 components"}) {
    const std::size_t first = result.err.find(part);
    EXPECT_NE(first, std::string::npos) << part << "\n" << result.err;
    EXPECT_EQ(result.err.find(part, first + 1), std::string::npos) << result.err;
  }
  const auto input = parsed(content("r.json"))["input"];
  EXPECT_EQ(input["similarity"]["file"], "G.txt");
  EXPECT_EQ(input["similarity"]["nodes"], 7);
  EXPECT_EQ(input["similarity"]["self_loops_dropped"], 2);
  EXPECT_EQ(input["similarity"]["duplicates_merged"], 1);
  EXPECT_EQ(input["similarity"]["directions_dropped"], 5);
  EXPECT_EQ(input["representation"]["self_loops_added"], 7);
  EXPECT_EQ(input["only_in_similarity"], 1);
  EXPECT_EQ(input["only_in_representation"], 1);
  EXPECT_EQ(input["nodes_dropped"], 2);
  EXPECT_EQ(input["components"], 2);
  EXPECT_EQ(input["isolated_nodes"], 0);
  EXPECT_TRUE(input["groups"].is_null());
}

TEST_F(Cluster, never_suggests_the_intersection_of_numbers_from_0_and_from_1) {
  write("G.txt", "0 1\n1 2\n2 3\n3 0\n");
  write("R.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n2 1\n4 3\n");
  const Result strict = repsc("cluster G.txt R.mtx -k 2");
  EXPECT_EQ(strict.code, 3);
  EXPECT_THAT(strict.err, HasSubstr("from 0, the representation graph from 1"));
  EXPECT_THAT(strict.err, HasSubstr("--nodes rows"));
  EXPECT_EQ(strict.err.find("intersection"), std::string::npos) << strict.err;
  write("R.txt", "0 1\n2 3\n");
  EXPECT_EQ(fine("cluster G.txt R.mtx -k 2 --nodes rows").out,
            fine("cluster G.txt R.txt -k 2").out);
  EXPECT_THAT(fine("cluster G.txt R.mtx -k 2 --nodes intersection").err,
              HasSubstr("use --nodes rows"));
}

TEST_F(Cluster, leaves_baselines_out_that_double_precision_cannot_compute) {
  write("G.txt", "3 0 4.709914e+271\n5 4 3.501800e+102\n");
  const Result found = repsc("cluster G.txt G.txt -k 2 --method urepsc -o labels.csv --json -");
  ASSERT_EQ(found.code, 0) << found.err;
  if (parsed(found.out)["baselines"].is_null()) {  // else the rounding of this machine was lucky
    EXPECT_THAT(found.err, HasSubstr("no baselines: double precision does not suffice"));
    EXPECT_THAT(found.err, HasSubstr("the weights of G range from 3.5018e+102 to 4.70991e+271"));
  }
  EXPECT_NE(repsc("cluster G.txt G.txt -k 2").code, 70);
}

}  // namespace
}  // namespace repsc::tests
