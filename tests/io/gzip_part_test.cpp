// Parts of gzip files, decompressed into symbols that say which byte of unknown text they are, held
// against the text itself.
#include "io/gzip_part.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>

#include "io/gzip_files.hpp"

namespace repsc {
namespace {

using Symbols = std::vector<std::uint16_t>;

std::vector<unsigned char> random_bytes(RandomStream& random, std::size_t count) {
  std::vector<unsigned char> result(count);
  for (unsigned char& byte : result) byte = static_cast<unsigned char>(random.below(256));
  return result;
}

// Runs of bytes and of bytes of the text before, of which the last `known` are known.
Symbols some_symbols(RandomStream& random, std::size_t size, std::size_t known) {
  Symbols result;
  while (result.size() < size) {
    const bool copied = known > 0 && random.below(3) == 0;
    for (std::uint64_t left = 1 + random.below(200); left > 0; --left) {
      const std::uint64_t source =
          Inflate::history - 1 - random.below(std::max<std::size_t>(known, 1));
      result.push_back(static_cast<std::uint16_t>(copied ? 256 + source : random.below(256)));
    }
  }
  result.resize(size);
  return result;
}

std::string text_of(const Symbols& symbols, const std::vector<unsigned char>& before) {
  std::string result;
  for (const std::uint16_t symbol : symbols) {
    result += static_cast<char>(
        symbol < 256 ? symbol : before[symbol - 256 - (Inflate::history - before.size())]);
  }
  return result;
}

void append_in_pieces(RandomStream& random, std::span<const std::uint16_t> symbols,
                      GzipPart& part) {
  while (!symbols.empty()) {
    const std::size_t count = std::min<std::size_t>(random.below(300), symbols.size());
    part.append(symbols.first(count));
    symbols = symbols.subspan(count);
  }
}

TEST(GzipPart, puts_in_the_text_before) {
  RandomStream random(1, 0);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t known = random.below(2) == 0 ? Inflate::history : random.below(1000);
    const std::vector<unsigned char> before = random_bytes(random, known);
    // Below and above what matches can reach.
    const Symbols symbols =
        some_symbols(random, random.below(random.below(2) == 0 ? 500 : 80000), known);
    const std::string text = text_of(symbols, before);
    GzipPart part;
    append_in_pieces(random, symbols, part);
    part.without_sum = part.text.size();

    std::vector<unsigned char> next = before;
    ASSERT_TRUE(part.follow(next));
    const std::string all = std::string(before.begin(), before.end()) + text;
    ASSERT_EQ(std::string(next.begin(), next.end()),
              all.substr(all.size() - std::min(all.size(), Inflate::history)));

    ASSERT_TRUE(part.complete_text(before));
    ASSERT_EQ(std::string(part.text.begin(), part.text.end()), text);
    ASSERT_EQ(part.front_sum.size, text.size());
    ASSERT_EQ(part.front_sum.checksum,
              crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
  }
}

TEST(GzipPart, refuses_what_is_copied_from_before_the_beginning) {
  RandomStream random(2, 0);
  const std::vector<unsigned char> before = random_bytes(random, 1000);
  for (const std::size_t place : {0, 63, 64, 5000, 39999}) {
    Symbols symbols = some_symbols(random, 40000, before.size());
    const std::size_t first = 256 + Inflate::history - before.size();
    for (const bool too_far : {false, true}) {
      symbols[place] = static_cast<std::uint16_t>(first - (too_far ? 1 : 0));
      GzipPart part;
      part.append(symbols);
      std::vector<unsigned char> next = before;
      // Only the end of the text matters to what follows.
      const bool at_end = place + Inflate::history >= symbols.size();
      EXPECT_EQ(part.follow(next), !too_far || !at_end) << place;
      EXPECT_EQ(part.complete_text(before), !too_far) << place;
    }
  }
}

TEST(GzipPart, is_independent_where_no_match_can_reach_a_byte_of_the_text_before) {
  GzipPart part;
  part.append(Symbols(Inflate::history - 1, 'x'));
  EXPECT_FALSE(part.is_independent());
  part.append(Symbols(1, 255));
  EXPECT_TRUE(part.is_independent());
  part.append(Symbols(1, 256));
  EXPECT_FALSE(part.is_independent());
  part.append(Symbols(Inflate::history - 1, 'x'));
  EXPECT_FALSE(part.is_independent());
  part.append(Symbols(1, 'x'));
  EXPECT_TRUE(part.is_independent());
  part.clear();
  EXPECT_FALSE(part.is_independent());
  part.append(Symbols(Inflate::history, 'x'));
  EXPECT_TRUE(part.is_independent());
}

// Few matches in random letters, so that soon none of them copies from before the part.
TEST(GzipPart, has_a_front_that_is_as_short_as_the_text_allows) {
  RandomStream random(3, 0);
  std::string text;
  while (text.size() < 2000000) text += static_cast<char>('A' + random.below(50));
  const std::string bytes = compressed(text);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  ASSERT_EQ(std::fwrite(bytes.data(), 1, bytes.size(), file.get()), bytes.size());
  ASSERT_EQ(std::fflush(file.get()), 0);
  GzipPartReader reader(::fileno(file.get()));
  const std::atomic<bool> cancelled = false;
  GzipPart part;
  reader.read(80000, false,
              {.stop_bit = GzipPart::file_end, .most_text = text.size(), .cancelled = cancelled},
              part);
  ASSERT_TRUE(part.complete);
  EXPECT_EQ(part.last_bit, GzipPart::file_end);
  EXPECT_LT(part.without_sum, 800000);
  ASSERT_GT(part.text.size(), 1900000);
  const std::size_t rest = part.text.size() - part.without_sum;
  EXPECT_TRUE(text.ends_with(
      std::string(part.text.end() - static_cast<std::ptrdiff_t>(rest), part.text.end())));
  EXPECT_EQ(part.sum.size, rest);
  const auto* const last = reinterpret_cast<const Bytef*>(text.data() + (text.size() - rest));
  EXPECT_EQ(part.sum.checksum, crc32_z(0, last, rest));
}

}  // namespace
}  // namespace repsc
