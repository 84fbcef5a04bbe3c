// Tall products in fixed row blocks, and LAPACK's symmetric eigensolvers.
#include "linalg/dense.hpp"
#include "core/numerical_failure.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <type_traits>

#include "core/parallel.hpp"
#include "core/vector_units.hpp"
#include "linalg/blas_buffers.hpp"
#include "linalg/tridiagonal.hpp"

namespace repsc {
namespace {

/// Rows per block. At most 64 blocks, so that partial products are small compared with the matrix,
/// and each with more work than waking a thread takes.
std::int64_t block_rows(Eigen::Index rows, Eigen::Index operations_a_row) {
  constexpr std::int64_t worth_a_thread = 1 << 19;
  return std::max<std::int64_t>(
      {256, (rows + 63) / 64, worth_a_thread / std::max<std::int64_t>(operations_a_row, 1)});
}

void check_lapack(lapack_int info, const char* routine) {
  if (info == LAPACK_WORK_MEMORY_ERROR) throw std::bad_alloc();
  if (info != 0) {
    throw NumericalFailure(std::string("LAPACK ") + routine + " failed with info " +
                           std::to_string(info));
  }
}

}  // namespace

namespace {
std::mutex blas_mutex;
int blas_guards = 0;
int blas_threads_before = 1;
int blas_callers = 0;  // threads that may be inside BLAS at the same time
thread_local int guards_of_thread = 0;
}  // namespace

SingleThreadedBlas::SingleThreadedBlas() : callers_(guards_of_thread == 0 ? num_threads() : 0) {
  const std::lock_guard lock(blas_mutex);
  reserve_blas_buffers(blas_callers + callers_);
  blas_callers += callers_;
  ++guards_of_thread;
  if (blas_guards++ == 0) {
    blas_threads_before = openblas_get_num_threads();
    if (blas_threads_before != 1) openblas_set_num_threads(1);
  }
}

SingleThreadedBlas::~SingleThreadedBlas() {
  const std::lock_guard lock(blas_mutex);
  blas_callers -= callers_;
  --guards_of_thread;
  if (--blas_guards == 0 && blas_threads_before != 1) openblas_set_num_threads(blas_threads_before);
}

namespace {

/// C = alpha op(A) B + beta C, row-major, `rows` x `cols` with `inner` terms.
struct Shape {
  Eigen::Index rows, cols, inner;
};

template <typename Scalar>
void gemm(CBLAS_TRANSPOSE op, Shape shape, Scalar alpha, const Scalar* A, Eigen::Index a_stride,
          const Scalar* B, Eigen::Index b_stride, Scalar beta, Scalar* C, Eigen::Index c_stride) {
  const auto product = [] {
    if constexpr (std::is_same_v<Scalar, double>) {
      return &cblas_dgemm;
    } else {
      return &cblas_sgemm;
    }
  }();
  product(CblasRowMajor, op, CblasNoTrans, static_cast<int>(shape.rows),
          static_cast<int>(shape.cols), static_cast<int>(shape.inner), alpha, A,
          static_cast<int>(a_stride), B, static_cast<int>(b_stride), beta, C,
          static_cast<int>(c_stride));
}

// Products of tall matrices of which one is narrow, one, four or eight columns: for these BLAS
// spends most of its time in copying to its own layout (3 times slower for a basis of 128 and a
// block of 4 columns).

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

REPSC_VECTOR_UNITS void transposed_strip(int width, Eigen::Index rows, Eigen::Index cols,
                                         const float* A, Eigen::Index a_stride, const float* B,
                                         Eigen::Index b_stride, float* C, Eigen::Index c_stride) {
  if (width == 1) return transposed_column(rows, cols, A, a_stride, B, b_stride, C, c_stride);
  if (width == 4) return narrow_transposed<4>(rows, cols, A, a_stride, B, b_stride, C, c_stride);
  narrow_transposed<8>(rows, cols, A, a_stride, B, b_stride, C, c_stride);
}

REPSC_VECTOR_UNITS void transposed_strip(int width, Eigen::Index rows, Eigen::Index cols,
                                         const double* A, Eigen::Index a_stride, const double* B,
                                         Eigen::Index b_stride, double* C, Eigen::Index c_stride) {
  if (width == 1) return transposed_column(rows, cols, A, a_stride, B, b_stride, C, c_stride);
  if (width == 4) return narrow_transposed<4>(rows, cols, A, a_stride, B, b_stride, C, c_stride);
  narrow_transposed<8>(rows, cols, A, a_stride, B, b_stride, C, c_stride);
}

REPSC_VECTOR_UNITS void subtract_strip(int width, Eigen::Index rows, Eigen::Index inner, float* A,
                                       Eigen::Index a_stride, const float* B, Eigen::Index b_stride,
                                       const float* T, Eigen::Index t_stride) {
  if (width == 1) return subtract_column(rows, inner, A, a_stride, B, b_stride, T, t_stride);
  if (width == 4) return narrow_subtract<4>(rows, inner, A, a_stride, B, b_stride, T, t_stride);
  narrow_subtract<8>(rows, inner, A, a_stride, B, b_stride, T, t_stride);
}

REPSC_VECTOR_UNITS void subtract_strip(int width, Eigen::Index rows, Eigen::Index inner, double* A,
                                       Eigen::Index a_stride, const double* B,
                                       Eigen::Index b_stride, const double* T,
                                       Eigen::Index t_stride) {
  if (width == 1) return subtract_column(rows, inner, A, a_stride, B, b_stride, T, t_stride);
  if (width == 4) return narrow_subtract<4>(rows, inner, A, a_stride, B, b_stride, T, t_stride);
  narrow_subtract<8>(rows, inner, A, a_stride, B, b_stride, T, t_stride);
}

REPSC_VECTOR_UNITS void multiply_strip(int width, Eigen::Index rows, float* V,
                                       Eigen::Index v_stride, const float* T,
                                       Eigen::Index t_stride) {
  if (width == 4) return narrow_multiply<4>(rows, V, v_stride, T, t_stride);
  narrow_multiply<8>(rows, V, v_stride, T, t_stride);
}

REPSC_VECTOR_UNITS void multiply_strip(int width, Eigen::Index rows, double* V,
                                       Eigen::Index v_stride, const double* T,
                                       Eigen::Index t_stride) {
  if (width == 4) return narrow_multiply<4>(rows, V, v_stride, T, t_stride);
  narrow_multiply<8>(rows, V, v_stride, T, t_stride);
}

bool is_narrow(Eigen::Index cols) { return cols == 1 || cols == 4 || cols == 8; }

template <typename Scalar>
using RowMajor = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <typename View>
Matrix sum_of_block_products(const View& A, const View& B) {
  using Scalar = typename View::Scalar;
  const SingleThreadedBlas guard;
  Matrix zero = Matrix::Zero(A.cols(), B.cols());
  if (A.cols() == 0 || B.cols() == 0) return zero;
  // Sums of floats over more rows would be less precise than those of BLAS.
  const std::int64_t rows = B.cols() == 1 ? row_grain : block_rows(A.rows(), A.cols() * B.cols());
  return parallel_sum(A.rows(), rows, zero, [&](auto begin, auto end) {
    RowMajor<Scalar> part(A.cols(), B.cols());
    if (is_narrow(B.cols())) {
      transposed_strip(static_cast<int>(B.cols()), end - begin, A.cols(),
                       A.data() + begin * A.outerStride(), A.outerStride(),
                       B.data() + begin * B.outerStride(), B.outerStride(), part.data(),
                       part.outerStride());
      return Matrix(part.template cast<double>());
    }
    gemm(CblasTrans, {A.cols(), B.cols(), end - begin}, Scalar{1},
         A.data() + begin * A.outerStride(), A.outerStride(), B.data() + begin * B.outerStride(),
         B.outerStride(), Scalar{0}, part.data(), part.outerStride());
    return Matrix(part.template cast<double>());
  });
}

/// A = alpha B T + beta A, block by block.
template <typename View, typename ConstView>
void add_product(View& A, const ConstView& B, const Matrix& T, typename View::Scalar alpha,
                 typename View::Scalar beta) {
  using Scalar = typename View::Scalar;
  const SingleThreadedBlas guard;
  if (A.cols() == 0) return;
  if (B.cols() == 0) {
    if (beta == 0) A.setZero();
    return;
  }
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): a cast, for floats
  const RowMajor<Scalar> small = T.cast<Scalar>();
  parallel_ranges(A.rows(), block_rows(A.rows(), T.size()), [&](auto begin, auto end) {
    if (is_narrow(A.cols()) && alpha == -1 && beta == 1) {
      subtract_strip(static_cast<int>(A.cols()), end - begin, B.cols(),
                     A.data() + begin * A.outerStride(), A.outerStride(),
                     B.data() + begin * B.outerStride(), B.outerStride(), small.data(),
                     small.outerStride());
      return;
    }
    gemm(CblasNoTrans, {end - begin, T.cols(), B.cols()}, alpha, B.data() + begin * B.outerStride(),
         B.outerStride(), small.data(), small.outerStride(), beta,
         A.data() + begin * A.outerStride(), A.outerStride());
  });
}

template <typename View>
void replace_by_product(View& V, const Matrix& T) {
  using Scalar = typename View::Scalar;
  const SingleThreadedBlas guard;
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): a cast, for floats
  const RowMajor<Scalar> small = T.cast<Scalar>();
  if (is_narrow(T.cols()) && T.cols() > 1 && T.rows() == T.cols()) {
    return parallel_ranges(V.rows(), row_grain, [&](auto begin, auto end) {
      multiply_strip(static_cast<int>(T.cols()), end - begin, V.data() + begin * V.outerStride(),
                     V.outerStride(), small.data(), small.outerStride());
    });
  }
  // Blocks of a few hundred rows: the product of one fits in the cache and replaces its source.
  parallel_ranges(V.rows(), 256, [&](auto begin, auto end) {
    RowMajor<Scalar> product(end - begin, T.cols());
    gemm(CblasNoTrans, {end - begin, T.cols(), T.rows()}, Scalar{1},
         V.data() + begin * V.outerStride(), V.outerStride(), small.data(), small.outerStride(),
         Scalar{0}, product.data(), product.outerStride());
    V.block(begin, 0, end - begin, T.cols()) = product;
  });
}

}  // namespace

