// Knows when more precise eigenvectors would not change the clusters.
#pragma once

#include "repsc/core.hpp"

namespace repsc {

/// Follows the labels from one approximate embedding to the next: k-means once, then a few Lloyd
/// steps from the means of the labels before (not from their centers: an embedding may turn). As
/// many nodes move as the embedding is off, so that those still to move follow from those that
/// moved and from how fast the residual falls; one in a thousand is little enough. Of many nodes it
/// follows a sample.
class LabelWatch {
 public:
  LabelWatch(int num_clusters, std::uint64_t seed) : num_clusters_(num_clusters), seed_(seed) {}

  /// Whether the labels of `points` (one row a node), whose eigenvectors have that residual, are
  /// about final.
  [[nodiscard]] bool settled(const Matrix& points, double residual);

 private:
  int num_clusters_;
  std::uint64_t seed_;
  Labels labels_;
  double residual_ = 0;  ///< of the call before
};

}  // namespace repsc
