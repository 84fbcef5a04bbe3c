// repsc choose-k, and cluster -k auto.
#include <gmock/gmock.h>

#include "cli/tool.hpp"

namespace repsc::tests {
namespace {

using testing::HasSubstr;

class ChooseK : public ToolTest {
 protected:
  /// Three clusters of 40 nodes, that no two of the groups tell apart.
  void planted() const {
    fine("generate planted -n 120 -k 3 --within 0.5 --across 0.05 --seed 1 -o g --quiet");
    shell("mv g.similarity.mtx G.mtx || mv g.mtx G.mtx");
    std::string groups = "node,group\n";
    for (int i = 1; i <= 120; ++i) {
      groups += std::to_string(i) + (i % 2 == 0 ? ",even\n" : ",odd\n");
    }
    write("groups.csv", groups);
  }
  /// A star, which has no clusters.
  void star() const {
    std::string edges;
    for (int i = 1; i < 30; ++i) edges += "0 " + std::to_string(i) + "\n";
    write("star.txt", edges);
  }
};

TEST_F(ChooseK, prints_a_table_with_a_mark_and_the_reason) {
  planted();
  const Result result = fine("choose-k G.mtx --to 6");
  const auto lines = lines_of(result.out);
  ASSERT_GE(lines.size(), 8U) << result.out;
  EXPECT_THAT(lines[0], HasSubstr("stability"));
  for (int K = 2; K <= 6; ++K) {
    const std::string& line = lines[static_cast<std::size_t>(K - 1)];
    const std::string mark = K == 3 ? "* " : "  ";
    EXPECT_TRUE(line.starts_with("  " + mark + std::to_string(K))) << line;
    EXPECT_EQ(line.size(), lines[0].size()) << "the columns line up";
  }
  EXPECT_THAT(lines[7], testing::StartsWith("K = 3: the eigengap after 3 is "));
}

TEST_F(ChooseK, writes_json) {
  planted();
  fine("choose-k G.mtx --groups groups.csv --from 3 --to 5 --seed 4 --json c.json");
  const auto json = nlohmann::json::parse(read_all(work() / "c.json"));
  EXPECT_EQ(json["recommended"], 3);
  EXPECT_EQ(json["seed"], 4);
  EXPECT_EQ(json["constraint"], "exact");
  EXPECT_EQ(json["components"], 1);
  EXPECT_EQ(json["time_limit_reached"], false);
  ASSERT_EQ(json["table"].size(), 3U);
  const auto& first = json["table"][0];
  EXPECT_EQ(first["clusters"], 3);
  EXPECT_EQ(first["clear"], true);
  EXPECT_TRUE(first["plain"]["stability"].is_null());
  EXPECT_GT(first["constrained"]["stability"], 0.9);
  EXPECT_NEAR(first["constrained"]["share_below_random"],
              1 - double(first["constrained"]["cut"]) / double(first["random"]["cut"]), 1e-12);
  const Result again = fine("choose-k G.mtx --to 4 --json -");
  EXPECT_EQ(nlohmann::json::parse(again.out)["constraint"], "none") << "nothing but the JSON";
}

TEST_F(ChooseK, refuses_an_empty_range) {
  planted();
  expect_error("choose-k G.mtx --from 5 --to 4", 2, "--to");
  expect_error("choose-k G.mtx --from 1", 2, "--from");
  expect_error("choose-k G.mtx --from 200 --to 300", 3, "--from 200");
}

TEST_F(ChooseK, gives_cluster_its_number) {
  planted();
  const Result result = fine("cluster G.mtx -k auto -o labels.csv --json r.json");
  EXPECT_THAT(lines_of(result.err)[0], testing::StartsWith("K = 3: "));
  const auto json = nlohmann::json::parse(read_all(work() / "r.json"));
  EXPECT_EQ(json["clusters"], 3);
  EXPECT_EQ(json["chosen_clusters"]["recommended"], 3);
  EXPECT_EQ(json["chosen_clusters"]["table"].size(), 19U);
  fine("cluster G.mtx -k 3 -o given.csv --json given.json --quiet");
  EXPECT_EQ(read_all(work() / "labels.csv"), read_all(work() / "given.csv"));
  EXPECT_FALSE(nlohmann::json::parse(read_all(work() / "given.json")).contains("chosen_clusters"));
  expect_error("cluster G.mtx -k some", 2, "auto or a whole number of at least 2");
  expect_error("cluster G.mtx -k 1", 2, "auto or a whole number of at least 2");
}

TEST_F(ChooseK, does_not_guess) {
  star();
  const Result table = fine("choose-k star.txt");
  EXPECT_THAT(table.out, HasSubstr("no clear K"));
  EXPECT_EQ(table.out.find("* "), std::string::npos) << "no K is marked";
  expect_error("cluster star.txt -k auto", 3, "no clear K");
  expect_error("cluster star.txt -k auto", 3, "`repsc choose-k`");
  std::string path;
  for (int i = 1; i < 60; ++i) path += std::to_string(i - 1) + " " + std::to_string(i) + "\n";
  write("path.txt", path);
  expect_error("cluster path.txt -k auto", 3, "the best candidates are");
}

}  // namespace
}  // namespace repsc::tests
