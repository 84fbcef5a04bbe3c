// Knows when more precise eigenvectors would not change the clusters.
#pragma once

#include "repsc/core.hpp"

namespace repsc {

/// Follows the labels from one approximate embedding to the next: k-means once, then a few Lloyd
/// steps from the means of the labels before (not from their centers: an embedding may turn). Two
/// embeddings in a row with the same labels, but for one node in a thousand, are enough.
class LabelWatch {
 public:
  LabelWatch(int num_clusters, std::uint64_t seed) : num_clusters_(num_clusters), seed_(seed) {}

  /// Whether the labels of `points` (one row a node) are those of the call before.
  [[nodiscard]] bool settled(const Matrix& points);

 private:
  int num_clusters_;
  std::uint64_t seed_;
  Labels labels_;
};

}  // namespace repsc
