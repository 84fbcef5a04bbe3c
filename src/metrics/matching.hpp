// The assignment problem: which row goes with which column.
#pragma once

#include <cstdint>

#include "repsc/metrics.hpp"

namespace repsc {

/// The largest sum of entries of `table`, none below 0, no two in the same row or column. O(n^2 m)
/// time for n rows and m >= n columns (or the other way round).
[[nodiscard]] std::int64_t largest_matching(const CountMatrix& table);

}  // namespace repsc
