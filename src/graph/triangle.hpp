// The upper triangle of an undirected graph: every pair u <= v once, in row u.
#pragma once

#include <optional>
#include <string>

#include "core/pages.hpp"
#include "graph/row_buckets.hpp"
#include "repsc/graph.hpp"

namespace repsc {

/// A neighbour v >= u in row u. The last bit says that the edge was given as (v, u): 31 + 1 bits.
using Entry = std::uint32_t;
inline Entry entry(Index neighbor, bool reversed) {
  return (static_cast<Entry>(neighbor) << 1U) | static_cast<Entry>(reversed);
}
inline Index neighbor(Entry entry) { return static_cast<Index>(entry >> 1U); }
inline bool reversed(Entry entry) { return (entry & 1U) != 0; }

/// Entries that were put into buckets of rows. Within a bucket they are in the order in which they
/// were given, then sorted by rows and neighbours.
struct Triangle {
  RowBuckets buckets;
  BucketPlaces places;          ///< where each bucket begins
  Pages<RowBuckets::Row> rows;  ///< of the entries, until they are sorted
  Pages<Entry> entries;
  Pages<double> weights;    ///< empty: all 1
  Pages<Offset> lengths;    ///< entries of each row, once sorted
  bool has_copies = false;  ///< whether a pair was given twice in the same direction

  [[nodiscard]] Index num_nodes() const { return static_cast<Index>(lengths.size()); }
};

/// Entries -> rows in ascending order. Stable, so that equal pairs keep the order in which they
/// were given and sums are reproducible.
void sort_rows(Triangle& upper);

/// What merging the copies of pairs found.
struct MergeResult {
  GraphChanges changes;           ///< the counts of merged and dropped edges
  std::optional<Edge> one_sided;  ///< the first pair that was given in one direction only
  Offset in_both_directions = 0;
  bool weighted = false;            ///< whether a weight is not 1
  std::vector<Offset> added_loops;  ///< of each bucket: rows that have no self-loop and get one
  std::vector<std::size_t> runs;    ///< buckets in runs, see for_runs()
  BucketPlaces columns;             ///< where the entries of each run go, by buckets of columns
};

/// Merges the copies of each pair; with `add_loops`, sets self-loops to 1. Throws InvalidInput if
/// weights add up to infinity.
[[nodiscard]] MergeResult merge_copies(Triangle& upper, bool add_loops, const NodeNames& names,
                                       const std::string& source);

}  // namespace repsc
