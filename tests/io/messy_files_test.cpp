// Files as other programs write them: messy, but honest. Each is read as a person would read it, or
// refused with the line and the reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "repsc/io.hpp"
#include "support/by_name.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace repsc {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using WeightedEdge = std::tuple<std::string, std::string, double>;

struct Graphic {
  const char* origin;  // which program writes such a file, or where it was seen
  std::string bytes;
  std::vector<WeightedEdge> edges;       // what a person reads
  std::vector<std::string> others = {};  // nodes without edges
};

struct Refused {
  const char* origin;
  std::string bytes;
  const char* where;  // ":LINE:" behind the path, or ":" for the file as a whole
  const char* reason;
};

const std::string bom = "\xef\xbb\xbf";

const std::vector<Graphic>& graphs() {
  static const std::vector<Graphic> all = {
      {"SNAP, ca-GrQc.txt and its like",
       "# Undirected graph: ../../data/output/x.txt\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n"
       "0\t1\n1\t2\n",
       {{"0", "1", 1}, {"1", "2", 1}}},
      {"SNAP, saved again on Windows",
       "# Nodes: 3\r\n# FromNodeId\tToNodeId\r\n0\t1\r\n1\t2\r\n",
       {{"0", "1", 1}, {"1", "2", 1}}},
      {"SNAP, musae: a header above numbers",
       "id_1,id_2\n0,747\n1,747\n",
       {{"0", "747", 1}, {"1", "747", 1}}},
      {"KONECT, out.*", "% sym unweighted\n% 2 3 3\n1 2\n2 3\n", {{"1", "2", 1}, {"2", "3", 1}}},
      {"KONECT, weighted", "% sym posweighted\n1 2 5\n2 3 1\n", {{"1", "2", 5}, {"2", "3", 1}}},
      {"KONECT, blanks and a tab in one line",
       "% sym posweighted\n1 2\t5\n2 3\t1\n",
       {{"1", "2", 5}, {"2", "3", 1}}},
      {"Gephi, export of the edge table",
       "Source,Target,Type,Id,Label,timeset,Weight\n1,2,Undirected,0,,,1.0\n"
       "2,3,Undirected,1,,,2.5\n",
       {{"1", "2", 1}, {"2", "3", 2.5}}},
      {"Gephi, semicolons",
       "Source;Target;Type;Weight\nAna;Bob;Directed;2\nBob;Eve;Directed;1\n",
       {{"Ana", "Bob", 2}, {"Bob", "Eve", 1}}},
      {"Gephi, a table without weights",
       "Source,Target,Type\nAna,Bob,Undirected\nBob,Eve,Undirected\n",
       {{"Ana", "Bob", 1}, {"Bob", "Eve", 1}}},
      {"Gephi, matrix-free edge list of quoted labels",
       "\"Ana Maria\";\"Bob\"\n\"Bob\";\"Eve\"\n",
       {{"Ana Maria", "Bob", 1}, {"Bob", "Eve", 1}}},
      {"Excel, German, with decimal commas",
       "von;nach;gewicht\r\nAnna;Bob;0,5\r\nBob;Carl;1,25\r\n",
       {{"Anna", "Bob", 0.5}, {"Bob", "Carl", 1.25}}},
      {"Excel, CSV UTF-8 with a byte order mark",
       bom + "source,target\r\nAna,Bob\r\nBob,Eve\r\n",
       {{"Ana", "Bob", 1}, {"Bob", "Eve", 1}}},
      {"Excel, with its line that states the separator",
       "sep=;\r\nsource;target\r\nAna;Bob\r\n",
       {{"Ana", "Bob", 1}}},
      {"Excel, empty rows at the end",
       "source,target\r\nAna,Bob\r\n,\r\n,\r\n",
       {{"Ana", "Bob", 1}}},
      {"Excel, text separated by tabs",
       "From\tTo\r\nNew York\tBoston\r\nBoston\tSan Jose\r\n",
       {{"New York", "Boston", 1}, {"Boston", "San Jose", 1}}},
      {"R, write.csv",
       "\"\",\"from\",\"to\"\n\"1\",\"a\",\"b\"\n\"2\",\"b\",\"c\"\n",
       {{"a", "b", 1}, {"b", "c", 1}}},
      {"R, write.csv(row.names = FALSE)",
       "\"from\",\"to\"\n\"a\",\"b\"\n\"b\",\"c\"\n",
       {{"a", "b", 1}, {"b", "c", 1}}},
      {"R, write.csv of numbers",
       "\"\",\"from\",\"to\",\"weight\"\n\"1\",1,2,0.5\n\"2\",2,3,0.25\n",
       {{"1", "2", 0.5}, {"2", "3", 0.25}}},
      {"R, write.table",
       "\"from\" \"to\"\n\"1\" \"a\" \"b\"\n\"2\" \"b\" \"c\"\n",
       {{"a", "b", 1}, {"b", "c", 1}}},
      {"R, write.csv2",
       "\"from\";\"to\";\"w\"\n\"a\";\"b\";0,5\n\"b\";\"c\";2\n",
       {{"a", "b", 0.5}, {"b", "c", 2}}},
      {"igraph, write_graph(format = \"edgelist\")", "0 1\n1 2\n", {{"0", "1", 1}, {"1", "2", 1}}},
      {"igraph, ncol", "Ana Bob 2\nBob Eve 0.5\n", {{"Ana", "Bob", 2}, {"Bob", "Eve", 0.5}}},
      {"pandas, to_csv", ",source,target\n0,a,b\n1,b,c\n", {{"a", "b", 1}, {"b", "c", 1}}},
      {"pandas, to_csv of numbers with a weight",
       ",source,target,weight\n0,7,8,0.5\n1,8,9,2\n",
       {{"7", "8", 0.5}, {"8", "9", 2}}},
      {"pandas, to_csv(index=False)",
       "source,target\nana,bob\nbob,eve\n",
       {{"ana", "bob", 1}, {"bob", "eve", 1}}},
      {"pandas, ids that became floats",
       "source,target\n1.0,2.0\n2.0,3.0\n",
       {{"1", "2", 1}, {"2", "3", 1}}},
      {"pandas, quoting=csv.QUOTE_ALL",
       "\"source\",\"target\",\"weight\"\n\"1\",\"2\",\"0.5\"\n",
       {{"1", "2", 0.5}}},
      {"pandas, groupby().size()",
       "caller,callee,n\nana,bob,3\nbob,eve,1\n",
       {{"ana", "bob", 3}, {"bob", "eve", 1}}},
      {"NumPy, savetxt",
       "0.000000000000000000e+00 8.380000000000000000e+02\n1e+00 8.38e+02\n",
       {{"0", "838", 1}, {"1", "838", 1}}},
      {"NumPy, savetxt(delimiter=\",\")",
       "0.000e+00,1.000e+00\n1.000e+00,2.000e+00\n",
       {{"0", "1", 1}, {"1", "2", 1}}},
      {"NetworkX, write_weighted_edgelist", "a b 0.5\nb c 2\n", {{"a", "b", 0.5}, {"b", "c", 2}}},
      {"a list of games by hand",
       "player 1,5\nplayer 2,5\n",
       {{"player 1", "5", 1}, {"player 2", "5", 1}}},
      {"names with blanks, commas and weights",
       "player 1,player 2,3\nplayer 2,player 5,1\n",
       {{"player 1", "player 2", 3}, {"player 2", "player 5", 1}}},
      {"csv.writer of Python, QUOTE_ALL",
       "\"Ana\",\"Bob\"\n\"Bob\",\"Eve\"\n",
       {{"Ana", "Bob", 1}, {"Bob", "Eve", 1}}},
      {"names with commas",
       "\"Smith, John\",\"Doe, Jane\"\n\"Doe, Jane\",Max\n",
       {{"Smith, John", "Doe, Jane", 1}, {"Doe, Jane", "Max", 1}}},
      {"names with quotes",
       "\"Dwayne \"\"The Rock\"\" Johnson\",Vin Diesel\n",
       {{"Dwayne \"The Rock\" Johnson", "Vin Diesel", 1}}},
      {"a name with a line break",
       "\"Ana\nMaria\",Bob\nBob,Eve\n",
       {{"Ana\nMaria", "Bob", 1}, {"Bob", "Eve", 1}}},
      {"inches, which are no quotes",
       "5\" disk,drive\ndrive,8\" disk\n",
       {{"5\" disk", "drive", 1}, {"drive", "8\" disk", 1}}},
      {"UTF-8",
       "Zo\xc3\xab,Jos\xc3\xa9\nJos\xc3\xa9,\xe4\xb8\xad\xe5\x9b\xbd\n",
       {{"Zo\xc3\xab", "Jos\xc3\xa9", 1}, {"Jos\xc3\xa9", "\xe4\xb8\xad\xe5\x9b\xbd", 1}}},
      {"Latin-1, from an old Excel",
       "M\xfcller;Mayer\nMayer;H\xe4user\n",
       {{"M\xfcller", "Mayer", 1}, {"Mayer", "H\xe4user", 1}}},
      {"git, short hashes",
       "2e1 3f2\n3f2 20\n7e3 2e1\n",
       {{"2e1", "3f2", 1}, {"3f2", "20", 1}, {"7e3", "2e1", 1}}},
      {"numbers with leading zeros are names", "007 7\n7 08\n", {{"007", "7", 1}, {"7", "08", 1}}},
      {"Twitter, ids of 64 bits",
       "1171330003629273088,1171330003629273089\n1171330003629273089,3\n",
       {{"1171330003629273088", "1171330003629273089", 1}, {"1171330003629273089", "3", 1}}},
      {"a survey: numbered columns of people",
       "person1,person2\nana,bob\nbob,eve\n",
       {{"ana", "bob", 1}, {"bob", "eve", 1}}},
      {"Cytoscape",
       "Node_A\tNode_B\tScore\nTP53\tMDM2\t0.99\nMDM2\tMDM4\t0.5\n",
       {{"TP53", "MDM2", 0.99}, {"MDM2", "MDM4", 0.5}}},
      {"STRING",
       "protein1 protein2 combined_score\n9606.ENSP1 9606.ENSP2 490\n9606.ENSP2 9606.ENSP3 9\n",
       {{"9606.ENSP1", "9606.ENSP2", 490}, {"9606.ENSP2", "9606.ENSP3", 9}}},
      {"a database: edges with an id of their own",
       "id,source,target\n17,a,b\n18,b,c\n",
       {{"a", "b", 1}, {"b", "c", 1}}},
      {"a year is no weight",
       "source,target,year\nana,bob,2001\nbob,eve,2003\n",
       {{"ana", "bob", 1}, {"bob", "eve", 1}}},
      {"a column of calls is one",
       "source,target,calls\nana,bob,3\nbob,eve,1\n",
       {{"ana", "bob", 3}, {"bob", "eve", 1}}},
      {"Neo4j, relationships",
       ":START_ID,:END_ID,:TYPE\n1,2,KNOWS\n2,3,KNOWS\n",
       {{"1", "2", 1}, {"2", "3", 1}}},
      {"Twitter, followers",
       "follower_id;followee_id\n12;13\n13;14\n",
       {{"12", "13", 1}, {"13", "14", 1}}},
      {"Web of Science",
       "Citing\tCited\nSmith 2001\tDoe 1999\nDoe 1999\tRoe 1987\n",
       {{"Smith 2001", "Doe 1999", 1}, {"Doe 1999", "Roe 1987", 1}}},
      {"columns lined up with blanks",
       "     1     2\n    10    20\n",
       {{"1", "2", 1}, {"10", "20", 1}}},
      {"columns lined up with tabs",
       "ana\t\tbob\nbob\t\teve\n",
       {{"ana", "bob", 1}, {"bob", "eve", 1}}},
      {"commas with blanks behind", "ana, bob\nbob, eve\n", {{"ana", "bob", 1}, {"bob", "eve", 1}}},
      {"blanks at the end of lines",
       "ana bob \nbob eve\t\n",
       {{"ana", "bob", 1}, {"bob", "eve", 1}}},
      {"Fortran in a French locale", "1 2 0,5\n2 3 1,5\n", {{"1", "2", 0.5}, {"2", "3", 1.5}}},
      {"comments and empty lines among edges",
       "a b\n\n# c d\n% e f\nb c\n",
       {{"a", "b", 1}, {"b", "c", 1}}},
      {"a commented header", "#source target\na b\nb c\n", {{"a", "b", 1}, {"b", "c", 1}}},
      {"no end of the last line", "a,b\nb,c", {{"a", "b", 1}, {"b", "c", 1}}},
      {"capitals", "FROM TO\nana bob\nbob eve\n", {{"ana", "bob", 1}, {"bob", "eve", 1}}},
      {"a header of two words per column",
       "Source Node,Target Node\nana,bob\n",
       {{"ana", "bob", 1}}},
      {"edges that begin with a name and a number", "a 1\n1 2\n", {{"a", "1", 1}, {"1", "2", 1}}},
      {"one edge", "ana bob\n", {{"ana", "bob", 1}}},
      {"one edge of numbered nodes", "node1 node2\n", {{"node1", "node2", 1}}},
      {"nodes that are called like columns",
       "user17 user4\nuser4 user9\n",
       {{"user17", "user4", 1}, {"user4", "user9", 1}}},
      {"the same with letters",
       "node_a,node_b\nnode_b,node_c\n",
       {{"node_a", "node_b", 1}, {"node_b", "node_c", 1}}},
      {"SNAP, numbered columns of names", "node_1\tnode_2\nana\tbob\n", {{"ana", "bob", 1}}},
      {"words that are no header",
       "left right\nright up\n",
       {{"left", "right", 1}, {"right", "up", 1}}},
      {"a shop called Target",
       "source,target\nWalmart,Target\nTarget,Aldi\n",
       {{"Walmart", "Target", 1}, {"Target", "Aldi", 1}}},
      {"repsc: a node without edges", "a b 1\nlost lost 0\n", {{"a", "b", 1}}, {"lost"}},
      {"both directions of an undirected edge", "a\tb\nb\ta\n", {{"a", "b", 1}}},
  };
  return all;
}

