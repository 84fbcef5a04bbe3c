// Y = A X with X in sixteen bits.
//
// Most of the time of a product is spent on fetching rows of X from the second and third level of
// cache. Half the bytes save a third of it or more (docs/performance.md), and sums of whole numbers
// are exact in any order.
#if defined(__aarch64__)
#include <arm_neon.h>
#endif

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/parallel.hpp"
#include "core/vector_units.hpp"
#include "graph/product.hpp"

namespace repsc {
namespace {

constexpr Eigen::Index tile = 8;  // columns at once

struct Rows {
  const Offset* offsets;
  const Index* neighbors;
  std::int64_t begin, end;
};

using Coarse = std::int16_t;
constexpr float coarse_steps = std::numeric_limits<Coarse>::max();
/// The number of entries whose sum always fits in 32 bits.
constexpr Offset coarse_run = 1 << 16;

/// Up to eight columns in sixteen bits. A row has `Width` numbers, of which those from `columns` on
/// are zero.
struct CoarseTile {
  const Coarse* X;
  const float* step;
  Eigen::Index columns;
};

// Several running sums. gcc 12 uses the widening additions of ARM only in some loops, and without
// them the product takes twice as long.
#if defined(__aarch64__)
template <int Width>
struct Sums {
  int32x4_t part[Width / 4] = {};

  [[gnu::always_inline]] void add(const Coarse* x) {
    if constexpr (Width == 4) {
      part[0] = vaddw_s16(part[0], vld1_s16(x));
    } else {
      const int16x8_t row = vld1q_s16(x);
      part[0] = vaddw_s16(part[0], vget_low_s16(row));
      part[1] = vaddw_high_s16(part[1], row);
    }
  }
  [[gnu::always_inline]] void store(std::int32_t* to) const {
    for (std::ptrdiff_t p = 0; p < Width / 4; ++p) vst1q_s32(to + 4 * p, part[p]);
  }
};
#else
template <int Width>
struct Sums {
  std::int32_t value[Width] = {};

  [[gnu::always_inline]] void add(const Coarse* x) {
    for (int c = 0; c < Width; ++c) value[c] += x[c];
  }
  [[gnu::always_inline]] void store(std::int32_t* to) const { std::copy_n(value, Width, to); }
};
#endif

template <int Width>
[[gnu::always_inline]] inline void multiply_coarse_rows(const Rows& A, const CoarseTile& from,
                                                        float* Y, std::ptrdiff_t stride) {
  const auto row = [&](Offset e) { return from.X + std::int64_t{A.neighbors[e]} * Width; };
  for (std::int64_t i = A.begin; i < A.end; ++i) {
    float total[Width] = {};
    for (Offset run = A.offsets[i]; run < A.offsets[i + 1]; run += coarse_run) {
      const Offset end = std::min(run + coarse_run, A.offsets[i + 1]);
      Sums<Width> even;
      Sums<Width> odd;
      Offset e = run;
      for (; e + 3 < end; e += 4) {
        even.add(row(e));
        odd.add(row(e + 1));
        even.add(row(e + 2));
        odd.add(row(e + 3));
      }
      for (; e < end; ++e) even.add(row(e));
      std::int32_t sum[2][Width];
      even.store(sum[0]);
      odd.store(sum[1]);
      for (int c = 0; c < Width; ++c)
        total[c] += from.step[c] * static_cast<float>(sum[0][c] + sum[1][c]);
    }
    float* y = Y + i * stride;
    if (from.columns == Width) {
      std::copy_n(total, Width, y);
    } else {
      std::copy_n(total, from.columns, y);
    }
  }
}

REPSC_VECTOR_UNITS void multiply_coarse_tile(const Rows& A, const CoarseTile& from, float* Y,
                                             std::ptrdiff_t stride) {
  if (from.columns > 4) return multiply_coarse_rows<8>(A, from, Y, stride);
  multiply_coarse_rows<4>(A, from, Y, stride);
}

// Loops over a constant width, so that the compiler vectorizes them.

template <int Width>
[[gnu::always_inline]] inline void largest_of_rows(const float* X, std::ptrdiff_t stride,
                                                   std::int64_t rows, float* largest) {
  float most[Width] = {};
  for (std::int64_t i = 0; i < rows; ++i) {
    for (int c = 0; c < Width; ++c) most[c] = std::max(most[c], std::abs(X[i * stride + c]));
  }
  for (int c = 0; c < Width; ++c) largest[c] = most[c];
}

template <int Width>
[[gnu::always_inline]] inline void round_rows(const float* X, std::ptrdiff_t stride,
                                              std::int64_t rows, const float* steps_per_one,
                                              Coarse* rounded) {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (int c = 0; c < Width; ++c) {
      const float steps = X[i * stride + c] * steps_per_one[c];
      rounded[i * Width + c] = static_cast<Coarse>(steps + (steps < 0 ? -0.5F : 0.5F));
    }
  }
}

REPSC_VECTOR_UNITS void find_largest(Eigen::Index width, const float* X, std::ptrdiff_t stride,
                                     std::int64_t rows, float* largest) {
  if (width == 8) return largest_of_rows<8>(X, stride, rows, largest);
  largest_of_rows<4>(X, stride, rows, largest);
}

REPSC_VECTOR_UNITS void round_to_steps(Eigen::Index width, const float* X, std::ptrdiff_t stride,
                                       std::int64_t rows, const float* steps_per_one,
                                       Coarse* rounded) {
  if (width == 8) return round_rows<8>(X, stride, rows, steps_per_one, rounded);
  round_rows<4>(X, stride, rows, steps_per_one, rounded);
}

/// Up to eight columns of X in sixteen bits. Columns of zeros fill up the tile.
class RoundedTile {
 public:
  RoundedTile(const FloatMatrix& X, Eigen::Index column)
      : columns_(std::min(tile, X.cols() - column)),
        width_(columns_ > 4 ? 8 : 4),
        rounded_(new Coarse[static_cast<std::size_t>(X.rows() * width_)]) {
    if (columns_ == width_) {
      round(X.data() + column, X.cols(), X.rows());
    } else {
      FloatMatrix padded = FloatMatrix::Zero(X.rows(), width_);
      padded.leftCols(columns_) = X.middleCols(column, columns_);
      round(padded.data(), width_, X.rows());
    }
  }

