// The start of a run of k-means: rows chosen by greedy k-means++.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/random.hpp"
#include "kmeans/sample.hpp"
#include "repsc/core.hpp"

namespace repsc {

/// Consecutive rows, of which a row is drawn in two steps: the block, then the row.
struct RowBlock {
  std::uint64_t number = 0;  ///< what its random numbers depend on
  Index begin = 0;
  Index end = 0;
};

/// Blocks of a sample are ranges of all rows, so that they hardly change if a row is left out.
[[nodiscard]] std::vector<RowBlock> row_blocks(const WeightedRows& sample);

/// Rows that are tried for each center but the first.
[[nodiscard]] inline std::size_t num_candidates(int num_centers) {
  return 2 + static_cast<std::size_t>(std::log(num_centers));
}

/// Up to `count` rows at positive distance from each other. The first is uniform; each further one
/// is the best of 2 + floor(ln count) candidates drawn with probability proportional to the squared
/// distance to the rows chosen so far (Arthur and Vassilvitskii 2007, Section 7; scikit-learn's
/// default). Fewer than `count` are returned if all rows equal a chosen one. Points that differ by
/// rounding hardly ever change the choice (core/race.hpp), so that a device, other threads or other
/// ranks find the same clusters where there are many to be found.
///
/// `between` is called after each choice; false ends it with the rows chosen so far, and it may
/// throw.
[[nodiscard]] std::vector<Index> greedy_kmeanspp(const Matrix& points, int count,
                                                 RandomStream& random,
                                                 const std::function<bool()>& between = {});

/// The same for a sample; its rows count as many times as they weigh.
[[nodiscard]] std::vector<Index> greedy_kmeanspp(const WeightedRows& sample, int count,
                                                 RandomStream& random,
                                                 const std::function<bool()>& between = {});

/// Appends the first rows that differ in some value from all of `rows`, until there are `count`.
/// Throws InvalidInput, with the number of distinct rows, if `points` has fewer.
void complete_with_distinct_rows(const Matrix& points, int count, std::vector<Index>& rows);

}  // namespace repsc
