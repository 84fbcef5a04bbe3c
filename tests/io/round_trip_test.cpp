// Every format gives back what was written into it.
#include <gtest/gtest.h>

#include "repsc/io.hpp"
#include "support/by_name.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"

namespace repsc {
namespace {

struct Kind {
  std::string file;
  bool keeps_names = false;
  Index first = 0;  // the first name where names are implied
};

class EveryFormat : public testing::TestWithParam<Kind> {
 protected:
  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Files, EveryFormat,
                         testing::Values(Kind{"g.txt", true}, Kind{"g.csv.gz", true},
                                         Kind{"g.mtx", false, 1}, Kind{"G.MTX.gz", false, 1},
                                         Kind{"g.graph", false, 1}, Kind{"g.metis.gz", false, 1},
                                         Kind{"g.npz", false, 0}, Kind{"g.rgraph", true}),
                         [](const auto& test) {
                           std::string name = test.param.file;
                           std::erase(name, '.');
                           return name;
                         });

TEST_P(EveryFormat, gives_back_the_graph_that_was_written) {
  const Kind& kind = GetParam();
  const std::string path = folder_ / kind.file;
  for (const bool weighted : {false, true}) {
    EXPECT_TRUE(rc::check(weighted ? "weighted" : "unweighted", [&] {
      const Index count = *rc::gen::inRange<Index>(1, 10);
      const NodeNames names =
          kind.keeps_names ? awkward_names(count) : NodeNames(count, kind.first);
      const Graph written = random_graph(names, weighted, SelfLoops::keep);
      write_graph(written, path);
      const BuiltGraph found = read_graph(path, {.self_loops = SelfLoops::keep});
      expect_well_formed(found.graph);
      RC_ASSERT(describe(found.changes) == "");
      RC_ASSERT(by_name(found.graph) == by_name(written));
      RC_ASSERT(found.graph.weighted() == written.weighted());
      RC_ASSERT(kind.keeps_names || found.graph.names() == names);
    }));
  }
}

TEST_P(EveryFormat, drops_keeps_or_adds_self_loops_as_asked) {
  const Graph written =
      build_graph(NodeNames(3, GetParam().first), {{0, 1}, {1, 1}, {1, 2}}, {}, SelfLoops::keep)
          .graph;
  const std::string path = folder_ / GetParam().file;
  write_graph(written, path);
  const auto read = [&](SelfLoops loops) { return read_graph(path, {.self_loops = loops}); };
  EXPECT_EQ(read(SelfLoops::keep).graph.num_self_loops(), 1);
  EXPECT_EQ(read(SelfLoops::drop).graph.num_self_loops(), 0);
  EXPECT_EQ(read(SelfLoops::drop).changes.self_loops_dropped, 1);
  EXPECT_EQ(read(SelfLoops::add).graph.num_self_loops(), 3);
  EXPECT_EQ(read(SelfLoops::add).changes.self_loops_added, 2);
}

TEST_P(EveryFormat, writes_the_same_bytes_again) {
  const Graph graph =
      build_graph(NodeNames(3, 1), {{0, 1}, {1, 2}}, {0.1, 0.2}, SelfLoops::drop).graph;
  write_graph(graph, folder_ / GetParam().file);
  const std::string first = folder_.read(GetParam().file);
  write_graph(graph, folder_ / GetParam().file);
  EXPECT_EQ(folder_.read(GetParam().file), first);
  EXPECT_EQ(folder_.num_files(), 1U);
}

TEST_P(EveryFormat, reports_progress_which_may_stop_the_reading) {
  std::vector<Edge> edges;
  for (Index i = 0; i < 600000; ++i) edges.push_back({i % 1000, (i * 7 + i / 1000) % 1000});
  write_graph(build_graph(NodeNames(1000, 1), edges, {}, SelfLoops::drop).graph,
              folder_ / GetParam().file);
  struct Stop {};
  int calls = 0;
  const ReadOptions stop{.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.stage, "read");
    if (++calls == 2) throw Stop();
  }};
  EXPECT_THROW(static_cast<void>(read_graph(folder_ / GetParam().file, stop)), Stop);
}

TEST_P(EveryFormat, says_why_a_file_cannot_be_opened_or_written) {
  const auto message = [&](const std::string& path, bool write) -> std::string {
    try {
      if (write) write_graph(build_graph(NodeNames(1, 1), {}, {}, SelfLoops::drop).graph, path);
      if (!write) static_cast<void>(read_graph(path));
    } catch (const IoError& error) {
      return error.what();
    }
    return "no error";
  };
  const std::string missing = folder_ / ("missing/" + GetParam().file);
  EXPECT_EQ(message(missing, false), missing + ": cannot read: No such file or directory");
  EXPECT_EQ(message(missing, true), missing + ": cannot write: No such file or directory");
  const std::string directory = folder_ / GetParam().file;
  std::filesystem::create_directory(directory);
  EXPECT_EQ(message(directory, false), directory + ": cannot read: it is a directory");
  EXPECT_EQ(message(directory, true), directory + ": cannot write: it is a directory");
  if (::geteuid() == 0) return;  // root may read everything
  const std::string secret = folder_.write("secret" + GetParam().file, "1 2\n");
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  EXPECT_EQ(message(secret, false), secret + ": cannot read: Permission denied");
}

TEST_P(EveryFormat, writes_no_graph_without_nodes) {
  EXPECT_THROW(write_graph(Graph(), folder_ / GetParam().file), InvalidInput);
  EXPECT_EQ(folder_.num_files(), 0U);
}

TEST(Formats, can_be_chosen_against_the_ending) {
  const TemporaryFolder folder;
  const Graph graph = build_graph(NodeNames(2, 1), {{0, 1}}, {}, SelfLoops::drop).graph;
  write_graph(graph, folder / "g.txt", GraphFormat::matrix_market);
  EXPECT_EQ(folder.read("g.txt"),
            "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n");
  EXPECT_EQ(read_graph(folder / "g.txt", {.format = GraphFormat::matrix_market}).graph.num_edges(),
            1);
  EXPECT_THROW(write_graph(graph, folder / "g.npz.gz"), InvalidInput);
  EXPECT_THROW(static_cast<void>(read_graph("-", {.format = GraphFormat::npz})), InvalidInput);
}

}  // namespace
}  // namespace repsc
