// The text of a gzip file (RFC 1952), of several that were put one after the other, or of a file
// that is not compressed.
#pragma once

#include <cstdint>
#include <vector>

#include "io/inflate.hpp"

namespace repsc {

class GzipReader {
 public:
  enum class State { more, ended, truncated, damaged };

  /// The file remains the caller's.
  explicit GzipReader(int file) : bytes_(file) {}

  /// Appends text until there are about `count` bytes. Any other state than `more` remains; text
  /// before it is right if a file is truncated. Throws IoError with the reason alone.
  State read(std::vector<char>& text, std::size_t count);

  /// What is wrong with a damaged file.
  [[nodiscard]] const char* message() const { return message_; }
  /// How many bytes of the file came before.
  [[nodiscard]] std::int64_t position() const { return bytes_.position(); }

 private:
  enum class Place { beginning, plain, member, between };

  [[nodiscard]] State damaged(const char* message);
  State begin();
  State read_header();
  State read_plain(std::vector<char>& text, std::size_t count);
  State read_member(std::vector<char>& text);
  State check_trailer();
  [[nodiscard]] int next_byte();

  BytesAhead bytes_;
  Inflate inflate_;
  Place place_ = Place::beginning;
  State state_ = State::more;
  unsigned long checksum_ = 0;  // zlib's type; of a header, then of text
  std::uint32_t text_size_ = 0;
  const char* message_ = "";
};

}  // namespace repsc
