// The codes of DEFLATE (RFC 1951, section 3.2) as tables: what the next bits of a stream mean.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace repsc {

/// What some bits mean, in one word: literals, which are bytes of the value (code_bits() is of the
/// first), or a length or an offset, whose extra bits follow those of its code.
class CodeEntry {
 public:
  enum class Kind : std::uint8_t { number, table, end, invalid };

  CodeEntry() = default;
  /// Of a symbol; `extra_bits` are added to the value.
  constexpr CodeEntry(Kind kind, unsigned value, unsigned extra_bits)
      : word_(value << 16U | static_cast<unsigned>(kind) << 12U | extra_bits) {}
  [[nodiscard]] static constexpr CodeEntry literal(unsigned byte) {
    CodeEntry result;
    result.word_ = byte << 16U | 1U << 6U;
    return result;
  }
  /// The first literals of both, one after the other.
  [[nodiscard]] static constexpr CodeEntry pair(CodeEntry first, CodeEntry second) {
    CodeEntry result;
    result.word_ = (second.word_ & 0xff0000U) << 8U | (first.word_ & 0xff0000U) |
                   first.code_bits() << 8U | 2U << 6U | (first.code_bits() + second.code_bits());
    return result;
  }
  [[nodiscard]] constexpr CodeEntry with_code(unsigned bits) const {
    CodeEntry result;
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

/// What `count` bits from the lowest on say.
[[nodiscard]] constexpr std::uint64_t low_bits(std::uint64_t bits, unsigned count) {
  return bits & ((std::uint64_t{1} << count) - 1);
}

/// The bits of 8 bytes; the first byte has the lowest ones.
[[nodiscard]] inline std::uint64_t load_word(const unsigned char* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

/// The two codes of a block: of literals and lengths, and of offsets. A first table is for the
/// first bits; codes that are longer go on in a second one.
class DeflateCodes {
 public:
  static constexpr std::size_t longest_match = 258;
  static constexpr unsigned most_code_bits = 15;
  static constexpr unsigned length_bits = 11;  ///< of the first table
  static constexpr unsigned offset_bits = 8;
  static constexpr std::size_t most_lengths = 286;
  static constexpr std::size_t most_offsets = 30;

  /// The codes of blocks that bring none.
  void use_fixed();
  /// From the number of bits of each symbol's code, 0 for none. What is wrong if that is no code;
  /// null if nothing is.
  [[nodiscard]] const char* use(std::span<const std::uint8_t> lengths,
                                std::span<const std::uint8_t> offsets);

  [[nodiscard]] CodeEntry length(std::uint64_t bits) const {
    return lengths_[low_bits(bits, length_bits)];
  }
  [[nodiscard]] CodeEntry offset(std::uint64_t bits) const {
    return offsets_[low_bits(bits, offset_bits)];
  }
  /// The same for the second table that a first one names.
  [[nodiscard]] CodeEntry length(CodeEntry first, std::uint64_t bits) const {
    return lengths_[first.value() + low_bits(bits >> length_bits, first.num_bits())];
  }
  [[nodiscard]] CodeEntry offset(CodeEntry first, std::uint64_t bits) const {
    return offsets_[first.value() + low_bits(bits >> offset_bits, first.num_bits())];
  }

 private:
  // A second table has 2^(15 - first bits) entries at most, and a complete code of n symbols at
  // most n / 2 of them.
  static constexpr std::size_t length_entries = (1U << 11U) + 288 / 2 * (1U << 4U);
  static constexpr std::size_t offset_entries = (1U << 8U) + 32 / 2 * (1U << 7U);

  bool fixed_ = false;
  std::array<CodeEntry, length_entries> lengths_{};
  std::array<CodeEntry, offset_entries> offsets_{};
};

/// The code in which the lengths of the other two are written.
class CodeOfLengths {
 public:
  static constexpr std::size_t symbols = 19;

  /// False if these are no code.
  [[nodiscard]] bool use(std::span<const std::uint8_t> lengths);
  [[nodiscard]] CodeEntry symbol(std::uint64_t bits) const {
    return table_[low_bits(bits, first_bits)];
  }

 private:
  static constexpr unsigned first_bits = 7;
  std::array<CodeEntry, 1U << first_bits> table_{};
};

}  // namespace repsc
