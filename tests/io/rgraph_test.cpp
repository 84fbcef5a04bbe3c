// .rgraph files: what is written reads back the same, arrays are used where they are in the file,
// and no file that was cut, changed or forged is read as another graph.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/random.hpp"
#include "graph/gaps.hpp"
#include "graph/product.hpp"
#include "io/rgraph_files.hpp"
#include "io/row_writer.hpp"
#include "support/by_name.hpp"
#include "support/errors.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"

namespace repsc {
namespace {

using rgraph::Block;
using rgraph::Forged;
using rgraph::Header;
using rgraph::read;
using rgraph::same;
using rgraph::small_graph;
using testing::HasSubstr;

// Every kind of file: weights, names, gaps.
class EveryRgraph : public testing::TestWithParam<int> {
 protected:
  [[nodiscard]] bool weighted() const { return (GetParam() & 1) != 0; }
  [[nodiscard]] bool named() const { return (GetParam() & 2) != 0; }
  [[nodiscard]] Neighbors neighbors() const {
    return (GetParam() & 4) != 0 ? Neighbors::gaps : Neighbors::plain;
  }
  [[nodiscard]] std::string written(const Graph& graph) const {
    write_graph(graph, path_, {}, neighbors());
    return folder_.read("g.rgraph");
  }
  [[nodiscard]] std::string error(const std::string& bytes) const {
    folder_.write("g.rgraph", bytes);
    return error_of([&] { return read(path_); });
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "g.rgraph";
};
INSTANTIATE_TEST_SUITE_P(Kinds, EveryRgraph, testing::Range(0, 8));

TEST_P(EveryRgraph, gives_back_the_graph_in_the_same_order_and_the_same_bytes) {
  EXPECT_TRUE(rc::check([&] {
    const Index count = *rc::gen::inRange<Index>(1, 10);
    const NodeNames names =
        named() ? awkward_names(count) : NodeNames(count, *rc::gen::inRange<Index>(0, 3));
    const Graph graph = random_graph(names, weighted(), SelfLoops::keep);
    const std::string bytes = written(graph);
    const BuiltGraph found = read(path_);
    expect_well_formed(found.graph);
    RC_ASSERT(same(found.graph, graph));
    RC_ASSERT(describe(found.changes).empty());
    RC_ASSERT(written(found.graph) == bytes);
    RC_ASSERT(
        same(read_graph(path_, {.self_loops = SelfLoops::keep, .trusted = true}).graph, graph));
  }));
}

TEST(RgraphOfRows, is_the_file_of_the_graph_that_has_these_rows) {
  const TemporaryFolder folder;
  RandomStream random(3);
  std::vector<Edge> edges;
  for (int i = 0; i < 20000; ++i) {
    edges.push_back(
        {static_cast<Index>(random.below(3000)), static_cast<Index>(random.below(3000))});
  }
  const Graph graph = build_graph(NodeNames(3100, 0), edges, {}, SelfLoops::keep).graph;
  ASSERT_GT(graph.num_self_loops(), 0);
  write_graph(graph, folder / "graph.rgraph", {}, Neighbors::gaps);
  write_rows(folder / "rows.rgraph", 3100, [&](Index node, std::vector<Index>& row) {
    row.assign(graph.neighbors(node).begin(), graph.neighbors(node).end());
  });
  EXPECT_EQ(folder.read("rows.rgraph"), folder.read("graph.rgraph"));
}

TEST_P(EveryRgraph, is_the_same_graph_however_it_is_stored) {
  RandomStream random(7);
  std::vector<Edge> edges;
  std::vector<double> weights;
  for (int i = 0; i < 60000; ++i) {
    edges.push_back(
        {static_cast<Index>(random.below(9000)), static_cast<Index>(random.below(9000))});
    if (weighted()) weights.push_back(random.uniform());
  }
  for (Index i = 0; i < 9000; ++i) {
    edges.push_back({3, i});
    if (weighted()) weights.push_back(2);
  }
  const Graph graph = build_graph(NodeNames(9500, 0), edges, weights, SelfLoops::keep).graph;
  const std::string bytes = written(graph);
  const Matrix X = Matrix::Random(9500, 5);
  Matrix expected;
  multiply(graph, X, expected);
  const bool gaps = neighbors() == Neighbors::gaps;
  for (const bool trusted : {false, true}) {
    for (const GraphStorage storage : {GraphStorage::plain, GraphStorage::packed,
                                       GraphStorage::streamed, GraphStorage::in_place}) {
      const ReadOptions how{
          .self_loops = SelfLoops::keep, .trusted = trusted, .storage = storage, .read_ahead = 1};
      if (storage == GraphStorage::packed && !gaps) {
        EXPECT_THAT(error_of([&] { return read_graph(path_, how); }), HasSubstr("not compressed"));
        continue;
      }
      const Graph found = read_graph(path_, how).graph;
      EXPECT_EQ(found.packed(), gaps && storage != GraphStorage::plain);
      EXPECT_EQ(found.streamed(), storage == GraphStorage::streamed);
      for (const int threads : {1, 2, 4}) {  // forward and backward
        set_num_threads(threads);
        Matrix Y;
        multiply(found, X, Y);
        EXPECT_EQ(Y, expected);
      }
      set_num_threads({});
      EXPECT_EQ(connected_components(found), connected_components(graph));
      EXPECT_EQ(written(found), bytes);
      EXPECT_TRUE(same(found, graph));
    }
  }
}

TEST_P(EveryRgraph, gives_back_large_graphs_on_any_number_of_threads) {
  RandomStream random(4);
  std::vector<Edge> edges;
  std::vector<double> weights;
  for (int i = 0; i < 500000; ++i) {
    edges.push_back({static_cast<Index>(random.below(30000)),
                     static_cast<Index>(random.below(random.below(30000) + 1))});
    if (weighted()) weights.push_back(random.uniform());
  }
  const Graph graph = build_graph(NodeNames(30000, 0), edges, weights, SelfLoops::drop).graph;
  set_num_threads(1);
  const std::string bytes = written(graph);
  EXPECT_TRUE(same(read(path_).graph, graph));
  set_num_threads(3);
  EXPECT_EQ(written(graph), bytes);
  EXPECT_TRUE(same(read(path_).graph, graph));
  set_num_threads({});
}

TEST_P(EveryRgraph, reports_the_changes_of_self_loops_that_an_edge_list_reports) {
  const Graph graph = small_graph(weighted(), named());
  static_cast<void>(written(graph));
  write_graph(graph, folder_ / "g.txt");
  for (const SelfLoops loops : {SelfLoops::drop, SelfLoops::keep, SelfLoops::add}) {
    const BuiltGraph found = read(path_, loops);
    const BuiltGraph expected = read(folder_ / "g.txt", loops);
    EXPECT_EQ(by_name(found.graph), by_name(expected.graph));
    EXPECT_EQ(describe(found.changes), describe(expected.changes));
  }
}

TEST_P(EveryRgraph, is_refused_at_every_length_but_its_own) {
  const std::string bytes = written(small_graph(weighted(), named()));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::string found = error(bytes.substr(0, length));
    ASSERT_THAT(found, length == 0 ? HasSubstr("not an .rgraph file")
                       : length < rgraph::magic.size()
                           ? HasSubstr("block header: the file is truncated")
                           : HasSubstr("block "))
        << length;
  }
  EXPECT_THAT(error(bytes + '\0'), HasSubstr("block header: the file has"));
  EXPECT_EQ(error(bytes), "");
}

TEST_P(EveryRgraph, is_refused_with_any_byte_changed) {
  std::string bytes = written(small_graph(weighted(), named()));
  for (std::size_t place = 0; place < bytes.size(); ++place) {
    const char before = bytes[place];
    bytes[place] = static_cast<char>(before ^ (1 << (place % 8)));
    ASSERT_NE(error(bytes), "") << place;
    bytes[place] = before;
  }
}

TEST_P(EveryRgraph, with_right_checksums_is_a_graph_or_refused_whatever_it_contains) {
  const std::string valid = written(small_graph(weighted(), named()));
  ASSERT_EQ(error(Forged(valid).bytes()), "");
  ASSERT_EQ(Forged(valid).bytes(), valid);
  RandomStream random(5);
  int refused = 0;
  for (int round = 0; round < 500; ++round) {
    Forged forged(valid);
    for (std::uint64_t changes = 1 + random.below(2); changes > 0; --changes) {
      std::string& block = forged.blocks[random.below(forged.blocks.size())];
      const std::size_t place = random.below(block.size());
      const char values[] = {'\0', '\1', '\2', '\x7f', '\x80', '\xff'};
      if (random.below(20) == 0) {
        block.resize(place);
      } else {
        block[place] =
            random.below(2) == 0 ? values[random.below(6)] : static_cast<char>(random.below(256));
      }
      if (random.below(30) == 0) forged.header.num_nodes = random.below(8);
      if (random.below(30) == 0) forged.header.num_entries = random.below(1U << 20U);
    }
    folder_.write("g.rgraph", forged.bytes());
    try {
      const BuiltGraph found = read(path_);
      expect_well_formed(found.graph);
      const std::string again = written(found.graph);
      EXPECT_TRUE(same(read(path_).graph, found.graph));
    } catch (const InvalidInput& error) {
      EXPECT_THAT(error.what(), HasSubstr("g.rgraph: "));
      ++refused;
    }
    if (testing::Test::HasFailure()) FAIL() << "round " << round;
  }
  EXPECT_GT(refused, 200);
}

TEST(Rgraph, is_used_without_a_copy_and_outlives_its_replacement) {
  const TemporaryFolder folder;
  const std::string path = folder / "g.rgraph";
  const Graph graph = small_graph(true, false);
  write_graph(graph, path);
  const Graph first = read(path).graph;
  const Graph second = read(path).graph;
  // Two mappings of one file, and no array of our own: the graph is where the system put the file.
  EXPECT_NE(first.neighbors().data(), second.neighbors().data());
  const auto distance = [](const Graph& g) {
    return reinterpret_cast<const char*>(g.weights().data()) -
           reinterpret_cast<const char*>(g.offsets().data());
  };
  EXPECT_EQ(distance(first), distance(second));
  EXPECT_GE(distance(first), 0);
  EXPECT_LT(distance(first), 4096);
  write_graph(build_graph(NodeNames(2, 0), {{0, 1}}, {}, SelfLoops::drop).graph, path);
  EXPECT_TRUE(same(first, graph));
  std::filesystem::remove(path);
  EXPECT_TRUE(same(second, graph));
}

// A file with holes: its neighbours are zeros that take no room, and that nobody reads.
TEST(Rgraph, with_more_than_2_to_the_32_entries_is_opened_at_once) {
  const TemporaryFolder folder;
  constexpr std::uint64_t N = 65537;
  std::vector<Offset> offsets;
  for (std::uint64_t i = 0; i <= N; ++i) offsets.push_back(static_cast<Offset>(i * N));
  Header header{.num_blocks = 2, .num_nodes = N, .num_entries = N * N, .first_name = 1};
  std::vector<Block> table(2);
  std::strcpy(table[0].name.data(), "offsets");
  std::strcpy(table[1].name.data(), "neighbors");
  table[0].begin = sizeof header + 2 * sizeof(Block);
  table[0].bytes = offsets.size() * sizeof(Offset);
  table[1].begin = rgraph::aligned(table[0].begin + table[0].bytes);
  table[1].bytes = 4 * N * N;
  header.file_bytes = table[1].begin + table[1].bytes;
  header.checksum = rgraph::checksum_of(header, table);
  std::string beginning(table[0].begin, '\0');
  std::memcpy(beginning.data(), &header, sizeof header);
  std::memcpy(beginning.data() + sizeof header, table.data(), 2 * sizeof(Block));
  beginning.append(reinterpret_cast<const char*>(offsets.data()), table[0].bytes);
  const std::string path = folder.write("g.rgraph", beginning);
  std::error_code failed;
  std::filesystem::resize_file(path, header.file_bytes, failed);
  if (failed) GTEST_SKIP() << "no file of 17 GB with holes: " << failed.message();

  const Graph graph = read_graph(path, {.trusted = true}).graph;
  EXPECT_GT(graph.num_entries(), Offset{1} << 32U);
  EXPECT_EQ(graph.num_entries(), static_cast<Offset>(N * N));
  const auto last = graph.neighbors(static_cast<Index>(N - 1));
  EXPECT_EQ(last.size(), N);
  EXPECT_EQ(last.data(), graph.neighbors().data() + N * (N - 1));
  EXPECT_EQ(last.back(), 0);
  EXPECT_EQ(graph.names()[static_cast<Index>(N - 1)], "65537");
}

TEST(Rgraph, is_not_read_from_or_written_to_what_cannot_be_mapped) {
  const TemporaryFolder folder;
  const Graph graph = small_graph(false, false);
  EXPECT_THAT(error_of([] { return read_graph("-", {.format = GraphFormat::rgraph}); }),
              HasSubstr("standard input: an .rgraph file cannot be read from a pipe"));
  EXPECT_THAT(error_of([] { return read_graph("/dev/null", {.format = GraphFormat::rgraph}); }),
              HasSubstr("regular file"));
  EXPECT_THAT(error_of([&] { return read_graph(folder / "g.rgraph.gz"); }), HasSubstr("unpack"));
  EXPECT_THROW(write_graph(graph, "-", GraphFormat::rgraph), InvalidInput);
  EXPECT_THROW(write_graph(graph, folder / "g.npz", {}, Neighbors::gaps), InvalidOptions);
  EXPECT_EQ(folder.num_files(), 0U);
}

TEST(Rgraph, takes_no_names_that_an_edge_list_could_not_have) {
  const TemporaryFolder folder;
  const Graph graph = build_graph(NodeNames({"a\x01", "b"}), {{0, 1}}, {}, SelfLoops::drop).graph;
  EXPECT_THROW(write_graph(graph, folder / "g.rgraph"), InvalidInput);
  EXPECT_EQ(folder.num_files(), 0U);
}

TEST(Gaps, take_one_byte_for_near_neighbours_and_five_for_the_farthest) {
  constexpr Index last = std::numeric_limits<Index>::max() - 1;
  const auto bytes = [](Index node, const std::vector<Index>& row) {
    std::vector<std::byte> result;
    put_gaps(node, row, result);
    std::vector<Index> again(row.size());
    const std::byte* place = result.data();
    EXPECT_TRUE(get_gaps(place, result.data() + result.size(), node, last + 1, again));
    EXPECT_EQ(again, row);
    EXPECT_EQ(place, result.data() + result.size());
    return result.size();
  };
  EXPECT_EQ(bytes(5, {}), 0U);
  EXPECT_EQ(bytes(5, {4, 5, 6, 7, 135}), 5U);
  EXPECT_EQ(bytes(5, {4, 5, 6, 7, 136}), 6U);
  EXPECT_EQ(bytes(100, {36}), 1U);
  EXPECT_EQ(bytes(100, {35}), 2U);
  EXPECT_EQ(bytes(0, {last}), 5U);
  EXPECT_EQ(bytes(last, {0, last}), 10U);
}

class ReadWithLittleMemory : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Files, ReadWithLittleMemory,
                         testing::Values("g.txt", "g.mtx", "g.graph", "g.npz", "g.csv.gz"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '.');
                           return name;
                         });

