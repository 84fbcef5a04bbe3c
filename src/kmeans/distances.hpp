// Squared distances, always as a sum of squared differences: every one is then accurate relative to
// itself, which ||x||^2 - 2x'c + ||c||^2 is not for close points.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "repsc/core.hpp"

namespace repsc {

/// ||x - y||^2 for two rows of `columns` numbers.
inline double squared_distance(const double* x, const double* y, Eigen::Index columns) {
  double sum = 0;
  for (Eigen::Index j = 0; j < columns; ++j) {
    const double difference = x[j] - y[j];
    sum += difference * difference;
  }
  return sum;
}

/// A few times the relative error of a computed distance and of one step of arithmetic on bounds.
inline double distance_slack(Eigen::Index columns) {
  return 4 * static_cast<double>(columns + 8) * std::numeric_limits<double>::epsilon();
}

/// Centers laid out so that the compiler computes distances to eight of them at once.
class CenterBlocks {
 public:
  static constexpr int lanes = 8;

  explicit CenterBlocks(const Matrix& centers)
      : columns_(centers.cols()),
        blocks_((centers.rows() + lanes - 1) / lanes),
        values_(static_cast<std::size_t>(blocks_ * columns_ * lanes),
                std::numeric_limits<double>::infinity()) {
    for (Eigen::Index k = 0; k < centers.rows(); ++k) {
      double* block = values_.data() + (k / lanes) * columns_ * lanes;
      for (Eigen::Index j = 0; j < columns_; ++j) block[j * lanes + k % lanes] = centers(k, j);
    }
  }

  /// Numbers that distances() writes: one a center, then infinity up to a whole block.
  [[nodiscard]] std::size_t padded_size() const {
    return static_cast<std::size_t>(blocks_ * lanes);
  }

  [[nodiscard]] bool single_block() const { return blocks_ <= 1; }

  /// result[k] = ||x - c_k||^2. The value of one k does not depend on the other centers.
  void distances(const double* x, double* result) const {
    const double* c = values_.data();
    for (Eigen::Index block = 0; block < blocks_; ++block, result += lanes) {
      double sum[lanes] = {};
      for (Eigen::Index j = 0; j < columns_; ++j, c += lanes) {
        for (int lane = 0; lane < lanes; ++lane) {
          const double difference = x[j] - c[lane];
          sum[lane] += difference * difference;
        }
      }
      for (int lane = 0; lane < lanes; ++lane) result[lane] = sum[lane];
    }
  }

 private:
  Eigen::Index columns_;
  Eigen::Index blocks_;
  std::vector<double> values_;
};

}  // namespace repsc
