// Sorts the rows of the upper triangle, and merges copies of pairs, bucket by bucket on all
// threads.
#include "graph/triangle.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tuple>

#include "graph/at.hpp"
#include "graph/merge_edges.hpp"

namespace repsc {
namespace {

// Sorts one bucket after the other; keeps its memory between them.
class BucketSorter {
 public:
  explicit BucketSorter(Triangle& upper) : upper_(upper) {}

  /// Returns whether a pair was given twice in the same direction.
  bool sort(std::size_t bucket) {
    begin_ = upper_.places.begin(bucket);
    count_ = upper_.places.end(bucket) - begin_;
    scatter(upper_.buckets.first(bucket), upper_.buckets.last(bucket));
    bool copies = false;
    for (std::size_t row = 0; row + 1 < ends_.size(); ++row) {
      copies |= sort_row(row == 0 ? 0 : at(ends_[row - 1]), at(ends_[row]));
    }
    return copies;
  }

 private:
  // Moves the entries into rows: [ends_[row - 1], ends_[row]) of the bucket.
  void scatter(Index first, Index last) {
    ends_.assign(at(last - first) + 1, 0);
    const RowBuckets::Row* const rows = upper_.rows.data() + begin_;
    for (std::size_t i = 0; i < count_; ++i) ++ends_[rows[i] + std::size_t{1}];
    for (std::size_t row = 1; row < ends_.size(); ++row) {
      upper_.lengths[at(first) + row - 1] = ends_[row];
      ends_[row] += ends_[row - 1];
    }
    Entry* const entries = upper_.entries.data() + begin_;
    given_.assign(entries, entries + count_);
    if (upper_.weights.empty()) {
      for (std::size_t i = 0; i < count_; ++i) entries[at(ends_[rows[i]]++)] = given_[i];
      return;
    }
    double* const weights = upper_.weights.data() + begin_;
    given_weights_.assign(weights, weights + count_);
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t place = at(ends_[rows[i]]++);
      entries[place] = given_[i];
      weights[place] = given_weights_[i];
    }
  }

  bool sort_row(std::size_t begin, std::size_t end) {
    Entry* const entries = upper_.entries.data() + begin_;
    if (upper_.weights.empty()) {
      std::sort(entries + begin, entries + end);
    } else if (!std::is_sorted(entries + begin, entries + end)) {
      double* const weights = upper_.weights.data() + begin_;
      row_.clear();
      for (std::size_t i = begin; i < end; ++i) row_.emplace_back(entries[i], weights[i]);
      std::stable_sort(row_.begin(), row_.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::size_t i = begin; i < end; ++i) {
        std::tie(entries[i], weights[i]) = row_[i - begin];
      }
    }
    return std::adjacent_find(entries + begin, entries + end) != entries + end;
  }

  Triangle& upper_;
  std::size_t begin_ = 0;
  std::size_t count_ = 0;
  std::vector<Offset> ends_;
  std::vector<Entry> given_;
  std::vector<double> given_weights_;
  std::vector<std::pair<Entry, double>> row_;
};

std::vector<std::size_t> runs_of_buckets(const Triangle& upper) {
  std::vector<Offset> sizes;
  sizes.reserve(upper.buckets.count());
  for (std::size_t bucket = 0; bucket < upper.buckets.count(); ++bucket) {
    sizes.push_back(static_cast<Offset>(upper.places.end(bucket) - upper.places.begin(bucket)));
  }
  return even_runs(sizes);
}

// What merging found in one bucket.
struct BucketOutcome {
  GraphChanges changes;
  std::optional<Edge> one_sided;
  Offset in_both_directions = 0;
  Offset added_loops = 0;
  bool weighted = false;
  std::optional<Edge> infinite;  // the first pair whose weights add up to infinity
};

// The merged entries of a bucket take the place of the given ones: the write position never passes
// the read position. columns[b] counts those above the diagonal, by the bucket of their neighbour.
class BucketMerger {
 public:
  BucketMerger(Triangle& upper, bool add_loops, Offset* columns)
      : upper_(upper), add_loops_(add_loops), columns_(columns) {}

