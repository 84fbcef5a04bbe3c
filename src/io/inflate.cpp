#include "io/inflate.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace repsc {
namespace {

using Entry = CodeEntry;

constexpr std::size_t longest_match = DeflateCodes::longest_match;

// Beyond the text, so that matches are copied in words, and literals put in twos.
constexpr std::size_t room = longest_match + 32;

/// A length or an offset, with its extra bits.
[[gnu::always_inline]] inline std::size_t number(Entry entry, std::uint64_t bits) {
  return entry.value() + (low_bits(bits, entry.num_bits()) >> entry.code_bits());
}

/// A match, in words of 8 symbols: some symbols behind it are overwritten.
template <class Symbol>
[[gnu::always_inline]] inline void copy_match(Symbol* to, std::size_t length, std::size_t offset) {
  constexpr std::size_t word = 8;
  const Symbol* from = to - offset;
  Symbol* const end = to + length;
  if (offset >= word) {
    do {
      std::memcpy(to, from, word * sizeof(Symbol));
      to += word;
      from += word;
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

/// The literals of an entry; two symbols are written in any case.
template <class Symbol>
[[gnu::always_inline]] inline Symbol* put(Entry entry, Symbol* to, Bits& in) {
  to[0] = static_cast<Symbol>(entry.value() & 0xffU);
  to[1] = static_cast<Symbol>(entry.value() >> 8U);
  in.drop(entry);
  return to + entry.literals();
}

}  // namespace

template <class Symbol>
BasicInflate<Symbol>::BasicInflate() : buffer_(history + text_size + room) {}

template <class Symbol>
void BasicInflate<Symbol>::restart() {
  begin_ = text_ = out_ = 0;
  bits_ = 0;
  num_bits_ = 0;
  place_ = Place::header;
  last_block_ = false;
}

template <class Symbol>
void BasicInflate<Symbol>::resume(std::span<const Symbol> before, BytesAhead& from, unsigned bits) {
  restart();
  before = before.last(std::min(before.size(), history));
  std::ranges::copy(before, buffer_.begin());
  text_ = out_ = before.size();
  if (need(from, bits)) take(bits);  // else there is no header either
}

template <class Symbol>
std::span<const Symbol> BasicInflate<Symbol>::text() const {
  return std::span(buffer_).subspan(text_, out_ - text_);
}

template <class Symbol>
std::span<const Symbol> BasicInflate<Symbol>::history_text() const {
  const std::size_t kept = std::min(out_ - begin_, history);
  return std::span(buffer_).subspan(out_ - kept, kept);
}

template <class Symbol>
auto BasicInflate<Symbol>::damaged(const char* message) -> State {
  message_ = message;
  return State::damaged;
}

// Bytes one by one, so that none behind the stream is counted.
template <class Symbol>
void BasicInflate<Symbol>::refill(BytesAhead& from) {
  const std::size_t wanted = (63 - num_bits_) / 8;
  const auto bytes = from.look(wanted);
  const std::size_t count = std::min(wanted, bytes.size());
  for (const unsigned char byte : bytes.first(count)) {
    bits_ |= static_cast<std::uint64_t>(byte) << num_bits_;
    num_bits_ += 8;
  }
  from.skip(count);
}

template <class Symbol>
bool BasicInflate<Symbol>::need(BytesAhead& from, unsigned count) {
  if (num_bits_ < count) refill(from);
  return num_bits_ >= count;
}

template <class Symbol>
std::uint32_t BasicInflate<Symbol>::take(unsigned count) {
  const auto result = static_cast<std::uint32_t>(low_bits(bits_, count));
  bits_ >>= count;
  num_bits_ -= count;
  return result;
}

template <class Symbol>
auto BasicInflate<Symbol>::run(BytesAhead& from) -> State {
  const std::size_t kept = std::min(out_ - begin_, history);
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(out_ - kept),
            buffer_.begin() + static_cast<std::ptrdiff_t>(out_), buffer_.begin());
  begin_ = 0;
  text_ = out_ = kept;
  State state = State::more;
  while (state == State::more && out_ - text_ < text_size - longest_match) {
    if (place_ == Place::header) {
      state = bit(from) < stop_ ? begin_block(from) : State::stopped;
    }
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

template <class Symbol>
auto BasicInflate<Symbol>::begin_block(BytesAhead& from) -> State {
  if (!need(from, 3)) return State::truncated;
  last_block_ = take(1) != 0;
  switch (take(2)) {
    case 0:
      return begin_stored(from);
    case 1:
      codes_.use_fixed();
      place_ = Place::compressed;
      return State::more;
    case 2:
      return begin_dynamic(from);
    default:
      return damaged("invalid block type");
  }
}

template <class Symbol>
auto BasicInflate<Symbol>::end_block() -> State {
  place_ = last_block_ ? Place::ended : Place::header;
  return State::more;
}

template <class Symbol>
auto BasicInflate<Symbol>::begin_stored(BytesAhead& from) -> State {
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

template <class Symbol>
auto BasicInflate<Symbol>::copy_stored(BytesAhead& from) -> State {
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

template <class Symbol>
auto BasicInflate<Symbol>::begin_dynamic(BytesAhead& from) -> State {
  if (!need(from, 14)) return State::truncated;
  const std::size_t num_lengths = take(5) + 257;
  const std::size_t num_offsets = take(5) + 1;
  const std::size_t num_code_lengths = take(4) + 4;
  if (num_lengths > DeflateCodes::most_lengths || num_offsets > DeflateCodes::most_offsets)
    return damaged("too many lengths or offsets");

  constexpr std::array<std::uint8_t, CodeOfLengths::symbols> order = {
      16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  std::array<std::uint8_t, CodeOfLengths::symbols> code_lengths{};
  for (std::size_t k = 0; k < num_code_lengths; ++k) {
    if (!need(from, 3)) return State::truncated;
    code_lengths[order[k]] = static_cast<std::uint8_t>(take(3));
  }
  CodeOfLengths code;
  if (!code.use(code_lengths)) return damaged("invalid code lengths set");

  std::array<std::uint8_t, DeflateCodes::most_lengths + DeflateCodes::most_offsets> lengths{};
  const std::size_t num_all = num_lengths + num_offsets;
  for (std::size_t done = 0; done < num_all;) {
    refill(from);
    const Entry entry = code.symbol(bits_);
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
  const char* const wrong =
      codes_.use(all.first(num_lengths), all.subspan(num_lengths, num_offsets));
  if (wrong != nullptr) return damaged(wrong);
  place_ = Place::compressed;
  return State::more;
}

template <class Symbol>
auto BasicInflate<Symbol>::decode(BytesAhead& from) -> State {
  State state = State::more;
  const std::size_t last = text_ + text_size - longest_match;
  while (state == State::more && place_ == Place::compressed && out_ < last) {
    const auto bytes = from.look(BytesAhead::most);
    state = bytes.size() >= BytesAhead::most ? decode_many(bytes, from) : decode_one(from);
  }
  return state;
}

// One symbol, or two literals, from the last bytes of a file.
template <class Symbol>
auto BasicInflate<Symbol>::decode_one(BytesAhead& from) -> State {
  refill(from);
  Entry entry = codes_.length(bits_);
  if (entry.kind() == Entry::Kind::table) {
    entry = codes_.length(entry, bits_);
  }
  if (entry.literals() > 0) {
    const bool both = entry.num_bits() <= num_bits_;
    if (!both && entry.code_bits() > num_bits_) return State::truncated;
    buffer_[out_++] = static_cast<Symbol>(entry.value() & 0xffU);
    if (both && entry.literals() > 1) {
      buffer_[out_++] = static_cast<Symbol>(entry.value() >> 8U);
    }
    take(both ? entry.num_bits() : entry.code_bits());
    return State::more;
  }
  if (entry.num_bits() > num_bits_) return State::truncated;
  if (entry.kind() == Entry::Kind::invalid) return damaged("invalid literal or length");
  if (entry.kind() == Entry::Kind::end) {
    take(entry.num_bits());
    return end_block();
  }
  const std::uint64_t behind = bits_ >> entry.num_bits();
  Entry offset = codes_.offset(behind);
  if (offset.kind() == Entry::Kind::table) {
    offset = codes_.offset(offset, behind);
  }
  if (entry.num_bits() + offset.num_bits() > num_bits_) return State::truncated;
  if (offset.kind() == Entry::Kind::invalid) return damaged("invalid offset");
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
template <class Symbol>
auto BasicInflate<Symbol>::decode_many(std::span<const unsigned char> bytes, BytesAhead& from)
    -> State {
  const unsigned char* const last_byte = bytes.data() + (bytes.size() - 32);  // of three refills
  Symbol* const begin = buffer_.data() + begin_;
  Symbol* const last = buffer_.data() + text_ + text_size - longest_match;
  Symbol* out = buffer_.data() + out_;
  Bits in{.next = bytes.data(), .bits = bits_, .raw_count = num_bits_};
  State state = State::more;
  in.fill();
  Entry entry = codes_.length(in.bits);
  while (in.next <= last_byte && out < last) {
    if (entry.literals() > 0) {
      out = put(entry, out, in);
      entry = codes_.length(in.bits);
      if (entry.literals() > 0) {
        out = put(entry, out, in);
        entry = codes_.length(in.bits);
        if (entry.literals() > 0) {
          out = put(entry, out, in);
          in.fill();
          entry = codes_.length(in.bits);
          continue;
        }
      }
    }
    // At least 34 bits are left, enough for any length.
    if (!entry.is_number()) [[unlikely]] {
      if (entry.kind() == Entry::Kind::table) {
        entry = codes_.length(entry, in.bits);
      }
      if (entry.literals() > 0) {
        out = put(entry, out, in);
        in.fill();
        entry = codes_.length(in.bits);
        continue;
      }
      if (entry.kind() == Entry::Kind::end) {
        in.drop(entry);
        state = end_block();
        break;
      }
      if (entry.kind() == Entry::Kind::invalid) {
        state = damaged("invalid literal or length");
        break;
      }
    }
    const std::size_t length = number(entry, in.bits);
    in.drop(entry);
    Entry offset = codes_.offset(in.bits);
    if (!offset.is_number()) [[unlikely]] {
      in.fill();
      if (offset.kind() == Entry::Kind::table) {
        offset = codes_.offset(offset, in.bits);
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
    entry = codes_.length(in.bits);
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

template class BasicInflate<unsigned char>;
template class BasicInflate<std::uint16_t>;

}  // namespace repsc
