// Row by row, up to eight columns at once: an index is read once for all of them, the gathered row
// is one cache line, and the sums stay in registers. Unweighted graphs read no values at all.
#include "graph/product.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "core/vector_units.hpp"

namespace repsc {
namespace {

constexpr Eigen::Index tile = 8;

struct Rows {
  const Offset* offsets;
  const Index* neighbors;
  const double* weights;
  std::int64_t begin, end;
};

// Always inlined, so that they take on the vector units of the function around them.

template <int Width, bool Weighted, typename Scalar>
[[gnu::always_inline]] inline void add_row(const Rows& A, Offset e, const Scalar* X,
                                           std::ptrdiff_t stride, Scalar* sum) {
  const Scalar* x = X + A.neighbors[e] * stride;
  if constexpr (Weighted) {
    const auto weight = static_cast<Scalar>(A.weights[e]);
    for (int c = 0; c < Width; ++c) sum[c] += weight * x[c];
  } else {
    for (int c = 0; c < Width; ++c) sum[c] += x[c];
  }
}

template <int Width, bool Weighted, typename Scalar>
[[gnu::always_inline]] inline void multiply_rows(const Rows& A, const Scalar* X, Scalar* Y,
                                                 std::ptrdiff_t stride) {
  for (std::int64_t i = A.begin; i < A.end; ++i) {
    // Two sums, so that an addition need not wait for the one before it (8 % at four columns).
    Scalar even[Width] = {};
    Scalar odd[Width] = {};
    Offset e = A.offsets[i];
    const Offset end = A.offsets[i + 1];
    for (; e + 1 < end; e += 2) {
      add_row<Width, Weighted>(A, e, X, stride, even);
      add_row<Width, Weighted>(A, e + 1, X, stride, odd);
    }
    if (e < end) add_row<Width, Weighted>(A, e, X, stride, even);
    Scalar* y = Y + i * stride;
    for (int c = 0; c < Width; ++c) y[c] = even[c] + odd[c];
  }
}

template <bool Weighted, typename Scalar>
[[gnu::always_inline]] inline void multiply_tile(const Rows& A, const Scalar* X, Scalar* Y,
                                                 std::ptrdiff_t stride, Eigen::Index width) {
  switch (width) {
    case 1:
      return multiply_rows<1, Weighted>(A, X, Y, stride);
    case 2:
      return multiply_rows<2, Weighted>(A, X, Y, stride);
    case 3:
      return multiply_rows<3, Weighted>(A, X, Y, stride);
    case 4:
      return multiply_rows<4, Weighted>(A, X, Y, stride);
    case 5:
      return multiply_rows<5, Weighted>(A, X, Y, stride);
    case 6:
      return multiply_rows<6, Weighted>(A, X, Y, stride);
    case 7:
      return multiply_rows<7, Weighted>(A, X, Y, stride);
    default:
      return multiply_rows<tile, Weighted>(A, X, Y, stride);
  }
}

REPSC_VECTOR_UNITS void multiply_tile(const Rows& A, const double* X, double* Y,
                                      std::ptrdiff_t stride, Eigen::Index width) {
  if (A.weights != nullptr) return multiply_tile<true>(A, X, Y, stride, width);
  multiply_tile<false>(A, X, Y, stride, width);
}

REPSC_VECTOR_UNITS void multiply_tile(const Rows& A, const float* X, float* Y,
                                      std::ptrdiff_t stride, Eigen::Index width) {
  if (A.weights != nullptr) return multiply_tile<true>(A, X, Y, stride, width);
  multiply_tile<false>(A, X, Y, stride, width);
}

template <typename Block>
void multiply_block(const Graph& A, const Block& X, Block& Y) {
  Y.resize(X.rows(), X.cols());
  parallel_ranges(A.num_nodes(), 512, [&](auto begin, auto end) {
    const Rows rows{A.offsets().data(), A.neighbors().data(),
                    A.weighted() ? A.weights().data() : nullptr, begin, end};
    for (Eigen::Index column = 0; column < X.cols(); column += tile) {
      multiply_tile(rows, X.data() + column, Y.data() + column, X.cols(),
                    std::min(tile, X.cols() - column));
    }
  });
}

}  // namespace

void multiply(const Graph& A, const Matrix& X, Matrix& Y) { multiply_block(A, X, Y); }

void multiply(const Graph& A, const FloatMatrix& X, FloatMatrix& Y) { multiply_block(A, X, Y); }

}  // namespace repsc
