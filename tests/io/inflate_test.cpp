// Decompression held against zlib: what zlib compresses comes back, and what is cut off, damaged or
// no gzip at all is judged as zlib judges it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdio>
#include <map>
#include <memory>
#include <numeric>
#include <thread>

#include "core/random.hpp"
#include "io/gzip_files.hpp"
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

// Streams that zlib reads and never writes: codes of all lengths for random symbols, and any match.
class RandomBlocks {
 public:
  enum class Fault { none, incomplete, too_many, before_the_beginning };
  static constexpr std::size_t stored = 33000;

  RandomBlocks(RandomStream& random, Fault fault) : random_(random), fault_(fault) {
    // Text for matches to refer to, more than they reach back.
    if (fault_ != Fault::before_the_beginning) put_stored(stored);
  }

  std::string gzip() {
    for (std::uint64_t left = 1 + random_.below(3); left > 0; --left) put_block(left == 1);
    put(0, 7);  // to the end of a byte
    std::string file("\x1f\x8b\x08\0\0\0\0\0\0\0", 10);
    file += bytes_;
    const auto* const text = reinterpret_cast<const Bytef*>(text_.data());
    for (const std::uint64_t number :
         {std::uint64_t{crc32_z(0, text, text_.size())}, std::uint64_t{text_.size()}}) {
      for (unsigned k = 0; k < 4; ++k) file += static_cast<char>(number >> 8 * k & 0xffU);
    }
    return file;
  }

 private:
  using Lengths = std::vector<unsigned>;

  void put(std::uint64_t value, unsigned count) {
    for (unsigned k = 0; k < count; ++k) {
      bits_ |= (value >> k & 1U) << num_bits_++;
      if (num_bits_ < 8) continue;
      bytes_ += static_cast<char>(bits_);
      bits_ = num_bits_ = 0;
    }
  }
  void put_stored(std::uint64_t size) {
    put(0, 8);  // not the last, stored, to the end of a byte
    put(size, 16);
    put(~size, 16);
    for (; size > 0; --size) {
      text_ += static_cast<char>(random_.below(256));
      put(static_cast<unsigned char>(text_.back()), 8);
    }
  }

  // A complete code for these symbols: a leaf is split until there are enough, often the last one.
  Lengths random_code(std::size_t num_symbols, std::vector<std::size_t> used) {
    Lengths leaves = {0};
    while (leaves.size() < used.size()) {
      std::size_t k = random_.below(3) == 0 ? random_.below(leaves.size()) : leaves.size() - 1;
      while (leaves[k] == 15) k = random_.below(leaves.size());
      leaves.push_back(++leaves[k]);
    }
    Lengths result(num_symbols, 0);
    for (std::size_t k = 0; k < used.size(); ++k) result[used[k]] = leaves[k];
    return result;
  }
  // Put from its highest bit on, as codes are.
  void put_code(const Lengths& lengths, std::size_t symbol) {
    std::uint64_t code = 0;
    for (unsigned length = 1; length <= lengths[symbol]; ++length) {
      code <<= 1U;
      for (std::size_t other = 0; other < lengths.size(); ++other) {
        const bool before = length < lengths[symbol] || other < symbol;
        if (lengths[other] == length && before) ++code;
      }
    }
    for (unsigned k = lengths[symbol]; k-- > 0;) put(code >> k & 1U, 1);
  }
  std::vector<std::size_t> some(std::size_t begin, std::size_t end) {
    std::vector<std::size_t> result;
    for (std::size_t symbol = begin; symbol < end; ++symbol) {
      if (random_.below(3) == 0) result.push_back(symbol);
    }
    return result;
  }

