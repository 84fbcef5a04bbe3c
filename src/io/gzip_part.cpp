#include "io/gzip_part.hpp"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>

namespace repsc {
namespace {

constexpr std::size_t step = std::size_t{1} << 18U;  // of text

constexpr unsigned first_source = 256;  // symbols below are bytes
constexpr std::size_t word_bits = 64;

constexpr std::array<std::uint16_t, Inflate::history> unknown_text = [] {
  std::array<std::uint16_t, Inflate::history> result{};
  for (std::size_t k = 0; k < result.size(); ++k) {
    result[k] = static_cast<std::uint16_t>(first_source + k);
  }
  return result;
}();

// Bit k: whether symbol k is a byte of the unknown text. Without a branch for each symbol.
std::uint64_t sources_among(std::span<const std::uint16_t> symbols) {
  std::array<unsigned char, word_bits> is_source{};
  for (std::size_t k = 0; k < symbols.size(); ++k) is_source[k] = symbols[k] >= first_source;
  std::uint64_t bits = 0;
  for (unsigned k = 0; k < word_bits; k += 8) {
    // The product has byte j of the word, 0 or 1, as bit 56 + j.
    bits |= (load_word(is_source.data() + k) * 0x0102040810204080U) >> 56U << k;
  }
  return bits;
}

// Calls put(k, byte) for each byte k >= first of the text that is copied from the text before the
// part. False if a match reaches further than that.
template <class Put>
bool put_copied(const GzipPart& part, std::size_t first, std::span<const unsigned char> before,
                const Put& put) {
  const std::size_t missing = Inflate::history - before.size();
  const std::size_t first_word = first / word_bits;
  const auto bits_of = [&](std::size_t word) {
    const std::uint64_t all = ~std::uint64_t{0};
    return part.copied[word] & (word == first_word ? all << first % word_bits : all);
  };
  std::ptrdiff_t count = 0;
  for (std::size_t word = first_word; word < part.copied.size(); ++word) {
    count += std::popcount(bits_of(word));
  }
  auto source = part.sources.end() - count;
  for (std::size_t word = first_word; word < part.copied.size(); ++word) {
    for (std::uint64_t bits = bits_of(word); bits != 0; bits &= bits - 1) {
      if (*source < missing) return false;
      put(word_bits * word + static_cast<std::size_t>(std::countr_zero(bits)),
          before[*source++ - missing]);
    }
  }
  return true;
}

// How many of 128 bit patterns codes of four lengths, of 3 bits each, use.
constexpr std::array<std::uint16_t, 1U << 12U> used_by_four = [] {
  std::array<std::uint16_t, 1U << 12U> result{};
  for (unsigned lengths = 0; lengths < result.size(); ++lengths) {
    for (unsigned k = 0; k < 12; k += 3) {
      const unsigned length = lengths >> k & 7U;
      if (length > 0) result[lengths] += static_cast<std::uint16_t>(128U >> length);
    }
  }
  return result;
}();

// Bit k: whether the header of a block with codes of its own may begin at bit k of the first byte,
// by its kind and the numbers of codes. About one of 5 random bits does.
unsigned may_begin_block(std::uint64_t bits) {
  const std::uint64_t kind = ~(bits >> 1U) & bits >> 2U;
  // Numbers of 5 bits that are too large, 30 and 31, end in four ones.
  const std::uint64_t ones = bits & bits >> 1U & bits >> 2U & bits >> 3U;
  return static_cast<unsigned>(kind & ~(ones >> 4U) & ~(ones >> 9U) & 0xffU);
}

// Whether the codes that code lengths have use all bit patterns, in a header that begins behind
// `skipped` bits. One of about 300 random headers does. 16 bytes can be read.
bool uses_all_patterns(const unsigned char* from, unsigned skipped) {
  const auto count = static_cast<unsigned>(low_bits(load_word(from) >> (skipped + 13), 4)) + 4;
  const unsigned begin = skipped + 17;
  const std::uint64_t lengths =  // at least 57 bits can be read
      low_bits(load_word(from + begin / 8) >> begin % 8, 3 * count);
  unsigned used = 0;
  for (unsigned k = 0; k < 60; k += 12) used += used_by_four[low_bits(lengths >> k, 12)];
  return used == 128;
}

}  // namespace

void GzipPart::clear() {
  text.clear();
  copied.clear();
  sources.clear();
  end_of_copied = 0;
}

void GzipPart::append(std::span<const std::uint16_t> symbols) {
  std::size_t place = text.size();
  text.insert(text.end(), symbols.begin(), symbols.end());
  copied.resize((text.size() + word_bits - 1) / word_bits);
  while (!symbols.empty()) {
    const std::size_t bit = place % word_bits;
    const auto some = symbols.first(std::min(word_bits - bit, symbols.size()));
    const std::uint64_t among = sources_among(some);
    copied[place / word_bits] |= among << bit;
    if (among != 0) end_of_copied = place + static_cast<std::size_t>(std::bit_width(among));
    for (std::uint64_t bits = among; bits != 0; bits &= bits - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(bits));
      sources.push_back(static_cast<std::uint16_t>(some[k] - first_source));
    }
    symbols = symbols.subspan(some.size());
    place += some.size();
  }
}

