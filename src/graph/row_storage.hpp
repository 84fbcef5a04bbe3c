// Rows of a graph that are not simply an array in memory, and passes over the rows of any graph.
//
// Packed rows are gaps (graph/gaps.hpp), of which a thread unpacks a few thousand entries at a time
// into a tile that stays in its cache. Streamed rows lie in a mapped file that may be larger than
// the memory: a pass asks the system for what it will read soon, and gives back what it has read.
// Every second pass goes backward, so that it begins with what the system still has in memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "graph/gaps.hpp"
#include "repsc/graph.hpp"

namespace repsc {

/// Rows that are packed together: each of these groups has a place.
inline constexpr std::int64_t rows_per_place = 1024;

[[nodiscard]] inline std::int64_t num_groups(Index num_nodes) {
  return (std::int64_t{num_nodes} + rows_per_place - 1) / rows_per_place;
}

/// Rows as gaps. places[g] is where those of rows 1024 g, 1024 g + 1, ... begin in `bytes`; the
/// last is the number of bytes.
struct PackedRows {
  std::span<const std::byte> bytes;
  std::span<const std::uint64_t> places;
};

/// How a pass over rows in a mapped file treats its pages.
struct Streaming {
  bool on = false;
  std::int64_t ahead = std::int64_t{64} << 20U;  ///< bytes that are asked for before they are used
};

class RowStorage {
 public:
  /// `packed` without places: the neighbours are plain numbers. Otherwise the places ascend from 0
  /// to the number of bytes. `file` is the mapped file that has them, of which `path` is the name;
  /// without one, rows are in memory and not streamed.
  RowStorage(PackedRows packed, Streaming streaming, std::string path,
             std::span<const std::byte> file = {})
      : packed_(packed), streaming_(streaming), path_(std::move(path)), file_(file) {}

  [[nodiscard]] bool packed() const { return !packed_.places.empty(); }
  [[nodiscard]] const PackedRows& rows() const { return packed_; }
  [[nodiscard]] const Streaming& streaming() const { return streaming_; }
  [[nodiscard]] std::span<const std::byte> file() const { return file_; }

  /// All neighbours of a graph with packed rows, unpacked once. Throws MemoryLimitExceeded if they
  /// take more than 80 % of the free memory.
  [[nodiscard]] std::span<const Index> unpacked(const Graph& graph) const;

  /// Whether the next pass goes backward.
  [[nodiscard]] bool turn() const { return streaming_.on && backward_.fetch_xor(1) != 0; }

  /// Throws InvalidInput: the bytes are no rows.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  PackedRows packed_;
  Streaming streaming_;
  std::string path_;
  std::span<const std::byte> file_;
  mutable std::atomic<int> backward_ = 0;
  mutable std::mutex unpacking_;
  mutable Pages<Index> unpacked_;
  mutable std::atomic<bool> ready_ = false;
};

/// Consecutive rows of a graph.
struct RowTile {
  std::int64_t begin, end;      ///< rows
  const Offset* offsets;        ///< of all rows
  const Index* first_neighbor;  ///< of row `begin`
  const double* first_weight;   ///< the same; nullptr: all 1

  /// Where a row begins, counted from `first_neighbor`.
  [[nodiscard]] Offset place(std::int64_t row) const { return offsets[row] - offsets[begin]; }
  [[nodiscard]] std::size_t size(std::int64_t row) const {
    return static_cast<std::size_t>(offsets[row + 1] - offsets[row]);
  }
  [[nodiscard]] std::span<const Index> neighbors(std::int64_t row) const {
    return {first_neighbor + place(row), size(row)};
  }
  /// Empty: all 1.
  [[nodiscard]] std::span<const double> weights(std::int64_t row) const {
    if (first_weight == nullptr) return {};
    return {first_weight + place(row), size(row)};
  }
};

/// Unpacks rows one after the other.
class RowUnpacker {
 public:
  RowUnpacker(const Graph& graph, std::int64_t row);

