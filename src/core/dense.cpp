// Tall products in fixed row blocks, and LAPACK's symmetric eigensolvers.
#include "core/dense.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <mutex>

#include "core/parallel.hpp"

namespace repsc {
namespace {

/// Rows of a block. At most 64 blocks, so that partial products stay small beside the matrix.
std::int64_t block_rows(Eigen::Index rows) { return std::max<std::int64_t>(256, (rows + 63) / 64); }

void check_lapack(lapack_int info, const char* routine) {
  if (info != 0) {
    throw std::runtime_error(std::string("LAPACK ") + routine + " failed with info " +
                             std::to_string(info));
  }
}

}  // namespace

namespace {
std::mutex blas_mutex;
int blas_guards = 0;
int blas_threads_before = 1;
}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  const std::lock_guard lock(blas_mutex);
  if (blas_guards++ == 0) {
    blas_threads_before = openblas_get_num_threads();
    if (blas_threads_before != 1) openblas_set_num_threads(1);
  }
}

SingleThreadedBlas::~SingleThreadedBlas() {
  const std::lock_guard lock(blas_mutex);
  if (--blas_guards == 0 && blas_threads_before != 1) openblas_set_num_threads(blas_threads_before);
}

namespace {

/// C = alpha op(A) B + beta C, row-major, `rows` x `cols` with `inner` terms.
struct Shape {
  Eigen::Index rows, cols, inner;
};

void gemm(CBLAS_TRANSPOSE op, Shape shape, double alpha, const double* A, Eigen::Index a_stride,
          const double* B, Eigen::Index b_stride, double beta, double* C, Eigen::Index c_stride) {
  cblas_dgemm(CblasRowMajor, op, CblasNoTrans, static_cast<int>(shape.rows),
              static_cast<int>(shape.cols), static_cast<int>(shape.inner), alpha, A,
              static_cast<int>(a_stride), B, static_cast<int>(b_stride), beta, C,
              static_cast<int>(c_stride));
}

void gemm(CBLAS_TRANSPOSE op, Shape shape, float alpha, const float* A, Eigen::Index a_stride,
          const float* B, Eigen::Index b_stride, float beta, float* C, Eigen::Index c_stride) {
  cblas_sgemm(CblasRowMajor, op, CblasNoTrans, static_cast<int>(shape.rows),
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
  return parallel_sum(A.rows(), block_rows(A.rows()), zero, [&](auto begin, auto end) {
    RowMajor<Scalar> part(A.cols(), B.cols());
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
  const RowMajor<Scalar> small = T.cast<Scalar>();
  parallel_ranges(A.rows(), block_rows(A.rows()), [&](auto begin, auto end) {
    gemm(CblasNoTrans, {end - begin, T.cols(), B.cols()}, alpha, B.data() + begin * B.outerStride(),
         B.outerStride(), small.data(), small.outerStride(), beta,
         A.data() + begin * A.outerStride(), A.outerStride());
  });
}

template <typename View>
void replace_by_product(View& V, const Matrix& T) {
  using Scalar = typename View::Scalar;
  const SingleThreadedBlas guard;
  const RowMajor<Scalar> small = T.cast<Scalar>();
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

// A MatrixView is a view that is written through: passing it by value is its use.
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

Eigen::RowVectorXd column_means(const ConstMatrixView& A) {
  Eigen::RowVectorXd zero = Eigen::RowVectorXd::Zero(A.cols());
  if (A.rows() == 0) return zero;
  const Eigen::RowVectorXd sums =
      parallel_sum(A.rows(), block_rows(A.rows()), zero, [&](auto begin, auto end) {
        Eigen::RowVectorXd sum = zero;
        for (auto i = begin; i < end; ++i) sum += A.row(i);
        return sum;
      });
  return sums / static_cast<double>(A.rows());
}

void center_columns(MatrixView A) {
  const Eigen::RowVectorXd means = column_means(A);
  parallel_ranges(A.rows(), block_rows(A.rows()), [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i) A.row(i) -= means;
  });
}

// A symmetric matrix reads the same row by row and column by column, so LAPACK's column-major
// routines take our row-major storage as it is; what they return are columns, hence the transposes.

SymmetricEigen symmetric_eigen(Matrix S) {
  const SingleThreadedBlas guard;
  const auto n = static_cast<lapack_int>(S.rows());
  SymmetricEigen result{Vector(n), Matrix()};
  if (n == 0) return result;
  check_lapack(LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', n, S.data(), n, result.values.data()),
               "dsyevd");
  S.transposeInPlace();
  result.vectors = std::move(S);
  return result;
}

SymmetricEigen smallest_symmetric_eigen(Matrix S, Index count) {
  const SingleThreadedBlas guard;
  const auto n = static_cast<lapack_int>(S.rows());
  SymmetricEigen result{Vector(n), Matrix()};
  if (n == 0 || count == 0) return {Vector(0), Matrix(n, 0)};
  // LAPACK's ?syevr may find fewer than asked where eigenvalues are tightly clustered unless the
  // whole spectrum is asked for; dsyevd has no such case, so it takes over (and for a large share
  // anyway).
  if (2 * count < n) {
    Eigen::MatrixXd columns(n, count);
    std::vector<lapack_int> support(2 * static_cast<std::size_t>(std::max<Index>(count, 1)));
    lapack_int found = 0;
    Matrix copy = S;
    const lapack_int info =
        LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'I', 'L', n, copy.data(), n, 0, 0, 1, count, 0,
                       &found, result.values.data(), columns.data(), n, support.data());
    if (info == 0 && found == count) return {result.values.head(count), columns};
  }
  SymmetricEigen all = symmetric_eigen(std::move(S));
  return {all.values.head(count), all.vectors.leftCols(count)};
}

}  // namespace repsc
