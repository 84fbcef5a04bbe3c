// k-means on the rows of a matrix.
#pragma once

#include <cstdint>
#include <functional>

#include "repsc/cuda.hpp"

namespace repsc {

struct KMeansOptions {
  int restarts = 10;  ///< number of runs, of which the best is returned; for many rows see kmeans()
  int max_iterations = 300;  ///< Lloyd iterations of one run
  double tolerance = 1e-6;   ///< a run ends when the inertia falls by less than this fraction
  std::uint64_t seed = 0;    ///< same seed, same labels, on any number of threads
  /// Which of several runs with the least inertia, within one part in 10,000, is returned: the one
  /// for which this is least, such as the cut of a graph. Else points that differ by rounding may
  /// lead to another one. Called by the caller's thread; not for runs on a sample.
  std::function<double(const Labels&)> among_equals = {};
  ProgressFn progress = {};
  Deadline deadline = {};
  /// Where runs on many rows and on a sample of them are computed; none: here.
  std::shared_ptr<CudaDevice> device = {};
  /// The points, if they are in the memory of that device, too; then the matrix may be empty.
  std::shared_ptr<const DeviceMatrix> on_device = {};
};

struct KMeansResult {
  Labels labels;       ///< numbered in the order of each cluster's first point
  Matrix centers;      ///< K x columns, the means of the clusters
  double inertia = 0;  ///< sum of squared distances to the own center
  int iterations = 0;  ///< of the best run
  int runs = 0;        ///< on all rows; fewer than `restarts` after a deadline or with a sample
  bool out_of_time = false;  ///< the deadline ended it
};

/// Splits the rows of `points` into exactly `num_clusters` non-empty clusters. Throws InvalidInput
/// for fewer distinct rows than clusters, and for values that are not finite.
///
/// From 65,536 + 2,048 * num_clusters rows and two restarts on, twice as many runs work on a
/// weighted sample of a quarter of that number of rows, and the best of them continues with all
/// rows.
[[nodiscard]] KMeansResult kmeans(const Matrix& points, int num_clusters,
                                  const KMeansOptions& options = {});

}  // namespace repsc
