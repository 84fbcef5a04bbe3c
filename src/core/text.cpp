// Words of a text file: quoted for messages, cut from lines, read as numbers.
#include "core/text.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace repsc {

std::size_t utf8_character(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = byte(0);
  if (text.empty() || (first >= 0x80 && first < 0xc2) || first > 0xf4) return 0;
  if (first < 0x80) return 1;
  const std::size_t size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // The second byte excludes overlong forms, surrogates and numbers above U+10FFFF.
  const unsigned lowest = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned highest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < lowest || byte(1) > highest) return 0;
  for (std::size_t i = 2; i < size; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
  }
  return size;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string result = "'";
  std::size_t place = 0;
  while (place < text.size()) {
    const std::size_t size = utf8_character(text.substr(place));
    if (place + std::max<std::size_t>(size, 1) > most) break;
    const auto byte = static_cast<unsigned char>(text[place]);
    const bool control =
        size == 1 ? byte < 0x20 || byte == 0x7f
                  : size == 2 && byte == 0xc2 && static_cast<unsigned char>(text[place + 1]) < 0xa0;
    if (size > 0 && !control) {
      result += text.substr(place, size);
      place += size;
    } else {
      result += fmt::format("\\x{:02x}", byte);
      ++place;
    }
  }
  result += place < text.size() ? "...'" : "'";
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view next_field(std::string_view& rest) {
  std::size_t begin = 0;
  while (begin < rest.size() && is_blank(rest[begin])) ++begin;
  std::size_t end = begin;
  while (end < rest.size() && !is_blank(rest[end])) ++end;
  const std::string_view field = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return field;
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto result = fast_float::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<std::string> whole_number_name(std::string_view name) {
  if (name.find_first_of(".eE") == std::string_view::npos) return std::nullopt;
  const std::optional<double> value = parse_number(name);
  if (!value || std::trunc(*value) != *value || std::abs(*value) >= 0x1.0p53) return std::nullopt;
  return std::to_string(static_cast<std::int64_t>(*value));
}

std::string csv_field(std::string_view text) {
  const bool plain = !text.empty() && text.find_first_of(",;\"\t\r\n ") == std::string_view::npos &&
                     text.front() != '#' && text.front() != '%';
  if (plain) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

}  // namespace repsc
