// Writes text to a file completely or not at all, compressed if its name ends in ".gz".
#pragma once

#include <fmt/format.h>
#include <zlib.h>

#include <memory>
#include <string>
#include <vector>

#include "io/atomic_file.hpp"

namespace repsc {

class TextWriter {
 public:
  explicit TextWriter(const std::string& path);
  ~TextWriter();
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;

  template <typename... Values>
  void print(fmt::format_string<Values...> format, Values&&... values) {
    append(format, fmt::make_format_args(values...));
  }

  /// Writes the rest and moves the file into place.
  void commit();

 private:
  static constexpr std::size_t flush_size = std::size_t{1} << 18U;

  // Not in the header: fmt::format_to compiles all of fmt into every file that calls it (5 s each).
  void append(fmt::string_view format, fmt::format_args values);
  void flush(bool last);
  void compress(bool last);

  AtomicFile file_;
  fmt::memory_buffer text_;
  std::unique_ptr<z_stream> gzip_;  // null if the text is not compressed
  std::vector<char> compressed_;
};

}  // namespace repsc
