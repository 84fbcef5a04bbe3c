// Decompression held against zlib: what zlib compresses comes back, and what is cut off, damaged or
// no gzip at all is judged as zlib judges it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdio>
#include <map>
#include <memory>
#include <thread>

#include "core/random.hpp"
#include "io/gzip_reader.hpp"
#include "repsc/core.hpp"

namespace repsc {
namespace {

using State = GzipReader::State;

struct Read {
  State state = State::more;
  std::string text;
  std::int64_t position = 0;

  bool operator==(const Read&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Read& read) {
  return out << "state " << static_cast<int>(read.state) << " after " << read.text.size()
             << " bytes of text and " << read.position << " bytes of the file";
}

Read read_file(int file) {
  constexpr std::size_t unit = std::size_t{1} << 18U;
  GzipReader reader(file);
  Read result;
  while (result.state == State::more) {
    std::vector<char> text;
    result.state = reader.read(text, unit);
    EXPECT_LE(text.size(), unit + 64);
    result.text.append(text.begin(), text.end());
  }
  result.position = reader.position();
  return result;
}

Read read_bytes(const std::string& bytes) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  EXPECT_EQ(std::fwrite(bytes.data(), 1, bytes.size(), file.get()), bytes.size());
  std::rewind(file.get());
  return read_file(::fileno(file.get()));
}

struct Coding {
  int level = 6;
  int strategy = Z_DEFAULT_STRATEGY;
  int window_bits = 15;
  int memory = 8;
};

constexpr int gzip = 16;  // zlib: added to the bits of the window

std::string compressed(const std::string& text, Coding how = {}, gz_header* header = nullptr) {
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

// What zlib makes of one member.
Read by_zlib(std::string bytes) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + gzip), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  Read result;
  std::string part(1 << 16, 0);
  int code = Z_OK;
  while (code == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    code = inflate(&stream, Z_NO_FLUSH);
    result.text.append(part, 0, part.size() - stream.avail_out);
  }
  result.state = code == Z_STREAM_END  ? State::ended
                 : code == Z_BUF_ERROR ? State::truncated
                                       : State::damaged;
  result.position = static_cast<std::int64_t>(stream.total_in);
  inflateEnd(&stream);
  return result;
}

// Text of several kinds: edges, few or many different bytes, runs, copies from far away.
std::string some_text(RandomStream& random, std::size_t size) {
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

TEST(Inflate, gives_back_what_zlib_compressed) {
  RandomStream random(1, 0);
  std::vector<std::size_t> sizes = {0, 1, 2, 257, 258, 259, 131072, 400000};
  for (int k = 0; k < 60; ++k) sizes.push_back(random.below(300000));
  for (const int strategy : {Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED}) {
    for (const std::size_t size : sizes) {
      const Coding how{.level = static_cast<int>(random.below(10)),
                       .strategy = strategy,
                       .window_bits = 9 + static_cast<int>(random.below(7)),
                       .memory = 1 + static_cast<int>(random.below(9))};
      const std::string text = some_text(random, size);
      const std::string bytes = compressed(text, how);
      const Read read = read_bytes(bytes);
      ASSERT_EQ(read.state, State::ended) << size << " bytes, level " << how.level;
      ASSERT_TRUE(read.text == text) << size << " bytes, level " << how.level;
      ASSERT_EQ(read.position, static_cast<std::int64_t>(bytes.size()));
    }
  }
}

TEST(Inflate, of_a_file_that_is_cut_off_gives_the_text_that_zlib_gives) {
  RandomStream random(2, 0);
  for (const int level : {0, 1, 6}) {
    const std::string bytes = compressed(some_text(random, 1500), {.level = level});
    for (std::size_t size = 2; size < bytes.size(); ++size) {
      const std::string cut = bytes.substr(0, size);
      const Read read = read_bytes(cut);
      ASSERT_EQ(read.state, State::truncated) << size;
      ASSERT_EQ(read.text, by_zlib(cut).text) << size;
    }
  }
}

// Text before damage may be wrong, and how much of it comes is left open.
State expect_judgement_of_zlib(const std::string& bytes) {
  const Read expected = by_zlib(bytes);
  const Read read = read_bytes(bytes);
  EXPECT_EQ(read.state, expected.state);
  if (expected.state != State::damaged) {
    EXPECT_EQ(read.text, expected.text);
  }
  return expected.state;
}

TEST(Inflate, judges_damaged_files_as_zlib_does) {
  RandomStream random(3, 0);
  std::map<State, int> seen;
  for (int trial = 0; trial < 5000; ++trial) {
    const auto strategy = random.below(4) == 0 ? Z_FIXED : Z_DEFAULT_STRATEGY;
    std::string bytes =
        compressed(some_text(random, 1 + random.below(400)),
                   {.level = static_cast<int>(random.below(10)), .strategy = strategy});
    for (std::uint64_t k = 1 + random.below(3); k > 0; --k) {
      // The header, where codes are described, more often than what follows.
      const std::size_t place = 2 + random.below(random.below(2) == 0 ? 30 : bytes.size() - 2);
      bytes[std::min(place, bytes.size() - 1)] ^= static_cast<char>(1U << random.below(8));
    }
    const State expected = expect_judgement_of_zlib(bytes);
    ASSERT_FALSE(HasFailure()) << "trial " << trial;
    ++seen[expected];
  }
  for (const State state : {State::ended, State::truncated, State::damaged}) {
    EXPECT_GT(seen[state], 50) << static_cast<int>(state);
  }
}

TEST(Inflate, judges_random_bytes_as_zlib_does) {
  RandomStream random(4, 0);
  const std::string header("\x1f\x8b\x08\0\0\0\0\0\0\0", 10);
  std::map<State, int> seen;
  for (int trial = 0; trial < 15000; ++trial) {
    std::string bytes = header;
    const std::uint64_t size = 1 + random.below(60);
    for (std::uint64_t k = 0; k < size; ++k) bytes += static_cast<char>(random.below(256));
    const std::uint64_t kind = random.below(3);  // of the first block
    bytes[10] = static_cast<char>((static_cast<unsigned char>(bytes[10]) & ~6U) | kind << 1U);
    const State expected = expect_judgement_of_zlib(bytes);
    ASSERT_FALSE(HasFailure()) << "trial " << trial;
    ++seen[expected];
  }
  EXPECT_GT(seen[State::truncated], 300);
  EXPECT_GT(seen[State::damaged], 300);
}

TEST(Gzip, members_follow_one_another_and_padding_is_ignored) {
  const std::string one = compressed("1 2\n");
  const std::string none = compressed("");
  EXPECT_EQ(read_bytes(one + none + compressed("3 4\n") + none).text, "1 2\n3 4\n");
  const Read padded = read_bytes(one + std::string(512, 0));
  EXPECT_EQ(padded.state, State::ended);
  EXPECT_EQ(padded.text, "1 2\n");
  EXPECT_EQ(read_bytes(one + "\x1f\x8b").state, State::truncated);
  EXPECT_EQ(read_bytes(one + "\x1f\x8b\x07").state, State::truncated);
  EXPECT_EQ(read_bytes(one + "\x1f\x8b\x07 and so on").state, State::damaged);
  // The second member must not reach into the first one.
  std::string many;
  std::string expected;
  for (int k = 0; k < 3000; ++k) {
    const std::string text = std::to_string(k) + " " + std::to_string(7 * k) + "\n";
    many += compressed(text);
    expected += text;
  }
  EXPECT_EQ(read_bytes(many).text, expected);
}

TEST(Gzip, headers_may_have_names_comments_and_a_checksum) {
  std::string extra(4464, 'x');
  std::string name = "edges.txt";
  std::string comment(1000, 'c');
  gz_header header{};
  header.extra = reinterpret_cast<Bytef*>(extra.data());
  header.extra_len = static_cast<uInt>(extra.size());
  header.name = reinterpret_cast<Bytef*>(name.data());
  header.comment = reinterpret_cast<Bytef*>(comment.data());
  header.hcrc = 1;
  const std::string bytes = compressed("1 2\n", {}, &header);
  EXPECT_EQ(read_bytes(bytes), by_zlib(bytes));
  for (std::size_t size = 2; size < bytes.size(); size += 13) {
    ASSERT_EQ(read_bytes(bytes.substr(0, size)).state, State::truncated) << size;
  }
  std::string damaged = bytes;
  damaged[200] = 'y';  // in the extra bytes
  EXPECT_EQ(read_bytes(damaged).state, State::damaged);
  EXPECT_EQ(by_zlib(damaged).state, State::damaged);
}

TEST(Gzip, copies_what_is_not_compressed) {
  for (const std::string& text :
       {std::string(), std::string("\x1f"), std::string("1 2\n"), std::string(1000000, 'x')}) {
    const Read read = read_bytes(text);
    EXPECT_EQ(read.state, State::ended);
    EXPECT_EQ(read.text, text);
  }
}

TEST(Gzip, comes_through_a_pipe_byte_by_byte) {
  RandomStream random(5, 0);
  const std::string text = some_text(random, 3000);
  const std::string bytes = compressed(text) + compressed(text, {.level = 0}) + "padding";
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  std::thread writer([&] {
    for (const char byte : bytes) {
      if (::write(ends[1], &byte, 1) != 1) break;
    }
    ::close(ends[1]);
  });
  const Read read = read_file(ends[0]);
  writer.join();
  ::close(ends[0]);
  EXPECT_EQ(read.state, State::ended);
  EXPECT_EQ(read.text, text + text);
}

TEST(Gzip, a_directory_cannot_be_read) {
  const int folder = ::open("/", O_RDONLY);
  GzipReader reader(folder);
  std::vector<char> text;
  EXPECT_THROW((void)reader.read(text, 1 << 18), IoError);
  ::close(folder);
}

}  // namespace
}  // namespace repsc
