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
  EXPECT_THAT(result.err, HasSubstr("R.mtx.names"));
  EXPECT_THAT(result.err, HasSubstr("groups.csv: skipped the header 'node,group'"));
  write("two.csv", "node,group,town\na,x,1\nb,y,1\n");
  expect_error("graph groups two.csv", 3, "--column");
  fine("graph groups two.csv --column town -o R.txt");
}

TEST_F(GraphCommand, groups_and_cluster_read_the_same_people_with_and_without_a_header) {
  write("G.txt", "ann bob\nbob eve\neve max\nmax ann\n");
  write("with.csv", "person,team\nann,x\nbob,y\neve,x\nmax,y\n");
  write("without.csv", "ann,x\nbob,y\neve,x\nmax,y\n");
  for (const std::string file : {"with.csv", "without.csv"}) {
    EXPECT_EQ(lines_of(fine("graph groups " + file + " -o -").out),
              (std::vector<std::string>{"ann ann", "ann eve", "bob bob", "bob max", "eve eve",
                                        "max max"}))
        << file;
    const auto json = parsed(fine("cluster G.txt --groups " + file + " -k 2 --json -").out);
    EXPECT_EQ(json["groups"], 2) << file;
    EXPECT_EQ(json["input"]["groups"]["header"].is_null(), file == "without.csv");
  }
}

TEST_F(GraphCommand, a_column_is_named_behind_the_file_or_by_an_option) {
  write("G.txt", "ann bob\nbob eve\neve max\nmax ann\n");
  write("people.csv", "name,age,team\nann,30,x\nbob,40,y\neve,30,x\nmax,40,y\n");
  const std::string by_team = fine("graph groups people.csv --column team -o -").out;
  EXPECT_EQ(fine("graph groups people.csv:team -o -").out, by_team);
  EXPECT_EQ(fine("graph groups people.csv --group-column team -o -").out, by_team);
  const std::string labels = fine("cluster G.txt --groups people.csv:team -k 2").out;
  EXPECT_EQ(fine("cluster G.txt --groups people.csv --group-column team -k 2").out, labels);
  expect_error("cluster G.txt --groups people.csv -k 2", 3, "FILE:column");
  expect_error("cluster G.txt --groups people.csv:Team -k 2", 3, "name, age, team");
  write("a:b.csv", "node,group\nann,x\nbob,y\neve,x\nmax,y\n");
  fine("cluster G.txt --groups a:b.csv -k 2");  // a file of that name comes first
  write("edges.csv", "source,target,price,units\na,b,2,7\nb,c,3,8\n");
  expect_error("graph convert edges.csv -", 3, "edges.csv:1: 4 columns");
  EXPECT_EQ(fine("graph convert edges.csv:units - --quiet").out, "a b 7\nb c 8\n");
}

TEST_F(GraphCommand, rows_serve_as_ids_where_a_table_has_none) {
  write("G.txt", "0 1\n1 2\n2 3\n3 0\n");
  write("people.csv", "Gender,Age\nm,30\nf,40\nm,50\nf,60\n");
  write("groups.csv", "node,group\n0,m\n1,f\n2,m\n3,f\n");
  EXPECT_EQ(fine("cluster G.txt --groups people.csv:Gender --id row -k 2").out,
            fine("cluster G.txt --groups groups.csv -k 2").out);
  fine("graph groups people.csv:Gender --id row0 -o R0.txt");
  fine("graph groups people.csv:Gender --id row -o R1.txt");
  const std::string labels = fine("cluster G.txt R0.txt -k 2").out;
  expect_error("cluster G.txt R1.txt -k 2", 3, "use --nodes rows");
  EXPECT_EQ(fine("cluster G.txt R1.txt -k 2 --nodes rows").out, labels);
}

