// Tables of labels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "repsc/io.hpp"
#include "support/temporary_folder.hpp"

namespace repsc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class LabelFiles : public testing::Test {
 protected:
  void expect_read(const std::string& text, const Labels& labels,
                   const std::vector<std::string>& values) {
    const NamedLabels found = read(text);
    EXPECT_EQ(found.labels, labels) << text;
    EXPECT_EQ(found.values, values) << text;
  }
  NamedLabels read(const std::string& text) {
    NamedLabels found = read_labels(folder_.write("labels.csv", text), names_);
    ignored_ = found.other_nodes;
    return found;
  }
  std::string message(const std::string& text) {
    try {
      static_cast<void>(read(text));
    } catch (const InvalidInput& error) {
      EXPECT_THAT(error.what(), StartsWith(folder_ / "labels.csv"));
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      return std::string(error.what()).substr((folder_ / "labels.csv").size());
    }
    return "no error";
  }

  TemporaryFolder folder_;
  NodeNames names_{std::vector<std::string>{"a", "b", "838"}};
  Offset ignored_ = -1;
};

TEST_F(LabelFiles, number_words_in_the_order_of_first_use) {
  expect_read("node,party\nb,left\n838,right\na,left\n", {0, 0, 1}, {"left", "right"});
  EXPECT_EQ(ignored_, 0);
}

TEST_F(LabelFiles, number_whole_numbers_ascending) {
  expect_read("b,10\n838,-3\na,9\n", {1, 2, 0}, {"-3", "9", "10"});
  EXPECT_THAT(read("b,10\n838,x\na,9\n").values, ElementsAre("10", "x", "9"));
}

TEST_F(LabelFiles, ignore_lines_about_other_nodes_and_count_them) {
  expect_read("id,v\nzoe,q\na,x\nb,y\nmax,r\n838,x\n", {0, 1, 0}, {"x", "y"});
  EXPECT_EQ(ignored_, 2);
}

TEST_F(LabelFiles, number_values_by_lines_whichever_way_a_node_is_written) {
  // All ids are whole numbers as floats: 12.0 is node 12. Unknown nodes number no values.
  names_ = NodeNames(std::vector<std::string>{"7.0", "12", "30"});
  expect_read("5.0,z\n12.0,q\n7.0,p\n3e1,z\n", {1, 0, 2}, {"q", "p", "z"});
  EXPECT_EQ(ignored_, 1);
  expect_read("7.0,p\n7.0,p\n12.0,q\n12.0,q\n30.0,p\n", {0, 1, 0}, {"p", "q"});
  EXPECT_THAT(message("7.0,p\n12.0,q\n30.0,p\n1.2e1,p\n"), HasSubstr("two spellings"));
  EXPECT_THAT(message("7.0,p\n12.0,q\n30.0,p\n12.0,p\n"), HasSubstr("'p' but had 'q' before"));
  EXPECT_THAT(message("7.0,p\n12.0,q\n30.0,p\n7.0,q\n"), HasSubstr("'q' but had 'p' before"));
}

TEST_F(LabelFiles, come_with_any_usual_separator_and_line_end) {
  for (const char* text : {"a,x\nb,y\n838,x\n", "a\tx\nb\ty\n838\tx", "a;x\r\nb;y\r\n838;x\r\n",
                           "a x\n\nb  y\n838 x \n",
                           "\xef\xbb\xbf"
                           "a,x\nb,y\n838,x\n",
                           "# note\na , x\n b,y\n838,x\n", "\"a\",\"x\"\n\"b\",y\n838,\"x\"\n",
                           "\"a\" \"x\"\n\"b\" y\n838 x\n"}) {
    expect_read(text, {0, 1, 0}, {"x", "y"});
  }
}

TEST_F(LabelFiles, keep_separators_and_quotes_in_values) {
  const NamedLabels found = read("a,\"x, \"\"y\"\"\"\nb,New York\n838,\"x, \"\"y\"\"\"\n");
  EXPECT_THAT(found.values, ElementsAre("x, \"y\"", "New York"));
}

TEST_F(LabelFiles, that_are_wrong_are_refused_with_file_and_line) {
  EXPECT_EQ(message("node,v\na,x\nb,y\na,z\n838,x\n"),
            ":4: node 'a' has the value 'z' but had 'x' before");
  EXPECT_EQ(message("node,v\na,x\na,x\n"), ": 2 of 3 nodes have no line ('b', '838')");
  EXPECT_EQ(message(""), ": 3 of 3 nodes have no line ('a', 'b', '838')");
  EXPECT_EQ(message("a,x\nb,y,z\n"), ":2: expected two columns `node,value` but found 'b,y,z'");
  EXPECT_EQ(message("a,x\nb\n"), ":2: expected two columns `node,value` but found 'b'");
  EXPECT_EQ(message("a,x\nb,\n"), ":2: an empty field in 'b,'");
  EXPECT_EQ(message("a,x\n,y\n"), ":2: an empty field in ',y'");
  EXPECT_EQ(message("a,x\nb,\"y\n"), ":2: a quote that opens in this record is never closed");
  EXPECT_EQ(message("a,x\nb,\"y\"z\n"),
            ":2: text after the closing quote of field 'y'; "
            "write a quote inside a quoted field twice");
  EXPECT_THAT(message(std::string("a,x\nb,") + std::string(10 << 20, 'y')),
              StartsWith(":2: a line"));
  EXPECT_THROW(static_cast<void>(read_labels(folder_ / "none.csv", names_)), IoError);
}

TEST_F(LabelFiles, are_written_with_a_header_and_read_back) {
  const NodeNames names({"a", "with, comma", "q\"uote", "#hash", "2", "b c"});
  const Labels labels = {0, 1, 2, 1, 0, 3};
  for (const char* file : {"out.csv", "out.csv.gz"}) {
    write_labels(labels, names, folder_ / file);
    EXPECT_EQ(read_labels(folder_ / file, names).labels, labels);
  }
  EXPECT_THAT(
      folder_.read("out.csv"),
      StartsWith("node,cluster\na,0\n\"with, comma\",1\n\"q\"\"uote\",2\n\"#hash\",1\n2,0\n"));
  write_labels({4, 4}, NodeNames(2, 0), folder_ / "group.csv", "group");
  EXPECT_EQ(folder_.read("group.csv"), "node,group\n0,4\n1,4\n");
  EXPECT_THROW(write_labels({1}, names, folder_ / "short.csv"), InvalidInput);
}

}  // namespace
}  // namespace repsc
