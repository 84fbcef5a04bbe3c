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

// Pieces of `text`, again and again, so that everything depends on what comes before.
std::string repeated(RandomStream& random, std::string text, std::size_t size) {
  const std::size_t first = text.size();
  while (text.size() < size) {
    text += text.substr(text.size() - first + random.below(first - 30), 5 + random.below(25));
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
  const std::string text = repeated(random, edges(random, 1000), 3000000);
  const std::string bytes = compressed(text, {.memory = 5});  // short blocks
  const int num_parts = static_cast<int>(bytes.size() / 20000);
  ASSERT_GT(num_parts, 20);
  const Read read = read_parts(bytes, 20000);
  EXPECT_TRUE(read.text == text);
  EXPECT_EQ(read.num_useful, num_parts);
  // Bytes that are copied from before count twice, as they take memory.
  const std::size_t text_of_part = text.size() / static_cast<std::size_t>(num_parts);
  const Read little = read_parts(bytes, 20000, 3, text_of_part + text_of_part / 2);
  EXPECT_TRUE(little.text == text);
  EXPECT_LE(little.num_useful, 1);  // the first one begins with text of its own
}

// One member whose blocks change between codes of their own, fixed ones and none.
std::string compressed_in_turn(RandomStream& random, const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + gzip, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string input = text;
  std::string result(2 * text.size() + 1000, 0);
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  for (std::size_t left = text.size(); left > 0;) {
    const std::size_t count = std::min<std::size_t>(left, 1 + random.below(6000));
    const std::uint64_t kind = random.below(4);
    stream.avail_in = static_cast<uInt>(count);
    EXPECT_EQ(deflate(&stream, Z_BLOCK), Z_OK);
    left -= count;
    EXPECT_EQ(deflateParams(&stream, kind == 0 ? 0 : 6, kind == 1 ? Z_FIXED : Z_DEFAULT_STRATEGY),
              Z_OK);
  }
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

TEST(ParallelGzip, of_stored_and_fixed_blocks_that_depend_on_what_comes_before) {
  RandomStream random(10, 0);
  for (int trial = 0; trial < 5; ++trial) {
    const std::string text = repeated(random, edges(random, 1000), 2000000);
    const std::string bytes = compressed_in_turn(random, text);
    const int num_parts = static_cast<int>(bytes.size() / 40000);
    ASSERT_GT(num_parts, 10);
    const Read read = read_parts(bytes, 40000);
    ASSERT_EQ(read.state, State::ended) << trial;
    ASSERT_TRUE(read.text == text) << trial;
    EXPECT_EQ(read.num_useful, num_parts);
  }
}

// Matches that overlap what they copy.
TEST(ParallelGzip, of_short_patterns_that_come_from_before) {
  RandomStream random(11, 0);
  const std::string letters = edges(random, 10);
  std::string text;
  while (text.size() < 3000000) {
    const std::string pattern = letters.substr(random.below(50), 1 + random.below(9));
    const std::size_t end = text.size() + 1 + random.below(600);
    while (text.size() < end) text += pattern;
  }
  const std::string bytes = compressed(text, {.memory = 4});  // short blocks
  const int num_parts = static_cast<int>(bytes.size() / 4000);
  ASSERT_GT(num_parts, 10);
  const Read read = read_parts(bytes, 4000);
  EXPECT_TRUE(read.text == text);
  EXPECT_EQ(read.num_useful, num_parts);
}

// Text of parts that is shorter than matches reach.
TEST(ParallelGzip, of_text_that_depends_on_several_parts_before) {
  RandomStream random(12, 0);
  const std::string text = repeated(random, edges(random, 2000), 1000000);
  const std::string bytes = compressed(text, {.memory = 2});  // short blocks
  const int num_parts = static_cast<int>(bytes.size() / 1500);
  ASSERT_LT(text.size() / static_cast<std::size_t>(num_parts), Inflate::history / 2);
  const Read read = read_parts(bytes, 1500);
  EXPECT_TRUE(read.text == text);
  EXPECT_EQ(read.num_useful, num_parts);
}

// No part is independent of the text before when its first member ends.
TEST(ParallelGzip, members_end_while_text_depends_on_what_comes_before) {
  RandomStream random(13, 0);
  constexpr std::int64_t part = 20000;
  for (const std::uint64_t most_between : {0, 3}) {
    std::vector<std::string> members;
    std::string expected;
    for (int k = 0; k < 20; ++k) {
      const std::string text = repeated(random, edges(random, 500), 100000 + random.below(200000));
      members.push_back(compressed(text, {.memory = 5}));
      expected += text;
      for (std::uint64_t between = random.below(most_between + 1); between > 0; --between) {
        const std::string more = edges(random, random.below(100));
        members.push_back(compressed(more));
        expected += more;
      }
    }
    std::string bytes;
    for (const std::string& member : members) bytes += member;
    const Read read = read_parts(bytes, part);
    ASSERT_EQ(read.state, State::ended);
    ASSERT_TRUE(read.text == expected);
    EXPECT_EQ(read.num_useful, static_cast<int>(bytes.size() / part));
    EXPECT_GT(read.num_useful, 20);
    // Sums at the end of any member are held against the text.
    std::size_t end = 0;
    for (std::size_t k = 0; k < members.size(); ++k) {
      end += members[k].size();
      if (k % 5 != 0) continue;
      for (const std::size_t back : {2, 7}) {
        std::string wrong = bytes;
        wrong[end - back] ^= 0x10;
        ASSERT_EQ(read_parts(wrong, part).state, State::damaged) << k;
      }
      ASSERT_EQ(read_parts(bytes.substr(0, end - 3), part).state, State::truncated) << k;
    }
  }
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
