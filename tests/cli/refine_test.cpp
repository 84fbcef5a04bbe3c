// repsc refine, cluster --refine and targets: files, JSON, exit codes.
#include <gmock/gmock.h>

#include "cli/tool.hpp"

namespace repsc::tests {
namespace {

using testing::HasSubstr;

class RefineCommand : public ToolTest {
 protected:
  /// Plain labels of a graph where fairness and cut are at odds.
  void generate_unfair() const {
    fine("generate rpp -n 60 -k 2 -d 20 -p 0.7 -q 0.6 -r 0.2 -s 0.1 --seed 3 -o sample --quiet");
    fine("cluster " + graphs_ + " -k 2 --method nsc -o plain.csv --quiet");
  }
  std::string graphs_ = "sample.similarity.mtx sample.representation.mtx";
};

double objective(const nlohmann::ordered_json& metrics, double mu) {
  return metrics["normalized_cut"].get<double>() / 0.5 -
         mu * metrics["average_balance"].get<double>();
}

TEST_F(RefineCommand, lowers_the_objective_and_reports_the_metrics_of_the_labels_it_writes) {
  generate_unfair();
  const auto json =
      parsed(fine("refine " + graphs_ + " plain.csv --mu 3 -o refined.csv --json -").out);
  const auto evaluated = parsed(fine("evaluate " + graphs_ + " refined.csv --json -").out);
  EXPECT_EQ(json["metrics"], evaluated["metrics"]);
  EXPECT_NEAR(json["refinement"]["objective"].get<double>(), objective(json["metrics"], 3), 1e-9);
  EXPECT_NEAR(json["refinement"]["start_objective"].get<double>(),
              objective(json["refinement"]["start_metrics"], 3), 1e-9);
  EXPECT_LE(json["refinement"]["objective"].get<double>(),
            json["refinement"]["start_objective"].get<double>());
  EXPECT_EQ(json["refinement"]["local_optimum"], true);
}

TEST_F(RefineCommand, changes_nothing_the_second_time_on_any_number_of_threads) {
  generate_unfair();
  for (const std::string options : {"--mu 3", "--mu ratio --cut ratio", "--min-cluster-size 25"}) {
    fine("refine " + graphs_ + " plain.csv " + options + " -o once.csv --threads 1");
    fine("refine " + graphs_ + " once.csv " + options + " -o twice.csv --threads 3");
    fine("refine " + graphs_ + " plain.csv " + options + " -o threads.csv --threads 3");
    EXPECT_EQ(content("once.csv"), content("twice.csv")) << options;
    EXPECT_EQ(content("once.csv"), content("threads.csv")) << options;
  }
}

TEST_F(RefineCommand, is_what_cluster_with_refine_does) {
  generate_unfair();
  const auto json = parsed(
      fine("cluster " + graphs_ + " -k 2 --method nsc --refine --mu 3 -o both.csv --json -").out);
  fine("refine " + graphs_ + " plain.csv --mu 3 -o refined.csv");
  EXPECT_EQ(content("both.csv"), content("refined.csv"));
  EXPECT_EQ(json["metrics"],
            parsed(fine("evaluate " + graphs_ + " both.csv --json -").out)["metrics"]);
  EXPECT_EQ(json["refinement"]["cut"], "normalized");
  EXPECT_TRUE(json["target"].is_null());
  const auto ratio = parsed(
      fine("cluster " + graphs_ + " -k 2 --method usc --refine --mu ratio --json - -o l.csv").out);
  EXPECT_EQ(ratio["refinement"]["cut"], "ratio");
}

TEST_F(RefineCommand, follows_method_auto_unless_told_otherwise) {
  fine(
      "generate rpp -n 60 -k 2 -P 3 --within 0.6 --across 0.3 -p 0.7 -q 0.6 -r 0.2 -s 0.1 -o full "
      "--quiet");
  const std::string run = "cluster full.similarity.mtx full.representation.mtx -k 2 --json - ";
  const auto automatic = parsed(fine(run + "-o auto.csv").out);
  EXPECT_LT(automatic["refinement"]["mu"].get<double>(), 2);
  EXPECT_FALSE(automatic["search"].is_null());
  const auto soft = parsed(fine(run + "--constraint soft --strength 1 -o soft.csv").out);
  EXPECT_TRUE(soft["refinement"].is_null());
  EXPECT_TRUE(parsed(fine(run + "--no-refine -o plain.csv").out)["refinement"].is_null());
  const auto given = parsed(fine(run + "--mu 1.5 -o given.csv").out);
  EXPECT_EQ(given["refinement"]["mu"], 1.5);
  fine("refine full.similarity.mtx full.representation.mtx given.csv --mu 1.5 -o refined.csv");
  EXPECT_EQ(content("given.csv"), content("refined.csv")) << "a local optimum already";
  expect_error(run + "--no-refine --target-balance 0.5", 2, "--no-refine");
  expect_error(run + "--no-refine --refine", 2, "--refine");
}

TEST_F(RefineCommand, follows_groups_that_were_given_beside_r) {
  generate_unfair();
  std::string groups = "node,cluster\n";
  for (int i = 1; i <= 60; ++i) groups += std::to_string(i) + "," + std::to_string(i % 2) + "\n";
  write("groups.csv", groups);
  const std::string run = "cluster " + graphs_ + " --groups groups.csv -k 2 --method nfairsc ";
  fine(run + "-o fair.csv");
  const auto json = parsed(fine(run + "--refine --mu 3 -o both.csv --json -").out);
  fine("refine " + graphs_ + " fair.csv --mu 3 -o refined.csv");
  EXPECT_EQ(content("both.csv"), content("refined.csv"));
  EXPECT_EQ(json["refinement"]["mu"], 3);
}

TEST_F(RefineCommand, numbers_clusters_that_have_names_and_says_how) {
  write_triangles();
  write("named.csv", "node,cluster\na,left\nb,left\nc,left\nd,right\ne,right\nf,right\n");
  const Result result = fine("refine G.txt R.txt named.csv --mu 0");
  EXPECT_EQ(result.out, "node,cluster\na,0\nb,0\nc,0\nd,1\ne,1\nf,1\n");
  EXPECT_THAT(result.err, HasSubstr("clusters are numbered 0 = left, 1 = right"));
}

TEST_F(RefineCommand, refuses_what_makes_no_sense) {
  write_triangles();
  write("labels.csv", "node,cluster\na,0\nb,0\nc,0\nd,1\ne,1\nf,1\n");
  write("one.csv", "node,cluster\na,0\nb,0\nc,0\nd,0\ne,0\nf,0\n");
  expect_error("refine G.txt R.txt labels.csv --mu -1", 2, "not ratio or a number of at least 0");
  expect_error("refine G.txt R.txt labels.csv --mu x", 2, "--mu");
  expect_error("refine G.txt R.txt labels.csv --min-cluster-size 4", 3,
               "from 1 to 3, because 2 clusters share 6 nodes");
  expect_error("refine G.txt R.txt one.csv", 3, "one cluster");
  expect_error("refine G.txt", 2, "LABELS");
  expect_error("refine G.txt R.txt", 2, "--groups");
  expect_error("cluster G.txt -k 2 --refine", 2, "--refine");
  expect_error("cluster G.txt R.txt -k 2 --rank 2 --mu 2", 2, "use --refine");
  expect_error("cluster G.txt R.txt -k 2 --rank 2 --min-cluster-size 2", 2, "use --refine");
  expect_error("cluster G.txt R.txt -k 2 --mu 2 --fairness 1", 2, "leave out --mu");
}

class TargetOptions : public RefineCommand {};

TEST_F(TargetOptions, are_met_with_exit_code_0_and_what_was_reached_in_the_json) {
  generate_unfair();
  const auto json =
      parsed(fine("cluster " + graphs_ + " -k 2 --target-balance 0.6 --json - -o l.csv").out);
  EXPECT_EQ(json["target"]["met"], true);
  EXPECT_GE(json["metrics"]["average_balance"].get<double>(), 0.6);
  EXPECT_EQ(json["metrics"],
            parsed(fine("evaluate " + graphs_ + " l.csv --json -").out)["metrics"]);
  EXPECT_NEAR(json["target"]["reached_cut"].get<double>(),
              json["metrics"]["normalized_cut"].get<double>(), 1e-12);
}

TEST_F(TargetOptions, that_cannot_be_met_end_with_exit_code_5_and_the_best_labels_written) {
  write_triangles();
  write("R3.txt", "a d\nb e\nb f\n");  // c only has itself: its balance is 0
  const Result result =
      repsc("cluster G.txt R3.txt -k 2 --nodes union --target-balance 1 -o l.csv --json j");
  EXPECT_EQ(result.code, 5) << result.err;
  EXPECT_THAT(result.err, HasSubstr("the best found is 0.7500"));
  EXPECT_EQ(parsed(content("j"))["target"]["met"], false);
  EXPECT_EQ(lines_of(content("l.csv")).size(), 7U);
}

TEST_F(TargetOptions, list_nodes_that_no_clustering_can_satisfy_before_computing) {
  write_triangles();
  write("R3.txt", "a d\nb e\nb f\n");  // c only has itself
  const Result result =
      repsc("cluster G.txt R3.txt -k 2 --nodes union --target-individual 1 -o l.csv --json j");
  EXPECT_THAT(result.err, HasSubstr("cannot reach balance 1 in any clustering"));
  EXPECT_THAT(result.err, HasSubstr("1 representative (fewer than clusters, so at most 0): c"));
  EXPECT_THAT(result.err, HasSubstr("3 representatives (1/2 at best): b"));
  const auto target = parsed(content("j"))["target"];
  EXPECT_EQ(target["unreachable"].size(), 2U);
  EXPECT_EQ(result.code, target["below"].empty() ? 0 : 5);
}

TEST_F(TargetOptions, refuse_knobs_that_the_search_turns_itself) {
  write_triangles();
  const std::string call = "cluster G.txt R.txt -k 2 --target-balance 0.5 ";
  expect_error(call + "--mu 2", 2, "--mu");
  expect_error(call + "--refine", 2, "--refine");
  expect_error(call + "--rank 2", 2, "--rank");
  expect_error(call + "--strength 2", 2, "--strength");
  expect_error(call + "--constraint hard", 2, "--constraint");
  expect_error(call + "--method nfairsc", 2, "--method");
  expect_error(call + "--target-individual 0.5", 2, "--target-individual");
  expect_error("cluster G.txt R.txt -k 2 --target-balance 1.5", 2, "--target-balance");
  expect_error("cluster G.txt R.txt -k 2 --max-cut-increase 10", 2, "such as 10%");
  expect_error("cluster G.txt -k 2 --target-balance 0.5", 2, "representation graph");
}

}  // namespace
}  // namespace repsc::tests
