// The text of a gzip file (RFC 1952), of several that were put one after the other, or of a file
// that is not compressed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "io/inflate.hpp"

namespace repsc {

/// What the checksum and the length at the end of a member are about: its text so far.
struct GzipSum {
  std::uint32_t checksum = 0;
  std::uint64_t size = 0;
};

class GzipReader {
 public:
  enum class State { more, stopped, ended, truncated, damaged };

  /// The file remains the caller's.
  explicit GzipReader(int file) : bytes_(file) {}

  /// Appends text until there are about `count` bytes. Any other state than `more` remains; text
  /// before it is right if a file is truncated. Throws IoError with the reason alone.
  State read(std::vector<char>& text, std::size_t count);

  /// Goes on at a block of a member, of which `sum` was read: `before` is the text before it, at
  /// most as much as that. Without a sum the end of this member is not checked, but is
  /// unchecked_end().
  void resume(std::int64_t bit, std::span<const unsigned char> before, std::optional<GzipSum> sum);
  /// Goes on at the end of a member, behind its last block, of which nothing was read: as resume()
  /// without a sum.
  void resume_at_end(std::int64_t byte);
  /// `stopped` is the state where the first block begins at that bit of the file or later; until
  /// another bit is given.
  void stop_at(std::int64_t bit);
  /// The next bit of the file; at that of a block if reading has stopped.
  [[nodiscard]] std::int64_t bit() const { return inflate_.bit(bytes_); }
  [[nodiscard]] bool in_member() const { return place_ == Place::member; }
  /// The text before, for resume().
  [[nodiscard]] std::span<const unsigned char> before() const { return inflate_.history_text(); }
  /// Of the text of this member, or what was read of it without a sum.
  [[nodiscard]] const GzipSum& sum() const { return sum_; }
  /// The end of a member that was not checked.
  struct End {
    GzipSum read;
    std::uint32_t checksum = 0;
    std::uint32_t size = 0;  ///< modulo 2^32
  };
  [[nodiscard]] const std::optional<End>& unchecked_end() const { return unchecked_end_; }

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
  unsigned long header_checksum_ = 0;  // zlib's type
  GzipSum sum_;
  bool unchecked_ = false;
  std::optional<End> unchecked_end_;
  const char* message_ = "";
};

}  // namespace repsc
