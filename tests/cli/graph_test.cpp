// repsc generate and repsc graph: what is written, and that it reads back.
#include <gmock/gmock.h>

#include "cli/tool.hpp"

namespace repsc::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Generate : public ToolTest {};
class GraphCommand : public ToolTest {};

TEST_F(Generate, planted_writes_the_graph_and_the_truth) {
  const Result result = fine("generate planted -n 50 -k 5 --within 1 --across 0 -o sub.plain");
  EXPECT_THAT(files(), ElementsAre("sub.plain.similarity.mtx", "sub.plain.truth.csv"));
  // Five cliques of ten: 5 * 45 edges.
  EXPECT_THAT(result.err, HasSubstr("50 nodes, 225 edges"));
  EXPECT_EQ(lines_of(content("sub.plain.truth.csv"))[11], "11,1");
}

TEST_F(Generate, regular_writes_r_and_the_truth) {
  const Result result = fine("generate regular -n 60 -k 3 -d 9 -o r");
  EXPECT_THAT(files(), ElementsAre("r.representation.mtx", "r.truth.csv"));
  EXPECT_THAT(result.err, HasSubstr("60 nodes, 300 edges"));  // 60 loops and 60 * 8 / 2
}

TEST_F(Generate, rpp_with_groups_leaves_a_large_r_out_unless_asked) {
  const std::string call =
      "generate rpp -n 4000 -k 2 -P 1 -p 0.004 -q 0.003 -r 0.002 -s 0.001 -o g ";
  const Result result = fine(call);
  EXPECT_THAT(result.err, HasSubstr("--write-representation"));
  EXPECT_THAT(files(), ElementsAre("g.groups.csv", "g.similarity.mtx", "g.truth.csv"));
  fine(call + "--write-representation");
  EXPECT_TRUE(exists("g.representation.mtx"));
}

TEST_F(Generate, rpp_takes_any_r_and_its_clusters) {
  write("R.txt", "x y\ny z\nz x\nu v\n");
  write("truth.csv", "node,cluster\nx,p\ny,p\nz,q\nu,q\nv,q\n");
  // p = q = 1 and r = s = 0: G is R without its self-loops.
  fine(
      "generate rpp --representation R.txt --truth truth.csv -p 1 -q 1 -r 0 -s 0 --format txt -o "
      "s");
  fine("graph convert s.similarity.txt sorted.txt --quiet");
  EXPECT_THAT(lines_of(content("s.truth.csv")),
              ElementsAre("node,cluster", "x,0", "y,0", "z,1", "u,1", "v,1"));
  const auto json = parsed(fine("evaluate s.similarity.txt R.txt s.truth.csv --json -").out);
  EXPECT_EQ(json["nodes"], 5);
  EXPECT_DOUBLE_EQ(json["metrics"]["ratio_cut"].get<double>(), 1.0 / 2 + 1.0 / 3);
  EXPECT_THAT(fine("generate rpp --representation R.txt -k 2 -p 1 -q 1 -r 0 -s 0 -o t").err,
              HasSubstr("renamed"));
}

TEST_F(Generate, gives_the_same_bytes_for_a_seed_on_any_number_of_threads) {
  const std::string call =
      "generate rpp -n 2000 -k 4 -P 3 --within 0.05 --across 0.01 -p 0.04 -q 0.03 -r 0.02 -s 0.01 ";
  fine(call + "-o a --seed 4 --threads 1");
  fine(call + "-o b --seed 4 --threads 2");
  fine(call + "-o c --seed 5");
  for (const std::string file :
       {"similarity.mtx", "representation.mtx", "truth.csv", "groups.csv"}) {
    EXPECT_EQ(content("a." + file), content("b." + file)) << file;
  }
  EXPECT_NE(content("a.similarity.mtx"), content("c.similarity.mtx"));
}

TEST_F(GraphCommand, groups_links_the_nodes_of_a_group) {
  write("groups.csv", "node,group\na,x\nb,y\nc,x\n");
  const Result result = fine("graph groups groups.csv -o R.mtx");
  EXPECT_THAT(result.err, HasSubstr("2 groups"));
  EXPECT_THAT(result.err, HasSubstr("R.mtx: 3 nodes, 4 edges"));
  EXPECT_THAT(result.err, HasSubstr("stores no node names"));
  write("two.csv", "node,group,town\na,x,1\nb,y,1\n");
  expect_error("graph groups two.csv", 3, "--column");
  fine("graph groups two.csv --column town -o R.txt");
}

TEST_F(GraphCommand, knn_and_rules_make_the_links_done_by_hand) {
  write("people.csv", "who,age,school\na,20,s\nb,21,s\nc,22,t\nd,40,t\ne,41,t\n");
  fine("graph attributes people.csv --within age=2 --same school -o rule.txt --quiet");
  write("expected.txt", "a b\nc c\nd e\n");
  EXPECT_EQ(fine("graph convert rule.txt - --quiet").out,
            fine("graph convert expected.txt - --self-loops add --quiet").out);
  const Result nearest = fine("graph knn people.csv --neighbors 1 --columns age -o -");
  EXPECT_THAT(nearest.err, HasSubstr("standard output: 5 nodes"));
  EXPECT_THAT(nearest.out, HasSubstr("d e"));
  expect_error("graph knn people.csv --columns height", 3, "height");
  expect_error("graph knn people.csv --id height", 3, "height");
}

TEST_F(GraphCommand, multiplex_joins_the_layers_that_were_asked_for) {
  write("m.edges", "1 a b 5\n1 a c 1\n2 b c 1\n3 c d 1\n");
  EXPECT_THAT(fine("graph multiplex m.edges --self-loops drop -o all.txt").err,
              HasSubstr("4 nodes, 4 edges"));
  EXPECT_THAT(fine("graph multiplex m.edges --layers 2-3 -o some.txt").err,
              HasSubstr("4 nodes, 6 edges"));  // two and four self-loops
  // a-b is the nearest of a and of b; c has nobody nearer than a.
  EXPECT_THAT(fine("graph multiplex m.edges --layers 1 --nearest 1 --self-loops drop -o n.txt").err,
              HasSubstr("4 nodes, 2 edges"));
  expect_error("graph multiplex m.edges --layers 9", 3, "9");
}

TEST_F(GraphCommand, convert_goes_through_every_format_and_back) {
  write("G.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 2\n2 1 0.5\n3 2 1.25\n");
  fine("graph convert G.mtx a.npz");
  fine("graph convert a.npz b.graph");
  fine("graph convert b.graph c.mtx.gz");
  fine("graph convert c.mtx.gz d.mtx");
  fine("graph convert G.mtx e.mtx");
  EXPECT_EQ(content("d.mtx"), content("e.mtx"));
  const Result edges = shell("cat G.mtx | repsc graph convert - - --from mtx --quiet");
  EXPECT_EQ(edges.code, 0);
  EXPECT_EQ(lines_of(edges.out).size(), 3U);
}

}  // namespace
}  // namespace repsc::tests
