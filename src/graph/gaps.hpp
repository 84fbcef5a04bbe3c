// The neighbours of a node in few bytes: the first as its difference to the node, the others as
// what lies between two of them, each as a varint (core/varint.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/varint.hpp"
#include "repsc/core.hpp"

namespace repsc {

/// Appends a row, which is ascending, to `bytes`.
inline void put_gaps(Index node, std::span<const Index> row, std::vector<std::byte>& bytes) {
  const std::size_t before = bytes.size();
  constexpr std::size_t longest = 5;
  bytes.resize(before + longest * row.size());
  std::byte* place = bytes.data() + before;
  std::int64_t previous = node;
  for (std::size_t i = 0; i < row.size(); ++i) {
    place = put_varint(place, i == 0 ? zigzag(row[0] - previous)
                                     : static_cast<std::uint64_t>(row[i] - previous - 1));
    previous = row[i];
  }
  bytes.resize(static_cast<std::size_t>(place - bytes.data()));
}

/// Reads a number of at most 35 bits before `end`; false if the bytes are no such number.
inline bool get_short_varint(const std::byte*& place, const std::byte* end, std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 35 && place != end; shift += 7) {
    const auto part = std::to_integer<std::uint64_t>(*place++);
    value |= (part & 127U) << shift;
    if (part < 128) return true;
  }
  return false;
}

/// Reads a row as long as `row`, and moves `place` behind it. Returns false if the bytes up to
/// `end` are not a row of nodes below `num_nodes`; whatever they are, nothing else is read.
inline bool get_gaps(const std::byte*& place, const std::byte* end, Index node, Index num_nodes,
                     std::span<Index> row) {
  std::int64_t previous = node;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!get_short_varint(place, end, value)) return false;
    previous += i == 0 ? from_zigzag(value) : static_cast<std::int64_t>(value) + 1;
    if (previous < 0 || previous >= num_nodes) return false;
    row[i] = static_cast<Index>(previous);
  }
  return true;
}

}  // namespace repsc
