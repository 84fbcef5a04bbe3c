// Opens .rgraph files. Every number of the header is compared with the size of the file before it
// is used.
#include "io/rgraph_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "graph/row_storage.hpp"
#include "io/formats.hpp"
#include "io/lines.hpp"

namespace repsc {

using rgraph::Block;
using rgraph::Header;

RgraphFile::RgraphFile(const std::string& path) : path_(path) {
  map();
  read_header();
  read_table();
}

void RgraphFile::fail(std::string_view block, const std::string& what) const {
  throw InvalidInput(Fault{.what = fmt::format("block {}: {}", block, what),
                           .remedies = {advice("copy the file again, or convert the graph again")},
                           .where = path_});
}

std::int64_t RgraphFile::num_groups() const { return repsc::num_groups(num_nodes()); }

void RgraphFile::map() {
  if (path_ == "-") {
    throw InvalidInput(Fault{.what = "an .rgraph file cannot be read from a pipe",
                             .remedies = {advice("save it to a file first")},
                             .where = "standard input"});
  }
  struct Descriptor {
    int number;
    ~Descriptor() { ::close(number); }
  };
  const Descriptor descriptor{open_input(path_)};
  struct stat info {};
  const bool regular = ::fstat(descriptor.number, &info) == 0 && S_ISREG(info.st_mode);
  require_file(regular, path_, "an .rgraph file has to be a regular file, not a pipe");
  mapping_ = Mapping(descriptor.number, static_cast<std::size_t>(info.st_size), path_);
}

void RgraphFile::read_header() {
  const std::size_t beginning = std::min(mapping_.size(), rgraph::magic.size());
  if (beginning == 0 || std::memcmp(mapping_.data(), rgraph::magic.data(), beginning) != 0) {
    throw InvalidInput(
        Fault{.what = "not an .rgraph file",
              .remedies = {advice("give the file the ending of its format, or convert it")},
              .where = path_});
  }
  if (size() < sizeof(Header)) fail("header", "the file is truncated");
  std::memcpy(&header_, mapping_.data(), sizeof header_);
  require_file(header_.version == rgraph::version, path_, "version ", header_.version,
               " of .rgraph, but this program reads version ", rgraph::version);
  if ((header_.flags & ~rgraph::known_flags) != 0) fail("header", "unknown flags");
  names_of_blocks_ = rgraph::block_names(header_.flags);
  if (header_.num_blocks != names_of_blocks_.size()) {
    fail("header", fmt::format("it states {} blocks but {} are needed", header_.num_blocks,
                               names_of_blocks_.size()));
  }
  const std::size_t table_bytes = names_of_blocks_.size() * sizeof(Block);
  if (size() - sizeof(Header) < table_bytes) fail("header", "the file is truncated");
  table_.resize(names_of_blocks_.size());
  std::memcpy(table_.data(), mapping_.data() + sizeof(Header), table_bytes);
  if (rgraph::checksum_of(header_, table_) != header_.checksum) {
    fail("header", "its checksum is wrong, so it was changed");
  }
  check_numbers();
}

void RgraphFile::check_numbers() const {
  require_countable(header_.num_nodes, path_);
  constexpr auto most_entries =
      static_cast<std::uint64_t>(std::numeric_limits<Offset>::max()) / sizeof(double);
  if (header_.num_entries > most_entries || header_.num_self_loops > header_.num_nodes) {
    fail("header", fmt::format("{} entries and {} self-loops are impossible", header_.num_entries,
                               header_.num_self_loops));
  }
  if (header_.first_name < std::numeric_limits<Index>::min() ||
      header_.first_name > std::numeric_limits<Index>::max()) {
    fail("header", fmt::format("the first node is named {}", header_.first_name));
  }
}

// The number of bytes that a block must have, if that is known before.
std::optional<std::uint64_t> RgraphFile::expected_bytes(std::string_view name) const {
  const std::uint64_t rows = header_.num_nodes;
  if (name == "offsets") return sizeof(Offset) * (rows + 1);
  if (name == "neighbors") return sizeof(Index) * header_.num_entries;
  if (name == "weights") return sizeof(double) * header_.num_entries;
  if (name == "degrees") return sizeof(Index) * rows;
  if (name == "places") {
    return sizeof(std::uint64_t) * (static_cast<std::uint64_t>(num_groups()) + 1);
  }
  if (name == "name-ends") return sizeof(std::uint64_t) * rows;
  return std::nullopt;
}

// Blocks follow each other, with zeros up to the next multiple of the alignment.
void RgraphFile::read_table() {
  std::uint64_t place = sizeof(Header) + table_.size() * sizeof(Block);
  for (std::size_t i = 0; i < table_.size(); ++i) place = check_place(i, place);
  if (place != size() || place != header_.file_bytes) {
    fail("header", fmt::format("the file has {} bytes but {} are expected", size(), place));
  }
}

// Checks the block that comes next, at or after `place`; returns where it ends.
std::uint64_t RgraphFile::check_place(std::size_t number, std::uint64_t place) const {
  const std::string_view name = names_of_blocks_[number];
  const Block& block = table_[number];
  std::array<char, 32> named{};
  std::copy(name.begin(), name.end(), named.begin());
  if (block.name != named || block.unused != Block{}.unused) {
    fail(name, "it is not in its place in the table");
  }
  if (block.begin != rgraph::aligned(place)) fail(name, "it begins at a wrong place");
  const std::optional<std::uint64_t> expected = expected_bytes(name);
  if (expected && block.bytes != *expected) {
    fail(name, fmt::format("{} bytes but {} are expected", block.bytes, *expected));
  }
  if (block.begin > size() || block.bytes > size() - block.begin) {
    fail(name,
         fmt::format("the file is truncated: it has {} bytes of {}", size(), header_.file_bytes));
  }
  const std::byte* const data = mapping_.data();
  if (std::any_of(data + place, data + block.begin, [](std::byte b) { return b != std::byte{}; })) {
    fail(name, "the bytes in front of it are not 0");
  }
  return block.begin + block.bytes;
}

const Block& RgraphFile::block(std::string_view name) const {
  const auto found = std::find(names_of_blocks_.begin(), names_of_blocks_.end(), name);
  return table_[static_cast<std::size_t>(found - names_of_blocks_.begin())];
}

void RgraphFile::check_sums(const ProgressFn& progress, bool streamed) const {
  std::int64_t done = 0;
  const auto read = [&](std::span<const std::byte> bytes) {
    if (streamed) give_back_pages(bytes);
    done += static_cast<std::int64_t>(bytes.size());
    if (!progress) return;
    progress({.stage = "read", .done = done, .total = static_cast<std::int64_t>(size())});
  };
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const std::span<const std::byte> bytes = values<std::byte>(names_of_blocks_[i]);
    if (checksum(bytes, read) != table_[i].checksum) {
      fail(names_of_blocks_[i], "its checksum is wrong, so it was changed");
    }
  }
}

std::uint32_t RgraphFile::checksum(std::span<const std::byte> bytes,
                                   const std::function<void(std::span<const std::byte>)>& read) {
  constexpr std::size_t piece_bytes = rgraph::piece_bytes;
  std::vector<std::uint32_t> pieces((bytes.size() + piece_bytes - 1) / piece_bytes);
  const std::size_t at_once = 16 * static_cast<std::size_t>(num_threads());
  for (std::size_t first = 0; first < pieces.size(); first += at_once) {
    const std::size_t count = std::min(at_once, pieces.size() - first);
    const auto part = bytes.subspan(first * piece_bytes);
    parallel_chunks(static_cast<std::int64_t>(count), [&](std::int64_t offset) {
      const auto number = static_cast<std::size_t>(offset);
      const auto piece = part.subspan(number * piece_bytes);
      pieces[first + number] = crc32c(piece.data(), std::min(piece_bytes, piece.size()));
    });
    read(part.first(std::min(part.size(), count * piece_bytes)));
  }
  return rgraph::checksum_of(pieces);
}

}  // namespace repsc
