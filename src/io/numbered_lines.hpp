// Lines `u v` or `u v weight` of whole numbers, which most files consist of, parsed on all threads
// while one of them collects the parsed edges. Any other line is read by the reader's own code, in
// order, so that the result and the first error are the same as when reading line by line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/parallel.hpp"
#include "io/lines.hpp"

namespace repsc {

/// Text that one thread parses at once.
inline constexpr std::size_t usual_chunk_bytes = std::size_t{1} << 18U;

/// The form of a plain line of whole numbers in a format.
struct NumberedLineStyle {
  char separator = ' ';          ///< ',', ';', a tab, or ' ': any number of blanks and tabs
  bool hash_comments = false;    ///< '#' begins a comment, as '%' does
  bool weights = false;          ///< a third column
  std::uint32_t smallest = 0;    ///< smallest and largest number of a node
  std::uint32_t largest = 0;     ///< below 10^9
  std::size_t longest_line = 0;  ///< in bytes
};

/// The plain lines at the front of a text.
struct NumberedLines {
  struct Pair {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };
  std::vector<Pair> pairs;
  std::vector<double> weights;  ///< as long as `pairs`, or empty without a third column
  std::size_t bytes = 0;        ///< of the lines parsed, comments and empty lines among them
  std::int64_t lines = 0;
};

/// Parses up to the first line that is not plain. A plain line has whole numbers in range without
/// leading zeros. Every line of `text` must have its end.
void parse_numbered_lines(std::string_view text, const NumberedLineStyle& style,
                          NumberedLines& result);

/// Cuts whole lines into pieces of about `chunk_bytes`, at ends of lines.
[[nodiscard]] std::vector<std::string_view> cut_at_line_ends(std::string_view text,
                                                             std::size_t chunk_bytes);

/// Reads the rest of a file in order: calls take_numbers(NumberedLines) for plain lines, which may
/// return false to refuse them, and take_line(line) for all others. With chunk_bytes = 0 no line
/// counts as plain.
template <typename TakeNumbers, typename TakeLine>
void read_numbered_lines(LineReader& lines, const NumberedLineStyle& style, std::size_t chunk_bytes,
                         const TakeNumbers& take_numbers, const TakeLine& take_line) {
  std::vector<NumberedLines> parsed;
  for (;;) {
    const std::size_t at_once = 8 * static_cast<std::size_t>(num_threads()) * chunk_bytes;
    const std::string_view block =
        chunk_bytes == 0 ? std::string_view() : lines.whole_lines(at_once);
    if (block.empty()) {
      const auto line = lines.next();
      if (!line) return;
      take_line(*line);
      continue;
    }
    const std::vector<std::string_view> chunks = cut_at_line_ends(block, chunk_bytes);
    if (parsed.size() < chunks.size()) parsed.resize(chunks.size());
    parallel_in_order(
        static_cast<std::int64_t>(chunks.size()),
        [&](std::int64_t chunk) {
          const auto i = static_cast<std::size_t>(chunk);
          parse_numbered_lines(chunks[i], style, parsed[i]);
        },
        [&](std::int64_t chunk) {
          const auto i = static_cast<std::size_t>(chunk);
          std::string_view rest = chunks[i];
          for (;;) {
            if (take_numbers(parsed[i])) {
              lines.skip(parsed[i].bytes, parsed[i].lines);
              rest.remove_prefix(parsed[i].bytes);
            }
            if (rest.empty()) break;
            rest.remove_prefix(rest.find('\n') + 1);
            take_line(*lines.next());
            parse_numbered_lines(rest, style, parsed[i]);
          }
        });
  }
}

}  // namespace repsc
