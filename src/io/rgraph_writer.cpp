// Writes .rgraph files: the blocks one after the other, then the header that describes them.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <numeric>

#include "core/parallel.hpp"
#include "core/text.hpp"
#include "graph/gaps.hpp"
#include "graph/row_storage.hpp"
#include "io/atomic_file.hpp"
#include "io/formats.hpp"
#include "io/rgraph.hpp"
#include "io/row_writer.hpp"

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
    current_ = table_.size() - 1;
  }

  void append(const void* data, std::size_t bytes) {
    const auto* next = static_cast<const std::byte*>(data);
    table_[current_].bytes += bytes;
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
    table_[current_].checksum = rgraph::checksum_of(checksums_);
    checksums_.clear();
  }

  template <typename Value>
  void block(std::string_view name, std::span<const Value> values) {
    begin(name);
    append(values.data(), values.size_bytes());
    end();
  }

  /// Leaves room for a block whose content is known later; returns its number.
  std::size_t reserve(std::string_view name, std::uint64_t bytes) {
    begin(name);
    table_[current_].bytes = bytes;
    place_ += bytes;
    return current_;
  }
  template <typename Value>
  void fill(std::size_t number, std::span<const Value> values) {
    const std::uint64_t behind = place_;
    current_ = number;
    table_[current_].bytes = 0;
    place_ = table_[current_].begin;
    append(values.data(), values.size_bytes());
    end();
    place_ = behind;
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
  std::size_t current_ = 0;  // block that is being written
  std::uint64_t place_ = 0;
  std::vector<std::byte> piece_;          // the beginning of one, of that block
  std::vector<std::uint32_t> checksums_;  // of the pieces before it
};

// Groups of rows are packed on all threads, by packed(group), and written in order.
template <typename Pack>
void write_groups(std::int64_t count, const Pack& packed, BlockWriter& out) {
  std::vector<std::uint64_t> places{0};
  out.begin("gaps");
  std::vector<std::vector<std::byte>> parts(static_cast<std::size_t>(count));
  parallel_in_order(
      count, [&](std::int64_t group) { parts[static_cast<std::size_t>(group)] = packed(group); },
      [&](std::int64_t group) {
        std::vector<std::byte>& part = parts[static_cast<std::size_t>(group)];
        out.append(part.data(), part.size());
        places.push_back(places.back() + part.size());
        std::vector<std::byte>().swap(part);
      });
  out.end();
  out.block<std::uint64_t>("places", places);
}

void write_gaps(const Graph& graph, BlockWriter& out) {
  std::vector<Index> degrees;
  degrees.reserve(static_cast<std::size_t>(graph.num_nodes()));
  for (Index u = 0; u < graph.num_nodes(); ++u) degrees.push_back(graph.num_neighbors(u));
  out.block<Index>("degrees", degrees);
  write_groups(
      num_groups(graph.num_nodes()), [&](std::int64_t group) { return packed_group(graph, group); },
      out);
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
    out.begin("neighbors");
    for_rows(graph, 0, graph.num_nodes(), [&](const RowTile& rows) {
      out.append(rows.first_neighbor,
                 static_cast<std::size_t>(rows.place(rows.end)) * sizeof(Index));
    });
    out.end();
  }
  if (graph.weighted()) out.block("weights", graph.weights());
  if (!first) write_names(graph.names(), path, out);
  out.commit();
}

void write_rows(const std::string& path, Index num_nodes, const RowSource& row) {
  BlockWriter out(path, rgraph::with_gaps);
  std::vector<Index> degrees(static_cast<std::size_t>(num_nodes));
  const std::size_t block = out.reserve("degrees", degrees.size() * sizeof(Index));
  std::atomic<Offset> loops = 0;
  const auto pack = [&](std::int64_t group) {
    std::vector<std::byte> bytes;
    std::vector<Index> neighbors;
    const std::int64_t begin = group * rows_per_place;
    const std::int64_t end = std::min<std::int64_t>(num_nodes, begin + rows_per_place);
    for (auto u = static_cast<Index>(begin); u < end; ++u) {
      neighbors.clear();
      row(u, neighbors);
      put_gaps(u, neighbors, bytes);
      degrees[static_cast<std::size_t>(u)] = static_cast<Index>(neighbors.size());
      loops += std::binary_search(neighbors.begin(), neighbors.end(), u) ? 1 : 0;
    }
    return bytes;
  };
  write_groups(num_groups(num_nodes), pack, out);
  out.fill<Index>(block, degrees);
  out.header().num_nodes = static_cast<std::uint64_t>(num_nodes);
  out.header().num_entries = std::accumulate(degrees.begin(), degrees.end(), std::uint64_t{0});
  out.header().num_self_loops = static_cast<std::uint64_t>(loops.load());
  out.commit();
}

}  // namespace repsc
