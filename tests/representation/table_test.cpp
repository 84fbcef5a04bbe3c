// CSV tables: what is read from valid files, and the messages about invalid ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <zlib.h>

#include <cmath>

#include "representation/tables.hpp"
#include "support/temporary_folder.hpp"

namespace repsc::tests {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (Index i = 0; i < table.names.size(); ++i) names.push_back(table.names[i]);
  return names;
}

Table read_text(const std::string& text, const std::string& node_column = "") {
  const TemporaryFolder folder;
  return read_table(folder.write("people.csv", text), {.node_column = node_column});
}

std::string error_in(const std::string& text, const std::string& node_column = "") {
  return error_of([&] { return read_text(text, node_column); });
}

TEST(ReadTable, tells_words_from_numbers_and_keeps_both_as_written) {
  const Table table =
      read_text("id,age,zip,town\nann,30,00123,Ulm\nbob,,00045,\neve,4.5e1,99999,Bonn\n");
  EXPECT_THAT(names_of(table), ElementsAre("ann", "bob", "eve"));
  EXPECT_TRUE(table.column("age").numeric());
  EXPECT_EQ(table.column("age").numbers[0], 30);
  EXPECT_TRUE(std::isnan(table.column("age").numbers[1]));
  EXPECT_EQ(table.column("age").numbers[2], 45);
  EXPECT_THAT(table.column("zip").words, ElementsAre("00123", "00045", "99999"));
  EXPECT_FALSE(table.column("town").numeric());
  EXPECT_THAT(table.column("town").words, ElementsAre("Ulm", "", "Bonn"));
}

TEST(ReadTable, knows_numbers_by_every_value_of_the_column) {
  const Table table = read_text(
      "id,a,b,c,d,e,f\n"
      "1,-1.5,nan,inf,1e999,0x10,\n"
      "2,+.5,1,1,1,16,\n");
  EXPECT_THAT(table.column("a").numbers, ElementsAre(-1.5, 0.5));
  for (const char* name : {"b", "c", "d", "e", "f"}) {
    EXPECT_FALSE(table.column(name).numeric()) << name;
  }
}

TEST(ReadTable, keeps_ids_that_look_like_numbers_exactly) {
  const Table table =
      read_text("id,x\n1171330003629273088,1\n1171330003629273089,2\n007,3\n7,4\n1e3,5\n");
  EXPECT_THAT(names_of(table),
              ElementsAre("1171330003629273088", "1171330003629273089", "007", "7", "1e3"));
}

TEST(ReadTable, takes_the_node_column_by_name_and_one_without_name_if_it_comes_first) {
  const Table named = read_text("age,person,town\n3,ann,Ulm\n4,bob,Bonn\n", "person");
  EXPECT_THAT(names_of(named), ElementsAre("ann", "bob"));
  EXPECT_EQ(named.columns.size(), 2U);
  const Table pandas = read_text(",age\n0,30\n1,40\n");
  EXPECT_THAT(names_of(pandas), ElementsAre("0", "1"));
}

TEST(ReadTable, reads_separators_line_breaks_blanks_and_line_ends_as_they_come) {
  EXPECT_EQ(read_text("id;size\na;1\nb;2\n").column("size").numbers[1], 2);
  EXPECT_EQ(read_text("id\tsize\na\t\nb\t2\n").column("size").words[0], "");
  EXPECT_EQ(read_text("\xef\xbb\xbfid, size \r\na , 1\r\n\r\nb,2").column("size").numbers[1], 2);
  EXPECT_EQ(read_text("\"id\",\"a,b;c;d\"\n x , \" y \" \n").column("a,b;c;d").words[0], " y ");
  const Table breaks = read_text("id,text\na,\"one\ntwo, \"\"three\"\"\n\nfour\"\nb,5\" wide\n");
  EXPECT_THAT(breaks.column("text").words, ElementsAre("one\ntwo, \"three\"\n\nfour", "5\" wide"));
}

TEST(ReadTable, recognizes_a_header_by_the_rule_of_all_tables) {
  EXPECT_EQ(read_text("ann,x\nbob,y\n").header, "");
  EXPECT_THAT(names_of(read_text("ann,x\nbob,y\n")), ElementsAre("ann", "bob"));
  EXPECT_THAT(read_text("ann,x\nbob,y\n").column("2").words, ElementsAre("x", "y"));
  EXPECT_EQ(read_text("person,team\nann,x\nbob,y\n").header, "person,team");
  EXPECT_EQ(read_text("wer,alter\nann,30\nbob,40\n").header, "wer,alter");
  const TemporaryFolder folder;  // a column that is asked for makes the first line a header
  const std::string path = folder.write("people.csv", "wer,gruppe\nann,x\nbob,y\n");
  EXPECT_THAT(names_of(read_table(path, {.columns = {"gruppe"}})), ElementsAre("ann", "bob"));
  EXPECT_THAT(names_of(read_table(path)), ElementsAre("wer", "ann", "bob"));
}

TEST(ReadTable, numbers_rows_where_a_table_has_no_ids) {
  EXPECT_EQ(read_text("age,town\n30,Ulm\n40,Bonn\n", "row").names, NodeNames(2, 1));
  const Table table = read_text("age,town\n30,Ulm\n40,Bonn\n", "row0");
  EXPECT_EQ(table.names, NodeNames(2, 0));
  EXPECT_EQ(table.columns.size(), 2U);
  EXPECT_THAT(names_of(read_text("row,age\nr1,30\nr2,40\n", "row")), ElementsAre("r1", "r2"));
}