bool GzipPart::follow(std::vector<unsigned char>& before) const {
  const std::uint64_t in_member = end ? last_sum.size : before.size() + text.size();
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(in_member, Inflate::history));
  const std::size_t own = std::min(count, text.size());
  const auto earlier = before.size() - std::min(before.size(), count - own);
  std::vector<unsigned char> result(before.begin() + static_cast<std::ptrdiff_t>(earlier),
                                    before.end());
  const std::size_t first = text.size() - own;
  const std::size_t kept = result.size();
  result.insert(result.end(), text.begin() + static_cast<std::ptrdiff_t>(first), text.end());
  const auto put = [&](std::size_t k, unsigned char byte) { result[kept + k - first] = byte; };
  if (!put_copied(*this, first, before, put)) return false;
  before = std::move(result);
  return true;
}

bool GzipPart::complete_text(std::span<const unsigned char> before) {
  const auto put = [&](std::size_t k, unsigned char byte) { text[k] = static_cast<char>(byte); };
  if (!put_copied(*this, 0, before, put)) return false;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  front_sum = {.checksum = static_cast<std::uint32_t>(::crc32_z(0, bytes, without_sum)),
               .size = without_sum};
  return true;
}

// More bytes than a header takes, or none: what is left is the last part of the file, and short.
std::span<const unsigned char> GzipPartReader::bytes_from(std::int64_t byte) {
  constexpr std::size_t piece = std::size_t{1} << 16U;
  constexpr std::size_t header = 1024;  // takes less
  const auto end = bytes_begin_ + static_cast<std::int64_t>(bytes_.size());
  if (bytes_.empty() || byte < bytes_begin_ || byte + static_cast<std::int64_t>(header) > end) {
    bytes_.resize(piece + header);
    ssize_t count = 0;
    do count = ::pread(file_, bytes_.data(), bytes_.size(), byte);
    while (count < 0 && errno == EINTR);
    bytes_.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    bytes_begin_ = byte;
    if (bytes_.size() <= header) return {};
  }
  return std::span(bytes_).subspan(static_cast<std::size_t>(byte - bytes_begin_));
}

std::optional<std::int64_t> GzipPartReader::find_block(std::int64_t bit, std::int64_t last) {
  unsigned skipped = static_cast<unsigned>(bit % 8);
  for (std::int64_t byte = bit / 8; 8 * byte < last; ++byte, skipped = 0) {
    const auto bytes = bytes_from(byte);
    if (bytes.empty()) break;
    unsigned begins = may_begin_block(load_word(bytes.data())) >> skipped << skipped;
    for (; begins != 0; begins &= begins - 1) {
      const auto begin = static_cast<unsigned>(std::countr_zero(begins));
      if (!uses_all_patterns(bytes.data(), begin)) continue;
      BytesAhead from(bytes);
      header_.resume({}, from, begin);
      const std::int64_t found = 8 * byte + begin;
      if (found < last && header_.read_block_header(from)) return found;
    }
  }
  return std::nullopt;
}

void GzipPartReader::read(std::int64_t first_bit, bool is_block, const Limits& limits,
                          GzipPart& part) {
  part.complete = false;
  bytes_.clear();
  std::optional<std::int64_t> bit = first_bit;
  if (!is_block) bit = find_block(first_bit, limits.stop_bit);
  while (bit && decompress(*bit, limits, part) == Found::no_block && !is_block) {
    bit = find_block(*bit + 1, limits.stop_bit);
  }
}

GzipPartReader::Found GzipPartReader::decompress(std::int64_t bit, const Limits& limits,
                                                 GzipPart& part) {
  part.clear();
  Found found = read_front(bit, limits, part);
  if (found == Found::part) found = read_rest(limits, part);
  // Random bits that look like a header are soon found to be none.
  constexpr std::size_t surely_text = std::size_t{1} << 16U;
  if (found == Found::no_block && part.text.size() >= surely_text) return Found::nothing;
  part.first_bit = bit;
  part.complete = found == Found::part;
  return found;
}

// To the end of the member or of the part, or to a block from which on nothing is copied from
// before the part.
GzipPartReader::Found GzipPartReader::read_front(std::int64_t bit, const Limits& limits,
                                                 GzipPart& part) {
  using State = BasicInflate<std::uint16_t>::State;
  front_bytes_.go_to(bit / 8);
  front_.resume(unknown_text, front_bytes_, static_cast<unsigned>(bit % 8));
  front_.stop_at(limits.stop_bit);
  State state = State::more;
  while (state == State::more) {
    if (limits.reached(part)) return Found::nothing;
    state = front_.run(front_bytes_);
    part.append(front_.text());
    if (part.is_independent()) front_.stop_at(0);
  }
  if (state == State::ended) {
    rest_.resume_at_end(front_bytes_.position());
  } else if (state == State::stopped) {
    const auto* text = reinterpret_cast<const unsigned char*>(part.text.data());
    rest_.resume(front_.bit(front_bytes_), {text, part.text.size()}, std::nullopt);
  } else {
    return Found::no_block;
  }
  part.without_sum = part.text.size();
  return Found::part;
}

GzipPartReader::Found GzipPartReader::read_rest(const Limits& limits, GzipPart& part) {
  using State = GzipReader::State;
  rest_.stop_at(limits.stop_bit);
  State state = State::more;
  while (state == State::more) {
    if (limits.reached(part)) return Found::nothing;
    state = rest_.read(part.text, part.text.size() + step);
  }
  if (state == State::truncated || state == State::damaged) return Found::no_block;
  part.end = rest_.unchecked_end();
  part.last_sum = rest_.sum();
  part.sum = part.end ? part.end->read : part.last_sum;
  part.last_bit = state == State::ended ? GzipPart::file_end : rest_.bit();
  return Found::part;
}

}  // namespace repsc