TEST_P(ReadWithLittleMemory, gives_the_same_file) {
  const TemporaryFolder folder;
  RandomStream random(6);
  std::vector<Edge> edges;
  std::vector<double> weights;
  for (int i = 0; i < 150000; ++i) {
    edges.push_back(
        {static_cast<Index>(random.below(20000)), static_cast<Index>(random.below(20000))});
    weights.push_back(static_cast<double>(1 + random.below(3)));
  }
  for (const bool weighted : {false, true}) {
    write_graph(build_graph(NodeNames(20000, 0), edges, weighted ? weights : std::vector<double>{},
                            SelfLoops::keep)
                    .graph,
                folder / GetParam());
    for (const SelfLoops loops : {SelfLoops::keep, SelfLoops::add}) {
      const BuiltGraph usual = read_graph(folder / GetParam(), {.self_loops = loops});
      const BuiltGraph sorted =
          read_graph(folder / GetParam(),
                     {.self_loops = loops, .memory = 1 << 20, .scratch_folder = folder / ""});
      EXPECT_EQ(describe(usual.changes), describe(sorted.changes));
      for (const Neighbors neighbors : {Neighbors::plain, Neighbors::gaps}) {
        write_graph(usual.graph, folder / "a.rgraph", {}, neighbors);
        write_graph(sorted.graph, folder / "b.rgraph", {}, neighbors);
        EXPECT_EQ(folder.read("a.rgraph"), folder.read("b.rgraph"));
      }
    }
  }
  EXPECT_THROW(static_cast<void>(read_graph(folder / GetParam(), {.memory = 1000})), InvalidInput);
}

}  // namespace
}  // namespace repsc
