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

// Whether bits may be the header of a block with codes of its own: its kind, the numbers of codes,
// and the lengths of the codes that code lengths have, which must use all bit patterns. One of
// about 1500 random words does. 16 bytes can be read.
bool may_begin_block(const unsigned char* from, unsigned skipped) {
  const std::uint64_t bits = load_word(from) >> skipped;
  if (low_bits(bits >> 1U, 2) != 2) return false;
  if (low_bits(bits >> 3U, 5) > 29 || low_bits(bits >> 8U, 5) > 29) return false;
  const auto count = static_cast<unsigned>(low_bits(bits >> 13U, 4)) + 4;
  const unsigned begin = skipped + 17;
  const std::uint64_t lengths = load_word(from + begin / 8) >> begin % 8;  // at least 57 bits
  unsigned used = 0;
  for (unsigned k = 0; k < count; ++k) {
    const auto length = static_cast<unsigned>(low_bits(lengths >> (3 * k), 3));
    if (length > 0) used += 128U >> length;
  }
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

std::optional<std::int64_t> GzipPartReader::find_block(std::int64_t bit, std::int64_t last) {
  constexpr std::size_t piece = std::size_t{1} << 16U;
  constexpr std::size_t header = 1024;  // a header takes less
  const auto end = [&] { return bytes_begin_ + static_cast<std::int64_t>(bytes_.size()); };
  for (; bit < last; ++bit) {
    const std::int64_t byte = bit / 8;
    if (bytes_.empty() || byte < bytes_begin_ || byte + static_cast<std::int64_t>(header) > end()) {
      bytes_.resize(piece + header);
      ssize_t count = 0;
      do count = ::pread(file_, bytes_.data(), bytes_.size(), byte);
      while (count < 0 && errno == EINTR);
      bytes_.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
      bytes_begin_ = byte;
      // What is left is the last part of the file, and short.
      if (bytes_.size() <= header) return std::nullopt;
    }
    const std::span<const unsigned char> rest =
        std::span(bytes_).subspan(static_cast<std::size_t>(byte - bytes_begin_));
    const auto skipped = static_cast<unsigned>(bit % 8);
    if (!may_begin_block(rest.data(), skipped)) continue;
    BytesAhead from(rest);
    header_.resume({}, from, skipped);
    if (header_.read_block_header(from)) return bit;
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
