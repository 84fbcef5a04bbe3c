// Decompression of DEFLATE data (RFC 1951), the content of gzip files. Our own, because one thread
// has to decompress what all others parse: the next symbol is looked up while a match is copied, a
// look-up yields two literals, and text leaves in units while the file is read. Edges of 69 MB take
// 0.17 s of one Neoverse-N1 core; zlib 1.2.13 takes 0.27 s, ISA-L no less, and libdeflate, which
// decompresses whole files only, 0.15 s.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace repsc {

/// The bytes of a file in order, of which some can be looked at in advance.
class BytesAhead {
 public:
  /// Most that can be asked for in advance.
  static constexpr std::size_t most = 64;

  /// The file remains the caller's.
  explicit BytesAhead(int file);

  /// Reads on if less than `count` <= most bytes are ahead. Fewer at the end of the file only.
  /// Throws IoError with the reason alone.
  std::span<const unsigned char> look(std::size_t count);
  void skip(std::size_t count) { next_ += count; }
  /// Takes the last `count` <= 8 bytes that were skipped back.
  void back(std::size_t count) { next_ -= count; }

  /// How many bytes of the file came before.
  [[nodiscard]] std::int64_t position() const {
    return num_read_ - static_cast<std::int64_t>(end_ - next_);
  }

 private:
  int file_;
  std::vector<unsigned char> bytes_;
  std::size_t next_ = 0;
  std::size_t end_ = 0;
  std::int64_t num_read_ = 0;
};

class Inflate {
 public:
  enum class State { more, ended, truncated, damaged };

  Inflate();

  /// Expects the beginning of a stream.
  void restart();

  /// Decompresses up to `text_size` bytes, fewer at the end and where the bytes are damaged.
  /// The bytes after the stream are not read.
  State run(BytesAhead& from);
  /// What the last run decompressed; valid until the next one.
  [[nodiscard]] std::span<const unsigned char> text() const;
  /// What is wrong with damaged bytes.
  [[nodiscard]] const char* message() const { return message_; }

  static constexpr std::size_t text_size = std::size_t{1} << 17U;

  // What some bits mean, in one word: literals, which are bytes of the value (code_bits() is of the
  // first), or a length or an offset, whose extra bits follow those of its code.
  class Entry {
   public:
    enum class Kind : std::uint8_t { number, table, end, invalid };

    Entry() = default;
    /// Of a symbol; `extra_bits` are added to the value.
    constexpr Entry(Kind kind, unsigned value, unsigned extra_bits)
        : word_(value << 16U | static_cast<unsigned>(kind) << 12U | extra_bits) {}
    [[nodiscard]] static constexpr Entry literal(unsigned byte) {
      Entry result;
      result.word_ = byte << 16U | 1U << 6U;
      return result;
    }
    /// The first literals of both, one after the other.
    [[nodiscard]] static constexpr Entry pair(Entry first, Entry second) {
      Entry result;
      result.word_ = (second.word_ & 0xff0000U) << 8U | (first.word_ & 0xff0000U) |
                     first.code_bits() << 8U | 2U << 6U | (first.code_bits() + second.code_bits());
      return result;
    }
    [[nodiscard]] constexpr Entry with_code(unsigned bits) const {
      Entry result;
      result.word_ = (word_ | bits << 8U) + bits;
      return result;
    }

    /// With the extra ones; of the index, for a second table.
    [[nodiscard]] constexpr unsigned num_bits() const { return word_ & 63U; }
    [[nodiscard]] constexpr unsigned literals() const { return word_ >> 6U & 3U; }
    [[nodiscard]] constexpr unsigned code_bits() const { return word_ >> 8U & 15U; }
    [[nodiscard]] constexpr Kind kind() const { return static_cast<Kind>(word_ >> 12U & 3U); }
    [[nodiscard]] constexpr bool is_number() const { return (word_ & 0x30c0U) == 0; }
    /// Its low 6 bits are num_bits().
    [[nodiscard]] constexpr std::uint32_t word() const { return word_; }
    [[nodiscard]] constexpr unsigned value() const { return word_ >> 16U; }

   private:
    std::uint32_t word_ = 0;
  };

 private:
  static constexpr unsigned length_bits = 11;
  static constexpr unsigned offset_bits = 8;
  static constexpr std::size_t history = 32768;
  // A second table has 2^(15 - first bits) entries at most, and a complete code of n symbols has
  // at most n / 2 of them.
  static constexpr std::size_t length_entries = (1U << 11U) + 144 * (1U << 4U);
  static constexpr std::size_t offset_entries = (1U << 8U) + 16 * (1U << 7U);

  enum class Place { header, stored, compressed, ended };

  [[nodiscard]] State damaged(const char* message);
  void refill(BytesAhead& from);
  bool need(BytesAhead& from, unsigned count);
  std::uint32_t take(unsigned count);
  State begin_block(BytesAhead& from);
  State begin_stored(BytesAhead& from);
  State begin_dynamic(BytesAhead& from);
  void use_fixed_codes();
  State copy_stored(BytesAhead& from);
  State decode(BytesAhead& from);
  State decode_many(std::span<const unsigned char> bytes, BytesAhead& from);
  State decode_one(BytesAhead& from);
  State end_block();

  std::vector<unsigned char> buffer_;  // of earlier text, then of text
  std::size_t begin_ = 0;              // of this stream in the buffer
  std::size_t text_ = 0;
  std::size_t out_ = 0;
  std::uint64_t bits_ = 0;
  unsigned num_bits_ = 0;
  Place place_ = Place::header;
  bool last_block_ = false;
  bool fixed_codes_ = false;
  std::size_t stored_left_ = 0;
  const char* message_ = "";
  std::array<Entry, length_entries> lengths_{};
  std::array<Entry, offset_entries> offsets_{};
};

}  // namespace repsc
