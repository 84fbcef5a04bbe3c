// Products with one, four or eight columns, in registers.
#include "linalg/narrow.hpp"

#include <algorithm>

#include "core/vector_units.hpp"

namespace repsc {
namespace {

// Rows are read in order, four at a time, so that sums and coefficients are loaded once for four.

/// The numbers of one vector register. 16 bytes, which every processor has; gcc keeps wider types
/// in memory if there are no wider registers (2.5 times slower).
template <typename Scalar>
using Lanes [[gnu::vector_size(16), gnu::aligned(alignof(Scalar))]] = Scalar;

/// `Width` numbers of a row, in registers.
template <typename Scalar, int Width>
struct Row {
  static constexpr int per_lane = 16 / sizeof(Scalar);
  Lanes<Scalar> lanes[Width / per_lane];

  [[gnu::always_inline]] explicit Row(const Scalar* numbers) {
    for (int g = 0; g < Width / per_lane; ++g)
      lanes[g] = *reinterpret_cast<const Lanes<Scalar>*>(numbers + g * per_lane);
  }
  [[gnu::always_inline]] void store(Scalar* numbers) const {
    for (int g = 0; g < Width / per_lane; ++g)
      *reinterpret_cast<Lanes<Scalar>*>(numbers + g * per_lane) = lanes[g];
  }
  [[gnu::always_inline]] void add(Scalar factor, const Row& other) {
    for (int g = 0; g < Width / per_lane; ++g) lanes[g] += factor * other.lanes[g];
  }
  [[gnu::always_inline]] void subtract(Scalar factor, const Row& other) {
    for (int g = 0; g < Width / per_lane; ++g) lanes[g] -= factor * other.lanes[g];
  }
};

/// C = A'B over `rows` rows, A `cols` wide, B `Width` wide.
template <int Width, typename Scalar>
[[gnu::always_inline]] inline void narrow_transposed(Eigen::Index rows, Eigen::Index cols,
                                                     const Scalar* A, Eigen::Index a_stride,
                                                     const Scalar* B, Eigen::Index b_stride,
                                                     Scalar* C, Eigen::Index c_stride) {
  using R = Row<Scalar, Width>;
  for (Eigen::Index k = 0; k < cols; ++k) std::fill_n(C + k * c_stride, Width, Scalar{0});
  Eigen::Index i = 0;
  for (; i + 4 <= rows; i += 4) {
    const Scalar* a0 = A + i * a_stride;
    const Scalar* a1 = a0 + a_stride;
    const Scalar* a2 = a1 + a_stride;
    const Scalar* a3 = a2 + a_stride;
    const R b0(B + i * b_stride);
    const R b1(B + (i + 1) * b_stride);
    const R b2(B + (i + 2) * b_stride);
    const R b3(B + (i + 3) * b_stride);
    for (Eigen::Index k = 0; k < cols; ++k) {
      R sum(C + k * c_stride);
      sum.add(a0[k], b0);
      sum.add(a1[k], b1);
      sum.add(a2[k], b2);
      sum.add(a3[k], b3);
      sum.store(C + k * c_stride);
    }
  }
  for (; i < rows; ++i) {
    const R b(B + i * b_stride);
    for (Eigen::Index k = 0; k < cols; ++k) {
      R sum(C + k * c_stride);
      sum.add(A[i * a_stride + k], b);
      sum.store(C + k * c_stride);
    }
  }
}

/// A -= B T over `rows` rows, B `inner` wide, A and T `Width` wide.
template <int Width, typename Scalar>
[[gnu::always_inline]] inline void narrow_subtract(Eigen::Index rows, Eigen::Index inner, Scalar* A,
                                                   Eigen::Index a_stride, const Scalar* B,
                                                   Eigen::Index b_stride, const Scalar* T,
                                                   Eigen::Index t_stride) {
  using R = Row<Scalar, Width>;
  Eigen::Index i = 0;
  for (; i + 4 <= rows; i += 4) {
    const Scalar* b0 = B + i * b_stride;
    const Scalar* b1 = b0 + b_stride;
    const Scalar* b2 = b1 + b_stride;
    const Scalar* b3 = b2 + b_stride;
    R a0(A + i * a_stride);
    R a1(A + (i + 1) * a_stride);
    R a2(A + (i + 2) * a_stride);
    R a3(A + (i + 3) * a_stride);
    for (Eigen::Index k = 0; k < inner; ++k) {
      const R t(T + k * t_stride);
      a0.subtract(b0[k], t);
      a1.subtract(b1[k], t);
      a2.subtract(b2[k], t);
      a3.subtract(b3[k], t);
    }
    a0.store(A + i * a_stride);
    a1.store(A + (i + 1) * a_stride);
    a2.store(A + (i + 2) * a_stride);
    a3.store(A + (i + 3) * a_stride);
  }
  for (; i < rows; ++i) {
    R a(A + i * a_stride);
    for (Eigen::Index k = 0; k < inner; ++k) a.subtract(B[i * b_stride + k], R(T + k * t_stride));
    a.store(A + i * a_stride);
  }
}

/// C = A'b over `rows` rows, A `cols` wide.
template <typename Scalar>
[[gnu::always_inline]] inline void transposed_column(Eigen::Index rows, Eigen::Index cols,
                                                     const Scalar* A, Eigen::Index a_stride,
                                                     const Scalar* b, Eigen::Index b_stride,
                                                     Scalar* C, Eigen::Index c_stride) {
  for (Eigen::Index k = 0; k < cols; ++k) C[k * c_stride] = 0;
  Eigen::Index i = 0;
  for (; i + 4 <= rows; i += 4) {
    const Scalar* a0 = A + i * a_stride;
    const Scalar* a1 = a0 + a_stride;
    const Scalar* a2 = a1 + a_stride;
    const Scalar* a3 = a2 + a_stride;
    const Scalar b0 = b[i * b_stride];
    const Scalar b1 = b[(i + 1) * b_stride];
    const Scalar b2 = b[(i + 2) * b_stride];
    const Scalar b3 = b[(i + 3) * b_stride];
    for (Eigen::Index k = 0; k < cols; ++k)
      C[k * c_stride] += (a0[k] * b0 + a1[k] * b1) + (a2[k] * b2 + a3[k] * b3);
  }
  for (; i < rows; ++i) {
    for (Eigen::Index k = 0; k < cols; ++k)
      C[k * c_stride] += A[i * a_stride + k] * b[i * b_stride];
  }
}

/// a -= B t over `rows` rows, B `inner` wide.
template <typename Scalar>
[[gnu::always_inline]] inline void subtract_column(Eigen::Index rows, Eigen::Index inner, Scalar* a,
                                                   Eigen::Index a_stride, const Scalar* B,
                                                   Eigen::Index b_stride, const Scalar* t,
                                                   Eigen::Index t_stride) {
  Eigen::Index i = 0;
  for (; i + 4 <= rows; i += 4) {
    const Scalar* b0 = B + i * b_stride;
    const Scalar* b1 = b0 + b_stride;
    const Scalar* b2 = b1 + b_stride;
    const Scalar* b3 = b2 + b_stride;
    Scalar sums[4] = {};
    for (Eigen::Index k = 0; k < inner; ++k) {
      const Scalar factor = t[k * t_stride];
      sums[0] += b0[k] * factor;
      sums[1] += b1[k] * factor;
      sums[2] += b2[k] * factor;
      sums[3] += b3[k] * factor;
    }
    for (Eigen::Index r = 0; r < 4; ++r) a[(i + r) * a_stride] -= sums[r];
  }
  for (; i < rows; ++i) {
    Scalar sum = 0;
    for (Eigen::Index k = 0; k < inner; ++k) sum += B[i * b_stride + k] * t[k * t_stride];
    a[i * a_stride] -= sum;
  }
}

/// V = V T over `rows` rows, both `Width` wide.
template <int Width, typename Scalar>
[[gnu::always_inline]] inline void narrow_multiply(Eigen::Index rows, Scalar* V,
                                                   Eigen::Index v_stride, const Scalar* T,
                                                   Eigen::Index t_stride) {
  using R = Row<Scalar, Width>;
  constexpr Scalar zeros[Width] = {};
  Eigen::Index i = 0;
  for (; i + 2 <= rows; i += 2) {
    Scalar* const v0 = V + i * v_stride;
    Scalar* const v1 = v0 + v_stride;
    R sum0(zeros);
    R sum1(zeros);
    for (int k = 0; k < Width; ++k) {
      const R t(T + k * t_stride);
      sum0.add(v0[k], t);
      sum1.add(v1[k], t);
    }
    sum0.store(v0);
    sum1.store(v1);
  }
  for (; i < rows; ++i) {
    Scalar* const v = V + i * v_stride;
    R sum(zeros);
    for (int k = 0; k < Width; ++k) sum.add(v[k], R(T + k * t_stride));
    sum.store(v);
  }
}

}  // namespace

REPSC_VECTOR_UNITS void narrow_transposed_product(int width, Eigen::Index rows, Eigen::Index cols,
                                                  const float* A, Eigen::Index a_stride,
                                                  const float* B, Eigen::Index b_stride, float* C,
                                                  Eigen::Index c_stride) {
  if (width == 1) return transposed_column(rows, cols, A, a_stride, B, b_stride, C, c_stride);
  if (width == 4) return narrow_transposed<4>(rows, cols, A, a_stride, B, b_stride, C, c_stride);
  narrow_transposed<8>(rows, cols, A, a_stride, B, b_stride, C, c_stride);
}

REPSC_VECTOR_UNITS void narrow_transposed_product(int width, Eigen::Index rows, Eigen::Index cols,
                                                  const double* A, Eigen::Index a_stride,
                                                  const double* B, Eigen::Index b_stride, double* C,
                                                  Eigen::Index c_stride) {
  if (width == 1) return transposed_column(rows, cols, A, a_stride, B, b_stride, C, c_stride);
  if (width == 4) return narrow_transposed<4>(rows, cols, A, a_stride, B, b_stride, C, c_stride);
  narrow_transposed<8>(rows, cols, A, a_stride, B, b_stride, C, c_stride);
}

REPSC_VECTOR_UNITS void narrow_subtract_product(int width, Eigen::Index rows, Eigen::Index inner,
                                                float* A, Eigen::Index a_stride, const float* B,
                                                Eigen::Index b_stride, const float* T,
                                                Eigen::Index t_stride) {
  if (width == 1) return subtract_column(rows, inner, A, a_stride, B, b_stride, T, t_stride);
  if (width == 4) return narrow_subtract<4>(rows, inner, A, a_stride, B, b_stride, T, t_stride);
  narrow_subtract<8>(rows, inner, A, a_stride, B, b_stride, T, t_stride);
}

REPSC_VECTOR_UNITS void narrow_subtract_product(int width, Eigen::Index rows, Eigen::Index inner,
                                                double* A, Eigen::Index a_stride, const double* B,
                                                Eigen::Index b_stride, const double* T,
                                                Eigen::Index t_stride) {
  if (width == 1) return subtract_column(rows, inner, A, a_stride, B, b_stride, T, t_stride);
  if (width == 4) return narrow_subtract<4>(rows, inner, A, a_stride, B, b_stride, T, t_stride);
  narrow_subtract<8>(rows, inner, A, a_stride, B, b_stride, T, t_stride);
}

REPSC_VECTOR_UNITS void narrow_multiply_in_place(int width, Eigen::Index rows, float* V,
                                                 Eigen::Index v_stride, const float* T,
                                                 Eigen::Index t_stride) {
  if (width == 4) return narrow_multiply<4>(rows, V, v_stride, T, t_stride);
  narrow_multiply<8>(rows, V, v_stride, T, t_stride);
}

REPSC_VECTOR_UNITS void narrow_multiply_in_place(int width, Eigen::Index rows, double* V,
                                                 Eigen::Index v_stride, const double* T,
                                                 Eigen::Index t_stride) {
  if (width == 4) return narrow_multiply<4>(rows, V, v_stride, T, t_stride);
  narrow_multiply<8>(rows, V, v_stride, T, t_stride);
}

}  // namespace repsc
