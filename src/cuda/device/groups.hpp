// Sums over the rows of each group.
#pragma once

#include "cuda/device/threads.hpp"

namespace repsc::device {

/// Sums over each group, for a chunk of rows and a tile of columns. A thread has sums of its own
/// for every group, so that no two of them add to the same number.
template <typename Scalar>
struct GroupSums {
  static constexpr int room = REPSC_CUDA_MOST_GROUPS * tile;
  struct Shared {
    double sum[room];  ///< lane, group, column
  };
  repsc_cuda_groups groups;
  Rows<const Scalar> X;
  std::int64_t first_column;
  Chunks chunks;
  double* partial;  ///< chunk, group, column of the tile

  [[nodiscard]] std::int64_t num_blocks() const { return chunks.count(); }
  REPSC_HOST_DEVICE int lanes() const {
    const auto most = static_cast<int>(room / (groups.count * tile));
    return most < row_lanes ? most : row_lanes;
  }
  REPSC_HOST_DEVICE void first(std::int64_t chunk, int thread, Shared& shared) const {
    const int lane = thread / tile;
    const int c = thread % tile;
    if (lane >= lanes()) return;
    double* const own = shared.sum + lane * groups.count * tile;
    for (std::int64_t g = 0; g < groups.count; ++g) own[g * tile + c] = 0;
    if (first_column + c >= X.columns) return;
    const int step = lanes();
    for (std::int64_t i = chunks.begin(chunk) + lane; i < chunks.end(chunk); i += step) {
      const double x = static_cast<double>(X.row(i)[first_column + c]);
      const std::int64_t group = groups.groups != nullptr ? groups.groups[i] : 0;
      own[group * tile + c] += groups.scale != nullptr ? groups.scale[i] * x : x;
    }
  }
  REPSC_HOST_DEVICE void second(std::int64_t chunk, int thread, Shared& shared) const {
    const std::int64_t outputs = groups.count * tile;
    for (std::int64_t k = thread; k < outputs; k += block_threads) {
      double sum = 0;
      for (int lane = 0; lane < lanes(); ++lane) sum += shared.sum[lane * outputs + k];
      partial[chunk * outputs + k] = sum;
    }
  }
};

template <typename Scalar>
struct SubtractGroups {
  repsc_cuda_groups groups;
  Rows<Scalar> X;
  const double* b;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const Element e = element(at, X.columns);
    const std::int64_t group = groups.groups != nullptr ? groups.groups[e.row] : 0;
    const double value = b[group * X.columns + e.column];
    X.row(e.row)[e.column] -=
        static_cast<Scalar>(groups.scale != nullptr ? groups.scale[e.row] * value : value);
  }
};

}  // namespace repsc::device
