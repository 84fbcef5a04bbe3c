// Products of tall matrices of which one is narrow: one, four or eight columns. For these BLAS
// spends most of its time in copying to its own layout (3 times slower for a basis of 128 and a
// block of 4 columns). The matrices are row-major, on one thread; a stride is the distance of two
// rows.
#pragma once

#include <Eigen/Core>

namespace repsc {

[[nodiscard]] inline bool is_narrow(Eigen::Index cols) {
  return cols == 1 || cols == 4 || cols == 8;
}

/// C = A'B over `rows` rows, A `cols` wide, B and C `width` wide.
void narrow_transposed_product(int width, Eigen::Index rows, Eigen::Index cols, const float* A,
                               Eigen::Index a_stride, const float* B, Eigen::Index b_stride,
                               float* C, Eigen::Index c_stride);
void narrow_transposed_product(int width, Eigen::Index rows, Eigen::Index cols, const double* A,
                               Eigen::Index a_stride, const double* B, Eigen::Index b_stride,
                               double* C, Eigen::Index c_stride);

/// A -= B T over `rows` rows, B `inner` wide, A and T `width` wide.
void narrow_subtract_product(int width, Eigen::Index rows, Eigen::Index inner, float* A,
                             Eigen::Index a_stride, const float* B, Eigen::Index b_stride,
                             const float* T, Eigen::Index t_stride);
void narrow_subtract_product(int width, Eigen::Index rows, Eigen::Index inner, double* A,
                             Eigen::Index a_stride, const double* B, Eigen::Index b_stride,
                             const double* T, Eigen::Index t_stride);

/// V = V T over `rows` rows, V and T four or eight wide.
void narrow_multiply_in_place(int width, Eigen::Index rows, float* V, Eigen::Index v_stride,
                              const float* T, Eigen::Index t_stride);
void narrow_multiply_in_place(int width, Eigen::Index rows, double* V, Eigen::Index v_stride,
                              const double* T, Eigen::Index t_stride);

}  // namespace repsc
