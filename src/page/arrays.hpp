// Arrays of numbers as base64 text.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace repsc {

/// RFC 4648.
[[nodiscard]] std::string base64(std::span<const std::uint8_t> bytes);

/// Numbers of one type, little-endian.
template <typename Number, typename Values>
[[nodiscard]] std::string encoded(const Values& values) {
  static_assert(sizeof(Number) <= 4);
  std::vector<std::uint8_t> bytes;
  bytes.reserve(values.size() * sizeof(Number));
  for (const auto& value : values) {
    const auto number = static_cast<Number>(value);
    std::uint32_t bits = 0;
    if constexpr (std::floating_point<Number>) {
      bits = std::bit_cast<std::uint32_t>(number);
    } else {
      bits = number;
    }
    for (std::size_t k = 0; k < sizeof(Number); ++k) {
      bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * k)));
    }
  }
  return base64(bytes);
}

}  // namespace repsc
