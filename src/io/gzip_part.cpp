#include "io/gzip_part.hpp"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace repsc {
namespace {

constexpr std::size_t step = std::size_t{1} << 18U;  // of text

using Window = std::array<unsigned char, Inflate::history>;

// Byte k of the texts before a part is two bytes: the low 8 bits of k, and the sum of these, the
// high 7 bits and 1 modulo 256, which is never the same.
constexpr Window low_window = [] {
  Window result{};
  for (std::size_t k = 0; k < result.size(); ++k) result[k] = static_cast<unsigned char>(k & 0xffU);
  return result;
}();
constexpr Window high_window = [] {
  Window result{};
  for (std::size_t k = 0; k < result.size(); ++k) {
    result[k] = static_cast<unsigned char>((k + (k >> 8U) + 1) & 0xffU);
  }
  return result;
}();

// Which byte of the text before a part it is where both bytes differ; -1 if there is none.
int byte_before(char low, char high, std::span<const unsigned char> before) {
  const unsigned a = static_cast<unsigned char>(low);
  const unsigned b = static_cast<unsigned char>(high);
  const std::size_t place = (b - a - 1) % 256 * 256 + a;
  const std::size_t missing = Inflate::history - before.size();
  return place < missing || place >= Inflate::history ? -1 : before[place - missing];
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

// Nothing is copied from before the end of what matches can reach.
bool ends_equal(const std::vector<char>& x, const std::vector<char>& y) {
  if (x.size() < Inflate::history) return false;
  return std::memcmp(x.data() + (x.size() - Inflate::history),
                     y.data() + (y.size() - Inflate::history), Inflate::history) == 0;
}

}  // namespace

bool GzipPart::follow(std::vector<unsigned char>& before) const {
  const std::uint64_t in_member = end ? last_sum.size : before.size() + text.size();
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(in_member, Inflate::history));
  const std::size_t own = std::min(count, text.size());
  const auto earlier = before.size() - std::min(before.size(), count - own);
  std::vector<unsigned char> result(before.begin() + static_cast<std::ptrdiff_t>(earlier),
                                    before.end());
  for (std::size_t k = text.size() - own; k < text.size(); ++k) {
    int byte = static_cast<unsigned char>(text[k]);
    if (k < other.size() && other[k] != text[k]) byte = byte_before(text[k], other[k], before);
    if (byte < 0) return false;
    result.push_back(static_cast<unsigned char>(byte));
  }
  before = std::move(result);
  return true;
}

bool GzipPart::complete_text(std::span<const unsigned char> before) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  for (std::size_t first = 0; first < other.size(); first += word) {
    const std::size_t last = std::min(first + word, other.size());
    if (std::memcmp(text.data() + first, other.data() + first, last - first) == 0) continue;
    for (std::size_t k = first; k < last; ++k) {
      if (text[k] == other[k]) continue;
      const int byte = byte_before(text[k], other[k], before);
      if (byte < 0) return false;
      text[k] = static_cast<char>(byte);
    }
  }
  other.clear();
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

void GzipPartReader::read(std::int64_t first_bit, bool is_block, std::int64_t stop_bit,
                          std::size_t most_text, const std::atomic<bool>& cancelled,
                          GzipPart& part) {
  part.complete = false;
  bytes_.clear();
  std::optional<std::int64_t> bit = first_bit;
  if (!is_block) bit = find_block(first_bit, stop_bit);
  while (bit && decompress(*bit, stop_bit, most_text, cancelled, part) == Found::no_block &&
         !is_block) {
    bit = find_block(*bit + 1, stop_bit);
  }
}

GzipPartReader::Found GzipPartReader::decompress(std::int64_t bit, std::int64_t stop_bit,
                                                 std::size_t most_text,
                                                 const std::atomic<bool>& cancelled,
                                                 GzipPart& part) {
  using State = GzipReader::State;
  part.text.clear();
  part.other.clear();
  first_.resume(bit, low_window, std::nullopt);
  second_.resume(bit, high_window, std::nullopt);
  first_.stop_at(stop_bit);
  second_.stop_at(stop_bit);
  bool twice = true;    // the text may still depend on what comes before
  bool summed = false;  // from without_sum on
  State state = State::more;
  while (state == State::more) {
    if (cancelled || part.text.size() > most_text) return Found::nothing;
    const std::size_t count = part.text.size() + step;
    state = first_.read(part.text, count);
    if (!twice) continue;
    (void)second_.read(part.other, count);
    if (first_.unchecked_end()) {
      twice = false;
    } else if (ends_equal(part.text, part.other)) {
      twice = false;
      summed = true;
      part.without_sum = part.text.size();
      first_.sum_from_here();
    }
  }
  // Random bits that look like a header are soon found to be none.
  constexpr std::size_t surely_text = std::size_t{1} << 16U;
  if (state == State::truncated || state == State::damaged) {
    return part.text.size() < surely_text ? Found::no_block : Found::nothing;
  }
  part.end = first_.unchecked_end();
  part.last_sum = first_.sum();
  const GzipSum sum = part.end ? part.end->read : part.last_sum;
  if (!summed) part.without_sum = static_cast<std::size_t>(sum.size);
  part.sum = summed ? sum : GzipSum();
  part.first_bit = bit;
  part.last_bit = state == State::ended ? GzipPart::file_end : first_.bit();
  part.complete = true;
  return Found::part;
}

}  // namespace repsc
