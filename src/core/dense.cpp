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

Matrix transposed_product(const ConstMatrixView& A, const ConstMatrixView& B) {
  const SingleThreadedBlas guard;
  Matrix zero = Matrix::Zero(A.cols(), B.cols());
  if (A.cols() == 0 || B.cols() == 0) return zero;
  return parallel_sum(A.rows(), block_rows(A.rows()), zero, [&](auto begin, auto end) {
    Matrix part(A.cols(), B.cols());
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, static_cast<int>(A.cols()),
                static_cast<int>(B.cols()), static_cast<int>(end - begin), 1.0,
                A.data() + begin * A.outerStride(), static_cast<int>(A.outerStride()),
                B.data() + begin * B.outerStride(), static_cast<int>(B.outerStride()), 0.0,
                part.data(), static_cast<int>(part.outerStride()));
    return part;
  });
}

namespace {

/// A = alpha B T + beta A, block by block.
void add_product(MatrixView A, const ConstMatrixView& B, const Matrix& T, double alpha,
                 double beta) {
  const SingleThreadedBlas guard;
  if (A.cols() == 0) return;
  if (B.cols() == 0) {
    if (beta == 0) A.setZero();
    return;
  }
  parallel_ranges(A.rows(), block_rows(A.rows()), [&](auto begin, auto end) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(end - begin),
                static_cast<int>(T.cols()), static_cast<int>(B.cols()), alpha,
                B.data() + begin * B.outerStride(), static_cast<int>(B.outerStride()), T.data(),
                static_cast<int>(T.outerStride()), beta, A.data() + begin * A.outerStride(),
                static_cast<int>(A.outerStride()));
  });
}

}  // namespace

// A MatrixView is a view that is written through: passing it by value is its use.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
void subtract_product(MatrixView A, const ConstMatrixView& B, const Matrix& T) {
  add_product(A, B, T, -1, 1);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param)
void assign_product(MatrixView A, const ConstMatrixView& B, const Matrix& T) {
  add_product(A, B, T, 1, 0);
}

void multiply_in_place(MatrixView V, const Matrix& T) {
  const SingleThreadedBlas guard;
  // Blocks of a few hundred rows: the product of one fits in the cache and replaces its source.
  parallel_ranges(V.rows(), 256, [&](auto begin, auto end) {
    Matrix product(end - begin, T.cols());
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(end - begin),
                static_cast<int>(T.cols()), static_cast<int>(T.rows()), 1.0,
                V.data() + begin * V.outerStride(), static_cast<int>(V.outerStride()), T.data(),
                static_cast<int>(T.outerStride()), 0.0, product.data(),
                static_cast<int>(product.outerStride()));
    V.block(begin, 0, end - begin, T.cols()) = product;
  });
}

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
