// Rows in buckets of about equal numbers of entries.
#include "graph/row_buckets.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace repsc {
namespace {

constexpr unsigned most_rows_bits = 16;
constexpr unsigned cells_bits = 12;
// Entries that are sorted at once: 4 bytes each, 12 with weights, within a cache of 256 KB or more.
constexpr Offset bucket_entries = Offset{1} << 15U;
// More buckets than pages that the processor finds without looking them up make writing slow.
constexpr Offset most_buckets = 1024;

}  // namespace

RowCells::RowCells(Index num_rows) : num_rows_(num_rows) {
  const auto largest = static_cast<std::uint32_t>(std::max<Index>(num_rows, 1) - 1);
  const auto bits = static_cast<unsigned>(std::bit_width(largest));
  if (bits > cells_bits) shift_ = std::min(bits - cells_bits, most_rows_bits);
  count_ = (static_cast<std::size_t>(largest) >> shift_) + 1;
}

Index RowCells::first(std::size_t cell) const {
  return static_cast<Index>(std::min(cell << shift_, static_cast<std::size_t>(num_rows_)));
}

RowBuckets::RowBuckets(const RowCells& cells, const std::vector<Offset>& entries)
    : cells_(cells), of_cell_(cells.count()), first_{0} {
  Offset total = 0;
  for (const Offset count : entries) total += count;
  const Offset enough = std::max(bucket_entries, total / most_buckets);
  constexpr Index most_rows = Index{1} << most_rows_bits;
  Offset collected = 0;
  for (std::size_t cell = 0; cell < cells.count(); ++cell) {
    const bool full = collected >= enough || cells.first(cell + 1) - first_.back() > most_rows;
    if (full) {
      first_.push_back(cells.first(cell));
      collected = 0;
    }
    of_cell_[cell] = static_cast<std::uint16_t>(first_.size() - 1);
    collected += entries[cell];
  }
  first_.push_back(cells.first(cells.count()));
}

void BucketPlaces::settle() {
  Offset place = 0;
  for (std::size_t bucket = 0; bucket < buckets_; ++bucket) {
    begin_[bucket] = place;
    for (std::size_t at = bucket; at < places_.size(); at += buckets_) {
      place += std::exchange(places_[at], place);
    }
  }
  begin_[buckets_] = place;
}

std::vector<std::size_t> even_runs(const std::vector<Offset>& sizes) {
  constexpr Offset runs_per_thread = 4;
  Offset total = 0;
  for (const Offset size : sizes) total += size;
  const Offset enough = total / (runs_per_thread * num_threads()) + 1;
  std::vector<std::size_t> ends;
  Offset collected = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    collected += sizes[i];
    if (collected < enough && i + 1 < sizes.size()) continue;
    ends.push_back(i + 1);
    collected = 0;
  }
  return ends;
}

}  // namespace repsc
