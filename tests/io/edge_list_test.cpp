// Edge lists: the dialects that are read, and names that cannot be written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "core/text.hpp"
#include "repsc/io.hpp"
#include "support/by_name.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace repsc {
namespace {

using testing::HasSubstr;

class EdgeLists : public testing::Test {
 protected:
  BuiltGraph read(const std::string& text, SelfLoops loops = SelfLoops::drop) {
    return read_graph(folder_.write("g.txt", text), {.self_loops = loops});
  }

  TemporaryFolder folder_;
};

TEST_F(EdgeLists, come_in_many_dialects) {
  const ByName path = by_name(read("a b\nb c\n").graph);
  EXPECT_EQ(path.entries.size(), 4U);
  for (const char* text : {"a b\nb c", "a\tb\nb\tc\n", "a,b\nb,c\n", "a, b\nb , c\n",
                           "  a   b  \n\t b c\n", "a b\r\nb c\r\n",
                           "\xef\xbb\xbf"
                           "a b\nb c\n",
                           "# x y z\n\na b\n  % 1 2 3 4\n \t \nb c\n", "a b 1\nb c 1.0\n",
                           "a b\nb a\nb c\nc b\n", "\n\r\na b\nb c\n\n\n"}) {
    EXPECT_EQ(by_name(read(text).graph), path) << text;
  }
}

TEST_F(EdgeLists, may_end_without_a_line_end) {
  // The last line is longer than all before it, which matters to a buffer that moves.
  EXPECT_EQ(read("12 15\n 14   12").graph.names(), NodeNames({"12", "15", "14"}));
}

TEST_F(EdgeLists, number_nodes_in_the_order_of_first_appearance) {
  EXPECT_EQ(read("z a\nb z\n7 a\n").graph.names(), NodeNames({"z", "a", "b", "7"}));
}

TEST_F(EdgeLists, keep_weights_and_add_them_up) {
  const BuiltGraph found = read("a b 0.5\na b 0.25\nb a 0.1\nb c 1e-3\nc d 0\n");
  EXPECT_EQ(found.graph.weights(0)[0], 0.75);
  EXPECT_EQ(found.graph.weights(2)[0], 1e-3);
  EXPECT_EQ(found.graph.num_nodes(), 4);
  EXPECT_EQ(describe(found.changes),
            "merged 1 duplicate, merged the directions of 1 edge (larger weight kept), "
            "dropped the direction of 1 edge, dropped 1 edge of weight 0");
  EXPECT_EQ(read("a b 1\na b 1\n").graph.weights(0)[0], 2);  // weights add up, even if all are 1
  EXPECT_FALSE(read("a b\na b\n").graph.weighted());
  EXPECT_FALSE(read("a b 1\nb a 1\nc c 0\n").graph.weighted());
}

TEST_F(EdgeLists, read_whole_numbers_if_every_id_is_written_as_a_float) {
  const Graph graph = read("8.380000000000000000e+02 0.000000000000000000e+00\n8.38e2 1e3\n").graph;
  EXPECT_EQ(graph.names(), NodeNames({"838", "0", "1000"}));
  EXPECT_EQ(graph.num_edges(), 2);
  EXPECT_EQ(read("1.0 2.0 5\n1e0 3.0 5\n").graph.names(), NodeNames({"1", "2", "3"}));
}

TEST_F(EdgeLists, keep_a_float_as_a_name_if_one_id_is_written_otherwise) {
  EXPECT_EQ(read("2e1 20\n7e3 a\n").graph.names(), NodeNames({"2e1", "20", "7e3", "a"}));
  EXPECT_EQ(read("2e1 3e1\n2e1 1.5\n").graph.names(), NodeNames({"2e1", "3e1", "1.5"}));
  EXPECT_EQ(read("\"2e1\" 3e1\n").graph.names(), NodeNames({"2e1", "3e1"}));
  EXPECT_EQ(read("1.0 a\n2.0 b\n").graph.names(), NodeNames({"1.0", "a", "2.0", "b"}));
  // Two spellings of one number in one file are hardly two nodes.
  EXPECT_THROW(static_cast<void>(read("1.0 2\n2.0 1\n")), InvalidInput);
  EXPECT_EQ(read("\"1.0\" 1\n").graph.names(), NodeNames({"1.0", "1"}));
}

TEST_F(EdgeLists, keep_long_ids_and_names_that_only_look_like_numbers) {
  const std::vector<std::string> names = {"1171330003629273088",
                                          "1171330003629273089",
                                          "1.5",
                                          "1e400",
                                          "9007199254740993.0",
                                          "e",
                                          ".",
                                          "1e",
                                          "1.0.0",
                                          "-",
                                          "007",
                                          "inf"};
  std::string text;
  for (const std::string& name : names) text += name + " hub\n";
  const Graph graph = read(text).graph;
  EXPECT_EQ(graph.num_nodes(), 13);
  for (const std::string& name : names) EXPECT_TRUE(graph.names().find(name)) << name;
}

TEST_F(EdgeLists, skip_a_header_that_can_be_nothing_else) {
  for (const char* text : {"node_1,node_2\n0,747\n1,747\n", "from to weight\n0 1 1\n0 2 1\n",
                           "# c\nu\tv\n# c\n1\t2\n1\t3\n", "from to weight\nx y 1\ny z 1\n"}) {
    const BuiltGraph found = read(text);
    EXPECT_TRUE(found.changes.header_skipped) << text;
    EXPECT_EQ(found.graph.num_edges(), 2) << text;
    EXPECT_EQ(found.graph.num_nodes(), 3) << text;
  }
  for (const char* text : {"a b\nc d\n", "a b\n", "a b\nc 1\n", "a 1\n1 2\n", "1 2\na b\n"}) {
    EXPECT_FALSE(read(text).changes.header_skipped) << text;
  }
}

TEST_F(EdgeLists, name_nodes_without_edges) {
  const BuiltGraph found = read("a b 1\nc c 0\n");
  EXPECT_EQ(found.graph.num_nodes(), 3);
  EXPECT_EQ(found.graph.num_edges(), 1);
  EXPECT_EQ(describe(found.changes), "");
  write_graph(found.graph, folder_ / "out.txt");
  EXPECT_EQ(folder_.read("out.txt"), "a b 1\nc c 0\n");
}

TEST_F(EdgeLists, are_read_from_several_gzip_members_in_a_row) {
  const std::string path = folder_ / "two.txt.gz";
  for (const char* text : {"a b\n", "b c\n"}) {
    gzFile file = gzopen(path.c_str(), "ab");
    gzputs(file, text);
    gzclose(file);
  }
  EXPECT_EQ(read_graph(path).graph.num_edges(), 2);
}

TEST_F(EdgeLists, are_written_with_quotes_where_a_name_needs_them) {
  const std::vector<std::string> names = {"a b",
                                          "a,b",
                                          "a;b",
                                          "a\tb",
                                          "a\nb",
                                          "#a",
                                          "%a",
                                          "\"a\"",
                                          "\xef\xbb\xbf"
                                          "a",
                                          "1.0",
                                          "1",
                                          "1e0",
                                          "z\xc3\xbc",
                                          "source",
                                          " a ",
                                          "'",
                                          "a#",
                                          "sep=;"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (i == j) continue;
      const Graph graph =
          build_graph(NodeNames({names[i], names[j]}), {{0, 1}}, {}, SelfLoops::drop).graph;
      write_graph(graph, folder_ / "out.txt");
      EXPECT_EQ(by_name(read_graph(folder_ / "out.txt").graph), by_name(graph))
          << folder_.read("out.txt");
    }
  }
  const Graph header =
      build_graph(NodeNames({"source", "target", "1", "2"}), {{0, 1}, {2, 3}}, {}, SelfLoops::drop)
          .graph;
  write_graph(header, folder_ / "out.txt");
  EXPECT_EQ(by_name(read_graph(folder_ / "out.txt").graph), by_name(header));
}