  /// The next rows up to `end`, at least one: as many as have a few thousand entries. Valid until
  /// the next call.
  [[nodiscard]] RowTile next(std::int64_t end) {
    const Offset* const offsets = graph_.offsets().data();
    const std::int64_t begin = row_;
    // A row may be longer than a tile: it is unpacked as a whole.
    const Offset* const last =
        std::upper_bound(offsets + begin + 1, offsets + end, offsets[begin] + tile_entries);
    const std::int64_t stop = last - offsets;
    reserve(static_cast<std::size_t>(offsets[stop] - offsets[begin]));
    Index* place = room_.data();
    for (; row_ < stop; ++row_) {
      if (row_ % rows_per_place == 0) enter_group();
      const std::span<Index> row(place,
                                 static_cast<std::size_t>(offsets[row_ + 1] - offsets[row_]));
      if (!get_gaps(place_, group_end_, static_cast<Index>(row_), graph_.num_nodes(), row)) {
        fail_at_row();
      }
      place += row.size();
    }
    check_end();
    return {begin, stop, offsets, room_.data(), weights_from(begin)};
  }

 private:
  static constexpr Offset tile_entries = 4096;

  void enter_group();
  void check_end() const;
  [[noreturn]] void fail_at_row() const;
  void reserve(std::size_t entries) {
    if (room_.size() < entries) room_.resize(std::max<std::size_t>(entries, tile_entries));
  }
  [[nodiscard]] const double* weights_from(std::int64_t row) const {
    if (!graph_.weighted()) return nullptr;
    return graph_.weights().data() + graph_.offsets()[static_cast<std::size_t>(row)];
  }

  const Graph& graph_;
  const RowStorage& storage_;
  std::int64_t row_;  ///< the next
  const std::byte* place_ = nullptr;
  const std::byte* group_end_ = nullptr;
  std::vector<Index> room_;
};

/// Calls body(tile) for tiles that cover the rows [begin, end) in order: one tile if they are not
/// packed.
template <typename Body>
void for_rows(const Graph& graph, std::int64_t begin, std::int64_t end, const Body& body) {
  if (begin >= end) return;
  if (!graph.packed()) {
    const Offset first = graph.offsets()[static_cast<std::size_t>(begin)];
    body(RowTile{begin, end, graph.offsets().data(), graph.neighbors().data() + first,
                 graph.weighted() ? graph.weights().data() + first : nullptr});
    return;
  }
  RowUnpacker rows(graph, begin);
  for (std::int64_t row = begin; row < end;) {
    const RowTile tile = rows.next(end);
    body(tile);
    row = tile.end;
  }
}

/// One pass over all rows in ranges: their order, and the pages of those that are streamed.
class RowPass {
 public:
  struct Range {
    std::int64_t begin, end;
  };

  /// Ranges of about `grain` rows; of whole groups where rows are packed.
  RowPass(const Graph& graph, std::int64_t grain);

  [[nodiscard]] std::int64_t num_ranges() const { return num_ranges_; }
  [[nodiscard]] std::int64_t grain() const { return grain_; }
  /// The rows that come as number `turn`; asks for those that come soon after them.
  [[nodiscard]] Range begin(std::int64_t turn) const;
  /// Gives back what was read for them.
  void end(const Range& range) const;

 private:
  [[nodiscard]] Range range(std::int64_t turn) const;
  void advise(const Range& range, int advice) const;

  const Graph& graph_;
  std::int64_t grain_;
  std::int64_t num_ranges_;
  std::int64_t ahead_ = 0;  ///< ranges that are asked for in advance; 0: not streamed
  bool backward_ = false;
};

/// Calls body(begin, end) for ranges of all rows, on all threads and in any order.
template <typename Body>
void parallel_row_ranges(const Graph& graph, std::int64_t grain, const Body& body) {
  const RowPass pass(graph, grain);
  parallel_chunks(pass.num_ranges(), [&](std::int64_t turn) {
    const RowPass::Range rows = pass.begin(turn);
    body(rows.begin, rows.end);
    pass.end(rows);
  });
}

/// Calls body(tile) for tiles of all rows, on all threads and in any order.
template <typename Body>
void parallel_rows(const Graph& graph, std::int64_t grain, const Body& body) {
  parallel_row_ranges(graph, grain, [&](std::int64_t begin, std::int64_t end) {
    for_rows(graph, begin, end, body);
  });
}

/// The pages of a mapped file leave the memory of this process until they are used again; the
/// system keeps what it has of them. Does nothing to rows in memory.
void give_back_pages(const Graph& graph);

/// A copy whose rows are packed in memory.
[[nodiscard]] Graph packed(const Graph& graph);

/// The gaps of a group of rows.
[[nodiscard]] std::vector<std::byte> packed_group(const Graph& graph, std::int64_t group);

}  // namespace repsc
