// --groups in every command that takes R: the same answers as with the R of the groups, never
// built.
#include <gmock/gmock.h>

#include "cli/tool.hpp"

namespace repsc::tests {
namespace {

using testing::HasSubstr;

class Groups : public ToolTest {
 protected:
  Groups() {
    generate_sample();
    std::string table = "node,group\n";
    for (int i = 1; i <= 120; ++i) {
      table += std::to_string(i) + (i % 6 < 3 ? ",a" : i % 6 < 5 ? ",b" : ",c") + "\n";
    }
    write("groups.csv", table);
    fine("graph groups groups.csv -o groups.mtx");
    fine("cluster " + G + " -k 3 -o plain.csv");
  }
  const std::string G = "sample.similarity.mtx ";
};

TEST_F(Groups, give_a_path_the_eigenvalues_of_their_graph) {
  const std::string points = " -k 3 --ranks 1,2,50 --strengths 0.1,10 --tol 1e-9 --json -";
  const auto by_graph = parsed(fine("path " + G + "groups.mtx" + points).out);
  const auto by_groups = parsed(fine("path " + G + "--groups groups.csv" + points).out);
  ASSERT_EQ(by_groups["path"].size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    const auto& one = by_graph["path"][i];
    const auto& other = by_groups["path"][i];
    EXPECT_EQ(one["constraint_rank"], other["constraint_rank"]);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(one["eigenvalues"][k].get<double>(), other["eigenvalues"][k].get<double>(), 1e-7);
    }
  }
}

TEST_F(Groups, refine_labels_and_are_measured_as_their_graph) {
  fine("refine " + G + "plain.csv --groups groups.csv --mu 1 -o refined.csv");
  fine("cluster " + G + "-k 3 --method nsc --groups groups.csv --refine --mu 1 -o clustered.csv");
  EXPECT_EQ(content("refined.csv"), content("clustered.csv"));
  const auto measured = [&](const std::string& what) {
    return parsed(fine("evaluate " + G + what + " --json -").out)["metrics"]["average_balance"]
        .get<double>();
  };
  const double before = measured("plain.csv --groups groups.csv");
  const double after = measured("refined.csv --groups groups.csv");
  EXPECT_GT(after, before);
  EXPECT_NEAR(after, measured("groups.mtx refined.csv"), 1e-12);
}

TEST_F(Groups, have_their_shares_in_the_clusters_in_every_report) {
  const std::string R = "sample.representation.mtx ";
  const Result run = fine("cluster " + G + R + "-k 3 --method nrepsc --strength 1 --refine " +
                          "--groups groups.csv -o labels.csv --json report.json");
  EXPECT_THAT(run.err, HasSubstr("\n  balance               average"));
  EXPECT_THAT(run.err, HasSubstr("\n  proportional balance  average"));
  const auto cluster = parsed(content("report.json"));
  const auto evaluated =
      parsed(fine("evaluate " + G + R + "labels.csv --groups groups.csv --json -").out)["metrics"];
  EXPECT_EQ(cluster["metrics"], evaluated);
  EXPECT_EQ(evaluated["group_balance"]["groups"], 3);
  EXPECT_EQ(cluster["refinement"]["start_metrics"]["group_balance"]["groups"], 3);
  const auto refined = parsed(fine("refine " + G + "plain.csv --groups groups.csv --json -").out);
  EXPECT_EQ(refined["metrics"]["group_balance"]["clusters"].size(), 3U);
  const auto path = parsed(
      fine("path " + G + "--groups groups.csv -k 3 --ranks 1 --json -").out)["path"][0]["metrics"];
  EXPECT_EQ(path["group_balance"]["clusters"].size(), 3U);
  EXPECT_EQ(path["conductance"].size(), 3U);
}

TEST_F(Groups, meet_targets) {
  const auto json =
      parsed(fine("cluster " + G + "-k 3 --groups groups.csv --target-balance 0.8 --json -").out);
  EXPECT_GE(json["metrics"]["average_balance"].get<double>(), 0.8);
  EXPECT_EQ(json["target"]["met"], true);
}

TEST_F(Groups, take_a_strength_and_say_so) {
  const std::string call = "cluster " + G + "-k 3 --groups groups.csv --strength 2";
  EXPECT_EQ(parsed(fine(call + " --json -").out)["method"], "nrepsc");
  EXPECT_THAT(fine(call + " --explain-plan").out, HasSubstr("groups were given"));
}

TEST_F(Groups, are_needed_where_there_is_no_R_and_refused_beside_it) {
  const std::string both = "--groups groups.csv";
  expect_error("path " + G + "-k 3 --ranks 1", 2, "--groups");
  expect_error("refine " + G + "plain.csv", 2, "--groups");
  expect_error("path " + G + "groups.mtx -k 3 --ranks 1 " + both, 2, "cannot be given with R");
  expect_error("refine " + G + "groups.mtx plain.csv " + both, 2, "cannot be given with R");
}

/// The R of these groups has 2 * 10^8 entries.
TEST_F(Groups, of_many_people_need_no_graph) {
  constexpr int people = 20000;
  constexpr int of_cluster = people / 4;
  std::string edges;
  std::string table = "node,group\n";
  std::string labels = "node,cluster\n";
  for (int i = 0; i < people; ++i) {
    const std::string id = std::to_string(i);
    const int first = i / of_cluster * of_cluster;
    const auto link = [&](int to) { edges += id + " " + std::to_string(to) + "\n"; };
    link(first + (i * 7 + 1) % of_cluster);
    link(first + (i * 13 + 5) % of_cluster);
    link(first + (i * 29 + 3) % of_cluster);
    if (i % 20 == 0) link((i * 31 + 11) % people);
    table += id + "," + (i % 2 == 0 ? "f" : "m") + "\n";
    labels += id + "," + std::to_string(i / of_cluster) + "\n";
  }
  write("many.txt", edges);
  write("many.csv", table);
  write("start.csv", labels);
  for (const std::string call :
       {"refine many.txt start.csv", "path many.txt -k 4 --strengths 1 --refine 1"}) {
    const auto json = parsed(fine(call + " --groups many.csv --json -").out);
    EXPECT_LT(json["peak_memory_bytes"].get<double>(), 4e8) << call;
  }
}

}  // namespace
}  // namespace repsc::tests
