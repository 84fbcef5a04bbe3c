// Means of clusters, summed by blocks.
#include "kmeans/means.hpp"

#include <algorithm>

namespace repsc {

// With 16 rows per cluster in a block, the sums of all blocks below a sixteenth of the points'
// memory.
ClusterMeans::ClusterMeans(const Matrix& points, std::span<const double> weights, int num_clusters)
    : points_(points),
      weights_(weights),
      num_clusters_(num_clusters),
      rows_per_block_(std::max<std::int64_t>(1024, 16 * std::int64_t{num_clusters})),
      sums_(num_clusters, points.cols()),
      masses_(static_cast<std::size_t>(num_clusters)) {
  const std::int64_t blocks = (points.rows() + rows_per_block_ - 1) / rows_per_block_;
  block_sums_.resize(static_cast<std::size_t>(blocks * num_clusters_ * points.cols()));
  block_masses_.resize(static_cast<std::size_t>(blocks * num_clusters_));
}

void ClusterMeans::sum_block(std::int64_t begin, const Labels& labels) {
  const Eigen::Index columns = points_.cols();
  const std::int64_t first_cluster = begin / rows_per_block_ * num_clusters_;
  double* sums = block_sums_.data() + first_cluster * columns;
  double* masses = block_masses_.data() + first_cluster;
  std::fill_n(sums, num_clusters_ * columns, 0.0);
  std::fill_n(masses, num_clusters_, 0.0);

  const std::int64_t end = std::min<std::int64_t>(points_.rows(), begin + rows_per_block_);
  for (std::int64_t i = begin; i < end; ++i) {
    const Label label = labels[static_cast<std::size_t>(i)];
    const double weight = weights_.empty() ? 1.0 : weights_[static_cast<std::size_t>(i)];
    const double* x = points_.data() + i * columns;
    double* sum = sums + label * columns;
    for (Eigen::Index j = 0; j < columns; ++j) sum[j] += weight * x[j];
    masses[label] += weight;
  }
}

void ClusterMeans::combine() {
  sums_.setZero();
  std::fill(masses_.begin(), masses_.end(), 0.0);
  const auto clusters = static_cast<std::size_t>(num_clusters_);
  const std::size_t blocks = block_masses_.size() / clusters;
  for (std::size_t block = 0; block < blocks; ++block) {
    const auto first_cluster = static_cast<Eigen::Index>(block * clusters);
    sums_ += Eigen::Map<const Matrix>(block_sums_.data() + first_cluster * sums_.cols(),
                                      num_clusters_, sums_.cols());
    for (std::size_t k = 0; k < clusters; ++k) masses_[k] += block_masses_[block * clusters + k];
  }
}

Matrix ClusterMeans::means(const Matrix& previous) const {
  Matrix result = previous;
  for (Eigen::Index k = 0; k < num_clusters_; ++k) {
    const double mass = masses_[static_cast<std::size_t>(k)];
    if (mass > 0) result.row(k) = sums_.row(k) / mass;
  }
  return result;
}

}  // namespace repsc
