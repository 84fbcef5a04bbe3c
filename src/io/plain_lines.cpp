// A fast parser for lines of nodes and weights; it stops at any line that is not plain.
#include "io/plain_lines.hpp"

#include <fast_float/fast_float.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/text.hpp"

namespace repsc {
namespace {

constexpr std::ptrdiff_t most_digits = 9;

bool weight_at(const char*& place, const char* end, double& value) {
  const auto result = fast_float::from_chars(place, end, value);
  place = result.ptr;
  return result.ec == std::errc() && std::isfinite(value) && value >= 0;
}

// A number of 1 to 7 digits that 8 readable bytes contain with the byte behind it, all digits at
// once. False for any other text.
bool short_number(const char*& place, const PlainLineStyle& style, NodeText& node) {
  static_assert(std::endian::native == std::endian::little, "the first digit is the lowest byte");
  std::uint64_t word = 0;
  std::memcpy(&word, place, sizeof word);
  // The highest bit of the first byte that is not a digit is set; later ones may be wrong.
  const std::uint64_t others =
      ((word + 0x4646464646464646U) | (word - 0x3030303030303030U)) & 0x8080808080808080U;
  const auto digits = static_cast<unsigned>(std::countr_zero(others)) / 8;
  if (digits == 0 || digits == 8) return false;
  if (digits > 1 && *place == '0') return false;
  word = (word & 0x0f0f0f0f0f0f0f0fU) << (8 * (8 - digits));  // leading zeros
  word = (word * 10 + (word >> 8U)) & 0x00ff00ff00ff00ffU;
  word = (word * 100 + (word >> 16U)) & 0x0000ffff0000ffffU;
  node.number = static_cast<std::uint32_t>(word * 10000 + (word >> 32U));
  node.text = place;
  node.length = digits;
  place += digits;
  return node.number >= style.smallest && node.number <= style.largest;
}

enum class Line { edge, nothing, odd };

// A line [place, end) from left to right.
class LineParser {
 public:
  LineParser(const char* begin, const char* end, const PlainLineStyle& style)
      : begin_(begin), place_(begin), end_(end), style_(style) {
    skip_blanks();
  }

  Line parse(NodeText* nodes, double* weight) {
    if (place_ == end_ || *place_ == '%' || (style_.hash_comments && *place_ == '#')) {
      return Line::nothing;
    }
    if (numbers(nodes, weight)) return Line::edge;
    return style_.names && names(nodes, weight) ? Line::edge : Line::odd;
  }

 private:
  bool numbers(NodeText* nodes, double* weight) {
    if (style_.separator == '\t' && std::count(begin_, place_, '\t') > 0) return false;
    if (!number(nodes[0]) || !separator() || !number(nodes[1])) return false;
    if (style_.weights && (!separator() || !weight_at(place_, end_, *weight))) return false;
    return finish();
  }

  // A node's number: digits, no leading zero, in range.
  bool number(NodeText& node) {
    const char* const first = place_;
    std::uint32_t value = 0;
    while (place_ != end_ && place_ - first <= most_digits) {
      const auto digit = static_cast<unsigned>(static_cast<unsigned char>(*place_)) - '0';
      if (digit > 9) break;
      value = 10 * value + digit;
      ++place_;
    }
    const std::ptrdiff_t digits = place_ - first;
    node = {first, static_cast<std::uint32_t>(digits), value};
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

  // Nothing but blanks to the end.
  bool finish() {
    const char* const first = place_;
    skip_blanks();
    // A tab at the end begins an empty field where tabs separate.
    return place_ == end_ && (style_.separator != '\t' || std::count(first, place_, '\t') == 0);
  }

  bool names(NodeText* nodes, double* weight) {
    place_ = begin_;
    if (!name(nodes[0]) || !name(nodes[1])) return false;
    if (style_.weights) {
      std::string_view text;
      if (!field(text)) return false;
      const char* last = text.data();
      if (!weight_at(last, text.data() + text.size(), *weight)) return false;
      if (last != text.data() + text.size()) return false;
    }
    return style_.separator == ' ' ? finish() : done_;
  }

  // The next field without the blanks around it; false if it is empty or there is none.
  bool field(std::string_view& text) {
    if (style_.separator == ' ') {
      skip_blanks();
      const char* const first = place_;
      while (place_ != end_ && !is_blank(*place_)) ++place_;
      text = {first, static_cast<std::size_t>(place_ - first)};
      return !text.empty();
    }
    if (done_) return false;
    const std::string_view rest(place_, static_cast<std::size_t>(end_ - place_));
    const std::size_t size = std::min(rest.find(style_.separator), rest.size());
    text = trimmed(rest.substr(0, size));
    done_ = size == rest.size();
    place_ += size + (done_ ? 0 : 1);
    return !text.empty();
  }

  // A name that is none of these: with a quote, a control character, or a comma between fields that
  // blanks separate; or that may be a number in floating-point notation.
  bool name(NodeText& node) {
    std::string_view text;
    if (!field(text)) return false;
    bool wrong = false;
    bool float_sign = false;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      wrong |= (byte < 0x20 && byte != '\t') || byte == 0x7f || byte == '"';
      wrong |= byte == ',' && style_.separator == ' ';
      float_sign |= byte == '.' || byte == 'e' || byte == 'E';
    }
    constexpr std::string_view begins_number = "+-.0123456789";
    if (float_sign && begins_number.find(text.front()) != std::string_view::npos) return false;
    node = {text.data(), static_cast<std::uint32_t>(text.size()), NodeText::no_number};
    return !wrong;
  }

  void skip_blanks() {
    while (place_ != end_ && is_blank(*place_)) ++place_;
  }

  const char* begin_;
  const char* place_;
  const char* end_;
  const PlainLineStyle& style_;
  bool done_ = false;  // the last field was read
};

}  // namespace

// The usual line: numbers of up to 7 digits, single separators. False for any other line, which may
// be plain too.
bool PlainLineParser::short_line(NodeText* nodes, double* weight) {
  constexpr std::ptrdiff_t longest = 32;  // with the bytes behind that short_number() reads
  if (end_ - place_ < longest) return false;
  const char* place = place_;
  const auto separator = [&] {
    const bool found = style_.separator == ' ' ? is_blank(*place) : *place == style_.separator;
    ++place;
    return found;
  };
  if (!short_number(place, style_, nodes[0]) || !separator()) return false;
  if (!short_number(place, style_, nodes[1])) return false;
  if (style_.weights && (!separator() || !weight_at(place, end_, *weight))) return false;
  if (*place == '\r') ++place;
  if (*place != '\n' || static_cast<std::size_t>(place - place_) > style_.longest_line)
    return false;
  place_ = place + 1;
  return true;
}

std::size_t PlainLineParser::next(NodeText* nodes, double* weights, std::size_t most) {
  std::size_t count = 0;
  while (count < most && place_ != end_) {
    if (short_line(nodes + 2 * count, weights + count)) {
      ++count;
      ++lines_;
      continue;
    }
    const auto* const newline = static_cast<const char*>(
        std::memchr(place_, '\n', static_cast<std::size_t>(end_ - place_)));
    if (static_cast<std::size_t>(newline - place_) > style_.longest_line) break;
    const bool carriage_return = newline != place_ && newline[-1] == '\r';
    LineParser line(place_, carriage_return ? newline - 1 : newline, style_);
    const Line found = line.parse(nodes + 2 * count, weights + count);
    if (found == Line::odd) break;
    if (found == Line::edge) ++count;
    place_ = newline + 1;
    ++lines_;
  }
  return count;
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
