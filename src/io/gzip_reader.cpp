#include "io/gzip_reader.hpp"

#include <zlib.h>

#include <algorithm>

namespace repsc {
namespace {

enum Flag : unsigned { header_checksum = 2, extra = 4, name = 8, comment = 16, reserved = 0xe0 };

bool begins_member(std::span<const unsigned char> bytes) {
  return bytes.size() > 1 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

std::uint32_t little_endian(std::span<const unsigned char> bytes) {
  std::uint32_t result = 0;
  for (std::size_t k = 4; k-- > 0;) result = result << 8U | bytes[k];
  return result;
}

}  // namespace

GzipReader::State GzipReader::damaged(const char* message) {
  message_ = message;
  return State::damaged;
}

GzipReader::State GzipReader::read(std::vector<char>& text, std::size_t count) {
  while (state_ == State::more && text.size() + Inflate::text_size <= count) {
    switch (place_) {
      case Place::beginning:
      case Place::between:
        state_ = begin();
        break;
      case Place::plain:
        state_ = read_plain(text, count);
        break;
      case Place::member:
        state_ = read_member(text);
        break;
    }
  }
  return state_;
}

GzipReader::State GzipReader::begin() {
  const auto bytes = bytes_.look(2);
  if (begins_member(bytes)) return read_header();
  // What follows a member and is none is padding, as gzip sees it.
  if (bytes.empty() || place_ == Place::between) return State::ended;
  place_ = Place::plain;
  return State::more;
}

void GzipReader::resume(std::int64_t bit, std::span<const unsigned char> before,
                        std::optional<GzipSum> sum) {
  bytes_.go_to(bit / 8);
  inflate_.resume(before, bytes_, static_cast<unsigned>(bit % 8));
  place_ = Place::member;
  state_ = State::more;
  sum_ = sum.value_or(GzipSum());
  unchecked_ = !sum;
  unchecked_end_.reset();
}

void GzipReader::resume_at_end(std::int64_t byte) {
  bytes_.go_to(byte);
  sum_ = {};
  unchecked_ = true;
  unchecked_end_.reset();
  state_ = check_trailer();
}

void GzipReader::stop_at(std::int64_t bit) {
  inflate_.stop_at(bit);
  if (state_ == State::stopped) state_ = State::more;
}

// -1 at the end of the file.
int GzipReader::next_byte() {
  const auto bytes = bytes_.look(1);
  if (bytes.empty()) return -1;
  const unsigned char byte = bytes.front();
  header_checksum_ = ::crc32(header_checksum_, &byte, 1);
  bytes_.skip(1);
  return byte;
}

GzipReader::State GzipReader::read_header() {
  header_checksum_ = 0;
  std::array<int, 4> start{};  // two bytes that are known, the method and the flags
  for (int& byte : start) {
    byte = next_byte();
    if (byte < 0) return State::truncated;
  }
  if (start[2] != 8) return damaged("unknown compression method");
  const auto flags = static_cast<unsigned>(start[3]);
  if ((flags & Flag::reserved) != 0) return damaged("unknown header flags");
  for (int left = 6; left > 0; --left) {  // time, kind, system
    if (next_byte() < 0) return State::truncated;
  }
  if ((flags & Flag::extra) != 0) {
    const int low = next_byte();
    const int high = next_byte();
    if (high < 0) return State::truncated;
    for (int left = low + 256 * high; left > 0; --left) {
      if (next_byte() < 0) return State::truncated;
    }
  }
  for (const Flag text : {Flag::name, Flag::comment}) {
    if ((flags & text) == 0) continue;
    int byte = 0;
    do byte = next_byte();
    while (byte > 0);
    if (byte < 0) return State::truncated;
  }
  if ((flags & Flag::header_checksum) != 0) {
    const auto expected = static_cast<int>(header_checksum_ & 0xffffU);
    const int low = next_byte();
    const int high = next_byte();
    if (high < 0) return State::truncated;
    if (low + 256 * high != expected) return damaged("wrong checksum of the header");
  }
  sum_ = {};
  inflate_.restart();
  place_ = Place::member;
  return State::more;
}

GzipReader::State GzipReader::read_plain(std::vector<char>& text, std::size_t count) {
  const auto bytes = bytes_.look(1);
  if (bytes.empty()) return State::ended;
  const auto taken = bytes.first(std::min(bytes.size(), count - text.size()));
  text.insert(text.end(), taken.begin(), taken.end());
  bytes_.skip(taken.size());
  return State::more;
}

GzipReader::State GzipReader::read_member(std::vector<char>& text) {
  const Inflate::State state = inflate_.run(bytes_);
  const auto more = inflate_.text();
  sum_.checksum = static_cast<std::uint32_t>(::crc32_z(sum_.checksum, more.data(), more.size()));
  sum_.size += more.size();
  text.insert(text.end(), more.begin(), more.end());
  switch (state) {
    case Inflate::State::more:
      return State::more;
    case Inflate::State::stopped:
      return State::stopped;
    case Inflate::State::ended:
      return check_trailer();
    case Inflate::State::truncated:
      return State::truncated;
    case Inflate::State::damaged:
      break;
  }
  return damaged(inflate_.message());
}

GzipReader::State GzipReader::check_trailer() {
  const auto trailer = bytes_.look(8);
  if (trailer.size() < 4) return State::truncated;
  const std::uint32_t checksum = little_endian(trailer.first(4));
  if (!unchecked_ && checksum != sum_.checksum) return damaged("wrong checksum");
  if (trailer.size() < 8) return State::truncated;
  const std::uint32_t size = little_endian(trailer.subspan(4, 4));
  if (!unchecked_ && size != static_cast<std::uint32_t>(sum_.size)) return damaged("wrong length");
  if (unchecked_) unchecked_end_ = End{.read = sum_, .checksum = checksum, .size = size};
  unchecked_ = false;
  bytes_.skip(8);
  place_ = Place::between;
  return State::more;
}

}  // namespace repsc
