// Words of a text file: quoted for messages, cut from lines, read as numbers.
#include "core/text.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace repsc {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string result = "'";
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      result += c;
    } else {
      result += fmt::format("\\x{:02x}", byte);
    }
  }
  result += text.size() > most ? "...'" : "'";
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