const std::vector<Refused>& refused_graphs() {
  static const std::vector<Refused> all = {
      {"KONECT, with times", "% sym unweighted\n1 2 1 1082040961\n2 3 1 1082040962\n",
       ":2:", "more than 3 columns"},
      {"Excel, Unicode text",
       std::string("\xff\xfe"
                   "a\0\t\0b\0",
                   8),
       ":1:", "UTF-16"},
      {"Excel for Mac, long ago", "a b\rb c\r", ":1:", "control character"},
      {"R, write.table(quote = FALSE)", "from to\n1 a b\n2 b c\n",
       ":2:", "3 columns but 2 in the lines before"},
      {"pandas, floats in one column only", "source,target\n1.0,2\n2.0,3\n", ":",
       "'2.0' and '2' are the same number"},
      {"NetworkX, write_edgelist", "1 2 {}\n2 3 {}\n", ":1:", "weight '{}' is not a finite number"},
      {"NetworkX, write_edgelist with data", "1 2 {'weight': 3}\n", ":1:", "more than 3 columns"},
      {"NetworkX, names with blanks", "New York Boston\nBoston New York\n",
       ":1:", "weight 'Boston' is not a finite number"},
      {"Cytoscape, SIF", "A pp B\nB pp C\n", ":1:", "weight 'B' is not a finite number"},
      {"two separators in one file", "a b\nb,c\n", ":2:", "1 column but 2"},
      {"a comma by mistake", "a b\nb c\nc, d\n", ":3:", "a comma in 'c,'"},
      {"a separator at the end of each line", "1,2,\n2,3,\n", ":1:", "an empty field"},
      {"a decimal comma or a separator of thousands", "1\t2\t1,000\n2\t3\t2,000\n",
       ":1:", "can be read in two ways"},
      {"thousands", "a,b,\"1,234.5\"\n", ":1:", "weight '1,234.5' is not a finite number"},
      {"an edge without an end", "source,target\nana,\n", ":2:", "an empty field"},
      {"a quote that is never closed", "\"Ana,Bob\nEve,Max\n", ":1:", "never closed"},
      {"text behind a quote", "\"Weird Al\" Yankovic,Bob\nBob,Eve\n", ":1:", ""},
      {"MatrixMarket under another name",
       "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 1\n", ":1:", "MatrixMarket"},
      {"pandas, an adjacency matrix", ",a,b,c\na,0,1,0\nb,1,0,1\nc,0,1,0\n", ":1:", "has no name"},
      {"R, an adjacency matrix", "\"\",\"a\",\"b\"\n\"a\",0,1\n\"b\",1,0\n", ":1:", "has no name"},
      {"NumPy, an adjacency matrix", "0,1,0,1\n1,0,1,0\n", ":1:", "more than 3 columns"},
      {"Pajek", "*Vertices 2\n1 \"a\"\n2 \"b\"\n*Edges\n1 2\n", ":4:", "1 column"},
      {"GML", "graph [\n  node [\n    id 0\n  ]\n", ":4:", "1 column"},
      {"a title above the table", "My network\n\nsource,target\na,b\n", ":3:", "1 column"},
      {"R, a missing weight", "source,target,weight\na,b,1\nb,c,NA\n",
       ":3:", "weight 'NA' is not a finite number"},
      {"correlations", "source,target,weight\na,b,0.5\nb,c,-0.25\n", ":3:", "negative"},
      {"two columns that could be weights", "source,target,price,units\na,b,1,2\n",
       ":1:", "4 columns (source, target, price, units)"},
      {"a header and nothing else", "source,target\n", ":", "no edges found"},
      {"words called name and label", "name label\nlabel name\nname book\n",
       ":1:", "looks like a header"},
  };
  return all;
}

