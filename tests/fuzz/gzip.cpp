// Compressed edge lists, decompressed as zlib does.
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/harness.hpp"
#include "io/gzip_reader.hpp"
#include "io/input.hpp"
#include "io/parallel_gzip.hpp"

namespace repsc::fuzz {
namespace {

// Nothing if zlib finds damage, or that the file ends too early.
std::optional<std::string> by_zlib(const std::string& path) {
  const gzFile in = gzopen(path.c_str(), "rb");
  std::string text;
  std::string part(1 << 16, 0);
  int count = 0;
  while ((count = gzread(in, part.data(), static_cast<unsigned>(part.size()))) > 0) {
    text.append(part, 0, static_cast<std::size_t>(count));
  }
  int error = Z_OK;
  gzerror(in, &error);
  gzclose(in);
  return count == 0 && error == Z_OK ? std::optional(text) : std::nullopt;
}

std::optional<std::string> by_us(const std::string& path) {
  const int in = open_input(path);
  GzipReader reader(in);
  std::vector<char> text;
  auto state = GzipReader::State::more;
  while (state == GzipReader::State::more) state = reader.read(text, text.size() + Input::unit);
  ::close(in);
  return state == GzipReader::State::ended ? std::optional(std::string(text.begin(), text.end()))
                                           : std::nullopt;
}

// In parts that are much smaller than usual.
std::optional<std::string> by_threads(const std::string& path) {
  constexpr std::int64_t part = 300;
  const int in = open_input(path);
  GzipReader reader(in);
  reader.stop_at(0);
  std::string all;
  std::vector<char> text;
  auto state = reader.read(text, Input::unit);
  const auto take = [&] {
    all.append(text.begin(), text.end());
    text.clear();
  };
  take();
  if (state == GzipReader::State::stopped) {
    ParallelGzip parts(in, reader,
                       {.file = static_cast<std::int64_t>(std::filesystem::file_size(path)),
                        .part = part,
                        .most_text = std::size_t{1} << 24U,
                        .threads = 2});
    do {
      state = parts.read(text, Input::unit);
      take();
    } while (state == GzipReader::State::more);
  }
  while (state == GzipReader::State::more) {
    state = reader.read(text, Input::unit);
    take();
  }
  ::close(in);
  return state == GzipReader::State::ended ? std::optional(all) : std::nullopt;
}

}  // namespace

void read_and_check(const std::string& bytes) {
  const std::string in = file("in.txt.gz", bytes);
  must(by_us(in) == by_zlib(in), "decompresses as zlib does");
  must(by_threads(in) == by_us(in), "decompresses in parts as in one");
  const BuiltGraph found = read_graph(in);
  // deflate makes at most 1032 bytes of one.
  check_graph(found, std::size_t{1032} * (bytes.size() + 1));
  check_round_trip(found.graph);
}

}  // namespace repsc::fuzz
