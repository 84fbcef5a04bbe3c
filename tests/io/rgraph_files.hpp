// Small .rgraph files, and files that were forged: changed, with checksums that are right.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "io/rgraph.hpp"
#include "repsc/io.hpp"

namespace repsc::rgraph {

inline bool same(const Graph& a, const Graph& b) {
  return std::ranges::equal(a.offsets(), b.offsets()) &&
         std::ranges::equal(a.neighbors(), b.neighbors()) &&
         std::ranges::equal(a.weights(), b.weights()) && a.names() == b.names() &&
         a.num_self_loops() == b.num_self_loops();
}

inline BuiltGraph read(const std::string& path, SelfLoops loops = SelfLoops::keep) {
  return read_graph(path, {.self_loops = loops});
}

inline Graph small_graph(bool weighted, bool named) {
  const std::vector<Edge> edges{{0, 1}, {1, 2}, {2, 2}, {0, 3}, {1, 3}};
  const NodeNames names = named ? NodeNames({"a", "b 2", "z\xc3\xbc", "1"}) : NodeNames(4, 1);
  return build_graph(names, edges,
                     weighted ? std::vector<double>{0.5, 2, 3, 1, 0.1} : std::vector<double>{},
                     SelfLoops::keep)
      .graph;
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

}  // namespace repsc::rgraph