  void put_block(bool last) {
    std::vector<std::size_t> used = some(0, 256);
    const std::vector<std::size_t> matches = some(257, 286);
    used.push_back(256);
    used.insert(used.end(), matches.begin(), matches.end());
    for (std::size_t k = used.size(); k > 1; --k) std::swap(used[k - 1], used[random_.below(k)]);
    const bool wrong = last && (fault_ == Fault::incomplete || fault_ == Fault::too_many);
    // What follows a wrong code is not read; then a few offsets are enough.
    std::vector<std::size_t> used_offsets(wrong ? 3 + random_.below(4) : 30);
    std::iota(used_offsets.begin(), used_offsets.end(), 0);
    const Lengths lengths = random_code(286, used);
    const Lengths offsets = random_code(30, used_offsets);
    put(last ? 1 : 0, 1);
    put(2, 2);
    put(286 - 257, 5);
    put(30 - 1, 5);
    put(19 - 4, 4);
    // The lengths of codes themselves: 0 to 15 in four bits each.
    for (unsigned k = 0; k < 19; ++k) put(k < 3 ? 0 : 4, 3);
    Lengths described = lengths;
    described.insert(described.end(), offsets.begin(), offsets.end());
    if (wrong) spoil(described);
    for (const unsigned length : described) {
      for (unsigned k = 4; k-- > 0;) put(length >> k & 1U, 1);
    }
    const std::uint64_t count = random_.below(1500);
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::size_t symbol = used[random_.below(used.size())];
      if (symbol < 256) {
        put_code(lengths, symbol);
        text_ += static_cast<char>(symbol);
      } else if (symbol > 256 && (fault_ != Fault::before_the_beginning || text_.size() > 400)) {
        put_match(lengths, symbol, offsets);
      }
    }
    put_code(lengths, 256);
  }

  // One code longer than it is, or shorter.
  void spoil(Lengths& described) {
    const std::size_t first = random_.below(2) == 0 ? 286 : 0;  // an offset as often as a length
    std::size_t symbol = first;
    const auto fits = [&] {
      const unsigned length = described[symbol];
      return fault_ == Fault::incomplete ? length > 0 && length < 15 : length > 1;
    };
    do symbol = first + random_.below(described.size() - first);
    while (!fits());
    described[symbol] += fault_ == Fault::incomplete ? 1 : -1;
  }

  void put_match(const Lengths& lengths, std::size_t symbol, const Lengths& offsets) {
    const auto k = static_cast<unsigned>(symbol - 257);
    const unsigned extra = k < 8 || k == 28 ? 0 : k / 4 - 1;
    const std::uint64_t more = random_.below(std::uint64_t{1} << extra);
    const std::uint64_t base = k < 8 ? k + 3 : k == 28 ? 258 : ((4 + k % 4) << extra) + 3;
    put_code(lengths, symbol);
    put(more, extra);
    const std::uint64_t most = std::min<std::uint64_t>(text_.size(), 32768);
    const bool too_far = fault_ == Fault::before_the_beginning && random_.below(20) == 0;
    const std::uint64_t near = std::min<std::uint64_t>(most, 10);  // where text overlaps its copy
    const std::uint64_t distance =
        too_far ? most + 1 : 1 + random_.below(random_.below(2) == 0 ? near : most);
    put_distance(offsets, distance);
    if (too_far) return;
    for (std::uint64_t left = base + more; left > 0; --left) {
      text_ += text_[text_.size() - distance];
    }
  }
  void put_distance(const Lengths& offsets, std::uint64_t distance) {
    unsigned symbol = 29;
    const auto extra = [](unsigned k) { return k < 4 ? 0 : k / 2 - 1; };
    const auto base = [&](unsigned k) {
      return k < 4 ? k + 1 : (std::uint64_t{2 + k % 2} << extra(k)) + 1;
    };
    while (base(symbol) > distance) --symbol;
    put_code(offsets, symbol);
    put(distance - base(symbol), extra(symbol));
  }

  RandomStream& random_;
  Fault fault_;
  std::string bytes_;
  std::string text_;
  std::uint64_t bits_ = 0;
  unsigned num_bits_ = 0;
};

TEST(Inflate, reads_codes_of_any_length_and_any_match) {
  RandomStream random(6, 0);
  for (int trial = 0; trial < 60; ++trial) {
    const std::string bytes = RandomBlocks(random, RandomBlocks::Fault::none).gzip();
    ASSERT_EQ(expect_judgement_of_zlib(bytes), State::ended) << "trial " << trial;
    ASSERT_FALSE(HasFailure()) << "trial " << trial;
  }
}

TEST(Inflate, of_symbols_says_which_byte_of_unknown_text_it_is) {
  constexpr std::size_t header = 10;
  constexpr std::size_t before_stored = 5;
  std::vector<std::uint16_t> unknown(Inflate::history);
  std::iota(unknown.begin(), unknown.end(), 256);
  RandomStream random(8, 0);
  for (int trial = 0; trial < 60; ++trial) {
    const std::string bytes = RandomBlocks(random, RandomBlocks::Fault::none).gzip();
    const std::string text = read_bytes(bytes).text;
    const std::string before =
        text.substr(RandomBlocks::stored - Inflate::history, Inflate::history);
    BytesAhead from(std::span(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size())
                        .subspan(header + before_stored + RandomBlocks::stored));
    using Symbols = BasicInflate<std::uint16_t>;
    Symbols inflate;
    inflate.resume(unknown, from, 0);
    std::string found;
    auto state = Symbols::State::more;
    while (state == Symbols::State::more) {
      state = inflate.run(from);
      for (const std::uint16_t symbol : inflate.text()) {
        found += symbol < 256 ? static_cast<char>(symbol) : before[symbol - 256];
      }
    }
    ASSERT_EQ(state, Symbols::State::ended) << "trial " << trial;
    ASSERT_TRUE(found == text.substr(RandomBlocks::stored)) << "trial " << trial;
  }
}

TEST(Inflate, refuses_what_is_no_code_and_matches_before_the_beginning) {
  using Fault = RandomBlocks::Fault;
  RandomStream random(7, 0);
  for (const Fault fault : {Fault::incomplete, Fault::too_many, Fault::before_the_beginning}) {
    int damaged = 0;
    for (int trial = 0; trial < 40; ++trial) {
      const std::string bytes = RandomBlocks(random, fault).gzip();
      if (expect_judgement_of_zlib(bytes) == State::damaged) ++damaged;
      ASSERT_FALSE(HasFailure()) << "trial " << trial;
    }
    EXPECT_GT(damaged, 20) << static_cast<int>(fault);
  }
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
