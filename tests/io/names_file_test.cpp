// Names of nodes in formats that number rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <filesystem>

#include "io/names_file.hpp"
#include "repsc/io.hpp"
#include "support/by_name.hpp"
#include "support/errors.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"

namespace repsc {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class NamesFiles : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] std::string path() const { return folder_ / GetParam(); }
  [[nodiscard]] std::string names() const { return path() + ".names"; }
  [[nodiscard]] bool has_names() const { return std::filesystem::exists(names()); }
  void write(const std::vector<std::string>& given) {
    std::vector<Edge> edges;
    for (Index i = 0; i + 1 < static_cast<Index>(given.size()); ++i) edges.push_back({i, i + 1});
    write_graph(build_graph(NodeNames(given), edges, {}, SelfLoops::drop).graph, path());
  }
  [[nodiscard]] std::string error() const {
    return error_of([&] { return read_graph(path()); });
  }

  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(EveryFormat, NamesFiles,
                         testing::Values("g.mtx", "g.graph", "g.npz", "g.mtx.gz"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '.');
                           return name;
                         });

TEST_P(NamesFiles, keep_any_names_through_a_round_trip) {
  EXPECT_TRUE(rc::check("the same names and edges", [&] {
    const Index count = *rc::gen::inRange<Index>(1, 10);
    std::vector<std::string> given;
    const auto letters = rc::gen::element('a', '1', '0', ' ', ',', '"', '#', '\n', '\xc3', '.');
    while (static_cast<Index>(given.size()) < count) {
      const std::string name = *rc::gen::nonEmpty(rc::gen::container<std::string>(letters));
      if (std::find(given.begin(), given.end(), name) == given.end()) given.push_back(name);
    }
    const Graph written = random_graph(NodeNames(given), false, SelfLoops::keep);
    write_graph(written, path());
    const Graph found = read_graph(path(), {.self_loops = SelfLoops::keep}).graph;
    RC_ASSERT(by_name(found) == by_name(written));
    // The order of the nodes is kept as well, unless numbers decide it.
    RC_ASSERT(numbered_from(written.names()) || found.names() == written.names());
    RC_ASSERT(has_names() != numbered_from(written.names()).has_value());
  }));
}

TEST_P(NamesFiles, are_not_needed_for_numbers_which_keep_their_row) {
  for (const Index first : {0, 1}) {
    write({std::to_string(first + 2), std::to_string(first), std::to_string(first + 1)});
    EXPECT_FALSE(has_names());
    const Graph graph = read_graph(path()).graph;
    EXPECT_EQ(graph.names(), NodeNames(3, first));
    EXPECT_TRUE(graph.has_edge(2, 0));  // the edges were 2-0 and 0-1
    EXPECT_TRUE(graph.has_edge(0, 1));
    EXPECT_FALSE(graph.has_edge(1, 2));
  }
}

TEST_P(NamesFiles, that_are_outdated_are_removed_by_the_writer) {
  write({"a", "b"});
  EXPECT_TRUE(has_names());
  write({"1", "2"});
  EXPECT_FALSE(has_names());
  EXPECT_EQ(folder_.num_files(), 1U);
}

TEST_P(NamesFiles, that_do_not_fit_are_an_error_that_names_both_files) {
  const auto both = AllOf(HasSubstr(path() + ':'), HasSubstr(names()));
  write({"a", "b", "c"});
  std::filesystem::rename(names(), folder_ / "kept");
  EXPECT_THAT(error(), AllOf(both, HasSubstr("is missing")));
  folder_.write(GetParam() + ".names", "a\nb\n");
  EXPECT_THAT(error(), AllOf(both, HasSubstr("3 nodes, but"), HasSubstr("2 names")));
  folder_.write(GetParam() + ".names", "a\nc\nb\n");
  EXPECT_THAT(error(), AllOf(both, HasSubstr("another graph")));
  std::filesystem::rename(folder_ / "kept", names());
  EXPECT_EQ(error(), "");
  // Another program writes a graph of the same size under that name: our names are not its own.
  const std::string kept = folder_.read(GetParam() + ".names");
  write_graph(build_graph(NodeNames(3, 1), {{0, 1}}, {}, SelfLoops::drop).graph, path());
  folder_.write(GetParam() + ".names", kept);
  EXPECT_THAT(error(), AllOf(both, HasSubstr("another graph")));
}

TEST_P(NamesFiles, may_be_written_by_hand) {
  write_graph(build_graph(NodeNames(3, 1), {{0, 1}}, {}, SelfLoops::drop).graph, path());
  folder_.write(GetParam() + ".names", "# my people\nNew York\r\n\"a \"\"b\"\"\"\nc\n\n");
  EXPECT_EQ(read_graph(path()).graph.names(), NodeNames({"New York", "a \"b\"", "c"}));
  folder_.write(GetParam() + ".names", "a\nb\na\n");
  EXPECT_THAT(error(), HasSubstr(names() + ":3: the name 'a' appears twice"));
  folder_.write(GetParam() + ".names", "a\n\"b\nc\n");
  EXPECT_THAT(error(), HasSubstr("never closed"));
}

TEST(NamesMark, reads_back_what_it_writes_and_nothing_else) {
  for (const NamesMark mark : {NamesMark{.first = 0}, NamesMark{.first = 1},
                               NamesMark{.fingerprint = 0x0123456789abcdefULL}}) {
    const NamesMark found = NamesMark::of_word(mark.word());
    EXPECT_EQ(found.first, mark.first);
    EXPECT_EQ(found.fingerprint, mark.fingerprint);
  }
  for (const char* word : {"", "from-2", "from-x", "from-0x", "names-xyz", "names", "0"}) {
    EXPECT_FALSE(NamesMark::of_word(word).any()) << word;
  }
}

TEST(NamesMark, is_in_the_file_as_a_comment_that_other_readers_skip) {
  const TemporaryFolder folder;
  const Graph graph = build_graph(NodeNames({"1", "0"}), {{0, 1}}, {}, SelfLoops::drop).graph;
  write_graph(graph, folder / "g.mtx");
  EXPECT_EQ(
      folder.read("g.mtx"),
      "%%MatrixMarket matrix coordinate pattern symmetric\n% repsc: nodes from-0\n2 2 1\n2 1\n");
  write_graph(graph, folder / "g.graph");
  EXPECT_EQ(folder.read("g.graph"), "% repsc: nodes from-0\n2 1\n2\n1\n");
}

}  // namespace
}  // namespace repsc
