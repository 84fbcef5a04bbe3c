// Lloyd's iteration: assign every row to its nearest center, move centers to the means, repeat.
#pragma once

#include <functional>
#include <span>

#include "repsc/core.hpp"

namespace repsc {

struct LloydResult {
  Labels labels;       ///< every cluster has a point
  Matrix centers;      ///< the means of the clusters
  double inertia = 0;  ///< weighted sum of squared distances to the own center
  int iterations = 0;
};

/// Runs from `centers` until no label changes, the inertia falls by at most the fraction
/// `tolerance`, or `max_iterations`. Equal distances go to the lower center. A cluster that loses
/// all its points gets the row farthest from its own center, the lower row of equals.
///
/// Row i counts weights[i] > 0 in means and inertia, or 1 if there are no weights. Needs at
/// least as many rows as centers, and values small enough to square. `between` is called after each
/// iteration; false ends the run, and it may throw.
[[nodiscard]] LloydResult lloyd(const Matrix& points, Matrix centers, int max_iterations,
                                double tolerance, std::span<const double> weights = {},
                                const std::function<bool()>& between = {});

}  // namespace repsc
