// A small weighted sample that k-means can run on in place of all rows.
#pragma once

#include <vector>

#include "core/random.hpp"
#include "repsc/core.hpp"

namespace repsc {

struct WeightedRows {
  Matrix points;
  std::vector<double> weights;  ///< how many rows each one stands for
  std::vector<Index> rows;      ///< which ones they are, ascending
  std::int64_t stride = 1;      ///< rows for each one that is drawn, about
};

/// Rows to draw.
[[nodiscard]] constexpr std::int64_t sample_size(int num_clusters) {
  return 16'384 + 512 * std::int64_t{num_clusters};
}
[[nodiscard]] constexpr std::int64_t rows_worth_sampling(int num_clusters) {
  return 4 * sample_size(num_clusters);
}

/// What the sample of a seed depends on: a stream that no restart uses.
[[nodiscard]] inline std::uint64_t sample_key(std::uint64_t seed) {
  return RandomStream(seed, UINT64_MAX).bits();
}

/// How often a row is expected to be drawn: half uniform and half in proportion to its squared
/// distance from the mean of all rows (Bachem, Lucic and Krause 2018, "Scalable k-means clustering
/// via lightweight coresets"). Such a sample contains the few rows far away, which a uniform one
/// would miss.
struct Expected {
  /// `squared`: the sum over all rows.
  Expected(std::int64_t size, std::int64_t rows, double squared)
      : per_row((squared > 0 ? 0.5 : 1.0) * static_cast<double>(size) / static_cast<double>(rows)),
        per_squared(squared > 0 ? 0.5 * static_cast<double>(size) / squared : 0) {}

  [[nodiscard]] double draws(double squared) const { return per_row + per_squared * squared; }

  double per_row;
  double per_squared;
};

/// About `size` rows, in their order; each weighs the number of its draws over the number expected.
/// The inertia of the sample is then right on average for any centers. How often a row is drawn
/// depends on the key, the row and its chance alone, so that rounding hardly ever changes it.
[[nodiscard]] WeightedRows lightweight_coreset(const Matrix& points, std::int64_t size,
                                               std::uint64_t key);

}  // namespace repsc
