// Decompression by several threads held against zlib, and against one thread where zlib stops: at
// the end of a member and at damage. Parts are a thousand times smaller than usual, so that small
// files have many.
#include "io/parallel_gzip.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <map>
#include <memory>

#include "io/gzip_files.hpp"

namespace repsc {
namespace {

using State = GzipReader::State;

constexpr std::size_t unit = std::size_t{1} << 18U;

struct Read {
  State state = State::more;
  std::string text;
  int num_useful = 0;  // parts
};

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File file_of(const std::string& bytes) {
  File file(std::tmpfile(), &std::fclose);
  EXPECT_EQ(std::fwrite(bytes.data(), 1, bytes.size(), file.get()), bytes.size());
  std::rewind(file.get());
  return file;
}

Read read_alone(const std::string& bytes) {
  const File file = file_of(bytes);
  GzipReader reader(::fileno(file.get()));
  Read result;
  while (result.state == State::more) {
    std::vector<char> text;
    result.state = reader.read(text, unit);
    result.text.append(text.begin(), text.end());
  }
  return result;
}

Read read_parts(const std::string& bytes, std::int64_t part, int threads = 3,
                std::size_t most_text = std::size_t{1} << 30U) {
  const File file = file_of(bytes);
  GzipReader reader(::fileno(file.get()));
  reader.stop_at(0);
  Read result;
  std::vector<char> text;
  result.state = reader.read(text, unit);
  EXPECT_TRUE(text.empty());
  if (result.state != State::stopped) return result;
  ParallelGzip parts(::fileno(file.get()), reader,
                     {.file = static_cast<std::int64_t>(bytes.size()),
                      .part = part,
                      .most_text = most_text,
                      .threads = threads});
  std::int64_t position = parts.position();
  do {
    result.state = parts.read(text, unit);
    result.text.append(text.begin(), text.end());
    EXPECT_LE(position, parts.position());
    position = parts.position();
  } while (result.state == State::more);
  result.num_useful = parts.num_useful();
  return result;
}

std::string edges(RandomStream& random, std::size_t count) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k) {
    text +=
        std::to_string(random.below(1000000)) + " " + std::to_string(random.below(1000000)) + "\n";
  }
  return text;
}

TEST(ParallelGzip, gives_back_what_zlib_compressed) {
  RandomStream random(1, 0);
  int num_useful = 0;
  for (const int strategy : {Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED}) {
    for (int trial = 0; trial < 10; ++trial) {
      const Coding how{.level = static_cast<int>(random.below(10)),
                       .strategy = strategy,
                       .window_bits = 9 + static_cast<int>(random.below(7)),
                       .memory = 1 + static_cast<int>(random.below(9))};
      const std::string text = some_text(random, random.below(1500000));
      const auto part = static_cast<std::int64_t>(2000 + random.below(60000));
      const int threads = 1 + static_cast<int>(random.below(4));
      const Read read = read_parts(compressed(text, how), part, threads);
      ASSERT_EQ(read.state, State::ended) << "level " << how.level << ", strategy " << strategy;
      ASSERT_TRUE(read.text == text) << "level " << how.level << ", strategy " << strategy;
      num_useful += read.num_useful;
    }
  }
  EXPECT_GT(num_useful, 100);
}

TEST(ParallelGzip, uses_all_parts_of_usual_files) {
  RandomStream random(2, 0);
  const std::string text = edges(random, 300000);
  const std::string bytes = compressed(text);
  const Read read = read_parts(bytes, 200000);
  EXPECT_TRUE(read.text == text);
  EXPECT_EQ(read.num_useful, static_cast<int>(bytes.size() / 200000));
}

// Nothing ends what depends on the text before: each line is a copy of one before it.
TEST(ParallelGzip, of_text_that_always_depends_on_what_comes_before) {
  RandomStream random(3, 0);
  std::string text = edges(random, 1000);
  const std::size_t first = text.size();
  while (text.size() < 3000000) {
    text += text.substr(text.size() - first + random.below(first - 300), 200);
  }
  const std::string bytes = compressed(text);
  const Read read = read_parts(bytes, 40000);
  EXPECT_TRUE(read.text == text);
  EXPECT_GT(read.num_useful, static_cast<int>(bytes.size() / 40000) - 3);
}

