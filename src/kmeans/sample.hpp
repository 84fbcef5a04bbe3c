// A small weighted sample that k-means can run on in place of all rows.
#pragma once

#include <vector>

#include "core/random.hpp"
#include "repsc/core.hpp"

namespace repsc {

struct WeightedRows {
  Matrix points;
  std::vector<double> weights;  ///< how many rows each one stands for
};

/// At most `size` different rows of `points`, in their order, drawn with probability half uniform
/// and half proportional to the squared distance from the mean of all rows; each weighs its count
/// over the count expected. The inertia of the sample is then right on average for any centers, and
/// the sample contains the few rows far away, which uniform sampling would miss (Bachem, Lucic and
/// Krause 2018, "Scalable k-means clustering via lightweight coresets").
[[nodiscard]] WeightedRows lightweight_coreset(const Matrix& points, std::int64_t size,
                                               RandomStream& random);

/// The share of row i is 1/N + ||x_i - mean||^2 / (their sum), its chance half of that.
struct ShareEnds {
  /// `squared`: the sum of the squared distances of each block of row_grain rows.
  ShareEnds(std::vector<double> squared, std::int64_t rows);

  [[nodiscard]] double total() const { return of_blocks.back(); }
  /// One position in each of `size` equal parts of [0, total()) (stratified): less variance than
  /// independent positions, and sorted.
  [[nodiscard]] std::vector<double> positions(std::int64_t size, RandomStream& random) const;

  std::vector<double> of_blocks;  ///< the sum of all shares up to the end of each block
  double per_squared = 0;         ///< 1 / (the sum of all squared distances)
};

}  // namespace repsc
