// Writes .rgraph files: the blocks one after the other, then the header that describes them.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/parallel.hpp"
#include "core/text.hpp"
#include "io/atomic_file.hpp"
#include "io/formats.hpp"
#include "io/gaps.hpp"
#include "io/rgraph.hpp"

namespace repsc {
namespace {

using rgraph::Block;
using rgraph::Header;

class BlockWriter {
 public:
  BlockWriter(const std::string& path, std::uint32_t flags) : path_(path), file_(path) {
    require_file(!file_.temporary_path().empty(), path == "-" ? "standard output" : path,
                 "an .rgraph file cannot be written to a pipe or a device");
    descriptor_ = ::open(file_.temporary_path().c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail();
    header_.flags = flags;
    header_.num_blocks = static_cast<std::uint32_t>(rgraph::block_names(flags).size());
    place_ = sizeof(Header) + header_.num_blocks * sizeof(Block);
  }
  ~BlockWriter() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  Header& header() { return header_; }

  void begin(std::string_view name) {
    place_ = rgraph::aligned(place_);
    Block block{.begin = place_};
    std::copy(name.begin(), name.end(), block.name.begin());
    table_.push_back(block);
  }

  void append(const void* data, std::size_t bytes) {
    const auto* next = static_cast<const std::byte*>(data);
    table_.back().bytes += bytes;
    while (bytes > 0) {
      const std::size_t now = std::min(bytes, rgraph::piece_bytes - piece_.size());
      if (now == rgraph::piece_bytes) {
        write_piece(next, now);
      } else {
        piece_.insert(piece_.end(), next, next + now);
        if (piece_.size() == rgraph::piece_bytes) write_collected();
      }
      next += now;
      bytes -= now;
    }
  }

  void end() {
    if (!piece_.empty()) write_collected();
    table_.back().checksum = rgraph::checksum_of(checksums_);
    checksums_.clear();
  }

  template <typename Value>
  void block(std::string_view name, std::span<const Value> values) {
    begin(name);
    append(values.data(), values.size_bytes());
    end();
  }

  void commit() {
    // Where the last block is empty, nothing was written behind the zeros in front of it.
    if (::ftruncate(descriptor_, static_cast<off_t>(place_)) != 0) fail();
    header_.file_bytes = place_;
    header_.checksum = rgraph::checksum_of(header_, table_);
    write(&header_, sizeof header_, 0);
    write(table_.data(), table_.size() * sizeof(Block), sizeof header_);
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail();
    file_.commit();
  }

 private:
  void write_collected() {
    write_piece(piece_.data(), piece_.size());
    piece_.clear();
  }

  void write_piece(const std::byte* data, std::size_t bytes) {
    checksums_.push_back(crc32c(data, bytes));
    write(data, bytes, place_);
    place_ += bytes;
  }

  void write(const void* data, std::size_t bytes, std::uint64_t place) {
    const auto* next = static_cast<const std::byte*>(data);
    while (bytes > 0) {
      const ssize_t written = ::pwrite(descriptor_, next, bytes, static_cast<off_t>(place));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      next += written;
      place += static_cast<std::uint64_t>(written);
      bytes -= static_cast<std::size_t>(written);
    }
  }

  [[noreturn]] void fail() const {
    throw IoError(path_ + ": cannot write: " + std::strerror(errno));
  }

  std::string path_;
  AtomicFile file_;
  int descriptor_ = -1;
  Header header_;
  std::vector<Block> table_;
  std::uint64_t place_ = 0;
  std::vector<std::byte> piece_;          // the beginning of one, of the last block
  std::vector<std::uint32_t> checksums_;  // of the pieces before it
};

// Groups of rows are encoded on all threads and written in order.
void write_gaps(const Graph& graph, BlockWriter& out) {
  std::vector<Index> degrees;
  degrees.reserve(static_cast<std::size_t>(graph.num_nodes()));
  for (Index u = 0; u < graph.num_nodes(); ++u) {
    degrees.push_back(static_cast<Index>(graph.neighbors(u).size()));
  }
  out.block<Index>("degrees", degrees);
  const std::int64_t rows = graph.num_nodes();
  const std::int64_t groups = (rows + rgraph::rows_per_place - 1) / rgraph::rows_per_place;
  const auto encoded = [&](std::int64_t group) {
    std::vector<std::byte> bytes;
    const std::int64_t end = std::min(rows, (group + 1) * rgraph::rows_per_place);
    for (auto u = static_cast<Index>(group * rgraph::rows_per_place); u < end; ++u) {
      put_gaps(u, graph.neighbors(u), bytes);
    }
    return bytes;
  };
  std::vector<std::uint64_t> places{0};
  out.begin("gaps");
  std::vector<std::vector<std::byte>> parts(static_cast<std::size_t>(groups));
  parallel_in_order(
      groups, [&](std::int64_t group) { parts[static_cast<std::size_t>(group)] = encoded(group); },
      [&](std::int64_t group) {
        std::vector<std::byte>& part = parts[static_cast<std::size_t>(group)];
        out.append(part.data(), part.size());
        places.push_back(places.back() + part.size());
        std::vector<std::byte>().swap(part);
      });
  out.end();
  out.block<std::uint64_t>("places", places);
}

void write_names(const NodeNames& names, const std::string& path, BlockWriter& out) {
  std::vector<std::uint64_t> ends;
  ends.reserve(static_cast<std::size_t>(names.size()));
  std::uint64_t end = 0;
  for (Index node = 0; node < names.size(); ++node) {
    const std::string_view name = names.view(node);
    if (has_control_character(name)) {
      throw InvalidInput(
          Fault{.what = "an .rgraph file cannot contain the node name " + in_quotes(name),
                .remedies = {advice("rename the node: no control characters")},
                .where = path});
    }
    ends.push_back(end += name.size());
  }
  out.block<std::uint64_t>("name-ends", ends);
  out.begin("names");
  for (Index node = 0; node < names.size(); ++node) {
    const std::string_view name = names.view(node);
    out.append(name.data(), name.size());
  }
  out.end();
}

// The first of names that are first, first + 1, ... in this order; nothing for other names.
std::optional<Index> consecutive_from(const NodeNames& names) {
  if (names.implied()) return names.first();
  const std::optional<Index> first = numbered_from(names);
  if (!first) return std::nullopt;
  const NodeNames numbers(names.size(), *first);
  for (Index node = 0; node < names.size(); ++node) {
    if (names.view(node) != numbers[node]) return std::nullopt;
  }
  return first;
}

}  // namespace

bool has_control_character(std::string_view name) {
  return std::any_of(name.begin(), name.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7f;
  });
}

void write_rgraph(const Graph& graph, const std::string& path, Neighbors neighbors) {
  const std::optional<Index> first = consecutive_from(graph.names());
  const std::uint32_t flags = (graph.weighted() ? rgraph::weighted : 0U) |
                              (neighbors == Neighbors::gaps ? rgraph::with_gaps : 0U) |
                              (first ? 0U : rgraph::named);
  BlockWriter out(path, flags);
  out.header().num_nodes = static_cast<std::uint64_t>(graph.num_nodes());
  out.header().num_entries = static_cast<std::uint64_t>(graph.num_entries());
  out.header().num_self_loops = static_cast<std::uint64_t>(graph.num_self_loops());
  out.header().first_name = first.value_or(0);
  if (neighbors == Neighbors::gaps) {
    write_gaps(graph, out);
  } else {
    out.block("offsets", graph.offsets());
    out.block("neighbors", graph.neighbors());
  }
  if (graph.weighted()) out.block("weights", graph.weights());
  if (!first) write_names(graph.names(), path, out);
  out.commit();
}

}  // namespace repsc
