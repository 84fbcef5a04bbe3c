#include "io/inflate.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "repsc/core.hpp"

namespace repsc {
namespace {

using Entry = Inflate::Entry;

constexpr unsigned most_code_bits = 15;
constexpr std::size_t longest_match = 258;
// Beyond the text, so that matches are copied in words, and literals put in twos.
constexpr std::size_t room = longest_match + 32;

using Kind = Entry::Kind;

constexpr std::array<Entry, 288> length_meanings = [] {
  std::array<Entry, 288> result{};
  for (unsigned byte = 0; byte < 256; ++byte) result[byte] = Entry::literal(byte);
  result[256] = Entry(Kind::end, 0, 0);
  unsigned value = 3;
  for (unsigned k = 0; k < 28; ++k) {
    const unsigned extra = k < 8 ? 0 : k / 4 - 1;
    result[257 + k] = Entry(Kind::number, value, extra);
    value += 1U << extra;
  }
  result[285] = Entry(Kind::number, longest_match, 0);
  result[286] = result[287] = Entry(Kind::invalid, 0, 0);
  return result;
}();

constexpr std::array<Entry, 32> offset_meanings = [] {
  std::array<Entry, 32> result{};
  unsigned value = 1;
  for (unsigned k = 0; k < 30; ++k) {
    const unsigned extra = k < 4 ? 0 : k / 2 - 1;
    result[k] = Entry(Kind::number, value, extra);
    value += 1U << extra;
  }
  result[30] = result[31] = Entry(Kind::invalid, 0, 0);
  return result;
}();

constexpr std::array<Entry, 19> plain_meanings = [] {  // of the code of the codes
  std::array<Entry, 19> result{};
  for (unsigned k = 0; k < result.size(); ++k) result[k] = Entry(Kind::number, k, 0);
  return result;
}();

std::uint32_t reversed(std::uint32_t code, unsigned count) {
  std::uint32_t result = 0;
  for (; count > 0; --count, code >>= 1U) result = result << 1U | (code & 1U);
  return result;
}

// What `count` bits from the lowest on say.
constexpr std::uint64_t low_bits(std::uint64_t bits, unsigned count) {
  return bits & ((std::uint64_t{1} << count) - 1);
}

// Fills the table of a canonical code; its first 2^first_bits entries are for the first bits, and
// longer codes go on in a second table. `lengths`: of each symbol's code, 0 for none. False if too
// many or too few bits are used; one symbol may have a code of one bit, and offsets none at all.
bool fill_table(std::span<const std::uint8_t> lengths, std::span<const Entry> meanings,
                unsigned first_bits, std::span<Entry> table) {
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
  if (left > 0) std::fill_n(table.begin(), num_first, Entry(Kind::invalid, 0, 1));
  std::array<bool, 1U << 11U> has_table{};
  std::size_t used = num_first;
  // Long codes first, because the longest one of a second table gives its size.
  for (unsigned length = longest; length > 0; --length) {
    if (counts[length] == 0) continue;
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] != length) continue;
      const Entry entry = meanings[symbol].with_code(length);
      const std::uint32_t code = reversed(next_code[length]++, length);
      if (length <= first_bits) {
        for (std::size_t k = code; k < num_first; k += std::size_t{1} << length) table[k] = entry;
        continue;
      }
      const std::size_t first = low_bits(code, first_bits);
      if (!std::exchange(has_table[first], true)) {
        table[first] = Entry(Kind::table, static_cast<unsigned>(used), length - first_bits);
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
void pair_literals(unsigned first_bits, std::span<Entry> table) {
  for (std::size_t k = 0; k < std::size_t{1} << first_bits; ++k) {
    const Entry first = table[k];
    if (first.literals() == 0) continue;
    const Entry second = table[k >> first.code_bits()];
    if (second.literals() == 0 || first.code_bits() + second.code_bits() > first_bits) continue;
    table[k] = Entry::pair(first, second);
  }
}

std::uint64_t load_word(const unsigned char* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

/// A length or an offset, with its extra bits.
[[gnu::always_inline]] inline std::size_t number(Entry entry, std::uint64_t bits) {
  return entry.value() + (low_bits(bits, entry.num_bits()) >> entry.code_bits());
}

/// A match, in words: some bytes behind it are overwritten.
[[gnu::always_inline]] inline void copy_match(unsigned char* to, std::size_t length,
                                              std::size_t offset) {
  const unsigned char* from = to - offset;
  unsigned char* const end = to + length;
  if (offset >= sizeof(std::uint64_t)) {
    do {
      std::memcpy(to, from, sizeof(std::uint64_t));
      to += sizeof(std::uint64_t);
      from += sizeof(std::uint64_t);
    } while (to < end);
  } else {
    do *to++ = *from++;
    while (to < end);
  }
}

/// Bits of bytes in memory, of which 8 can always be read.
struct Bits {
  const unsigned char* next;
  std::uint64_t bits;
  std::uint64_t raw_count;  // modulo 64, so that no entry has to be masked before it is dropped

  [[nodiscard]] unsigned count() const { return raw_count & 63U; }
  /// To 56 bits or more. Those above count() are right, too, and the same when they come again.
  [[gnu::always_inline]] void fill() {
    bits |= load_word(next) << count();
    next += (63 - count()) >> 3U;
    raw_count |= 56U;
  }
  [[gnu::always_inline]] void drop(Entry entry) {
    bits >>= entry.num_bits();
    raw_count -= entry.word();
  }
};

/// The literals of an entry; two bytes are written in any case.
[[gnu::always_inline]] inline unsigned char* put(Entry entry, unsigned char* to, Bits& in) {
  to[0] = static_cast<unsigned char>(entry.value() & 0xffU);
  to[1] = static_cast<unsigned char>(entry.value() >> 8U);
  in.drop(entry);
  return to + entry.literals();
}

}  // namespace

BytesAhead::BytesAhead(int file) : file_(file), bytes_(std::size_t{1} << 18U) {}

std::span<const unsigned char> BytesAhead::look(std::size_t count) {
  constexpr std::size_t kept = 8;  // for back()
  while (end_ - next_ < count) {
    if (bytes_.size() - next_ < most) {
      const std::size_t first = next_ - std::min(next_, kept);
      std::copy(bytes_.begin() + static_cast<std::ptrdiff_t>(first),
                bytes_.begin() + static_cast<std::ptrdiff_t>(end_), bytes_.begin());
      end_ -= first;
      next_ -= first;
    }
    const ssize_t got = ::read(file_, bytes_.data() + end_, bytes_.size() - end_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError(std::strerror(errno));
    if (got == 0) break;
    end_ += static_cast<std::size_t>(got);
    num_read_ += got;
  }
  return {bytes_.data() + next_, end_ - next_};
}

Inflate::Inflate() : buffer_(history + text_size + room) {}

void Inflate::restart() {
  begin_ = text_ = out_ = 0;
  bits_ = 0;
  num_bits_ = 0;
  place_ = Place::header;
  last_block_ = false;
}

std::span<const unsigned char> Inflate::text() const {
  return std::span(buffer_).subspan(text_, out_ - text_);
}

Inflate::State Inflate::damaged(const char* message) {
  message_ = message;
  return State::damaged;
}

// Bytes one by one, so that none behind the stream is counted.
void Inflate::refill(BytesAhead& from) {
  const std::size_t wanted = (63 - num_bits_) / 8;
  const auto bytes = from.look(wanted);
  const std::size_t count = std::min(wanted, bytes.size());
  for (const unsigned char byte : bytes.first(count)) {
    bits_ |= static_cast<std::uint64_t>(byte) << num_bits_;
    num_bits_ += 8;
  }
  from.skip(count);
}

bool Inflate::need(BytesAhead& from, unsigned count) {
  if (num_bits_ < count) refill(from);
  return num_bits_ >= count;
}

std::uint32_t Inflate::take(unsigned count) {
  const auto result = static_cast<std::uint32_t>(low_bits(bits_, count));
  bits_ >>= count;
  num_bits_ -= count;
  return result;
}

Inflate::State Inflate::run(BytesAhead& from) {
  const std::size_t kept = std::min(out_ - begin_, history);
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(out_ - kept),
            buffer_.begin() + static_cast<std::ptrdiff_t>(out_), buffer_.begin());
  begin_ = 0;
  text_ = out_ = kept;
  State state = State::more;
  while (state == State::more && out_ - text_ < text_size - longest_match) {
    if (place_ == Place::header) state = begin_block(from);
    if (place_ == Place::stored) state = copy_stored(from);
    if (place_ == Place::compressed) state = decode(from);
    if (place_ == Place::ended) state = State::ended;
  }
  if (state == State::ended) {
    from.back(num_bits_ / 8);
    bits_ = 0;
    num_bits_ = 0;
  }
  return state;
}

Inflate::State Inflate::begin_block(BytesAhead& from) {
  if (!need(from, 3)) return State::truncated;
  last_block_ = take(1) != 0;
  switch (take(2)) {
    case 0:
      return begin_stored(from);
    case 1:
      use_fixed_codes();
      return State::more;
    case 2:
      return begin_dynamic(from);
    default:
      return damaged("invalid block type");
  }
}

Inflate::State Inflate::end_block() {
  place_ = last_block_ ? Place::ended : Place::header;
  return State::more;
}

Inflate::State Inflate::begin_stored(BytesAhead& from) {
  take(num_bits_ % 8);
  if (!need(from, 32)) return State::truncated;
  const std::uint32_t length = take(16);
  if (length != (take(16) ^ 0xffffU)) return damaged("invalid stored block lengths");
  stored_left_ = length;
  place_ = Place::stored;
  // What follows is copied from the file.
  from.back(num_bits_ / 8);
  bits_ = 0;
  num_bits_ = 0;
  return State::more;
}

Inflate::State Inflate::copy_stored(BytesAhead& from) {
  const std::size_t wanted = std::min(stored_left_, text_ + text_size - out_);
  for (std::size_t left = wanted; left > 0;) {
    const auto bytes = from.look(1);
    if (bytes.empty()) return State::truncated;
    const std::size_t count = std::min(left, bytes.size());
    std::copy_n(bytes.begin(), count, buffer_.begin() + static_cast<std::ptrdiff_t>(out_));
    from.skip(count);
    out_ += count;
    stored_left_ -= count;
    left -= count;
  }
  return stored_left_ == 0 ? end_block() : State::more;
}

void Inflate::use_fixed_codes() {
  place_ = Place::compressed;
  if (fixed_codes_) return;
  std::array<std::uint8_t, length_meanings.size()> lengths{};
  for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
    lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
  }
  std::array<std::uint8_t, offset_meanings.size()> offsets{};
  offsets.fill(5);
  fixed_codes_ = fill_table(lengths, length_meanings, length_bits, lengths_) &&
                 fill_table(offsets, offset_meanings, offset_bits, offsets_);
  pair_literals(length_bits, lengths_);
}

Inflate::State Inflate::begin_dynamic(BytesAhead& from) {
  fixed_codes_ = false;
  if (!need(from, 14)) return State::truncated;
  const std::size_t num_lengths = take(5) + 257;
  const std::size_t num_offsets = take(5) + 1;
  const std::size_t num_code_lengths = take(4) + 4;
  if (num_lengths > 286 || num_offsets > 30) return damaged("too many lengths or offsets");

  constexpr std::array<std::uint8_t, 19> order = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                  11, 4,  12, 3, 13, 2, 14, 1, 15};
  std::array<std::uint8_t, 19> code_lengths{};
  for (std::size_t k = 0; k < num_code_lengths; ++k) {
    if (!need(from, 3)) return State::truncated;
    code_lengths[order[k]] = static_cast<std::uint8_t>(take(3));
  }
  constexpr unsigned code_bits = 7;
  std::array<Entry, 1U << 7U> codes{};
  if (!fill_table(code_lengths, plain_meanings, code_bits, codes) ||
      std::ranges::any_of(codes, [](Entry entry) { return entry.kind() == Kind::invalid; })) {
    return damaged("invalid code lengths set");
  }

