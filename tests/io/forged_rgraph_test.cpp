// .rgraph files whose checksums are right although their content is not: refused by the name of the
// block.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "io/rgraph_files.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace repsc::rgraph {
namespace {

using testing::HasSubstr;

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

}  // namespace
}  // namespace repsc::rgraph
