// k-means: the nearest center of each row, and rows drawn by their distance from the mean.
#pragma once

#include "cuda/device/threads.hpp"

namespace repsc::device {

/// The nearest center of each row of a chunk, and what that changes.
struct NearestCenters {
  struct Shared {
    double inertia[block_threads];
    std::int32_t changed[block_threads];
  };
  Rows<const double> X;
  const double* centers;
  std::int64_t count;
  std::int32_t* labels;
  Chunks chunks;
  double* partial;  ///< chunk: inertia, labels that changed

  [[nodiscard]] std::int64_t num_blocks() const { return chunks.count(); }
  REPSC_HOST_DEVICE void first(std::int64_t chunk, int thread, Shared& shared) const {
    double inertia = 0;
    std::int32_t changed = 0;
    for (std::int64_t i = chunks.begin(chunk) + thread; i < chunks.end(chunk); i += block_threads) {
      const double* const x = X.row(i);
      std::int32_t nearest = 0;
      double least = std::numeric_limits<double>::infinity();
      for (std::int64_t k = 0; k < count; ++k) {
        const double* const center = centers + k * X.columns;
        double distance = 0;
        for (std::int64_t j = 0; j < X.columns; ++j) {
          const double difference = x[j] - center[j];
          distance += difference * difference;
        }
        if (distance < least) {
          least = distance;
          nearest = static_cast<std::int32_t>(k);
        }
      }
      changed += labels[i] != nearest ? 1 : 0;
      labels[i] = nearest;
      inertia += least;
    }
    shared.inertia[thread] = inertia;
    shared.changed[thread] = changed;
  }
  REPSC_HOST_DEVICE void second(std::int64_t chunk, int thread, Shared& shared) const {
    if (thread > 0) return;
    double inertia = 0;
    double changed = 0;  // whole numbers up to 2^53 are exact
    for (int k = 0; k < block_threads; ++k) {
      inertia += shared.inertia[k];
      changed += shared.changed[k];
    }
    partial[2 * chunk] = inertia;
    partial[2 * chunk + 1] = changed;
  }
};

REPSC_HOST_DEVICE inline double squared_distance(const double* x, const double* y,
                                                 std::int64_t columns) {
  double result = 0;
  for (std::int64_t j = 0; j < columns; ++j) result += (x[j] - y[j]) * (x[j] - y[j]);
  return result;
}

struct SquaredDistances {
  struct Shared {
    double sum[block_threads];
  };
  Rows<const double> X;
  const double* mean;
  Chunks chunks;
  double* sums;

  [[nodiscard]] std::int64_t num_blocks() const { return chunks.count(); }
  REPSC_HOST_DEVICE void first(std::int64_t chunk, int thread, Shared& shared) const {
    double sum = 0;
    for (std::int64_t i = chunks.begin(chunk) + thread; i < chunks.end(chunk); i += block_threads)
      sum += squared_distance(X.row(i), mean, X.columns);
    shared.sum[thread] = sum;
  }
  REPSC_HOST_DEVICE void second(std::int64_t chunk, int thread, Shared& shared) const {
    if (thread > 0) return;
    double sum = 0;
    for (int k = 0; k < block_threads; ++k) sum += shared.sum[k];
    sums[chunk] = sum;
  }
};

/// A thread walks through the rows of a chunk. There are few of them, and they are in cache lines
/// that other threads of the chunk read, too.
struct DrawRows {
  Rows<const double> X;
  const double* mean;
  Chunks chunks;
  double per_row;
  double per_squared;
  const std::int32_t* chunk_of;
  const double* shares;
  std::int32_t* rows;
  double* squares;

  REPSC_HOST_DEVICE void operator()(std::int64_t t) const {
    const std::int64_t last = chunks.end(chunk_of[t]) - 1;
    double left = shares[t];
    double squared = 0;
    std::int64_t i = chunks.begin(chunk_of[t]);
    for (; i <= last; ++i) {
      squared = squared_distance(X.row(i), mean, X.columns);
      left -= per_row + per_squared * squared;
      if (left < 0 || i == last) break;
    }
    rows[t] = static_cast<std::int32_t>(i);
    squares[t] = squared;
  }
};

}  // namespace repsc::device
