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
  // 7 edges, one of them cut; each cluster has half of the volume.
  EXPECT_DOUBLE_EQ(json["metrics"]["modularity"].get<double>(), 6.0 / 7 - 0.5);
  EXPECT_DOUBLE_EQ(json["metrics"]["internal_edge_share"].get<double>(), 6.0 / 7);
  EXPECT_EQ(json["metrics"]["conductance"], (std::vector<double>{1.0 / 7, 1.0 / 7}));
  EXPECT_EQ(json["metrics"]["average_proportional_balance"], 1.0);
  EXPECT_TRUE(json["metrics"]["group_balance"].is_null());
}

TEST_F(Evaluate, has_the_balance_of_r_and_the_groups_of_a_table_if_both_are_given) {
  write_triangles();
  write("labels.csv", "node,team\na,red\nb,red\nc,red\nd,blue\ne,blue\nf,blue\n");
  const std::string call = "evaluate G.txt R.txt labels.csv --groups groups.csv ";
  auto both = parsed(fine(call + "--json -").out)["metrics"];
  // Each team has two x and one y, as the whole has four and two.
  EXPECT_EQ(both["group_balance"]["average"], 0.5);
  EXPECT_EQ(both["group_balance"]["relative_minimum"], 1.0);
  EXPECT_EQ(both["group_balance"]["largest_deviation"], 0.0);
  EXPECT_EQ(both["group_balance"]["clusters"].size(), 2U);
  auto alone = parsed(fine("evaluate G.txt R.txt labels.csv --json -").out)["metrics"];
  both.erase("group_balance");
  alone.erase("group_balance");
  EXPECT_EQ(both, alone);
  EXPECT_EQ(both["minimum_balance"], 1.0);  // that of the groups is 1/2
}

TEST_F(Evaluate, counts_the_weights_of_r_on_request) {
  write("G.txt", "a b\nb c\nc d\nd a\n");
  write("R.txt", "a b 2\nc d 4\n");
  write("labels.csv", "node,cluster\na,0\nb,1\nc,0\nd,1\n");
  const std::string call = "evaluate G.txt R.txt labels.csv ";
  const auto links = parsed(fine(call + "--json -").out)["metrics"];
  const auto weights = parsed(fine(call + "--weighted-balance --json -").out)["metrics"];
  EXPECT_EQ(links["balance_counts"], "links");
  EXPECT_EQ(links["average_balance"], 1.0);
  EXPECT_EQ(weights["balance_counts"], "weights");
  EXPECT_EQ(weights["average_balance"], (0.5 + 0.25) / 2);
  EXPECT_EQ(weights["minimum_proportional_balance"], 0.25);
  EXPECT_THAT(fine(call + "--weighted-balance --per-node rho.csv").out, HasSubstr("weights of R"));
  EXPECT_EQ(content("rho.csv"),
            "node,cluster,balance,count_0,count_1,weight_0,weight_1,proportional_balance\n"
            "a,0,0.5,1,1,1,2,0.5\nb,1,0.5,1,1,2,1,0.5\n"
            "c,0,0.25,1,1,1,4,0.25\nd,1,0.25,1,1,4,1,0.25\n");
  write("R.txt", "a b\nc d\n");
  EXPECT_THAT(fine(call + "--weighted-balance").err, HasSubstr("R has no weights"));
  write("groups.csv", "node,group\na,x\nb,x\nc,y\nd,y\n");
  expect_error("evaluate G.txt labels.csv --groups groups.csv --weighted-balance", 2, "needs R");
}

TEST_F(Evaluate, writes_the_representatives_of_each_node) {
  write("G.txt", "a b\nb c\nc d\nd a\n");
  write("R.txt", "a b\nb c\na c\n");
  write("labels.csv", "node,cluster\na,1\nb,2\nc,1\nd,1\n");
  const Result result = fine("evaluate G.txt R.txt labels.csv --per-node rho.csv --nodes union");
  EXPECT_EQ(content("rho.csv"),
            "node,cluster,balance,count_0,count_1,proportional_balance\n"
            "a,0,0.5,2,1,0.6666666666666666\nb,1,0.5,2,1,0.6666666666666666\n"
            "c,0,0.5,2,1,0.6666666666666666\nd,0,0,1,0,0\n");
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
  EXPECT_EQ(with_groups["metrics"]["group_balance"]["groups"], 2);
  EXPECT_TRUE(with_graph["metrics"]["group_balance"].is_null());
  with_groups["metrics"].erase("group_balance");
  with_graph["metrics"].erase("group_balance");
  EXPECT_EQ(with_groups, with_graph);
  EXPECT_EQ(with_groups["metrics"]["average_balance"], 0.5);
  fine("evaluate G.txt labels.csv --groups groups.csv --per-node a.csv");
  fine("evaluate G.txt R.txt labels.csv --per-node b.csv");
  EXPECT_EQ(content("a.csv"), content("b.csv"));
}

TEST_F(Evaluate, prints_a_table_whose_numbers_line_up) {
  write_triangles();
  write("labels.csv", "node,cluster\na,first\nb,first\nc,first\nd,x\ne,x\nf,x\n");
  const std::string call = "evaluate G.txt R.txt labels.csv --truth labels.csv ";
  const auto lines = lines_of(fine(call + "--groups groups.csv").out);
  const auto end = std::find(lines.begin(), lines.end(), "");
  ASSERT_EQ(end - lines.begin(), 27);
  for (auto line = lines.begin(); line != end; ++line) {
    EXPECT_EQ(line->size(), lines[0].size()) << *line;
  }
  EXPECT_EQ(lines[3], "  normalized cut                  0.142857");
  ASSERT_EQ(lines.end() - end, 4);  // clusters: a header and two lines
  for (auto line = end + 2; line != lines.end(); ++line) EXPECT_EQ(line->size(), end[1].size());
  EXPECT_EQ(end[1],
            "  cluster  nodes  conductance  internal share  group balance  largest deviation");
  EXPECT_EQ(end[2],
            "  first        3     0.142857        0.857143            0.5                  0");
  EXPECT_LE(end[1].size(), 80U);
  const std::string without = fine(call).out;
  EXPECT_THAT(without, testing::Not(HasSubstr("group")));
  EXPECT_THAT(without, HasSubstr("average proportional balance"));
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
