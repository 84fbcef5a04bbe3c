// repsc generate -> cluster -> evaluate, and evaluate on graphs done by hand.
#include <gmock/gmock.h>

#include "cli/tool.hpp"

namespace repsc::tests {
namespace {

using testing::HasSubstr;

class Evaluate : public ToolTest {};
class RoundTrip : public ToolTest, public testing::WithParamInterface<std::string> {};

INSTANTIATE_TEST_SUITE_P(EveryFormat, RoundTrip, testing::Values("mtx", "txt", "graph", "npz"),
                         [](const auto& test) { return test.param; });

TEST_P(RoundTrip, what_was_generated_is_found_again) {
  const std::string& format = GetParam();
  const Result made =
      fine("generate rpp -n 120 -k 3 -d 9 -p 0.9 -q 0.5 -r 0.4 -s 0.05 -o s --format " + format);
  EXPECT_THAT(made.err, HasSubstr("s.representation." + format + ": 120 nodes, 600 edges"));
  const std::string graphs = "s.similarity." + format + " s.representation." + format + ' ';
  fine("cluster " + graphs + "-k 3 -o labels.csv --quiet");
  const auto json =
      parsed(fine("evaluate " + graphs + "labels.csv --truth s.truth.csv --json -").out);
  EXPECT_EQ(json["accuracy"], 1.0);
  EXPECT_EQ(json["adjusted_rand_index"], 1.0);
  EXPECT_EQ(json["metrics"]["average_balance"], 1.0);
  EXPECT_EQ(json["metrics"]["constraint_residual"], 0.0);
}

TEST_F(Evaluate, knows_the_cuts_and_balances_of_a_graph_done_by_hand) {
  write_triangles();
  write("labels.csv", "node,team\na,red\nb,red\nc,red\nd,blue\ne,blue\nf,blue\n");
  // One edge is cut: Cut = 1/2 for each side, sizes 3, volumes 7. Every node has itself in its own
  // cluster and its partner in the other.
  const auto json = parsed(fine("evaluate G.txt R.txt labels.csv --json -").out);
  EXPECT_DOUBLE_EQ(json["metrics"]["ratio_cut"].get<double>(), 2 * 0.5 / 3);
  EXPECT_DOUBLE_EQ(json["metrics"]["normalized_cut"].get<double>(), 2 * 0.5 / 7);
  EXPECT_EQ(json["metrics"]["average_balance"], 1.0);
  EXPECT_EQ(json["cluster_names"], (std::vector<std::string>{"red", "blue"}));
  EXPECT_TRUE(json["accuracy"].is_null());
}

TEST_F(Evaluate, writes_the_representatives_of_each_node) {
  write("G.txt", "a b\nb c\nc d\nd a\n");
  write("R.txt", "a b\nb c\na c\n");
  write("labels.csv", "node,cluster\na,1\nb,2\nc,1\nd,1\n");
  const Result result = fine("evaluate G.txt R.txt labels.csv --per-node rho.csv --nodes union");
  EXPECT_EQ(content("rho.csv"),
            "node,cluster,balance,count_0,count_1\n"
            "a,0,0.5,2,1\nb,1,0.5,2,1\nc,0,0.5,2,1\nd,0,0,1,0\n");
  EXPECT_THAT(result.err, HasSubstr("0 = 1, 1 = 2"));
}

TEST_F(Evaluate, takes_groups_in_place_of_r) {
  write("G.txt", "a b\nb c\nc d\nd a\n");
  write("groups.csv", "node,group\na,x\nb,x\nc,y\nd,y\n");
  write("labels.csv", "node,cluster\na,0\nb,1\nc,0\nd,0\n");
  fine("graph groups groups.csv -o R.txt");
  auto with_groups = parsed(fine("evaluate G.txt labels.csv --groups groups.csv --json -").out);
  auto with_graph = parsed(fine("evaluate G.txt R.txt labels.csv --json -").out);
  EXPECT_EQ(with_groups["input"]["groups"]["header"], "node,group");
  EXPECT_EQ(with_graph["input"]["representation"]["file"], "R.txt");
  with_groups.erase("input");
  with_graph.erase("input");
  EXPECT_EQ(with_groups, with_graph);
  EXPECT_EQ(with_groups["metrics"]["average_balance"], 0.5);
  fine("evaluate G.txt labels.csv --groups groups.csv --per-node a.csv");
  fine("evaluate G.txt R.txt labels.csv --per-node b.csv");
  EXPECT_EQ(content("a.csv"), content("b.csv"));
}

TEST_F(Evaluate, prints_a_table_whose_numbers_line_up) {
  write_triangles();
  write("labels.csv", "node,cluster\na,first\nb,first\nc,first\nd,x\ne,x\nf,x\n");
  const auto lines = lines_of(fine("evaluate G.txt R.txt labels.csv --truth labels.csv").out);
  ASSERT_GE(lines.size(), 9U);
  for (std::size_t i = 1; i < 9; ++i) EXPECT_EQ(lines[i].size(), lines[0].size()) << lines[i];
  EXPECT_EQ(lines[3], "  normalized cut       0.142857");
}

TEST_F(Evaluate, says_that_labels_leave_out_isolated_nodes_and_which_option_does_the_same) {
  write("G.txt", "a b 1\nb c 1\nc d 1\nd a 1\nlost lost 0\nalone alone 0\n");
  fine("cluster G.txt -k 2 --isolated drop -o labels.csv --quiet");
  expect_error("evaluate G.txt labels.csv", 3, "none of them has an edge; use --isolated drop");
  fine("evaluate G.txt labels.csv --isolated drop");
  write("labels.csv", "node,cluster\na,0\nb,0\nlost,1\nalone,1\nc,1\n");
  const Result other = repsc("evaluate G.txt labels.csv");  // d has edges
  EXPECT_EQ(other.err.find("--isolated"), std::string::npos) << other.err;
}

TEST_F(Evaluate, counts_label_lines_about_other_nodes) {
  write_triangles();
  write("labels.csv", "node,cluster\na,0\nb,0\nc,0\nd,1\ne,1\nf,1\nz,1\n");
  EXPECT_THAT(fine("evaluate G.txt labels.csv").err, HasSubstr("ignored 1 line"));
}

}  // namespace
}  // namespace repsc::tests
