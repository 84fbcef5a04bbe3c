// Unfolds the upper triangle into the whole matrix, bucket by bucket on all threads.
#include "graph/unfold.hpp"

#include "graph/at.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace repsc {
namespace {

// The entries above the diagonal by buckets of their columns, in ascending order of their rows.
struct Columns {
  Pages<RowBuckets::Row> columns;
  Pages<Index> rows;
  Pages<double> weights;
};

Columns transpose(const Triangle& upper, MergeResult& merged) {
  merged.columns.settle();
  const std::size_t size = merged.columns.size();
  Columns lower{Pages<RowBuckets::Row>(size), Pages<Index>(size),
                Pages<double>(merged.weighted ? size : 0)};
  for_runs(merged.runs, [&](std::size_t run, std::size_t first, std::size_t last) {
    Offset* const places = merged.columns.of(run);
    for (std::size_t bucket = first; bucket < last; ++bucket) {
      std::size_t i = upper.places.begin(bucket);
      for (Index u = upper.buckets.first(bucket); u < upper.buckets.last(bucket); ++u) {
        for (const std::size_t end = i + at(upper.lengths[at(u)]); i < end; ++i) {
          const Index v = neighbor(upper.entries[i]);
          if (v == u) continue;
          const std::size_t column = upper.buckets.of(v);
          const std::size_t place = at(places[column]++);
          lower.columns[place] = upper.buckets.within(column, v);
          lower.rows[place] = u;
          if (merged.weighted) lower.weights[place] = upper.weights[i];
        }
      }
    }
  });
  return lower;
}

// The arrays of the result.
struct CsrPages {
  Pages<Offset> offsets;
  Pages<Index> neighbors;
  Pages<double> weights;
};

// Fills the rows of one bucket after the other.
class Unfolding {
 public:
  Unfolding(Triangle& upper, Columns& lower, const BucketPlaces& columns, CsrPages& result,
            bool add_loops)
      : upper_(upper), lower_(lower), columns_(columns), result_(result), add_loops_(add_loops) {}

  /// Row i is [u < i ascending, i itself, v > i ascending].
  void fill(std::size_t bucket, Offset begin) {
    const Index first = upper_.buckets.first(bucket);
    const Index last = upper_.buckets.last(bucket);
    find_rows(bucket, begin);
    for (std::size_t i = columns_.begin(bucket); i < columns_.end(bucket); ++i) {
      const std::size_t place = at(next_[lower_.columns[i]]++);
      result_.neighbors[place] = lower_.rows[i];
      if (weighted()) result_.weights[place] = lower_.weights[i];
    }
    std::size_t i = upper_.places.begin(bucket);
    for (Index u = first; u < last; ++u) {
      std::size_t place = at(next_[at(u - first)]);
      if (add_loops_) put(place++, u, 1.0);
      for (const std::size_t end = i + at(upper_.lengths[at(u)]); i < end; ++i) {
        const Index v = neighbor(upper_.entries[i]);
        if (v == u && add_loops_) continue;
        put(place++, v, weighted() ? upper_.weights[i] : 1.0);
      }
    }
    release(bucket);
  }

 private:
  [[nodiscard]] bool weighted() const { return !result_.weights.empty(); }

  void put(std::size_t place, Index column, double weight) {
    result_.neighbors[place] = column;
    if (weighted()) result_.weights[place] = weight;
  }

  // next_: where each row begins; also the offsets of the result, each row's end.
  void find_rows(std::size_t bucket, Offset begin) {
    const Index first = upper_.buckets.first(bucket);
    const Index last = upper_.buckets.last(bucket);
    next_.assign(at(last - first), 0);
    for (std::size_t i = columns_.begin(bucket); i < columns_.end(bucket); ++i) {
      ++next_[lower_.columns[i]];
    }
    std::size_t i = upper_.places.begin(bucket);
    for (Index u = first; u < last; ++u) {
      const Offset own = upper_.lengths[at(u)];
      const bool loop = own > 0 && neighbor(upper_.entries[i]) == u;
      const Offset length = next_[at(u - first)] + own + Offset{add_loops_ && !loop};
      next_[at(u - first)] = begin;
      begin += length;
      result_.offsets[at(u) + 1] = begin;
      i += at(own);
    }
  }

  void release(std::size_t bucket) {
    const std::size_t begin = upper_.places.begin(bucket);
    const std::size_t end = upper_.places.end(bucket);
    upper_.entries.release(begin, end);
    if (!upper_.weights.empty()) upper_.weights.release(begin, end);
    lower_.rows.release(columns_.begin(bucket), columns_.end(bucket));
    if (weighted()) lower_.weights.release(columns_.begin(bucket), columns_.end(bucket));
  }

  Triangle& upper_;
  Columns& lower_;
  const BucketPlaces& columns_;
  CsrPages& result_;
  bool add_loops_;
  std::vector<Offset> next_;
};

}  // namespace

Graph unfold(Triangle& upper, MergeResult& merged, bool add_loops, NodeNames names) {
  Columns lower = transpose(upper, merged);
  const std::size_t num_buckets = upper.buckets.count();
  std::vector<Offset> begin(num_buckets + 1);
  for (std::size_t bucket = 0; bucket < num_buckets; ++bucket) {
    Offset own = merged.added_loops[bucket];
    for (Index u = upper.buckets.first(bucket); u < upper.buckets.last(bucket); ++u) {
      own += upper.lengths[at(u)];
    }
    begin[bucket + 1] =
        begin[bucket] + own +
        static_cast<Offset>(merged.columns.end(bucket) - merged.columns.begin(bucket));
  }
  const std::size_t size = at(begin.back());
  auto result = std::make_shared<CsrPages>(CsrPages{Pages<Offset>(upper.lengths.size() + 1),
                                                    Pages<Index>(size),
                                                    Pages<double>(merged.weighted ? size : 0)});
  for_runs(merged.runs, [&](std::size_t, std::size_t first, std::size_t last) {
    Unfolding unfolding(upper, lower, merged.columns, *result, add_loops);
    for (std::size_t bucket = first; bucket < last; ++bucket) {
      unfolding.fill(bucket, begin[bucket]);
    }
  });
  return {result->offsets.values(), result->neighbors.values(), result->weights.values(), result,
          std::move(names)};
}

}  // namespace repsc
