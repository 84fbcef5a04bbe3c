// Text of several kinds, and gzip files as zlib makes them.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <string>

#include "core/random.hpp"

namespace repsc {

struct Coding {
  int level = 6;
  int strategy = Z_DEFAULT_STRATEGY;
  int window_bits = 15;
  int memory = 8;
};

inline constexpr int gzip = 16;  // zlib: added to the bits of the window

inline std::string compressed(const std::string& text, Coding how = {},
                              gz_header* header = nullptr) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, how.level, Z_DEFLATED, how.window_bits + gzip, how.memory,
                         how.strategy),
            Z_OK);
  if (header != nullptr) deflateSetHeader(&stream, header);
  std::string result(deflateBound(&stream, text.size()) + 100, 0);
  std::string input = text;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

// Text of several kinds: edges, few or many different bytes, runs, copies from far away.
inline std::string some_text(RandomStream& random, std::size_t size) {
  const std::uint64_t kind = random.below(5);
  const std::uint64_t letters = 1 + random.below(kind == 1 ? 256 : 12);
  std::string text;
  while (text.size() < size) {
    if (kind == 0) {
      text += std::to_string(random.below(1000000)) + " " + std::to_string(random.below(1000000)) +
              "\n";
    } else if (kind == 2) {
      text.append(1 + random.below(400), static_cast<char>(random.below(letters)));
    } else if (kind == 3 && text.size() > 100) {
      const std::size_t back = 1 + random.below(std::min<std::size_t>(text.size(), 40000));
      text += text.substr(text.size() - back, 1 + random.below(300));
      text += static_cast<char>(random.below(letters));
    } else {
      // Geometric, so that codes are up to 15 bits long.
      std::uint64_t letter = 0;
      while (letter + 1 < letters && random.below(2) == 0) ++letter;
      text += static_cast<char>(letter);
    }
  }
  text.resize(size);
  return text;
}

}  // namespace repsc
