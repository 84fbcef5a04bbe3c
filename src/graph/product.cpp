// Row by row, up to eight columns at once: an index is read once for all of them, the gathered row
// is one cache line, and the sums stay in registers. Unweighted graphs read no values at all.
#include "graph/product.hpp"

#include <algorithm>
#include <array>

#include "core/parallel.hpp"

namespace repsc {
namespace {

template <int Width, bool Weighted>
void multiply_rows(const Graph& A, const double* X, double* Y, std::ptrdiff_t stride,
                   std::int64_t begin, std::int64_t end) {
  const Offset* offsets = A.offsets().data();
  const Index* neighbors = A.neighbors().data();
  const double* weights = A.weights().data();
  for (std::int64_t i = begin; i < end; ++i) {
    std::array<double, Width> sum{};
    for (Offset e = offsets[i]; e < offsets[i + 1]; ++e) {
      const double* x = X + neighbors[e] * stride;
      for (int c = 0; c < Width; ++c) {
        if constexpr (Weighted) {
          sum[c] += weights[e] * x[c];
        } else {
          sum[c] += x[c];
        }
      }
    }
    std::copy(sum.begin(), sum.end(), Y + i * stride);
  }
}

using RowKernel = void (*)(const Graph&, const double*, double*, std::ptrdiff_t, std::int64_t,
                           std::int64_t);

template <bool Weighted>
RowKernel kernel(Eigen::Index width) {
  switch (width) {
    case 1:
      return multiply_rows<1, Weighted>;
    case 2:
      return multiply_rows<2, Weighted>;
    case 3:
      return multiply_rows<3, Weighted>;
    case 4:
      return multiply_rows<4, Weighted>;
    case 5:
      return multiply_rows<5, Weighted>;
    case 6:
      return multiply_rows<6, Weighted>;
    case 7:
      return multiply_rows<7, Weighted>;
    default:
      return multiply_rows<8, Weighted>;
  }
}

}  // namespace

void multiply(const Graph& A, const Matrix& X, Matrix& Y) {
  constexpr Eigen::Index tile = 8;
  Y.resize(X.rows(), X.cols());
  parallel_ranges(A.num_nodes(), 512, [&](auto begin, auto end) {
    for (Eigen::Index column = 0; column < X.cols(); column += tile) {
      const Eigen::Index width = std::min(tile, X.cols() - column);
      const RowKernel rows = A.weighted() ? kernel<true>(width) : kernel<false>(width);
      rows(A, X.data() + column, Y.data() + column, X.cols(), begin, end);
    }
  });
}

}  // namespace repsc