  std::array<std::uint8_t, 286 + 30> lengths{};
  const std::size_t num_all = num_lengths + num_offsets;
  for (std::size_t done = 0; done < num_all;) {
    refill(from);
    const Entry entry = codes[low_bits(bits_, code_bits)];
    // Symbols 16 to 18 repeat, as often as 2, 3 or 7 more bits say.
    const unsigned symbol = entry.value();
    const unsigned more = symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
    if (entry.num_bits() + more > num_bits_) return State::truncated;
    take(entry.num_bits());
    if (symbol < 16) {
      lengths[done++] = static_cast<std::uint8_t>(symbol);
      continue;
    }
    if (symbol == 16 && done == 0) return damaged("no code length to repeat");
    const std::uint8_t repeated = symbol == 16 ? lengths[done - 1] : 0;
    const std::size_t times = take(more) + (symbol == 18 ? 11 : 3);
    if (done + times > num_all) return damaged("too many code lengths");
    std::fill_n(lengths.begin() + static_cast<std::ptrdiff_t>(done), times, repeated);
    done += times;
  }
  if (lengths[256] == 0) return damaged("no code for the end of a block");
  const std::span<const std::uint8_t> all = lengths;
  if (!fill_table(all.first(num_lengths), length_meanings, length_bits, lengths_)) {
    return damaged("invalid literal or length code");
  }
  if (!fill_table(all.subspan(num_lengths, num_offsets), offset_meanings, offset_bits, offsets_)) {
    return damaged("invalid offset code");
  }
  pair_literals(length_bits, lengths_);
  place_ = Place::compressed;
  return State::more;
}

Inflate::State Inflate::decode(BytesAhead& from) {
  State state = State::more;
  const std::size_t last = text_ + text_size - longest_match;
  while (state == State::more && place_ == Place::compressed && out_ < last) {
    const auto bytes = from.look(BytesAhead::most);
    state = bytes.size() >= BytesAhead::most ? decode_many(bytes, from) : decode_one(from);
  }
  return state;
}

// One symbol, or two literals, from the last bytes of a file.
Inflate::State Inflate::decode_one(BytesAhead& from) {
  refill(from);
  Entry entry = lengths_[low_bits(bits_, length_bits)];
  if (entry.kind() == Kind::table) {
    entry = lengths_[entry.value() + low_bits(bits_ >> length_bits, entry.num_bits())];
  }
  if (entry.literals() > 0) {
    const bool both = entry.num_bits() <= num_bits_;
    if (!both && entry.code_bits() > num_bits_) return State::truncated;
    buffer_[out_++] = static_cast<unsigned char>(entry.value() & 0xffU);
    if (both && entry.literals() > 1) {
      buffer_[out_++] = static_cast<unsigned char>(entry.value() >> 8U);
    }
    take(both ? entry.num_bits() : entry.code_bits());
    return State::more;
  }
  if (entry.num_bits() > num_bits_) return State::truncated;
  if (entry.kind() == Kind::invalid) return damaged("invalid literal or length");
  if (entry.kind() == Kind::end) {
    take(entry.num_bits());
    return end_block();
  }
  const std::uint64_t behind = bits_ >> entry.num_bits();
  Entry offset = offsets_[low_bits(behind, offset_bits)];
  if (offset.kind() == Kind::table) {
    offset = offsets_[offset.value() + low_bits(behind >> offset_bits, offset.num_bits())];
  }
  if (entry.num_bits() + offset.num_bits() > num_bits_) return State::truncated;
  if (offset.kind() == Kind::invalid) return damaged("invalid offset");
  const std::size_t length = number(entry, bits_);
  const std::size_t distance = number(offset, behind);
  take(entry.num_bits() + offset.num_bits());
  if (distance > out_ - begin_) return damaged("an offset before the beginning");
  copy_match(buffer_.data() + out_, length, distance);
  out_ += length;
  return State::more;
}

// Symbols until the end of a block, of the text or of the bytes. As decode_one() with bits and
// places in registers, bits refilled once for up to six literals, and the next symbol looked up
// before a match is copied: each look-up waits for the one before.
Inflate::State Inflate::decode_many(std::span<const unsigned char> bytes, BytesAhead& from) {
  const unsigned char* const last_byte = bytes.data() + (bytes.size() - 32);  // of three refills
  unsigned char* const begin = buffer_.data() + begin_;
  unsigned char* const last = buffer_.data() + text_ + text_size - longest_match;
  unsigned char* out = buffer_.data() + out_;
  Bits in{.next = bytes.data(), .bits = bits_, .raw_count = num_bits_};
  const auto look_up = [&] { return lengths_[low_bits(in.bits, length_bits)]; };
  State state = State::more;
  in.fill();
  Entry entry = look_up();
  while (in.next <= last_byte && out < last) {
    if (entry.literals() > 0) {
      out = put(entry, out, in);
      entry = look_up();
      if (entry.literals() > 0) {
        out = put(entry, out, in);
        entry = look_up();
        if (entry.literals() > 0) {
          out = put(entry, out, in);
          in.fill();
          entry = look_up();
          continue;
        }
      }
    }
    // At least 34 bits are left, enough for any length.
    if (!entry.is_number()) [[unlikely]] {
      if (entry.kind() == Kind::table) {
        entry = lengths_[entry.value() + low_bits(in.bits >> length_bits, entry.num_bits())];
      }
      if (entry.literals() > 0) {
        out = put(entry, out, in);
        in.fill();
        entry = look_up();
        continue;
      }
      if (entry.kind() == Kind::end) {
        in.drop(entry);
        state = end_block();
        break;
      }
      if (entry.kind() == Kind::invalid) {
        state = damaged("invalid literal or length");
        break;
      }
    }
    const std::size_t length = number(entry, in.bits);
    in.drop(entry);
    Entry offset = offsets_[low_bits(in.bits, offset_bits)];
    if (!offset.is_number()) [[unlikely]] {
      in.fill();
      if (offset.kind() == Kind::table) {
        offset = offsets_[offset.value() + low_bits(in.bits >> offset_bits, offset.num_bits())];
      }
      if (!offset.is_number()) {
        state = damaged("invalid offset");
        break;
      }
    }
    if (offset.num_bits() > in.count()) [[unlikely]]
      in.fill();
    const std::uint64_t before = in.bits;
    in.drop(offset);
    in.fill();
    entry = look_up();
    const std::size_t distance = number(offset, before);
    if (distance > static_cast<std::size_t>(out - begin)) [[unlikely]] {
      state = damaged("an offset before the beginning");
      break;
    }
    copy_match(out, length, distance);
    out += length;
  }
  out_ = static_cast<std::size_t>(out - buffer_.data());
  bits_ = low_bits(in.bits, in.count());
  num_bits_ = in.count();
  from.skip(static_cast<std::size_t>(in.next - bytes.data()));
  return state;
}

}  // namespace repsc
