// .rgraph files: what is written reads back the same, arrays are used where they are in the file,
// and no file that was cut, changed or forged is read as another graph.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/random.hpp"
#include "io/gaps.hpp"
#include "io/rgraph.hpp"
#include "repsc/io.hpp"
#include "support/by_name.hpp"
#include "support/errors.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"

namespace repsc {
namespace {

using rgraph::Block;
using rgraph::Header;
using testing::AllOf;
using testing::HasSubstr;

bool same(const Graph& a, const Graph& b) {
  return std::ranges::equal(a.offsets(), b.offsets()) &&
         std::ranges::equal(a.neighbors(), b.neighbors()) &&
         std::ranges::equal(a.weights(), b.weights()) && a.names() == b.names() &&
         a.num_self_loops() == b.num_self_loops();
}

BuiltGraph read(const std::string& path, SelfLoops loops = SelfLoops::keep) {
  return read_graph(path, {.self_loops = loops});
}

Graph small_graph(bool weighted, bool named) {
  const std::vector<Edge> edges{{0, 1}, {1, 2}, {2, 2}, {0, 3}, {1, 3}};
  const NodeNames names = named ? NodeNames({"a", "b 2", "z\xc3\xbc", "1"}) : NodeNames(4, 1);
  return build_graph(names, edges,
                     weighted ? std::vector<double>{0.5, 2, 3, 1, 0.1} : std::vector<double>{},
                     SelfLoops::keep)
      .graph;
}

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

// A file in parts that can be changed, with checksums that are right again afterwards.
struct Forged {
  Header header;
  std::vector<Block> table;
  std::vector<std::string> blocks;

  explicit Forged(const std::string& bytes) {
    std::memcpy(&header, bytes.data(), sizeof header);
    table.resize(header.num_blocks);
    std::memcpy(table.data(), bytes.data() + sizeof header, table.size() * sizeof(Block));
    for (const Block& block : table) {
      blocks.push_back(bytes.substr(block.begin, block.bytes));
    }
  }

  std::string& operator[](const std::string& name) {
    const auto found = std::find_if(table.begin(), table.end(),
                                    [&](const Block& block) { return name == block.name.data(); });
    EXPECT_NE(found, table.end()) << name;
    return blocks[static_cast<std::size_t>(found - table.begin())];
  }

  template <typename Value>
  void set(const std::string& name, std::size_t place, Value value) {
    std::memcpy((*this)[name].data() + place * sizeof value, &value, sizeof value);
  }

  [[nodiscard]] std::string bytes() {
    std::string result(sizeof header + table.size() * sizeof(Block), '\0');
    for (std::size_t i = 0; i < table.size(); ++i) {
      result.resize(rgraph::aligned(result.size()));
      const std::uint32_t piece = crc32c_by_table(blocks[i].data(), blocks[i].size());
      table[i].begin = result.size();
      table[i].bytes = blocks[i].size();
      table[i].checksum = crc32c_by_table(&piece, blocks[i].empty() ? 0 : sizeof piece);
      result += blocks[i];
    }
    header.file_bytes = result.size();
    return with_header(result);
  }

  [[nodiscard]] std::string with_header(std::string result) {
    header.checksum = 0;
    header.checksum = crc32c_by_table(table.data(), table.size() * sizeof(Block),
                                      crc32c_by_table(&header, sizeof header));
    std::memcpy(result.data(), &header, sizeof header);
    std::memcpy(result.data() + sizeof header, table.data(), table.size() * sizeof(Block));
    return result;
  }
};

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

class ForgedRgraph : public testing::Test {
 protected:
  [[nodiscard]] Forged valid(bool weighted, bool named, Neighbors neighbors) const {
    write_graph(small_graph(weighted, named), folder_ / "g.rgraph", {}, neighbors);
    return Forged(folder_.read("g.rgraph"));
  }
  [[nodiscard]] std::string error(Forged forged) const { return error_of_bytes(forged.bytes()); }
  [[nodiscard]] std::string error_of_bytes(const std::string& bytes) const {
    const std::string path = folder_.write("g.rgraph", bytes);
    return error_of([&] { return read(path); });
  }

