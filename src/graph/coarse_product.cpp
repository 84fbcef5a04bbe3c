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
#include <utility>
#include <vector>

#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "core/vector_units.hpp"
#include "graph/product.hpp"
#include "graph/row_storage.hpp"

namespace repsc {
namespace {

constexpr Eigen::Index tile = 8;  // columns at once

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
[[gnu::always_inline]] inline void multiply_coarse_rows(const RowTile& A, const CoarseTile& from,
                                                        float* Y, std::ptrdiff_t stride) {
  const auto row = [&](Offset e) { return from.X + std::int64_t{A.first_neighbor[e]} * Width; };
  for (std::int64_t i = A.begin; i < A.end; ++i) {
    float total[Width] = {};
    const Offset row_end = A.place(i + 1);
    for (Offset run = A.place(i); run < row_end; run += coarse_run) {
      const Offset end = std::min(run + coarse_run, row_end);
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

REPSC_VECTOR_UNITS void multiply_coarse_tile(const RowTile& A, const CoarseTile& from, float* Y,
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

/// Up to eight columns of S X in sixteen bits. Columns of zeros fill up the tile.
class RoundedTile {
 public:
  RoundedTile(const FloatMatrix& X, Eigen::Index column, const Vector& scale)
      : columns_(std::min(tile, X.cols() - column)),
        width_(columns_ > 4 ? 8 : 4),
        rounded_(new Coarse[static_cast<std::size_t>(X.rows() * width_)]) {
    ask_for_large_pages(rounded_.get(),
                        static_cast<std::size_t>(X.rows() * width_) * sizeof(Coarse));
    round({X, column, columns_, width_, scale});
  }

  [[nodiscard]] CoarseTile view() const { return {rounded_.get(), step_, columns_}; }
  [[nodiscard]] float largest_step() const { return *std::max_element(step_, step_ + width_); }

 private:
  static constexpr std::int64_t grain = 8192;

  /// Some columns of S X, a few rows at a time: they are never all in memory.
  struct Source {
    const FloatMatrix& X;
    Eigen::Index column, columns, width;
    const Vector& scale;

    /// Rows [begin, end), `width` numbers each, in X itself or in `room`.
    [[nodiscard]] std::pair<const float*, std::ptrdiff_t> rows(std::int64_t begin, std::int64_t end,
                                                               std::vector<float>& room) const {
      if (scale.size() == 0 && columns == width) {
        return {X.data() + begin * X.cols() + column, X.cols()};
      }
      room.assign(static_cast<std::size_t>((end - begin) * width), 0.0F);
      float* to = room.data();
      for (std::int64_t i = begin; i < end; ++i, to += width) {
        const float* const from = X.data() + i * X.cols() + column;
        const float factor = scale.size() == 0 ? 1.0F : static_cast<float>(scale[i]);
        for (Eigen::Index c = 0; c < columns; ++c) to[c] = factor * from[c];
      }
      return {room.data(), width};
    }
  };

  void round(const Source& source) {
    const std::int64_t rows = source.X.rows();
    const Largest largest = parallel_sum(rows, grain, Largest{}, [&](auto begin, auto end) {
      std::vector<float> room;
      const auto [from, stride] = source.rows(begin, end, room);
      Largest own;
      find_largest(width_, from, stride, end - begin, own.value);
      return own;
    });
    float steps_per_one[tile] = {};
    for (Eigen::Index c = 0; c < width_; ++c) {
      step_[c] = largest.value[c] / coarse_steps;
      steps_per_one[c] = step_[c] > 0 ? coarse_steps / largest.value[c] : 0;
    }
    parallel_ranges(rows, grain, [&](auto begin, auto end) {
      std::vector<float> room;
      const auto [from, stride] = source.rows(begin, end, room);
      round_to_steps(width_, from, stride, end - begin, steps_per_one,
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

float multiply_coarsely(const Graph& A, const FloatMatrix& X, FloatMatrix& Y, const Vector& scale) {
  Y.resize(X.rows(), X.cols());
  if (X.cols() == 0) return 0;
  // One pass for all columns: the rows may have to be unpacked, or read from a file.
  std::vector<RoundedTile> rounded;
  float largest_step = 0;
  for (Eigen::Index column = 0; column < X.cols(); column += tile) {
    rounded.emplace_back(X, column, scale);
    largest_step = std::max(largest_step, rounded.back().largest_step());
  }
  const auto multiply_rows = [&](const RowTile& rows) {
    for (std::size_t t = 0; t < rounded.size(); ++t) {
      multiply_coarse_tile(rows, rounded[t].view(), Y.data() + static_cast<Eigen::Index>(t) * tile,
                           X.cols());
    }
  };
  parallel_rows(A, rows_at_once(A), multiply_rows);
  return largest_step;
}

}  // namespace repsc
