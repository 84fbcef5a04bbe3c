// Whole numbers in as few bytes as they need: seven bits per byte, lowest first; the highest bit
// says that another byte follows (LEB128).
#pragma once

#include <cstddef>
#include <cstdint>

namespace repsc {

/// Of a number of 64 bits.
inline constexpr std::size_t longest_varint = 10;

/// Writes a number; returns where the next one goes.
inline std::byte* put_varint(std::byte* place, std::uint64_t value) {
  for (; value >= 128; value >>= 7U) *place++ = std::byte(value | 128U);
  *place++ = std::byte(value);
  return place;
}

/// Reads a number that put_varint() wrote, and moves `place` behind it.
inline std::uint64_t get_varint(const std::byte*& place) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto part = std::to_integer<std::uint64_t>(*place++);
    value |= (part & 127U) << shift;
    if (part < 128) return value;
  }
}

/// Numbers of either sign as numbers without: 0 -1 1 -2 2 ... are 0 1 2 3 4 ...
inline std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63U);
}
inline std::int64_t from_zigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
}

}  // namespace repsc
