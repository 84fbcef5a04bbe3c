// Detects when more precise eigenvectors would no longer change the clusters.
#pragma once

#include <optional>
#include <vector>

#include "repsc/core.hpp"

namespace repsc {

/// Follows the labels from one approximate embedding to the next: k-means once, then a few Lloyd
/// steps that start from the means of the previous labels in the new embedding (not from the old
/// centers, because the embedding may rotate). The number of nodes that move is proportional to the
/// error of the embedding, so the number of nodes that will still move is estimated from those that
/// moved and from the decrease of the error, since the last look and since up to two earlier ones,
/// as the error does not fall evenly. Accepted is one in a thousand of a sample, two in ten
/// thousand of all nodes, of the smallest cluster as well.
class LabelWatch {
 public:
  LabelWatch(int num_clusters, std::uint64_t seed) : num_clusters_(num_clusters), seed_(seed) {}

  /// Whether the labels of `points` (a row for each watched node), from eigenvectors with about
  /// this error, have settled.
  [[nodiscard]] bool settled(const Matrix& points, double error);

  /// Whether a good part of the nodes moved since the last call. Labels of clusters that exist move
  /// less and less; labels of eigenvectors without a gap after them move as much as before.
  [[nodiscard]] bool unsettled(const Matrix& points);

 private:
  /// The share of the nodes that moved since the last call; nothing at the first call.
  [[nodiscard]] std::optional<double> moved_share(const Matrix& points);
  /// Whether there are enough looks, or the error has fallen enough, for them to say something.
  [[nodiscard]] bool may_compare(double error) const;

  struct Look {
    Labels labels;
    double error;
  };

  int num_clusters_;
  std::uint64_t seed_;
  Labels labels_;
  std::vector<Look> looks_;  ///< the last ones
};

/// The nodes to watch, ascending: a sample if there are many; empty: all.
[[nodiscard]] std::vector<Index> watched_nodes(Index num_nodes, std::uint64_t seed);

}  // namespace repsc
