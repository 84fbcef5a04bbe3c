// Reading a large file needs little more memory than the graph it becomes.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "core/random.hpp"
#include "graph/row_storage.hpp"
#include "repsc/io.hpp"
#include "support/memory.hpp"
#include "support/temporary_folder.hpp"

namespace repsc {
namespace {

// A line of /proc/self/status in bytes, 0 if there is none.
double status(const std::string& key) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key + ":")) return 1024 * std::stod(line.substr(key.size() + 1));
  }
  return 0;
}

// From here on VmHWM is the peak of what follows.
bool forget_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

class MemoryOfReading : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Files, MemoryOfReading,
                         testing::Values("g.txt", "g.mtx", "g.graph", "g.npz", "both.txt"),
                         [](const auto& test) {
                           const std::string file = test.param;
                           return file.substr(0, file.find('.')) + "_" +
                                  file.substr(file.find('.') + 1);
                         });

TEST_P(MemoryOfReading, stays_below_two_and_a_half_times_the_graph) {
  if (REPSC_MEMORY_IS_INSTRUMENTED) GTEST_SKIP() << "sanitizers use memory of their own";
  const TemporaryFolder folder;
  const std::string path = folder / GetParam();
  {
    constexpr Index N = 20000;
    constexpr int num_edges = 4000000;  // 32 MB: buffers of fixed size, about 8 MB, count little
    RandomStream random(1);
    std::vector<Edge> edges;
    for (int i = 0; i < num_edges; ++i) {
      edges.push_back({static_cast<Index>(random.below(N)), static_cast<Index>(random.below(N))});
    }
    if (std::string(GetParam()) == "both.txt") {
      std::ofstream file(path);
      for (const auto& [u, v] : edges) file << u << ' ' << v << '\n' << v << ' ' << u << '\n';
    } else {
      write_graph(build_graph(NodeNames(N, 0), edges, {}, SelfLoops::drop).graph, path);
    }
  }
  if (!forget_peak()) GTEST_SKIP() << "this system does not let a process reset its peak memory";
  const double before = status("VmRSS");
  const Graph graph = read_graph(path).graph;
  const double growth = status("VmHWM") - before;
  const double csr = 4.0 * static_cast<double>(graph.num_entries()) + 8.0 * graph.num_nodes();
  EXPECT_LT(growth, 2.5 * csr) << growth / csr << " times";
}

TEST(MemoryOfSortingOnDisk, is_less_than_that_of_the_graph) {
  if (REPSC_MEMORY_IS_INSTRUMENTED) GTEST_SKIP() << "sanitizers use memory of their own";
  const TemporaryFolder folder;
  constexpr int edges = 4000000;
  {
    RandomStream random(1);
    std::ofstream file(folder / "g.txt");
    for (int i = 0; i < edges; ++i) {
      file << random.below(20000) << ' ' << random.below(20000) << '\n';
    }
  }
  set_num_threads(1);  // each thread has a buffer for the text that it parses
  if (!forget_peak()) GTEST_SKIP() << "this system does not let a process reset its peak memory";
  const double before = status("VmRSS");
  const Graph graph =
      read_graph(folder / "g.txt", {.memory = 1 << 20, .scratch_folder = folder / ""}).graph;
  const double growth = status("VmHWM") - before;
  set_num_threads({});
  EXPECT_GT(static_cast<double>(graph.num_entries()), 1.9 * edges);
  EXPECT_LT(growth, 0.5 * 4 * static_cast<double>(graph.num_entries()));
}

// Pages of a mapped file count as memory of each process that has looked at them.
TEST(MemoryOfAMappedFile, goes_as_it_is_read_if_it_is_streamed_and_at_once_if_it_is_given_back) {
  const TemporaryFolder folder;
  const std::string path = folder / "g.rgraph";
  constexpr Index N = 50000;  // on a ring, linked to 80 on each side
  {
    std::vector<Edge> edges;
    for (Index node = 0; node < N; ++node) {
      for (Index far = 1; far <= 80; ++far) edges.push_back({node, (node + far) % N});
    }
    write_graph(build_graph(NodeNames(N, 0), edges, {}, SelfLoops::drop).graph, path, {},
                Neighbors::plain);
  }
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  ASSERT_GT(bytes, 3e7);
  const double before = status("RssFile");
  {
    const Graph streamed = read_graph(path, {.storage = GraphStorage::streamed}).graph;
    EXPECT_LT(status("RssFile"), before + 0.1 * bytes);
  }
  const Graph graph = read_graph(path, {.storage = GraphStorage::plain}).graph;
  EXPECT_GT(status("RssFile"), before + 0.9 * bytes);
  const Vector degrees = graph.degrees();
  give_back_pages(graph);
  EXPECT_LT(status("RssFile"), before + 0.1 * bytes);
  EXPECT_EQ(graph.num_neighbors(N - 1), 160);
  EXPECT_EQ(graph.degrees(), degrees);
}

}  // namespace
}  // namespace repsc
