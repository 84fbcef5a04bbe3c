// Rows of a matrix in buckets: consecutive rows with about as many entries as fit into the cache of
// a core. Entries that are first put into buckets, and then into rows, are never written to random
// places of the memory, and threads share the buckets.
//
// The order within a bucket is that in which the entries were given, whatever the number of
// threads: entries come in consecutive runs, and each run has its own place in every bucket.
#pragma once

#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "repsc/graph.hpp"

namespace repsc {

/// Cells are equally many rows each; buckets consist of cells.
class RowCells {
 public:
  explicit RowCells(Index num_rows);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t of(Index row) const { return static_cast<std::size_t>(row) >> shift_; }
  /// The first row of a cell; num_rows for cell = count().
  [[nodiscard]] Index first(std::size_t cell) const;

 private:
  Index num_rows_;
  unsigned shift_ = 0;
  std::size_t count_;
};

class RowBuckets {
 public:
  /// The row of an entry within its bucket: a bucket has at most 2^16 rows.
  using Row = std::uint16_t;

  /// Buckets with about equal sums of `entries`, which are given for each cell.
  RowBuckets(const RowCells& cells, const std::vector<Offset>& entries);

  [[nodiscard]] std::size_t count() const { return first_.size() - 1; }
  [[nodiscard]] std::size_t of(Index row) const { return of_cell_[cells_.of(row)]; }
  [[nodiscard]] std::size_t of_cell(std::size_t cell) const { return of_cell_[cell]; }
  /// The rows of a bucket: [first, last).
  [[nodiscard]] Index first(std::size_t bucket) const { return first_[bucket]; }
  [[nodiscard]] Index last(std::size_t bucket) const { return first_[bucket + 1]; }
  [[nodiscard]] Row within(std::size_t bucket, Index row) const {
    return static_cast<Row>(row - first_[bucket]);
  }

 private:
  RowCells cells_;
  std::vector<std::uint16_t> of_cell_;
  std::vector<Index> first_;
};

/// Where the entries of each run go in an array that is ordered by buckets, then by runs.
class BucketPlaces {
 public:
  BucketPlaces(std::size_t num_runs, std::size_t num_buckets)
      : buckets_(num_buckets), places_(num_runs * num_buckets), begin_(num_buckets + 1) {}

  /// For each bucket: first the number of entries of the run, after settle() the place of its next
  /// entry.
  [[nodiscard]] Offset* of(std::size_t run) { return places_.data() + run * buckets_; }
  /// Numbers -> places.
  void settle();
  /// The entries of a bucket are [begin, end), once settled.
  [[nodiscard]] std::size_t begin(std::size_t bucket) const {
    return static_cast<std::size_t>(begin_[bucket]);
  }
  [[nodiscard]] std::size_t end(std::size_t bucket) const { return begin(bucket + 1); }
  [[nodiscard]] std::size_t size() const { return begin(buckets_); }

 private:
  std::size_t buckets_;
  std::vector<Offset> places_;
  std::vector<Offset> begin_;
};

/// The ends of runs of consecutive items with about equal sums of `sizes`: enough runs to keep all
/// threads busy to the end.
[[nodiscard]] std::vector<std::size_t> even_runs(const std::vector<Offset>& sizes);

/// Calls body(run, first, last) for the runs on all threads; run r is [ends[r - 1], ends[r]).
template <typename Body>
void for_runs(const std::vector<std::size_t>& ends, const Body& body) {
  parallel_chunks(static_cast<std::int64_t>(ends.size()), [&](std::int64_t chunk) {
    const auto run = static_cast<std::size_t>(chunk);
    body(run, run == 0 ? std::size_t{0} : ends[run - 1], ends[run]);
  });
}

}  // namespace repsc