TEST(ParallelGzip, members_and_kinds_of_blocks_follow_one_another) {
  RandomStream random(4, 0);
  int num_useful = 0;
  for (int trial = 0; trial < 20; ++trial) {
    std::string bytes;
    std::string expected;
    const bool small = trial % 2 == 0;  // members below what matches can reach, as bgzip makes them
    for (int member = 0; member < (small ? 60 : 8); ++member) {
      const std::string text = random.below(2) == 0
                                   ? edges(random, random.below(small ? 3000 : 20000))
                                   : some_text(random, random.below(small ? 40000 : 300000));
      const Coding how{.level = random.below(4) == 0 ? 0 : 6,
                       .strategy = random.below(4) == 0 ? Z_FIXED : Z_DEFAULT_STRATEGY};
      bytes += compressed(text, how);
      expected += text;
    }
    if (trial % 3 == 0) bytes += std::string(700, 0);  // padding
    const Read read = read_parts(bytes, static_cast<std::int64_t>(3000 + random.below(50000)));
    ASSERT_EQ(read.state, State::ended) << trial;
    ASSERT_TRUE(read.text == expected) << trial;
    num_useful += read.num_useful;
  }
  EXPECT_GT(num_useful, 100);
}

// Blocks that are really there and yet belong to the text: a gzip file in uncompressed blocks.
TEST(ParallelGzip, of_a_gzip_file_in_a_gzip_file) {
  RandomStream random(5, 0);
  const std::string inner = compressed(edges(random, 200000));
  for (const std::string& bytes :
       {compressed(inner, {.level = 0}), compressed(inner + edges(random, 50000), {.level = 1}),
        compressed(edges(random, 100000)) + compressed(inner, {.level = 0}) +
            compressed(edges(random, 100000))}) {
    const Read expected = read_alone(bytes);
    const Read read = read_parts(bytes, 50000);
    EXPECT_EQ(read.state, State::ended);
    EXPECT_TRUE(read.text == expected.text);
  }
}

TEST(ParallelGzip, judges_damaged_files_as_one_thread_does) {
  RandomStream random(6, 0);
  std::map<State, int> seen;
  for (int trial = 0; trial < 60; ++trial) {
    std::string bytes;
    for (std::uint64_t member = 0; member < 1 + random.below(3); ++member) {
      bytes += compressed(edges(random, 1000 + random.below(30000)));
    }
    if (trial % 3 == 0) {
      bytes.resize(20 + random.below(bytes.size() - 20));
    } else {
      bytes[20 + random.below(bytes.size() - 20)] ^= static_cast<char>(1U << random.below(8));
    }
    const Read expected = read_alone(bytes);
    const Read read = read_parts(bytes, static_cast<std::int64_t>(5000 + random.below(30000)));
    ASSERT_EQ(read.state, expected.state) << trial;
    if (expected.state != State::damaged) {
      ASSERT_TRUE(read.text == expected.text) << trial;
    }
    ++seen[expected.state];
  }
  EXPECT_GT(seen[State::truncated], 10);
  EXPECT_GT(seen[State::damaged], 30);
}

TEST(ParallelGzip, checks_checksum_and_length_of_members_that_begin_before_a_part) {
  RandomStream random(7, 0);
  const std::string one = compressed(edges(random, 30000));
  const std::string other = compressed(edges(random, 30000));
  ASSERT_EQ(read_parts(one + other, 30000).state, State::ended);
  for (std::size_t k = 1; k <= 8; ++k) {
    std::string wrong = one;
    wrong[wrong.size() - k] ^= 0x10;
    EXPECT_EQ(read_parts(wrong + other, 30000).state, State::damaged) << k;
    EXPECT_EQ(read_parts(wrong + other, 1 << 20).state, State::damaged) << k;
  }
}

// 30 MB in 30 kB: parts hold no more than they may, and one thread reads on.
TEST(ParallelGzip, of_more_text_than_a_part_may_have) {
  RandomStream random(8, 0);
  const std::string text =
      edges(random, 50000) + std::string(30000000, '\n') + edges(random, 50000);
  const Read read = read_parts(compressed(text), 20000, 3, 1000000);
  EXPECT_EQ(read.state, State::ended);
  EXPECT_TRUE(read.text == text);
}

TEST(ParallelGzip, ends_while_threads_are_reading) {
  RandomStream random(9, 0);
  const std::string bytes = compressed(edges(random, 300000));
  const File file = file_of(bytes);
  for (int parts_read = 0; parts_read < 4; ++parts_read) {
    GzipReader reader(::fileno(file.get()));
    std::rewind(file.get());
    ::lseek(::fileno(file.get()), 0, SEEK_SET);
    reader.stop_at(0);
    std::vector<char> text;
    ASSERT_EQ(reader.read(text, unit), State::stopped);
    ParallelGzip parts(::fileno(file.get()), reader,
                       {.file = static_cast<std::int64_t>(bytes.size()),
                        .part = 100000,
                        .most_text = unit * 100,
                        .threads = 4});
    for (int k = 0; k < parts_read; ++k) EXPECT_EQ(parts.read(text, unit), State::more);
  }
}

}  // namespace
}  // namespace repsc
