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
#include "linalg/blas_buffers.hpp"
#include "linalg/narrow.hpp"
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
      narrow_transposed_product(static_cast<int>(B.cols()), end - begin, A.cols(),
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
      narrow_subtract_product(static_cast<int>(A.cols()), end - begin, B.cols(),
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
      narrow_multiply_in_place(static_cast<int>(T.cols()), end - begin,
                               V.data() + begin * V.outerStride(), V.outerStride(), small.data(),
                               small.outerStride());
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