Matrix transposed_product(const ConstMatrixView& A, const ConstMatrixView& B) {
  return sum_of_block_products(A, B);
}

Matrix transposed_product(const ConstFloatMatrixView& A, const ConstFloatMatrixView& B) {
  return sum_of_block_products(A, B);
}

// A MatrixView refers to a matrix that is written through it, so it is passed by value.
// NOLINTBEGIN(performance-unnecessary-value-param)
void subtract_product(MatrixView A, const ConstMatrixView& B, const Matrix& T) {
  add_product(A, B, T, -1, 1);
}

void subtract_product(FloatMatrixView A, const ConstFloatMatrixView& B, const Matrix& T) {
  add_product(A, B, T, -1, 1);
}

void assign_product(MatrixView A, const ConstMatrixView& B, const Matrix& T) {
  add_product(A, B, T, 1, 0);
}

void assign_product(FloatMatrixView A, const ConstFloatMatrixView& B, const Matrix& T) {
  add_product(A, B, T, 1, 0);
}

void multiply_in_place(MatrixView V, const Matrix& T) { replace_by_product(V, T); }

void multiply_in_place(FloatMatrixView V, const Matrix& T) { replace_by_product(V, T); }
// NOLINTEND(performance-unnecessary-value-param)

namespace {

template <typename Block>
Eigen::RowVectorXd means_of_columns(const Block& A) {
  Eigen::RowVectorXd zero = Eigen::RowVectorXd::Zero(A.cols());
  if (A.rows() == 0) return zero;
  const Eigen::RowVectorXd sums =
      parallel_sum(A.rows(), block_rows(A.rows(), A.cols()), zero, [&](auto begin, auto end) {
        Eigen::RowVectorXd sum = zero;
        for (auto i = begin; i < end; ++i) sum += A.row(i).template cast<double>();
        return sum;
      });
  return sums / static_cast<double>(A.rows());
}

}  // namespace

