// Squared distances, always as a sum of squared differences: each is then accurate to a small
// relative error, which ||x||^2 - 2x'c + ||c||^2 is not for close points.
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

/// A bound, with a margin, of the relative error of a computed distance and of one operation on
/// bounds.
inline double distance_slack(Eigen::Index columns) {
  return 4 * static_cast<double>(columns + 8) * std::numeric_limits<double>::epsilon();
}

/// Centers laid out so that the compiler computes distances to eight of them at once, and to two,
/// four, six or eight in the last block (which halves the work for the few candidates of a
/// seeding).
class CenterBlocks {
 public:
  static constexpr int lanes = 8;

  explicit CenterBlocks(const Matrix& centers)
      : columns_(centers.cols()),
        blocks_((centers.rows() + lanes - 1) / lanes),
        last_pairs_(static_cast<int>((centers.rows() - 1) % lanes) / 2 + 1),
        values_(static_cast<std::size_t>(blocks_ * columns_ * lanes),
                std::numeric_limits<double>::infinity()) {
    for (Eigen::Index k = 0; k < centers.rows(); ++k) {
      double* block = values_.data() + (k / lanes) * columns_ * lanes;
      for (Eigen::Index j = 0; j < columns_; ++j) block[j * lanes + k % lanes] = centers(k, j);
    }
  }

  /// Room for distances(), a whole number of blocks, with infinity after the last center.
  [[nodiscard]] std::vector<double> room() const {
    return std::vector<double>(static_cast<std::size_t>(blocks_ * lanes),
                               std::numeric_limits<double>::infinity());
  }

  [[nodiscard]] bool single_block() const { return blocks_ <= 1; }

  /// result[k] = ||x - c_k||^2, into room(). The value of one k does not depend on the other
  /// centers.
  void distances(const double* x, double* result) const {
    const double* c = values_.data();
    for (Eigen::Index block = 1; block < blocks_; ++block) {
      distances_to<lanes>(x, c, result);
      c += columns_ * lanes;
      result += lanes;
    }
    switch (last_pairs_) {
      case 1:
        return distances_to<2>(x, c, result);
      case 2:
        return distances_to<4>(x, c, result);
      case 3:
        return distances_to<6>(x, c, result);
      default:
        return distances_to<lanes>(x, c, result);
    }
  }

 private:
  template <int width>
  void distances_to(const double* x, const double* c, double* result) const {
    double sum[width] = {};
    for (Eigen::Index j = 0; j < columns_; ++j, c += lanes) {
      for (int lane = 0; lane < width; ++lane) {
        const double difference = x[j] - c[lane];
        sum[lane] += difference * difference;
      }
    }
    for (int lane = 0; lane < width; ++lane) result[lane] = sum[lane];
  }

  Eigen::Index columns_;
  Eigen::Index blocks_;
  int last_pairs_;  // of lanes in use in the last block
  std::vector<double> values_;
};

}  // namespace repsc