TEST(ReadTable, reads_missing_values_of_r_and_decimal_commas_of_excel) {
  const Table r = read_text("\"\",\"age\",\"town\"\n\"ann\",30,\"Ulm\"\n\"bob\",NA,\"NA\"\n");
  EXPECT_TRUE(std::isnan(r.column("age").numbers[1]));
  EXPECT_EQ(r.column("age").words[1], "");
  EXPECT_EQ(r.column("town").words[1], "NA");  // a word: perhaps Namibia
  EXPECT_EQ(read_text("id;size\na;1,5\nb;2\n").column("size").numbers[0], 1.5);
  EXPECT_FALSE(read_text("id\tsize\na\t1,5\nb\t2\n").column("size").numeric());
  EXPECT_THAT(names_of(read_text("id,x\n1.0,1\n2.0,2\n")), ElementsAre("1", "2"));
}

TEST(ReadTable, reads_back_any_words_that_were_quoted) {
  EXPECT_TRUE(rc::check("quote, write, read", [] {
    const auto characters = rc::gen::element('a', '7', '"', ',', ';', '\t', '\n', ' ', '\xc3');
    const auto words = *rc::gen::container<std::vector<std::string>>(
        *rc::gen::inRange<std::size_t>(1, 8), rc::gen::container<std::string>(characters));
    std::string text = "id,word\n";
    for (std::size_t i = 0; i < words.size(); ++i) {
      text += std::to_string(i) + ",\"";
      for (const char c : words[i]) text += c == '"' ? std::string("\"\"") : std::string(1, c);
      text += "\"\n";
    }
    RC_ASSERT(read_text(text).column("word").words == words);
  }));
}

TEST(ReadTable, survives_any_bytes) {
  EXPECT_TRUE(rc::check("a table or InvalidInput, nothing else", [] {
    const auto characters = rc::gen::element('a', '1', '"', ',', '\n', '\r', '\0', ' ', '\xff');
    try {
      const Table table = read_text(*rc::gen::container<std::string>(characters));
      RC_ASSERT(table.names.size() > 0);
    } catch (const InvalidInput&) {
    }
  }));
}

TEST(ReadTable, reads_gzip) {
  const TemporaryFolder folder;
  const std::string path = folder / "people.csv.gz";
  gzFile file = gzopen(path.c_str(), "wb");
  gzputs(file, "id,age\nann,30\n");
  gzclose(file);
  EXPECT_EQ(read_table(path).column("age").numbers[0], 30);
}

TEST(ReadTable, says_the_line_and_what_is_wrong_for_each_malformed_table) {
  EXPECT_THAT(error_in(""), HasSubstr("people.csv: the file is empty"));
  EXPECT_THAT(error_in("\n\n  \n"), HasSubstr("the file is empty"));
  EXPECT_THAT(error_in("id,age\n"), HasSubstr("no rows"));
  EXPECT_THAT(error_in("id,,age\na,1,2\n"), HasSubstr("people.csv:1: column 2 has no name"));
  EXPECT_THAT(error_in("id,age,age\na,1,2\n"),
              HasSubstr("people.csv:1: two columns are called 'age'"));
  EXPECT_THAT(error_in("id,age\na,1\n\nb\n"), HasSubstr("people.csv:4: 1 fields, but"));
  EXPECT_THAT(error_in("id,age\na,1\nb,2,3\n"), HasSubstr("people.csv:3: 3 fields, but"));
  EXPECT_THAT(error_in("id,age\na,1\nb,2\na,3\n"),
              HasSubstr("people.csv:4: node 'a' appears twice, first on line 2"));
  EXPECT_THAT(error_in("id,age\na,1\n,2\n"),
              HasSubstr("people.csv:3: the name of the node is empty"));
  EXPECT_THAT(error_in("id,age\na,1\nb,\"2\nc,3\n"),
              AllOf(HasSubstr("people.csv:3"), HasSubstr("never closed")));
  EXPECT_THAT(error_in("id,age\na,\"1\"2\n"),
              AllOf(HasSubstr("people.csv:2"), HasSubstr("after the closing quote")));
  EXPECT_THAT(error_in(std::string("id,age\na,\0\n", 11)),
              AllOf(HasSubstr("people.csv:2"), HasSubstr("NUL")));
  EXPECT_THAT(error_in(std::string("id,age\na,\"\n\0\"\n", 14)),
              AllOf(HasSubstr("people.csv:3"), HasSubstr("NUL")));
  EXPECT_THAT(error_in("id,age\na,1\n", "name"),
              EndsWith("people.csv:1: node_column = name: there is no column 'name'; the columns "
                       "are: id, age"));
}

TEST(ReadTable, does_not_let_a_forgotten_quote_swallow_a_large_file) {
  std::string text = "id,age\na,\"1\n";
  for (int i = 0; i < 400'000; ++i) text += "b,2\n";
  EXPECT_THAT(error_in(text), AllOf(HasSubstr("people.csv:2"), HasSubstr("not closed within")));
}

TEST(ReadTable, says_which_file_cannot_be_opened) {
  EXPECT_THROW((void)read_table("/nowhere/people.csv"), IoError);
}

TEST(Table, lists_its_columns_if_one_is_not_found) {
  const Table table = read_text("id,age,town\nann,30,Ulm\n");
  EXPECT_EQ(error_of([&] { return table.column("id").name; }),
            "column = id: there is no column 'id'; the columns are: age, town");
}

}  // namespace
}  // namespace repsc::tests