TEST_F(EdgeLists, are_not_written_with_control_characters_in_names) {
  const Graph graph = build_graph(NodeNames({"a\x01", "b"}), {{0, 1}}, {}, SelfLoops::drop).graph;
  const std::string message = error_of([&] {
    write_graph(graph, folder_ / "out.txt");
    return 0;
  });
  EXPECT_THAT(message, HasSubstr("cannot contain the node name 'a\\x01'"));
  EXPECT_EQ(folder_.num_files(), 0U);
}

TEST(InQuotes, shows_at_most_forty_bytes_of_utf8_and_no_control_characters) {
  EXPECT_EQ(in_quotes("a b"), "'a b'");
  EXPECT_EQ(in_quotes(std::string("\0\n\xff", 3)), "'\\x00\\x0a\\xff'");
  EXPECT_EQ(in_quotes(std::string(41, 'x')), "'" + std::string(40, 'x') + "...'");
  EXPECT_EQ(in_quotes("M\xc3\xbcller \xe4\xb8\xad \xf0\x9f\x98\x80"),
            "'M\xc3\xbcller \xe4\xb8\xad \xf0\x9f\x98\x80'");
  EXPECT_EQ(in_quotes("M\xfcller"), "'M\\xfcller'");  // Latin-1
  EXPECT_EQ(in_quotes("\xc2\x85 \xc3"),
            "'\\xc2\\x85 \\xc3'");                            // a control character, half a letter
  EXPECT_EQ(in_quotes("\xed\xa0\x80"), "'\\xed\\xa0\\x80'");  // a surrogate
  EXPECT_EQ(in_quotes(std::string(39, 'x') + "\xc3\xbc"), "'" + std::string(39, 'x') + "...'");
}

}  // namespace
}  // namespace repsc
