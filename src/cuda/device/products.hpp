// Products with a Laplacian: sums over the neighbours of every row.
#pragma once

#include "cuda/device/panels.hpp"

namespace repsc::device {

/// What becomes of the sum over the neighbours of a row.
template <typename Scalar>
struct LaplacianRow {
  const double* scale;    ///< null: D X - A X
  const double* degrees;  ///< null with a scale
  Rows<const Scalar> X;
  Rows<Scalar> Y;
  std::int64_t first;    ///< column of the tile
  const float* step;     ///< of a coarse product, one per column of the tile; null: 1
  const double* common;  ///< tau/N 1'SX, one per column of the block; null: 0

  REPSC_HOST_DEVICE void store(std::int64_t i, int column, Scalar sum) const {
    const std::int64_t j = first + column;
    if (j >= X.columns) return;
    const Scalar x = X.row(i)[j];
    if (step != nullptr) sum *= static_cast<Scalar>(step[column]);
    if (common != nullptr) sum += static_cast<Scalar>(common[j]);
    Y.row(i)[j] = scale != nullptr ? x - static_cast<Scalar>(scale[i]) * sum
                                   : static_cast<Scalar>(degrees[i]) * x - sum;
  }
};

/// The type in which neighbours are added up. Whole numbers of 16 bits have exact sums in 32.
template <typename Gathered>
using SumOf = std::conditional_t<std::is_same_v<Gathered, std::int16_t>, std::int32_t, Gathered>;

/// Sums over the neighbours of each row. `Slots` neighbours of a row are added at the same time,
/// each by as many threads as its numbers have pieces.
template <typename Gathered, typename Scalar, bool Weighted, int Columns, int Slots>
struct GatherRows {
  static constexpr int size = Columns < Piece<Gathered>::size ? Columns : Piece<Gathered>::size;
  static constexpr int pieces = Columns / size;
  static constexpr int row_threads = pieces * Slots;
  static constexpr int rows_at_once = block_threads / row_threads;
  static_assert(block_threads % row_threads == 0);
  using Sum = SumOf<Gathered>;
  struct Shared {
    Sum sum[block_threads][size];
  };

  RowsOfPanel<rows_at_once> rows;
  const Piece<Gathered, size>* X;
  LaplacianRow<Scalar> result;

  [[nodiscard]] std::int64_t num_blocks() const { return rows.num_blocks(); }

  REPSC_HOST_DEVICE void add(std::int64_t entry, int piece, Sum (&sum)[size]) const {
    const std::int64_t neighbor = read_once(rows.panel.neighbors + entry);
    const Piece<Gathered, size> x = X[neighbor * pieces + piece];
    if constexpr (Weighted) {
      const auto weight = static_cast<Sum>(read_once(rows.panel.weights + entry));
      for (int k = 0; k < size; ++k) sum[k] += weight * x.value[k];
    } else {
      for (int k = 0; k < size; ++k) sum[k] += x.value[k];
    }
  }

  REPSC_HOST_DEVICE void first(std::int64_t block, int thread, Shared& shared) const {
    const std::int64_t row = rows.row_of(block, thread / row_threads);
    if (row < 0) return;
    const int piece = thread % pieces;
    Sum sum[size] = {};
    std::int64_t entry = rows.panel.begin(row) + thread % row_threads / pieces;
    const std::int64_t end = rows.panel.end(row);
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
    for (; entry < end; entry += Slots) add(entry, piece, sum);
    for (int k = 0; k < size; ++k) shared.sum[thread][k] = sum[k];
  }

  REPSC_HOST_DEVICE void second(std::int64_t block, int thread, Shared& shared) const {
    for (int k = thread; k < rows_at_once * Columns; k += block_threads) {
      const std::int64_t row = rows.row_of(block, k / Columns);
      if (row < 0) continue;
      const int column = k % Columns;
      const int from = k / Columns * row_threads + column / size;
      Sum sum = 0;
      for (int slot = 0; slot < Slots; ++slot)
        sum += shared.sum[from + slot * pieces][column % size];
      result.store(row, column, static_cast<Scalar>(sum));
    }
  }
};

/// The numbers that are gathered: S X, a tile of columns, filled up with zeros.
template <typename Scalar>
struct FillTile {
  Rows<const Scalar> X;
  const double* scale;
  std::int64_t first;
  int width;
  Scalar* to;

  REPSC_HOST_DEVICE Scalar value(std::int64_t i, int c) const {
    if (first + c >= X.columns) return 0;
    const Scalar x = X.row(i)[first + c];
    return scale != nullptr ? static_cast<Scalar>(scale[i]) * x : x;
  }
  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const Element e = element(at, width);
    to[at] = value(e.row, static_cast<int>(e.column));
  }
};

constexpr float coarse_steps = 32767;

/// The same in 16 bits: whole multiples of a step, which is the largest number / coarse_steps.
struct FillCoarseTile {
  FillTile<float> exact;
  const float* largest;
  std::int16_t* to;
  float* step;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const Element e = element(at, exact.width);
    const int c = static_cast<int>(e.column);
    const float most = largest[c];
    const float steps = most > 0 ? exact.value(e.row, c) * (coarse_steps / most) : 0;
    to[at] = static_cast<std::int16_t>(steps + (steps < 0 ? -0.5F : 0.5F));
    if (at < exact.width) step[c] = most / coarse_steps;
  }
};

/// The largest absolute value of each column of a tile, for each chunk.
struct LargestOfTile {
  struct Shared {
    float most[row_lanes][tile];
  };
  FillTile<float> X;
  Chunks chunks;
  float* partial;  ///< chunk, column

  [[nodiscard]] std::int64_t num_blocks() const { return chunks.count(); }
  REPSC_HOST_DEVICE void first(std::int64_t chunk, int thread, Shared& shared) const {
    const int c = thread % tile;
    float most = 0;
    if (c < X.width) {
      for (std::int64_t i = chunks.begin(chunk) + thread / tile; i < chunks.end(chunk);
           i += row_lanes)
        most = fmaxf(most, fabsf(X.value(i, c)));
    }
    shared.most[thread / tile][c] = most;
  }
  REPSC_HOST_DEVICE void second(std::int64_t chunk, int thread, Shared& shared) const {
    if (thread >= tile) return;
    float most = 0;
    for (int lane = 0; lane < row_lanes; ++lane) most = fmaxf(most, shared.most[lane][thread]);
    partial[chunk * tile + thread] = most;
  }
};

}  // namespace repsc::device
