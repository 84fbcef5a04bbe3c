// Decompression of DEFLATE data (RFC 1951), the content of gzip files. Our own, because one thread
// has to decompress what all others parse: the next symbol is looked up while a match is copied, a
// look-up yields two literals, and text leaves in units while the file is read. Edges of 69 MB take
// 0.17 s of one Neoverse-N1 core; zlib 1.2.13 takes 0.27 s, ISA-L no less, and libdeflate, which
// decompresses whole files only, 0.15 s.
//
// The text is made of symbols: bytes, or numbers of 16 bits that also tell bytes apart which are
// not known yet (gzip_part.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "io/bytes_ahead.hpp"
#include "io/deflate_codes.hpp"

namespace repsc {

/// `Symbol`: unsigned char or std::uint16_t.
template <class Symbol>
class BasicInflate {
 public:
  enum class State { more, stopped, ended, truncated, damaged };

  /// Text that matches can copy from.
  static constexpr std::size_t history = 32768;

  BasicInflate();

  /// Expects the beginning of a stream.
  void restart();

  /// Expects the header of a block, `bits` < 8 bits behind the beginning of the next byte;
  /// `before` is the text before it, of which matches can copy up to `history` symbols.
  void resume(std::span<const Symbol> before, BytesAhead& from, unsigned bits);

  /// Stops at the first block whose header begins at that bit of the file or later.
  void stop_at(std::int64_t bit) { stop_ = bit; }
  /// The next bit of the file.
  [[nodiscard]] std::int64_t bit(const BytesAhead& from) const {
    return 8 * from.position() - num_bits_;
  }
  /// Whether the next bits are the header of a block, which is then read.
  [[nodiscard]] bool read_block_header(BytesAhead& from) {
    return begin_block(from) == State::more;
  }

  /// Decompresses about `text_size` symbols, fewer at the end and where the bytes are damaged.
  /// The bytes after the stream are not read.
  State run(BytesAhead& from);
  /// What the last run decompressed; valid until the next one.
  [[nodiscard]] std::span<const Symbol> text() const;
  /// The end of all text so far, of which matches can copy.
  [[nodiscard]] std::span<const Symbol> history_text() const;
  /// What is wrong with damaged bytes.
  [[nodiscard]] const char* message() const { return message_; }

  static constexpr std::size_t text_size = std::size_t{1} << 17U;

 private:
  enum class Place { header, stored, compressed, ended };

  [[nodiscard]] State damaged(const char* message);
  void refill(BytesAhead& from);
  bool need(BytesAhead& from, unsigned count);
  std::uint32_t take(unsigned count);
  State begin_block(BytesAhead& from);
  State begin_stored(BytesAhead& from);
  State begin_dynamic(BytesAhead& from);
  State copy_stored(BytesAhead& from);
  State decode(BytesAhead& from);
  State decode_many(std::span<const unsigned char> bytes, BytesAhead& from);
  State decode_one(BytesAhead& from);
  State end_block();

  std::vector<Symbol> buffer_;  // of earlier text, then of text
  std::size_t begin_ = 0;       // of this stream in the buffer
  std::size_t text_ = 0;
  std::size_t out_ = 0;
  std::int64_t stop_ = std::numeric_limits<std::int64_t>::max();
  std::uint64_t bits_ = 0;
  unsigned num_bits_ = 0;
  Place place_ = Place::header;
  bool last_block_ = false;
  std::size_t stored_left_ = 0;
  const char* message_ = "";
  DeflateCodes codes_;
};

using Inflate = BasicInflate<unsigned char>;

}  // namespace repsc
