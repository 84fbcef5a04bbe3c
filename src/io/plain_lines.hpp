// Plain lines, which most files consist of: `u v` or `u v weight`, whole numbers or names, nothing
// to complain about. They are parsed on all threads. Any other line is read by the reader's own
// code, in order, so that the result and the first error are the same as when reading line by line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "core/parallel.hpp"
#include "io/lines.hpp"

namespace repsc {

/// Text that one thread parses at once.
inline constexpr std::size_t usual_chunk_bytes = std::size_t{1} << 17U;

/// The form of a plain line in a format.
struct PlainLineStyle {
  char separator = ' ';          ///< ',', ';', a tab, or ' ': any number of blanks and tabs
  bool hash_comments = false;    ///< '#' begins a comment, as '%' does
  bool weights = false;          ///< a third column
  bool names = false;            ///< nodes need not be whole numbers
  std::uint32_t smallest = 0;    ///< smallest and largest number of a node
  std::uint32_t largest = 0;     ///< below 10^9
  std::size_t longest_line = 0;  ///< in bytes
};

/// A node as it is written.
struct NodeText {
  static constexpr std::uint32_t no_number = std::numeric_limits<std::uint32_t>::max();

  const char* text = nullptr;
  std::uint32_t length = 0;
  std::uint32_t number = no_number;  ///< a whole number in range, without leading zeros

  [[nodiscard]] std::string_view view() const { return {text, length}; }
};

/// Parses the plain lines at the front of a text, of which every line must have its end.
class PlainLineParser {
 public:
  PlainLineParser(std::string_view text, const PlainLineStyle& style)
      : begin_(text.data()), place_(begin_), end_(begin_ + text.size()), style_(style) {}

  /// Parses up to `most` edges: two nodes each, and weights if there are any. Fewer only if the
  /// text ends or a line is not plain.
  std::size_t next(NodeText* nodes, double* weights, std::size_t most);

  /// The lines parsed so far, comments and empty lines among them.
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(place_ - begin_); }
  [[nodiscard]] std::int64_t lines() const { return lines_; }

 private:
  bool short_line(NodeText* nodes, double* weight);

  const char* begin_;
  const char* place_;
  const char* end_;
  const PlainLineStyle& style_;
  std::int64_t lines_ = 0;
};

/// Cuts whole lines into pieces of about `chunk_bytes`, at ends of lines.
[[nodiscard]] std::vector<std::string_view> cut_at_line_ends(std::string_view text,
                                                             std::size_t chunk_bytes);

/// Text that is parsed before its edges are numbered: as much as was read before, so that most of
/// its nodes are known, within limits that keep the threads busy and the memory small.
[[nodiscard]] inline std::size_t block_bytes(std::size_t chunk_bytes, std::size_t bytes_before) {
  const std::size_t one_each = static_cast<std::size_t>(num_threads()) * chunk_bytes;
  return std::clamp(bytes_before, 2 * one_each, 16 * one_each);
}

/// The rest of a chunk from its first line that is not plain.
template <typename Part, typename Parse, typename Take, typename TakeLine>
void finish_chunk(LineReader& lines, std::string_view rest, Part& part, const Parse& parse,
                  const Take& take, const TakeLine& take_line) {
  while (!rest.empty()) {
    rest.remove_prefix(rest.find('\n') + 1);
    take_line(*lines.next());
    parse(rest, part);
    if (part.bytes == 0 || !take(std::span<Part>(&part, 1))) continue;
    lines.skip(part.bytes, part.lines);
    rest.remove_prefix(part.bytes);
  }
}

/// Reads the rest of a file: calls parse(text, part) for chunks of whole lines on all threads,
/// which stores what it finds in the plain lines at their front, and how many `bytes` and `lines`
/// these are; then, in the order of the file, take(parts), which may return false to refuse the
/// edges of these parts, and take_line(line) for lines that are not plain or were refused. With
/// chunk_bytes = 0 no line counts as plain.
template <typename Part, typename Parse, typename Take, typename TakeLine>
void read_plain_lines(LineReader& lines, std::size_t chunk_bytes, const Parse& parse,
                      const Take& take, const TakeLine& take_line) {
  std::vector<Part> parts;
  std::size_t bytes_before = 0;
  for (;;) {
    const std::string_view block = chunk_bytes == 0
                                       ? std::string_view()
                                       : lines.whole_lines(block_bytes(chunk_bytes, bytes_before));
    if (block.empty()) {
      const auto line = lines.next();
      if (!line) return;
      take_line(*line);
      continue;
    }
    bytes_before += block.size();
    const std::vector<std::string_view> chunks = cut_at_line_ends(block, chunk_bytes);
    if (parts.size() < chunks.size()) parts.resize(chunks.size());
    parallel_chunks(static_cast<std::int64_t>(chunks.size()), [&](std::int64_t chunk) {
      const auto i = static_cast<std::size_t>(chunk);
      parse(chunks[i], parts[i]);
    });
    // Chunks that are plain to their ends are taken together with the one that follows.
    for (std::size_t first = 0, next = 0; first < chunks.size(); first = next) {
      while (next < chunks.size() && parts[next].bytes == chunks[next].size()) ++next;
      next = std::min(next + 1, chunks.size());
      const bool taken = take(std::span<Part>(parts).subspan(first, next - first));
      for (std::size_t i = first; i < next; ++i) {
        if (taken) lines.skip(parts[i].bytes, parts[i].lines);
        finish_chunk(lines, chunks[i].substr(taken ? parts[i].bytes : 0), parts[i], parse, take,
                     take_line);
      }
    }
  }
}

}  // namespace repsc