  BucketOutcome merge(std::size_t bucket) {
    BucketOutcome outcome;
    const Merged merged{outcome.changes, outcome.one_sided, outcome.in_both_directions};
    std::size_t read = upper_.places.begin(bucket);
    write_ = read;
    for (Index u = upper_.buckets.first(bucket); u < upper_.buckets.last(bucket); ++u) {
      const std::size_t first = write_;
      const std::size_t end = read + at(upper_.lengths[at(u)]);
      while (read < end) read = merge_pair(u, read, end, merged, outcome);
      if (add_loops_) set_loop(u, first, outcome);
      for (std::size_t i = first; i < write_ && !outcome.weighted && weighted(); ++i) {
        outcome.weighted = upper_.weights[i] != 1;
      }
      upper_.lengths[at(u)] = static_cast<Offset>(write_ - first);
    }
    return outcome;
  }

 private:
  [[nodiscard]] bool weighted() const { return !upper_.weights.empty(); }

  // Returns where the next pair begins.
  std::size_t merge_pair(Index u, std::size_t read, std::size_t end, const Merged& merged,
                         BucketOutcome& outcome) {
    const Index v = neighbor(upper_.entries[read]);
    Copies copies;
    for (; read < end && neighbor(upper_.entries[read]) == v; ++read) {
      const int direction = reversed(upper_.entries[read]) ? 1 : 0;
      ++copies.count[direction];
      if (weighted()) {
        copies.weight[direction] += upper_.weights[read];
      } else {
        copies.weight[direction] = 1;
      }
    }
    const double weight = merged(u, v, copies);
    upper_.entries[write_] = entry(v, false);
    if (weighted()) {
      upper_.weights[write_] = weight;
      if (!std::isfinite(weight) && !outcome.infinite) outcome.infinite = Edge{u, v};
    }
    ++write_;
    if (u != v) ++columns_[upper_.buckets.of(v)];
    return read;
  }

  // R_ii = 1 for every node.
  void set_loop(Index u, std::size_t first, BucketOutcome& outcome) {
    const bool loop = first < write_ && neighbor(upper_.entries[first]) == u;
    if (loop && (!weighted() || upper_.weights[first] == 1)) return;
    ++outcome.changes.self_loops_added;
    if (loop) {
      ++outcome.changes.self_loops_dropped;
      upper_.weights[first] = 1;
    } else {
      ++outcome.added_loops;
    }
  }

  Triangle& upper_;
  bool add_loops_;
  Offset* columns_;
  std::size_t write_ = 0;
};

void add(GraphChanges& sum, const GraphChanges& changes) {
  sum.self_loops_dropped += changes.self_loops_dropped;
  sum.self_loops_added += changes.self_loops_added;
  sum.duplicates_merged += changes.duplicates_merged;
  sum.directions_merged += changes.directions_merged;
  sum.directions_dropped += changes.directions_dropped;
}

}  // namespace

void sort_rows(Triangle& upper) {
  std::atomic<bool> copies = false;
  for_runs(runs_of_buckets(upper), [&](std::size_t, std::size_t first, std::size_t last) {
    BucketSorter sorter(upper);
    for (std::size_t bucket = first; bucket < last; ++bucket) {
      if (sorter.sort(bucket)) copies = true;
    }
  });
  upper.has_copies = copies;
  upper.rows = {};
}

MergeResult merge_copies(Triangle& upper, bool add_loops, const NodeNames& names,
                         const std::string& source) {
  const std::size_t num_buckets = upper.buckets.count();
  std::vector<std::size_t> runs = runs_of_buckets(upper);
  BucketPlaces columns(runs.size(), num_buckets);
  std::vector<BucketOutcome> outcomes(num_buckets);
  for_runs(runs, [&](std::size_t run, std::size_t first, std::size_t last) {
    BucketMerger merger(upper, add_loops, columns.of(run));
    for (std::size_t bucket = first; bucket < last; ++bucket) {
      outcomes[bucket] = merger.merge(bucket);
    }
  });
  MergeResult result{.changes = {},
                     .one_sided = {},
                     .added_loops = {},
                     .runs = std::move(runs),
                     .columns = std::move(columns)};
  for (const BucketOutcome& outcome : outcomes) {
    if (outcome.infinite) {
      require_finite_sum(INFINITY, outcome.infinite->from, outcome.infinite->to, names, source);
    }
    add(result.changes, outcome.changes);
    if (!result.one_sided) result.one_sided = outcome.one_sided;
    result.in_both_directions += outcome.in_both_directions;
    result.added_loops.push_back(outcome.added_loops);
    result.weighted |= outcome.weighted;
  }
  // Edges that are all given in one direction may well have none.
  if (result.in_both_directions == 0) result.changes.directions_dropped = 0;
  return result;
}

}  // namespace repsc