TEST(MessyEdgeLists, are_read_as_a_person_reads_them) {
  const TemporaryFolder folder;
  for (const Graphic& file : graphs()) {
    ByName expected;
    for (const auto& [u, v, weight] : file.edges) {
      expected.nodes.insert({u, v});
      expected.entries[{u, v}] = weight;
      expected.entries[{v, u}] = weight;
    }
    expected.nodes.insert(file.others.begin(), file.others.end());
    const std::string path = folder.write("g.csv", file.bytes);
    ByName found;
    const std::string error = error_of([&] {
      found = by_name(read_graph(path, {.self_loops = SelfLoops::keep}).graph);
      return 0;
    });
    EXPECT_EQ(error, "") << file.origin;
    EXPECT_EQ(found.nodes, expected.nodes) << file.origin;
    EXPECT_EQ(found.entries, expected.entries) << file.origin;
  }
}

TEST(MessyEdgeLists, that_a_person_would_doubt_are_refused_with_the_line_and_the_reason) {
  const TemporaryFolder folder;
  for (const Refused& file : refused_graphs()) {
    const std::string path = folder.write("g.csv", file.bytes);
    const std::string error =
        error_of([&] { return read_graph(path, {.self_loops = SelfLoops::keep}); });
    EXPECT_THAT(error, StartsWith(path + file.where + ' ')) << file.origin;
    EXPECT_THAT(error, HasSubstr(file.reason)) << file.origin;
    EXPECT_EQ(error.find('\n'), std::string::npos) << file.origin;
  }
}

