// Lines of a text file, plain or gzip, one after the other, in bounded memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/pages.hpp"
#include "io/input.hpp"
#include "repsc/core.hpp"

namespace repsc {

class LineReader {
 public:
  static constexpr std::size_t usual_limit = std::size_t{1} << 20U;

  /// Opens `path` ("-": standard input). Lines longer than `limit` bytes are refused.
  explicit LineReader(const std::string& path, ProgressFn progress = {},
                      std::size_t limit = usual_limit);

  /// The next line without its end (LF or CR LF; a byte order mark is dropped), until the next
  /// call.
  [[nodiscard]] std::optional<std::string_view> next();
  /// Complete lines with their ends, at least `bytes` if the file has as many, valid until the next
  /// call. next() still returns them. Empty if no line ends within the buffer.
  [[nodiscard]] std::string_view whole_lines(std::size_t bytes);
  /// The beginning of what next() will return, at least `bytes` if the file has as many, valid
  /// until the next call; and whether that is the rest of the file.
  struct Sample {
    std::string_view text;
    bool complete = false;
  };
  [[nodiscard]] Sample peek(std::size_t bytes);
  /// Skips `lines` lines, which are the first `bytes` of whole_lines().
  void skip(std::size_t bytes, std::int64_t lines) {
    begin_ += bytes;
    number_ += lines;
  }
  [[nodiscard]] std::size_t limit() const { return limit_; }

  /// The number of the line that next() returned last, from 1.
  [[nodiscard]] std::int64_t number() const { return number_; }
  /// The name of the file in messages.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// `line` of the file, for messages: file:line.
  [[nodiscard]] std::string where(std::int64_t line) const;

  /// Throws InvalidInput about the last line, or about `line`; about the file if its gzip data are
  /// damaged.
  [[noreturn]] void fail(const std::string& what, std::vector<Remedy> remedies = {}) const {
    fail_at(number_, what, std::move(remedies));
  }
  [[noreturn]] void fail_at(std::int64_t line, const std::string& what,
                            std::vector<Remedy> remedies = {}) const;
  /// Throws InvalidInput about the file as a whole.
  [[noreturn]] void fail_file(const std::string& what, std::vector<Remedy> remedies = {}) const;

  /// Reads a weight, a finite number >= 0, of the last line or of `line`.
  [[nodiscard]] double weight(std::string_view field) const { return weight_at(number_, field); }
  [[nodiscard]] double weight_at(std::int64_t line, std::string_view field) const;

 private:
  bool refill(std::size_t bytes);
  void fail_if_damaged() const;
  [[noreturn]] void fail_damaged(std::int64_t line) const;

  std::string name_;
  mutable Input input_;  // is read to its end to find out why a line is wrong
  ProgressFn progress_;
  std::size_t limit_;
  Pages<char> buffer_;     // threads that fill it share the cost of its pages
  std::size_t begin_ = 0;  // bytes read and not yet returned: buffer_[begin_, end_)
  std::size_t end_ = 0;
  std::int64_t number_ = 0;
};

}  // namespace repsc
