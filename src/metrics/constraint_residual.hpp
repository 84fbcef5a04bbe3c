// One row of R J H, for the membership matrix H of given labels.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "metrics/tally.hpp"
#include "repsc/graph.hpp"

namespace repsc {

/// A power of two that brings the largest weight to about 1, so that no square overflows or
/// vanishes and no digit is lost; 1 without weights.
[[nodiscard]] double unit_of_squares(const Graph& R);

/// N^2 times the squared norm of the row of R J H that `row` tallies, d the sum of the row.
template <typename Value>
double scaled_row_norm(const ClusterTally<Value>& row, Value d, const std::vector<Index>& sizes,
                       Index N) {
  double sum = 0;
  Index untouched = N;
  for (const Label k : row.touched()) {
    const Index n = sizes[static_cast<std::size_t>(k)];
    const auto difference = static_cast<double>(static_cast<Value>(N) * row[k] - d * n);
    sum += difference * difference / n;
    untouched -= n;
  }
  const auto total = static_cast<double>(d);
  return sum + total * total * untouched;
}

/// The residual, from the sum of scaled_row_norm() over all rows and the squared norm of R. R = 0
/// constrains nothing.
inline double scaled_residual(double squared_RJH, double squared_R, Index N) {
  return (squared_R > 0 ? std::sqrt(squared_RJH / squared_R) : 0) / std::max(N, Index{1});
}

}  // namespace repsc
