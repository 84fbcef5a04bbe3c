// Row by row, up to eight columns at once: an index is read once for all of them, the gathered row
// is one cache line, and the sums stay in registers. Unweighted graphs read no values at all.
#include "graph/product.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "core/vector_units.hpp"
#include "graph/row_storage.hpp"

namespace repsc {
namespace {

constexpr int tile = 8;  // columns at once

// Always inlined, so that they use the vector units of the calling function.

template <int Width, bool Weighted, typename Scalar>
[[gnu::always_inline]] inline void add_row(const RowTile& A, Offset e, const Scalar* X,
                                           std::ptrdiff_t stride, Scalar* sum) {
  const Scalar* x = X + A.first_neighbor[e] * stride;
  if constexpr (Weighted) {
    const auto weight = static_cast<Scalar>(A.first_weight[e]);
    for (int c = 0; c < Width; ++c) sum[c] += weight * x[c];
  } else {
    for (int c = 0; c < Width; ++c) sum[c] += x[c];
  }
}

template <int Width, bool Weighted, typename Scalar>
[[gnu::always_inline]] inline void multiply_rows(const RowTile& A, const Scalar* X, Scalar* Y,
                                                 std::ptrdiff_t stride) {
  for (std::int64_t i = A.begin; i < A.end; ++i) {
    // Four running sums, so that more loads are in flight while an addition waits (15 % faster at
    // four columns).
    Scalar sums[4][Width] = {};
    Offset e = A.place(i);
    const Offset end = A.place(i + 1);
    for (; e + 3 < end; e += 4) {
      add_row<Width, Weighted>(A, e, X, stride, sums[0]);
      add_row<Width, Weighted>(A, e + 1, X, stride, sums[1]);
      add_row<Width, Weighted>(A, e + 2, X, stride, sums[2]);
      add_row<Width, Weighted>(A, e + 3, X, stride, sums[3]);
    }
    for (; e < end; ++e) add_row<Width, Weighted>(A, e, X, stride, sums[0]);
    Scalar* y = Y + i * stride;
    for (int c = 0; c < Width; ++c) y[c] = (sums[0][c] + sums[1][c]) + (sums[2][c] + sums[3][c]);
  }
}

// The number of columns as a constant: the first of Width, Width - 1, ..., 1 that equals `width`.
template <int Width, bool Weighted, typename Scalar>
[[gnu::always_inline]] inline void multiply_tile(const RowTile& A, const Scalar* X, Scalar* Y,
                                                 std::ptrdiff_t stride, Eigen::Index width) {
  if (width == Width) return multiply_rows<Width, Weighted>(A, X, Y, stride);
  if constexpr (Width > 1) multiply_tile<Width - 1, Weighted>(A, X, Y, stride, width);
}

REPSC_VECTOR_UNITS void multiply_tile(const RowTile& A, const double* X, double* Y,
                                      std::ptrdiff_t stride, Eigen::Index width) {
  if (A.first_weight != nullptr) return multiply_tile<tile, true>(A, X, Y, stride, width);
  multiply_tile<tile, false>(A, X, Y, stride, width);
}

REPSC_VECTOR_UNITS void multiply_tile(const RowTile& A, const float* X, float* Y,
                                      std::ptrdiff_t stride, Eigen::Index width) {
  if (A.first_weight != nullptr) return multiply_tile<tile, true>(A, X, Y, stride, width);
  multiply_tile<tile, false>(A, X, Y, stride, width);
}

// Small graphs in many parts, too, since threads end together only if there are many.
std::int64_t rows_at_once(std::int64_t rows, Offset num_entries) {
  const std::int64_t entries = std::clamp<Offset>(num_entries / 64, 1 << 13, 1 << 18);
  return std::clamp<std::int64_t>(entries * rows / std::max<Offset>(num_entries, 1), 64, 8192);
}

/// The rows of a tile, for all columns of X.
template <typename Scalar>
void multiply_columns(const RowTile& rows, const Scalar* X, Eigen::Index columns, Scalar* Y) {
  for (Eigen::Index column = 0; column < columns; column += tile) {
    multiply_tile(rows, X + column, Y + column, columns,
                  std::min<Eigen::Index>(tile, columns - column));
  }
}

template <typename Block>
void multiply_graph(const Graph& A, const Block& X, Block& Y) {
  Y.resize(A.num_nodes(), X.cols());
  parallel_rows(A, rows_at_once(A),
                [&](const RowTile& rows) { multiply_columns(rows, X.data(), X.cols(), Y.data()); });
}

template <typename Block>
Matrix sums_by_group(const Labels& groups, Index num_groups, const Block& X, const Vector& scale) {
  // Few, large ranges, because each has a table of sums.
  const std::int64_t range = std::max<std::int64_t>(row_grain, (X.rows() + 7) / 8);
  const Matrix zero = Matrix::Zero(num_groups, X.cols());
  return parallel_sum(X.rows(), range, zero, [&](auto begin, auto end) {
    Matrix sums = zero;
    for (auto i = begin; i < end; ++i) {
      sums.row(groups[static_cast<std::size_t>(i)]) +=
          (scale.size() == 0 ? 1.0 : scale[i]) * X.row(i).template cast<double>();
    }
    return sums;
  });
}

template <typename Block>
void multiply_by_groups(const Representation& R, const Block& X, Block& Y) {
  if (!R.by_groups()) return multiply(R.graph(), X, Y);
  const Labels& groups = R.groups();
  const Matrix sums = sums_by_group(groups, R.num_sets(), X, {});
  Y.resize(X.rows(), X.cols());
  parallel_ranges(X.rows(), row_grain, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i) {
      Y.row(i) =
          sums.row(groups[static_cast<std::size_t>(i)]).template cast<typename Block::Scalar>();
    }
  });
}

}  // namespace

std::int64_t rows_at_once(const Graph& A) { return rows_at_once(A.num_nodes(), A.num_entries()); }

void multiply(const CsrArrays& A, const double* X, Index columns, Matrix& Y) {
  const auto count = static_cast<std::int64_t>(A.offsets.size()) - 1;
  Y.resize(count, columns);
  parallel_ranges(count, rows_at_once(count, A.offsets.back()), [&](auto begin, auto end) {
    const Offset first = A.offsets[static_cast<std::size_t>(begin)];
    multiply_columns({begin, end, A.offsets.data(), A.neighbors.data() + first,
                      A.weights.empty() ? nullptr : A.weights.data() + first},
                     X, columns, Y.data());
  });
}

void multiply(const Graph& A, const Matrix& X, Matrix& Y) { multiply_graph(A, X, Y); }

void multiply(const Graph& A, const FloatMatrix& X, FloatMatrix& Y) { multiply_graph(A, X, Y); }

void multiply(const Representation& R, const Matrix& X, Matrix& Y) { multiply_by_groups(R, X, Y); }

void multiply(const Representation& R, const FloatMatrix& X, FloatMatrix& Y) {
  multiply_by_groups(R, X, Y);
}

Matrix group_sums(const Labels& groups, Index num_groups, const Matrix& X, const Vector& scale) {
  return sums_by_group(groups, num_groups, X, scale);
}

Matrix group_sums(const Labels& groups, Index num_groups, const FloatMatrix& X,
                  const Vector& scale) {
  return sums_by_group(groups, num_groups, X, scale);
}

}  // namespace repsc
