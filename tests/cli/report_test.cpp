// repsc report, explain and compare.
#include <gmock/gmock.h>

#include "cli/tool.hpp"

namespace repsc::tests {
namespace {

using testing::HasSubstr;

class ReportCommand : public ToolTest {
 protected:
  void generate() const {
    fine(
        "generate rpp -n 80 -k 2 -P 4 --within 0.7 --across 0.1 -p 0.5 -q 0.4 -r 0.2 -s 0.1 -o e "
        "--quiet");
    fine("cluster e.similarity.mtx e.representation.mtx -k 2 -o labels.csv --quiet");
    fine("cluster e.similarity.mtx -k 2 -o plain.csv --quiet");
  }
  nlohmann::json parsed(const std::string& file) const {
    return nlohmann::json::parse(read_all(work() / file));
  }
  /// A page is too long to be printed where an expectation fails.
  static bool holds(const std::string& page, const std::string& part) {
    return page.find(part) != std::string::npos;
  }
  const std::string graphs_ = "e.similarity.mtx e.representation.mtx ";
};

TEST_F(ReportCommand, writes_one_file_and_its_twin) {
  generate();
  fine("report " + graphs_ + "labels.csv --groups e.groups.csv -o r.html --json r.json");
  const std::string page = read_all(work() / "r.html");
  EXPECT_EQ(page.substr(0, 15), "<!DOCTYPE html>");
  EXPECT_TRUE(holds(page, "default-src 'none'")) << "nothing can be loaded";
  const auto twin = parsed("r.json");
  fine("evaluate " + graphs_ + "labels.csv --json e.json");
  const auto metrics = parsed("e.json")["metrics"];
  const auto& point = twin["points"][twin["start"].get<std::size_t>()];
  EXPECT_EQ(point["cut"], metrics["normalized_cut"]);
  EXPECT_EQ(point["average_balance"], metrics["average_balance"]);
  EXPECT_EQ(twin["baselines"]["plain"], parsed("e.json")["baselines"]["plain"]);
  fine("certify " + graphs_ + "labels.csv --json c.json");
  EXPECT_EQ(twin["certificate"]["lower_bound"], parsed("c.json")["certificate"]["lower_bound"]);
  const auto& from = twin["provenance"];
  EXPECT_EQ(from["command"],
            "repsc report " + graphs_ + "labels.csv --groups e.groups.csv -o r.html --json r.json");
  ASSERT_EQ(from["files"].size(), 4U);
  const std::string sum = shell("sha256sum e.similarity.mtx").out.substr(0, 64);
  EXPECT_EQ(from["files"][0]["sha256"], sum);
  EXPECT_EQ(from["files"][3]["role"], "labels");
  EXPECT_EQ(twin["groups"].size(), 4U);
  EXPECT_EQ(twin["threshold"]["chosen_by"], "default");
}

TEST_F(ReportCommand, is_part_of_cluster) {
  generate();
  fine("cluster " + graphs_ + "-k 2 -o own.csv --report own.html --threshold 0.5");
  EXPECT_EQ(read_all(work() / "own.csv"), read_all(work() / "labels.csv"));
  EXPECT_TRUE(holds(read_all(work() / "own.html"), "fair bargain from"));
  EXPECT_TRUE(holds(read_all(work() / "own.html"), "the threshold that was given"));
  expect_error("cluster e.similarity.mtx -k 2 --report x.html", 2, "--report");
}

TEST_F(ReportCommand, can_have_a_given_date) {
  generate();
  shell("SOURCE_DATE_EPOCH=1000000000 repsc report " + graphs_ + "labels.csv -o r.html");
  EXPECT_TRUE(holds(read_all(work() / "r.html"), "2001-09-09T01:46:40Z"));
}

TEST_F(ReportCommand, refuses_what_it_cannot_report) {
  generate();
  expect_error("report e.similarity.mtx labels.csv -o r.html", 2, "--groups");
  expect_error("report " + graphs_ + "labels.csv", 2, "--output");
  expect_error("report " + graphs_ + "labels.csv -o no/such/r.html", 3, "no/such");
  expect_error("report " + graphs_ + "labels.csv -o r.html --threshold 2", 2, "--threshold");
}

TEST_F(ReportCommand, explains_one_person) {
  generate();
  const Result card = fine("explain " + graphs_ + "labels.csv 17");
  EXPECT_THAT(card.out, testing::StartsWith("node 17, cluster "));
  fine("explain " + graphs_ + "labels.csv 17 3 --json people.json");
  const auto people = parsed("people.json")["people"];
  ASSERT_EQ(people.size(), 2U);
  EXPECT_EQ(people[0]["node"], "17");
  fine("evaluate " + graphs_ + "labels.csv --per-node nodes.csv");
  const auto row = lines_of(read_all(work() / "nodes.csv"))[17];
  EXPECT_THAT(row, testing::StartsWith("17,"));
  EXPECT_THAT(row, HasSubstr("," + std::to_string(people[0]["found"][0].get<int>()) + "," +
                             std::to_string(people[0]["found"][1].get<int>())));
  const Result by_groups = fine("explain e.similarity.mtx labels.csv 17 --groups e.groups.csv");
  EXPECT_THAT(by_groups.out, HasSubstr("representatives"));
  expect_error("explain " + graphs_ + "labels.csv nobody", 3, "no node 'nobody'");
  expect_error("explain " + graphs_ + "labels.csv", 2, "a node");
}

TEST_F(ReportCommand, compares_two_clusterings) {
  generate();
  const Result table = fine("compare " + graphs_ + "plain.csv labels.csv --groups e.groups.csv");
  EXPECT_THAT(table.out, HasSubstr("From A to B the balance of "));
  fine("compare " + graphs_ + "plain.csv labels.csv --json c.json --report c.html");
  const auto json = parsed("c.json");
  EXPECT_EQ(json["gained"].get<int>() == 0, json["largest_gains"].empty());
  fine("evaluate " + graphs_ + "plain.csv --json a.json");
  EXPECT_EQ(json["before"]["average_balance"], parsed("a.json")["metrics"]["average_balance"]);
  EXPECT_TRUE(holds(read_all(work() / "c.html"), "\"name\":\"A\""));
  fine("cluster e.similarity.mtx -k 3 -o three.csv --quiet");
  fine("compare " + graphs_ + "plain.csv three.csv");
  expect_error("compare " + graphs_ + "plain.csv three.csv --report x.html", 3, "repsc report");
  expect_error("compare " + graphs_ + "plain.csv", 2, "LABELS_B");
}

TEST_F(ReportCommand, names_the_right_groups_whatever_their_order) {
  // In the file of groups "right" comes first, in the graph a node of "left"; "nobody" is not
  // there.
  write("g.csv", "a,b\na,c\nb,c\nc,d\nd,e\nd,f\ne,f\n");
  write("groups.csv", "node,side\nx,nobody\nf,right\ne,right\na,left\nb,left\nc,left\nd,left\n");
  write("labels.csv", "node,team\na,red\nb,red\nc,blue\nd,blue\ne,blue\nf,blue\n");
  write("other.csv", "node,team\na,red\nb,blue\nc,blue\nd,blue\ne,blue\nf,red\n");
  fine("report g.csv labels.csv --groups groups.csv -o r.html --json r.json");
  const auto twin = parsed("r.json");
  const auto& names = twin["groups"];
  EXPECT_EQ(names.size(), 2U);
  EXPECT_EQ(twin["cluster_names"], nlohmann::json({"red", "blue"}));
  const auto& point = twin["points"][twin["start"].get<std::size_t>()];
  const std::map<std::pair<std::string, int>, int> counts{
      {{"left", 0}, 2}, {{"left", 1}, 2}, {{"right", 0}, 0}, {{"right", 1}, 2}};
  for (const auto& cell : point["group_table"]) {
    const std::string name = names[cell["group"].get<std::size_t>()];
    EXPECT_EQ(cell["count"], counts.at({name, cell["cluster"].get<int>()})) << name;
  }
  fine("compare g.csv labels.csv other.csv --groups groups.csv --json c.json");
  for (const auto& group : parsed("c.json")["groups"]) {
    EXPECT_EQ(group["nodes"], group["group"] == "left" ? 4 : 2);
    EXPECT_EQ(group["before"], group["group"] == "left" ? 1.0 : 0.0);
  }
}

TEST_F(ReportCommand, hides_names_by_default) {
  write("G.txt", "anna bert\nbert carl\ncarl anna\ndora emil\nemil finn\nfinn dora\nanna dora\n");
  write("R.txt", "anna dora\nbert emil\ncarl finn\n");
  write("labels.txt", "anna 0\nbert 0\ncarl 0\ndora 1\nemil 1\nfinn 1\n");
  fine("report G.txt R.txt labels.txt -o r.html");
  EXPECT_FALSE(holds(read_all(work() / "r.html"), "bert"));
  fine("report G.txt R.txt labels.txt -o r.html --names");
  EXPECT_TRUE(holds(read_all(work() / "r.html"), "bert"));
}

}  // namespace
}  // namespace repsc::tests
