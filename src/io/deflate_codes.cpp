#include "io/deflate_codes.hpp"

#include <algorithm>
#include <utility>

namespace repsc {
namespace {

constexpr unsigned most_code_bits = DeflateCodes::most_code_bits;

constexpr std::array<CodeEntry, 288> length_meanings = [] {
  std::array<CodeEntry, 288> result{};
  for (unsigned byte = 0; byte < 256; ++byte) result[byte] = CodeEntry::literal(byte);
  result[256] = CodeEntry(CodeEntry::Kind::end, 0, 0);
  unsigned value = 3;
  for (unsigned k = 0; k < 28; ++k) {
    const unsigned extra = k < 8 ? 0 : k / 4 - 1;
    result[257 + k] = CodeEntry(CodeEntry::Kind::number, value, extra);
    value += 1U << extra;
  }
  result[285] = CodeEntry(CodeEntry::Kind::number, DeflateCodes::longest_match, 0);
  result[286] = result[287] = CodeEntry(CodeEntry::Kind::invalid, 0, 0);
  return result;
}();

constexpr std::array<CodeEntry, 32> offset_meanings = [] {
  std::array<CodeEntry, 32> result{};
  unsigned value = 1;
  for (unsigned k = 0; k < 30; ++k) {
    const unsigned extra = k < 4 ? 0 : k / 2 - 1;
    result[k] = CodeEntry(CodeEntry::Kind::number, value, extra);
    value += 1U << extra;
  }
  result[30] = result[31] = CodeEntry(CodeEntry::Kind::invalid, 0, 0);
  return result;
}();

constexpr std::array<CodeEntry, CodeOfLengths::symbols> plain_meanings =
    [] {  // of the code of the codes
      std::array<CodeEntry, CodeOfLengths::symbols> result{};
      for (unsigned k = 0; k < result.size(); ++k)
        result[k] = CodeEntry(CodeEntry::Kind::number, k, 0);
      return result;
    }();

std::uint32_t reversed(std::uint32_t code, unsigned count) {
  std::uint32_t result = 0;
  for (; count > 0; --count, code >>= 1U) result = result << 1U | (code & 1U);
  return result;
}

// Fills the table of a canonical code; its first 2^first_bits entries are for the first bits, and
// longer codes go on in a second table. `lengths`: of each symbol's code, 0 for none. False if too
// many or too few bits are used; one symbol may have a code of one bit, and offsets none at all.
bool fill_table(std::span<const std::uint8_t> lengths, std::span<const CodeEntry> meanings,
                unsigned first_bits, std::span<CodeEntry> table) {
  std::array<std::uint32_t, most_code_bits + 1> counts{};
  for (const std::uint8_t length : lengths) ++counts[length];
  std::array<std::uint32_t, most_code_bits + 2> next_code{};
  std::int32_t left = 1;
  unsigned longest = 0;
  for (unsigned length = 1; length <= most_code_bits; ++length) {
    left = 2 * left - static_cast<std::int32_t>(counts[length]);
    if (left < 0) return false;
    if (counts[length] > 0) longest = length;
    next_code[length + 1] = (next_code[length] + counts[length]) << 1U;
  }
  if (left > 0 && longest > 1) return false;

  const std::size_t num_first = std::size_t{1} << first_bits;
  if (left > 0) std::fill_n(table.begin(), num_first, CodeEntry(CodeEntry::Kind::invalid, 0, 1));
  std::array<bool, 1U << DeflateCodes::length_bits> has_table{};
  std::size_t used = num_first;
  // Long codes first, because the longest one of a second table gives its size.
  for (unsigned length = longest; length > 0; --length) {
    if (counts[length] == 0) continue;
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] != length) continue;
      const CodeEntry entry = meanings[symbol].with_code(length);
      const std::uint32_t code = reversed(next_code[length]++, length);
      if (length <= first_bits) {
        for (std::size_t k = code; k < num_first; k += std::size_t{1} << length) table[k] = entry;
        continue;
      }
      const std::size_t first = low_bits(code, first_bits);
      if (!std::exchange(has_table[first], true)) {
        table[first] =
            CodeEntry(CodeEntry::Kind::table, static_cast<unsigned>(used), length - first_bits);
        used += std::size_t{1} << (length - first_bits);
      }
      const std::size_t size = std::size_t{1} << table[first].num_bits();
      for (std::size_t k = code >> first_bits; k < size;
           k += std::size_t{1} << (length - first_bits)) {
        table[table[first].value() + k] = entry;
      }
    }
  }
  return true;
}

// Literals whose bits leave room for another literal get it.
void pair_literals(unsigned first_bits, std::span<CodeEntry> table) {
  for (std::size_t k = 0; k < std::size_t{1} << first_bits; ++k) {
    const CodeEntry first = table[k];
    if (first.literals() == 0) continue;
    const CodeEntry second = table[k >> first.code_bits()];
    if (second.literals() == 0 || first.code_bits() + second.code_bits() > first_bits) continue;
    table[k] = CodeEntry::pair(first, second);
  }
}

}  // namespace

void DeflateCodes::use_fixed() {
  if (fixed_) return;
  std::array<std::uint8_t, length_meanings.size()> lengths{};
  for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
    lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
  }
  std::array<std::uint8_t, offset_meanings.size()> offsets{};
  offsets.fill(5);
  fixed_ = use(lengths, offsets) == nullptr;
}

const char* DeflateCodes::use(std::span<const std::uint8_t> lengths,
                              std::span<const std::uint8_t> offsets) {
  fixed_ = false;
  if (!fill_table(lengths, length_meanings, length_bits, lengths_)) {
    return "invalid literal or length code";
  }
  if (!fill_table(offsets, offset_meanings, offset_bits, offsets_)) return "invalid offset code";
  pair_literals(length_bits, lengths_);
  return nullptr;
}

bool CodeOfLengths::use(std::span<const std::uint8_t> lengths) {
  return fill_table(lengths, plain_meanings, first_bits, table_) &&
         std::ranges::none_of(
             table_, [](CodeEntry entry) { return entry.kind() == CodeEntry::Kind::invalid; });
}

}  // namespace repsc
