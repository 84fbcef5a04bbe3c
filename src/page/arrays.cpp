// Arrays of numbers as base64 text.
#include "page/arrays.hpp"

namespace repsc {

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    const std::uint32_t group = std::uint32_t{bytes[i]} << 16U |
                                (left > 1 ? std::uint32_t{bytes[i + 1]} << 8U : 0U) |
                                (left > 2 ? std::uint32_t{bytes[i + 2]} : 0U);
    text += digits[group >> 18U & 63U];
    text += digits[group >> 12U & 63U];
    text += left > 1 ? digits[group >> 6U & 63U] : '=';
    text += left > 2 ? digits[group & 63U] : '=';
  }
  return text;
}

}  // namespace repsc