TEST_F(GraphCommand, names_survive_every_format) {
  write("G.txt", "\"New York\" b\nb \"c,d\"\n\"c,d\" Zo\xc3\xab\n");
  for (const std::string ending : {"mtx", "graph", "npz", "mtx.gz"}) {
    fine("graph convert G.txt H." + ending);
    EXPECT_TRUE(exists("H." + ending + ".names"));
    EXPECT_EQ(fine("graph convert H." + ending + " - --quiet").out, content("G.txt")) << ending;
  }
  // Numbers keep their row.
  write("numbers.txt", "3 1\n1 2\n2 4\n");
  fine("graph convert numbers.txt H.mtx");
  EXPECT_FALSE(exists("H.mtx.names"));  // the outdated one is gone
  EXPECT_EQ(content("H.mtx"),
            "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 1\n4 2\n");
  // A pipe has nothing beside it.
  const Result piped = shell("repsc graph convert G.txt - --to mtx > piped.mtx");
  EXPECT_EQ(piped.code, 0);
  EXPECT_THAT(piped.err, HasSubstr("no node names"));
  EXPECT_THAT(fine("graph info piped.mtx").out, HasSubstr("numbers 1 to 4"));
}

TEST_F(GraphCommand, info_describes_a_file_and_a_pair) {
  write("G.csv", "source,target\n0,1\n1,0\n1,2\n1,2\n3,3\n");
  const auto json = parsed(fine("graph info G.csv --json -").out);
  EXPECT_EQ(json["format"], "edge list");
  EXPECT_EQ(json["separator"], ",");
  EXPECT_EQ(json["header"], "source,target");
  EXPECT_EQ(json["nodes"], 4);
  EXPECT_EQ(json["edges"], 3);
  EXPECT_EQ(json["self_loops"], 1);
  EXPECT_EQ(json["duplicates_merged"], 1);
  EXPECT_EQ(json["directions_dropped"], 1);
  EXPECT_EQ(json["components"], 2);
  EXPECT_EQ(json["isolated_nodes"], 1);
  EXPECT_EQ(json["numbered_from"], 0);
  EXPECT_EQ(json["degree"]["largest"], 2);
  EXPECT_THAT(fine("graph info G.csv").out, HasSubstr("numbers 0 to 3"));

  // R links {1, 2} and {3, 4}: two groups of two, so that rank and balance are known.
  write("R.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n2 1\n4 3\n");
  const auto pair = parsed(fine("graph info G.csv R.mtx -k 3 --json -").out);
  EXPECT_EQ(pair["matching"]["counted_differently"], true);
  EXPECT_EQ(pair["representation"]["regular"], true);
  EXPECT_EQ(pair["constraint"]["rank"], 2);
  EXPECT_EQ(pair["constraint"]["groups"], 2);
  EXPECT_EQ(pair["constraint"]["reachable_balance"], 0.0);  // two in three clusters
  EXPECT_EQ(parsed(fine("graph info R.mtx -k 2 --json -").out)["constraint"]["reachable_balance"],
            1.0);
  EXPECT_THAT(fine("graph info G.csv R.mtx").out, HasSubstr("--nodes rows"));
  // A path of three with self-loops: rows 110, 111, 011; rank 3, r = 2, 3, 2.
  write("P.txt", "a b\nb c\n");
  const auto path = parsed(fine("graph info P.txt -k 2 --json -").out);
  EXPECT_EQ(path["constraint"]["rank"], 3);
  EXPECT_NEAR(path["constraint"]["reachable_balance"].get<double>(), (1 + 0.5 + 1) / 3, 1e-15);
  EXPECT_TRUE(path["numbered_from"].is_null());
}

TEST_F(GraphCommand, refuses_formats_that_it_does_not_know_for_reading_and_writing) {
  write("G.txt", "a b\n");
  for (const std::string ending : {"gml", "graphml", "gexf", "json", "GML", "json.gz"}) {
    write("in." + ending, "a b\n");
    expect_error("graph info in." + ending, 3, "supported are edge lists");
    expect_error("graph convert G.txt out." + ending, 3, "supported are edge lists");
    EXPECT_FALSE(exists("out." + ending));
  }
  fine("graph convert in.gml out.txt --from txt");
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
