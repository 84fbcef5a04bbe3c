// The layout of .rgraph files, which docs/rgraph.md describes: a header with a table of blocks, and
// the blocks, each with its checksum.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/crc32c.hpp"

namespace repsc::rgraph {

static_assert(std::endian::native == std::endian::little, ".rgraph files are little-endian");

inline constexpr std::array<char, 8> magic = {'\x89', 'r', 'g', 'r', 'a', 'p', 'h', '\n'};
inline constexpr std::uint32_t version = 1;
/// Blocks begin at multiples of this.
inline constexpr std::uint64_t alignment = 64;
/// A checksum is that of the checksums of pieces of this size, so that threads can share the work.
inline constexpr std::size_t piece_bytes = std::size_t{1} << 20U;

/// Bits of Header::flags.
enum Flag : std::uint32_t { weighted = 1, with_gaps = 2, named = 4 };
inline constexpr std::uint32_t known_flags = weighted | with_gaps | named;

struct Header {
  std::array<char, 8> magic = rgraph::magic;
  std::uint32_t version = rgraph::version;
  std::uint32_t num_blocks = 0;
  std::uint64_t num_nodes = 0;
  std::uint64_t num_entries = 0;
  std::uint64_t num_self_loops = 0;
  std::int64_t first_name = 0;  ///< of implied names
  std::uint64_t file_bytes = 0;
  std::uint32_t flags = 0;
  std::uint32_t checksum = 0;  ///< of the header, with 0 here, and the table
};
static_assert(sizeof(Header) == 64);

struct Block {
  std::array<char, 32> name = {};  ///< filled up with zeros
  std::uint64_t begin = 0;         ///< in the file
  std::uint64_t bytes = 0;
  std::uint32_t checksum = 0;
  std::array<std::uint32_t, 3> unused = {};
};
static_assert(sizeof(Block) == 64);

/// The names of the blocks of a file with these flags, in order.
[[nodiscard]] inline std::vector<std::string_view> block_names(std::uint32_t flags) {
  std::vector<std::string_view> names;
  if ((flags & with_gaps) != 0) {
    names = {"degrees", "gaps", "places"};
  } else {
    names = {"offsets", "neighbors"};
  }
  if ((flags & weighted) != 0) names.emplace_back("weights");
  if ((flags & named) != 0) names.insert(names.end(), {"name-ends", "names"});
  return names;
}

[[nodiscard]] inline std::uint64_t aligned(std::uint64_t place) {
  return (place + alignment - 1) / alignment * alignment;
}

[[nodiscard]] inline std::uint32_t checksum_of(Header header, std::span<const Block> table) {
  header.checksum = 0;
  return crc32c(table.data(), table.size_bytes(), crc32c(&header, sizeof header));
}

/// The checksum of a block from those of its pieces.
[[nodiscard]] inline std::uint32_t checksum_of(std::span<const std::uint32_t> pieces) {
  return crc32c(pieces.data(), pieces.size_bytes());
}

}  // namespace repsc::rgraph
