// A fast parser for lines of whole numbers; it stops at any other line.
#include "io/numbered_lines.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/text.hpp"

namespace repsc {
namespace {

// A line [place, end) from left to right.
class LineParser {
 public:
  LineParser(const char* begin, const char* end, const NumberedLineStyle& style)
      : place_(begin), end_(end), style_(style) {
    skip_blanks();
    leading_tab_ = style.separator == '\t' && std::count(begin, place_, '\t') > 0;
  }

  [[nodiscard]] bool at_end() const { return place_ == end_; }
  [[nodiscard]] bool at_comment() const {
    return *place_ == '%' || (style_.hash_comments && *place_ == '#');
  }

  /// Whether the line begins with an empty field.
  [[nodiscard]] bool leading_tab() const { return leading_tab_; }

  // A node's number: digits, no leading zero, in range.
  bool node(std::uint32_t& number) {
    constexpr std::ptrdiff_t most_digits = 9;
    const char* const first = place_;
    std::uint32_t value = 0;
    while (place_ != end_ && place_ - first <= most_digits) {
      const auto digit = static_cast<unsigned>(static_cast<unsigned char>(*place_)) - '0';
      if (digit > 9) break;
      value = 10 * value + digit;
      ++place_;
    }
    number = value;
    const std::ptrdiff_t digits = place_ - first;
    return digits >= 1 && digits <= most_digits && (*first != '0' || digits == 1) &&
           value >= style_.smallest && value <= style_.largest;
  }

  // Blanks, or one separator with blanks around it, followed by a field.
  bool separator() {
    const char* const first = place_;
    skip_blanks();
    if (style_.separator == ' ') return place_ != first && place_ != end_;
    if (style_.separator == '\t') return std::count(first, place_, '\t') == 1 && place_ != end_;
    if (place_ == end_ || *place_ != style_.separator) return false;
    ++place_;
    skip_blanks();
    return place_ != end_;
  }

  bool weight(double& value) {
    const auto result = fast_float::from_chars(place_, end_, value);
    place_ = result.ptr;
    return result.ec == std::errc() && std::isfinite(value) && value >= 0;
  }

  // Nothing but blanks to the end.
  bool finish() {
    const char* const first = place_;
    skip_blanks();
    // A tab at the end begins an empty field where tabs separate.
    return at_end() && (style_.separator != '\t' || std::count(first, place_, '\t') == 0);
  }

 private:
  void skip_blanks() {
    while (place_ != end_ && is_blank(*place_)) ++place_;
  }

  const char* place_;
  const char* end_;
  const NumberedLineStyle& style_;
  bool leading_tab_ = false;
};

bool parse_line(const char* begin, const char* end, const NumberedLineStyle& style,
                NumberedLines& result) {
  LineParser line(begin, end, style);
  if (line.at_end() || line.at_comment()) return true;
  if (line.leading_tab()) return false;
  NumberedLines::Pair pair;
  if (!line.node(pair.from) || !line.separator() || !line.node(pair.to)) return false;
  if (style.weights) {
    double weight = 0;
    if (!line.separator() || !line.weight(weight) || !line.finish()) return false;
    result.weights.push_back(weight);
  } else if (!line.finish()) {
    return false;
  }
  result.pairs.push_back(pair);
  return true;
}

}  // namespace

void parse_numbered_lines(std::string_view text, const NumberedLineStyle& style,
                          NumberedLines& result) {
  result.pairs.clear();
  result.weights.clear();
  result.lines = 0;
  const char* place = text.data();
  const char* const end = place + text.size();
  while (place != end) {
    const auto* newline =
        static_cast<const char*>(std::memchr(place, '\n', static_cast<std::size_t>(end - place)));
    if (static_cast<std::size_t>(newline - place) > style.longest_line) break;
    const bool carriage_return = newline != place && newline[-1] == '\r';
    if (!parse_line(place, carriage_return ? newline - 1 : newline, style, result)) break;
    place = newline + 1;
    ++result.lines;
  }
  result.bytes = static_cast<std::size_t>(place - text.data());
}

std::vector<std::string_view> cut_at_line_ends(std::string_view text, std::size_t chunk_bytes) {
  std::vector<std::string_view> chunks;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n', std::min(chunk_bytes, text.size()) - 1);
    const std::size_t size = newline == std::string_view::npos ? text.size() : newline + 1;
    chunks.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return chunks;
}

}  // namespace repsc