  TemporaryFolder folder_;
};

TEST_F(ForgedRgraph, names_the_block_that_is_wrong) {
  const auto with = [&](const std::string& block, std::size_t place, auto value) {
    Forged forged = valid(true, true, Neighbors::plain);
    forged.set(block, place, value);
    return error(forged);
  };
  EXPECT_THAT(with("neighbors", 0, Index{4}), HasSubstr("block neighbors: node 0 has neighbour 4"));
  EXPECT_THAT(with("neighbors", 0, Index{-1}), HasSubstr("block neighbors: node 0 has neighbour"));
  EXPECT_THAT(with("neighbors", 1, Index{1}), HasSubstr("block neighbors: node 0 has neighbour 1"));
  EXPECT_THAT(with("neighbors", 1, Index{2}), HasSubstr("not symmetric"));
  EXPECT_THAT(with("offsets", 0, Offset{1}), HasSubstr("block offsets: they do not ascend"));
  EXPECT_THAT(with("offsets", 1, Offset{1} << 40U), HasSubstr("block offsets"));
  EXPECT_THAT(with("offsets", 4, Offset{3}), HasSubstr("block offsets"));
  EXPECT_THAT(with("weights", 0, 0.0), HasSubstr("block weights: entry 0 has weight 0"));
  EXPECT_THAT(with("weights", 0, 7.0), HasSubstr("block weights: the matrix is not symmetric"));
  EXPECT_THAT(with("weights", 2, std::numeric_limits<double>::quiet_NaN()),
              HasSubstr("block weights: entry 2 has weight nan"));
  EXPECT_THAT(with("name-ends", 0, std::uint64_t{0}),
              HasSubstr("block name-ends: the name of node 0"));
  EXPECT_THAT(with("name-ends", 1, std::uint64_t{99}),
              HasSubstr("block name-ends: the name of node 1"));
  EXPECT_THAT(with("names", 0, '\x01'), HasSubstr("block names: a control character"));
  EXPECT_THAT(with("names", 0, '1'), HasSubstr("block names: the name '1' appears twice"));
}

TEST_F(ForgedRgraph, reads_no_gaps_beyond_their_block_or_the_nodes) {
  const auto changed = [&](const auto& change) {
    Forged forged = valid(false, false, Neighbors::gaps);
    change(forged);
    return error(forged);
  };
  const auto with = [&](const std::string& block, std::size_t place, auto value) {
    return changed([&](Forged& forged) { forged.set(block, place, value); });
  };
  EXPECT_THAT(with("gaps", 0, '\x01'), HasSubstr("block gaps: the neighbours of node 0"));  // -1
  EXPECT_THAT(with("gaps", 0, '\x7e'), HasSubstr("block gaps: the neighbours of node 0"));  // 63
  EXPECT_THAT(changed([](Forged& forged) {
                forged["gaps"] = std::string(forged["gaps"].size(), '\xff');  // numbers without end
              }),
              HasSubstr("block gaps"));
  EXPECT_THAT(changed([](Forged& forged) {
                std::string& gaps = forged["gaps"];
                gaps.back() = '\xff';  // a number that goes on behind the block
              }),
              HasSubstr("block gaps"));
  EXPECT_THAT(changed([](Forged& forged) {
                forged["gaps"] += '\0';
                forged.set("places", 1, std::uint64_t{forged["gaps"].size()});
              }),
              HasSubstr("block gaps: more bytes than the rows before node 4 need"));
  EXPECT_THAT(with("places", 0, std::uint64_t{1}), HasSubstr("block places"));
  EXPECT_THAT(with("places", 1, std::uint64_t{1} << 62U), HasSubstr("block places"));
  EXPECT_THAT(with("degrees", 0, Index{-1}), HasSubstr("block degrees: node 0 has -1"));
  EXPECT_THAT(with("degrees", 0, Index{2000000000}), HasSubstr("block degrees: node 0 has 2000"));
  EXPECT_THAT(with("degrees", 0, Index{0}), HasSubstr("block degrees: their sum is"));
  EXPECT_THAT(changed([](Forged& forged) { forged.header.num_entries = std::uint64_t{1} << 50U; }),
              HasSubstr("block gaps: "));
}

TEST_F(ForgedRgraph, is_refused_for_impossible_numbers_in_its_header) {
  const auto with = [&](const auto& change) {
    Forged forged = valid(false, false, Neighbors::plain);
    const std::string bytes = forged.bytes();
    change(forged.header, forged.table);
    return error_of_bytes(forged.with_header(bytes));
  };
  const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  using Table = std::vector<Block>;
  EXPECT_THAT(with([](Header& header, Table&) { header.magic[1] = 'x'; }),
              HasSubstr("not an .rgraph file"));
  EXPECT_THAT(with([](Header& header, Table&) { header.version = 2; }),
              HasSubstr("version 2 of .rgraph, but this program reads version 1"));
  EXPECT_THAT(with([](Header& header, Table&) { header.flags |= 8U; }), HasSubstr("unknown flags"));
  EXPECT_THAT(with([](Header& header, Table&) { header.flags |= rgraph::weighted; }),
              HasSubstr("block header: it states 2 blocks but 3 are needed"));
  EXPECT_THAT(with([](Header& header, Table&) { header.num_nodes = 0; }), HasSubstr("0 nodes"));
  EXPECT_THAT(with([](Header& header, Table&) { header.num_nodes = std::uint64_t{1} << 31U; }),
              HasSubstr("2147483648 nodes but at most 2147483647 are possible"));
  EXPECT_THAT(with([&](Header& header, Table&) { header.num_nodes = huge; }),
              HasSubstr("nodes but at most"));
  EXPECT_THAT(with([](Header& header, Table&) { header.num_nodes = 2147483647; }),
              HasSubstr("block offsets: 40 bytes but 17179869184 are expected"));
  EXPECT_THAT(with([&](Header& header, Table&) { header.num_entries = huge; }),
              HasSubstr("block header"));
  EXPECT_THAT(with([](Header& header, Table&) { header.num_entries = std::uint64_t{1} << 60U; }),
              HasSubstr("block "));
  EXPECT_THAT(with([](Header& header, Table&) { header.num_self_loops = 5; }),
              HasSubstr("block header"));
  EXPECT_THAT(with([](Header& header, Table&) { header.num_self_loops = 2; }),
              HasSubstr("block header: it states 2 self-loops but there are 1"));
  EXPECT_THAT(with([](Header& header, Table&) { header.first_name = std::int64_t{1} << 40U; }),
              HasSubstr("block header: the first node is named"));
  EXPECT_THAT(with([](Header& header, Table&) { header.file_bytes += 1; }),
              HasSubstr("block header"));
  EXPECT_THAT(with([](Header&, Table& table) { table[1].begin += 64; }),
              HasSubstr("block neighbors: it begins at a wrong place"));
  EXPECT_THAT(with([&](Header&, Table& table) { table[1].begin = huge; }),
              HasSubstr("block neighbors"));
  EXPECT_THAT(with([&](Header&, Table& table) { table[1].bytes = huge; }),
              HasSubstr("block neighbors"));
  EXPECT_THAT(with([](Header&, Table& table) { table[0].name[0] = 'x'; }),
              HasSubstr("block offsets: it is not in its place in the table"));
  EXPECT_THAT(with([](Header&, Table& table) { table[0].unused[2] = 1; }),
              HasSubstr("block offsets"));
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