  [[nodiscard]] CoarseTile view() const { return {rounded_.get(), step_, columns_}; }
  [[nodiscard]] float largest_step() const { return *std::max_element(step_, step_ + width_); }

 private:
  static constexpr std::int64_t grain = 8192;

  void round(const float* X, std::ptrdiff_t stride, std::int64_t rows) {
    const Largest largest = parallel_sum(rows, grain, Largest{}, [&](auto begin, auto end) {
      Largest own;
      find_largest(width_, X + begin * stride, stride, end - begin, own.value);
      return own;
    });
    float steps_per_one[tile] = {};
    for (Eigen::Index c = 0; c < width_; ++c) {
      step_[c] = largest.value[c] / coarse_steps;
      steps_per_one[c] = step_[c] > 0 ? coarse_steps / largest.value[c] : 0;
    }
    parallel_ranges(rows, grain, [&](auto begin, auto end) {
      round_to_steps(width_, X + begin * stride, stride, end - begin, steps_per_one,
                     rounded_.get() + begin * width_);
    });
  }

  struct Largest {
    float value[tile] = {};

    Largest& operator+=(const Largest& other) {
      for (Eigen::Index c = 0; c < tile; ++c) value[c] = std::max(value[c], other.value[c]);
      return *this;
    }
  };

  Eigen::Index columns_;
  Eigen::Index width_;
  std::unique_ptr<Coarse[]> rounded_;
  float step_[tile] = {};
};

}  // namespace

float multiply_coarsely(const Graph& A, const FloatMatrix& X, FloatMatrix& Y) {
  Y.resize(X.rows(), X.cols());
  float largest_step = 0;
  for (Eigen::Index column = 0; column < X.cols(); column += tile) {
    const RoundedTile rounded(X, column);
    largest_step = std::max(largest_step, rounded.largest_step());
    parallel_ranges(A.num_nodes(), rows_at_once(A), [&](auto begin, auto end) {
      multiply_coarse_tile({A.offsets().data(), A.neighbors().data(), begin, end}, rounded.view(),
                           Y.data() + column, X.cols());
    });
  }
  return largest_step;
}

}  // namespace repsc