struct Labelled {
  const char* origin;
  std::string bytes;
  std::vector<std::string> nodes;
  std::vector<std::string> values;  // per node; empty: refused
  LabelOptions options = {};
  const char* refused = "";  // ":LINE: reason"
};

const std::vector<Labelled>& tables() {
  static const std::vector<std::string> people = {"ann", "bob", "eve"};
  static const std::vector<std::string> xyx = {"x", "y", "x"};
  static const std::vector<Labelled> all = {
      {"a list without a header", "ann,x\nbob,y\neve,x\n", people, xyx},
      {"the same, the first group has one member",
       "ann,x\nbob,y\neve,y\n",
       people,
       {"x", "y", "y"}},
      {"nodes that are called like columns", "node1,x\nnode2,y\n", {"node1", "node2"}, {"x", "y"}},
      {"with a header", "node,group\nann,x\nbob,y\neve,x\n", people, xyx},
      {"Excel, semicolons and a byte order mark",
       bom + "Name;Abteilung\r\nann;x\r\nbob;y\r\neve;x\r\n", people, xyx},
      {"R, write.csv",
       "\"\",\"node\",\"group\"\n\"1\",\"ann\",\"x\"\n\"2\",\"bob\",\"y\"\n\"3\",\"eve\",\"x\"\n",
       people, xyx},
      {"R, write.table",
       "\"node\" \"group\"\n\"1\" \"ann\" \"x\"\n\"2\" \"bob\" \"y\"\n\"3\" \"eve\" \"x\"\n",
       people, xyx},
      {"R, a named vector",
       "\"\",\"x\"\n\"ann\",\"x\"\n\"bob\",\"y\"\n\"eve\",\"x\"\n",
       people,
       xyx,
       {.column = "x"}},
      {"pandas, ids that became floats", "node,group\n1.0,x\n2.0,y\n3.0,x\n", {"1", "2", "3"}, xyx},
      {"pandas, a series", ",group\nann,x\nbob,y\neve,x\n", people, xyx, {.column = "group"}},
      {"Gephi, nodes",
       "Id,Label,timeset,modularity_class\nann,Ann,,x\nbob,Bob,,y\neve,Eve,,x\n",
       people,
       xyx,
       {.column = "modularity_class"}},
      {"SNAP, departments", "0 1\n1 1\n2 21\n", {"0", "1", "2"}, {"1", "1", "21"}},
      {"SNAP, lastfm", "id,target\n0,8\n1,17\n2,8\n", {"0", "1", "2"}, {"8", "17", "8"}},
      {"tabs and names with blanks",
       "New York\tEast\nSan Jose\tWest\n",
       {"New York", "San Jose"},
       {"East", "West"}},
      {"names with commas",
       "name,party\n\"Smith, John\",\"left, far\"\nMax,right\n",
       {"Smith, John", "Max"},
       {"left, far", "right"}},
      {"UTF-8",
       "nom,ville\nZo\xc3\xab,Li\xc3\xa8ge\nJos\xc3\xa9,Gen\xc3\xa8ve\n",
       {"Zo\xc3\xab", "Jos\xc3\xa9"},
       {"Li\xc3\xa8ge", "Gen\xc3\xa8ve"}},
      {"a missing value in the first line", "ann,NA\nbob,1\neve,2\n", people, {"NA", "1", "2"}},
      {"scikit-learn, one label per row",
       "1\n0\n1\n",
       {"0", "1", "2"},
       {"1", "0", "1"},
       {.node_column = "row"}},
      {"rows of a table without ids, from 1",
       "Gender,Age\nm,30\nf,40\nm,50\n",
       {"1", "2", "3"},
       {"m", "f", "m"},
       {.column = "Gender", .node_column = "row"}},
      {"ids in another column",
       "group,person\nx,ann\ny,bob\nx,eve\n",
       people,
       xyx,
       {.column = "group", .node_column = "person"}},
      {"the number of a column", "ann,7,x\nbob,8,y\neve,9,x\n", people, xyx, {.column = "3"}},
      {"several columns",
       "id,age,school\nann,1,x\nbob,2,y\neve,3,x\n",
       people,
       {},
       {},
       ":2: expected two columns `node,value` but found 3 columns (id, age, school)"},
      {"a value that is missing",
       "node,group\nann,x\nbob,\neve,x\n",
       people,
       {},
       {},
       ":3: an empty field"},
      {"no such column",
       "node,group\nann,x\n",
       people,
       {},
       {.column = "Group"},
       ":1: there is no column 'Group'; the columns are: node, group"},
      {"a first line that may be data",
       "ann,unknown\nbob,1\neve,2\n",
       people,
       {},
       {},
       ":1: this line looks like a header, but 'ann' is a node"},
      {"counted from 1, the graph from 0",
       "1,x\n2,y\n3,x\n",
       {"0", "1", "2"},
       {},
       {},
       ": the lines count nodes from 1, the graph from 0; use nodes = rows"},
      {"the same, said", "1,x\n2,y\n3,x\n", {"0", "1", "2"}, xyx, {.rows = true}},
      {"two values",
       "ann,x\nbob,y\nann,y\neve,x\n",
       people,
       {},
       {},
       ":3: node 'ann' has the value 'y' but had 'x' before"},
  };
  return all;
}

TEST(MessyTables, are_read_as_a_person_reads_them_or_refused) {
  const TemporaryFolder folder;
  for (const Labelled& file : tables()) {
    const std::string path = folder.write("t.csv", file.bytes);
    std::vector<std::string> values;
    const std::string error = error_of([&] {
      const NamedLabels found = read_labels(path, NodeNames(file.nodes), file.options);
      for (const Label label : found.labels) {
        values.push_back(found.values[static_cast<std::size_t>(label)]);
      }
      return 0;
    });
    EXPECT_EQ(values, file.values) << file.origin;
    if (file.values.empty()) {
      EXPECT_THAT(error, StartsWith(path + file.refused)) << file.origin;
    } else {
      EXPECT_EQ(error, "") << file.origin;
    }
  }
}

TEST(MessyFiles, are_at_least_sixty) {
  EXPECT_GE(graphs().size() + refused_graphs().size() + tables().size(), 60U);
}

}  // namespace
}  // namespace repsc
