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

/// Counts the rows of each chunk that are drawn, or writes them where those of the chunks before
/// end. A thread has consecutive rows, so that they are written in order.
struct DrawRows {
  static constexpr std::int64_t most_chunk_rows = std::int64_t{64} * block_threads;
  struct Shared {
    std::uint64_t drawn[block_threads];  ///< a bit for each row of a thread
  };
  Rows<const double> X;
  const double* mean;
  Chunks chunks;
  double per_row;
  double per_squared;
  std::uint64_t key;
  const std::int64_t* before = nullptr;  ///< rows drawn in the chunks before; null: counts only
  std::int64_t* counts = nullptr;
  std::int32_t* rows = nullptr;
  double* weights = nullptr;

  [[nodiscard]] std::int64_t num_blocks() const { return chunks.count(); }
  REPSC_HOST_DEVICE void first(std::int64_t chunk, int thread, Shared& shared) const {
    std::uint64_t drawn = 0;
    const std::int64_t begin = first_row(chunk, thread);
    for (std::int64_t i = begin; i < begin + per_thread() && i < chunks.end(chunk); ++i) {
      if (draws(i, expected(i)) > 0) drawn |= std::uint64_t{1} << static_cast<unsigned>(i - begin);
    }
    shared.drawn[thread] = drawn;
  }
  REPSC_HOST_DEVICE void second(std::int64_t chunk, int thread, Shared& shared) const {
    const bool writes = before != nullptr;
    if (writes ? shared.drawn[thread] == 0 : thread > 0) return;
    std::int64_t at = writes ? before[chunk] : 0;
    for (int k = 0; k < (writes ? thread : block_threads); ++k) at += count_bits(shared.drawn[k]);
    if (!writes) {
      counts[chunk] = at;
      return;
    }
    const std::int64_t begin = first_row(chunk, thread);
    for (std::uint64_t left = shared.drawn[thread]; left != 0; left &= left - 1, ++at) {
      const std::int64_t i = begin + lowest_bit(left);
      rows[at] = static_cast<std::int32_t>(i);
      weights[at] = draws(i, expected(i)) / expected(i);
    }
  }

 private:
  [[nodiscard]] REPSC_HOST_DEVICE std::int64_t per_thread() const {
    return (chunks.size + block_threads - 1) / block_threads;
  }
  [[nodiscard]] REPSC_HOST_DEVICE std::int64_t first_row(std::int64_t chunk, int thread) const {
    return chunks.begin(chunk) + thread * per_thread();
  }
  [[nodiscard]] REPSC_HOST_DEVICE double expected(std::int64_t i) const {
    return per_row + per_squared * squared_distance(X.row(i), mean, X.columns);
  }
  [[nodiscard]] REPSC_HOST_DEVICE double draws(std::int64_t i, double on_average) const {
    return rounded_at_random(on_average, key, static_cast<std::uint64_t>(i));
  }
};

}  // namespace repsc::device
