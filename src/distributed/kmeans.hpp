// k-means on rows that are spread over ranks.
#pragma once

#include <functional>

#include "distributed/rows.hpp"

namespace repsc {

struct SpreadKMeansOptions {
  int restarts = 10;
  int max_iterations = 300;
  double tolerance = 1e-6;
  std::uint64_t seed = 0;
  /// See KMeansOptions; of labels of the own rows, and called by all ranks.
  std::function<double(const Labels&)> among_equals = {};
  ProgressFn progress = {};
  /// Up to this many rows, every rank gets all of them and runs the serial k-means: the same labels
  /// as those of one process. Above, restarts run on a sample of a quarter of this size, and the
  /// best of them continues on all rows. None: the limit of the serial k-means.
  std::optional<std::int64_t> most_gathered = {};
};

struct SpreadKMeansResult {
  Labels labels;  ///< of the own rows, numbered in the order of each cluster's first row
  double inertia = 0;
};

[[nodiscard]] SpreadKMeansResult spread_kmeans(const SpreadRows& rows, const Matrix& points,
                                               int num_clusters,
                                               const SpreadKMeansOptions& options);

}  // namespace repsc