Eigen::RowVectorXd column_means(const ConstMatrixView& A) { return means_of_columns(A); }
Eigen::RowVectorXd column_means(const ConstFloatMatrixView& A) { return means_of_columns(A); }

void center_columns(MatrixView A) {
  const Eigen::RowVectorXd means = means_of_columns(A);
  parallel_ranges(A.rows(), block_rows(A.rows(), A.cols()), [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i) A.row(i) -= means;
  });
}

// A symmetric matrix reads the same row by row and column by column, so LAPACK's column-major
// routines take our row-major storage as it is; what they return are columns, hence the transposes.

namespace {

/// Divide and conquer (dstedc), which finds every pair.
SymmetricEigen all_pairs(Tridiagonal T) {
  const Index n = T.size();
  Eigen::MatrixXd Z(n, n);
  check_lapack(LAPACKE_dstedc(LAPACK_COL_MAJOR, 'I', n, T.diagonal.data(), T.off_diagonal.data(),
                              Z.data(), n),
               "dstedc");
  multiply_by_q(T, Z);
  T.reflectors = Matrix();
  return {std::move(T.diagonal), Z};
}

}  // namespace

SymmetricEigen symmetric_eigen(Matrix S) {
  if (S.rows() == 0) return {Vector(0), Matrix()};
  const SingleThreadedBlas guard;
  return all_pairs(tridiagonalize(std::move(S)));
}

SymmetricEigen smallest_symmetric_eigen(Matrix S, Index count) {
  if (S.rows() == 0 || count == 0) return {Vector(0), Matrix(S.rows(), 0)};
  const SingleThreadedBlas guard;
  Tridiagonal T = tridiagonalize(std::move(S));
  if (2 * count < T.size()) {
    Vector values(count);
    Eigen::MatrixXd Z(T.size(), count);
    if (tridiagonal_pairs(T, 0, values, Z) && is_orthonormal(Z)) {
      multiply_by_q(T, Z);
      return {std::move(values), Z};
    }
  }
  SymmetricEigen all = all_pairs(std::move(T));
  return {all.values.head(count), all.vectors.leftCols(count)};
}

}  // namespace repsc
