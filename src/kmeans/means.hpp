// Means of clusters from sums over blocks of rows: a block is summed again only when a label in it
// has changed, and the blocks are added in order, so the means depend on the labels alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "repsc/core.hpp"

namespace repsc {

class ClusterMeans {
 public:
  /// Row i counts weights[i] > 0, or 1 if there are no weights. Both are kept by reference.
  ClusterMeans(const Matrix& points, std::span<const double> weights, int num_clusters);

  [[nodiscard]] std::int64_t rows_per_block() const { return rows_per_block_; }

  /// Sums the block of rows that starts at `begin`. Blocks may be summed at the same time.
  void sum_block(std::int64_t begin, const Labels& labels);

  /// Adds up the blocks.
  void combine();

  /// The sum of the weights of each cluster as of combine(); without weights, its size.
  [[nodiscard]] const std::vector<double>& masses() const { return masses_; }
  /// The mean of each cluster; a cluster without points keeps its row of `previous`.
  [[nodiscard]] Matrix means(const Matrix& previous) const;

 private:
  const Matrix& points_;
  std::span<const double> weights_;
  Eigen::Index num_clusters_;
  std::int64_t rows_per_block_;
  std::vector<double> block_sums_;    // block, cluster, column
  std::vector<double> block_masses_;  // block, cluster
  Matrix sums_;
  std::vector<double> masses_;
};

}  // namespace repsc
