// Householder reflections, a panel of columns at a time (Dongarra, Sorensen and Hammarling 1989):
// within a panel the trailing matrix A is not changed and represents A - V W' - W V'; after the
// panel the difference is subtracted. All matrices here are by columns, lower triangle, as in
// LAPACK.
#include "linalg/tridiagonal.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "linalg/dense.hpp"

namespace repsc {
namespace {

constexpr int panel = 64;       // columns
constexpr int unblocked = 128;  // smaller trailing matrices are reduced by LAPACK
constexpr int strip = 32;       // columns that stay in cache while they are used twice
constexpr int update_columns = 128;

/// The last columns of parts with about equal numbers of entries of a lower triangle.
std::vector<int> equal_parts(int size) {
  const int parts = size < 512 ? 1 : size < 2048 ? 8 : 16;
  std::vector<int> ends;
  for (int part = 1; part < parts; ++part) {
    const double end = size * (1 - std::sqrt(1 - double(part) / parts));
    ends.push_back(static_cast<int>(end) / strip * strip);
  }
  ends.push_back(size);
  return ends;
}

/// Some kernels of OpenBLAS (dsymv of x86-64) read a little beyond the end of a matrix or of the
/// vector that they add to, so memory is allocated there.
constexpr Eigen::Index room = 64;
Matrix with_room_behind(Matrix S) {
  const Eigen::Index n = S.rows();
  if (n == 0) return S;
  const Eigen::Index rows = room / n + 1;
  S.conservativeResize(n + rows, n);
  S.bottomRows(rows).setZero();
  return S;
}

/// LAPACKE allocates work space, and does nothing where there is none.
void require_memory(lapack_int info) {
  if (info == LAPACK_WORK_MEMORY_ERROR) throw std::bad_alloc();
}

class Reduction {
 public:
  explicit Reduction(Matrix S)
      : n_(static_cast<int>(S.rows())),
        T_{Vector::Zero(n_), Vector::Zero(n_), with_room_behind(std::move(S)), Vector::Zero(n_)},
        A_(T_.reflectors.data()),
        W_(n_, panel) {}

  Tridiagonal run() {
    int first = 0;
    for (; n_ - first > unblocked; first += panel) {
      for (int j = 0; j < panel; ++j) reduce_column(first, j);
      subtract_panel(first);
    }
    finish(first);
    return std::move(T_);
  }

 private:
  [[nodiscard]] double* at(int row, int column) {
    return A_ + row + static_cast<std::ptrdiff_t>(column) * n_;
  }
  [[nodiscard]] double* w(int row, int column) {
    return W_.data() + row + static_cast<std::ptrdiff_t>(column) * n_;
  }

  /// Brings column `first + j` up to date, finds its reflector v, and w with A - v w' - w v' next.
  void reduce_column(int first, int j) {
    const int c = first + j;
    const int rest = n_ - c;
    cblas_dgemv(CblasColMajor, CblasNoTrans, rest, j, -1, at(c, first), n_, w(c, 0), n_, 1,
                at(c, c), 1);
    cblas_dgemv(CblasColMajor, CblasNoTrans, rest, j, -1, w(c, 0), n_, at(c, first), n_, 1,
                at(c, c), 1);
    T_.diagonal[c] = *at(c, c);
    LAPACKE_dlarfg_work(rest - 1, at(c + 1, c), at(std::min(c + 2, n_ - 1), c), 1, &T_.tau[c]);
    T_.off_diagonal[c] = *at(c + 1, c);
    *at(c + 1, c) = 1;  // v; subtract_panel() puts the element back
    const double* v = at(c + 1, c);
    double* to = w(c + 1, j);
    multiply_trailing(c + 1, v, to);
    double inner[panel];
    subtract_projection(rest - 1, j, w(c + 1, 0), at(c + 1, first), v, inner, to);
    subtract_projection(rest - 1, j, at(c + 1, first), w(c + 1, 0), v, inner, to);
    cblas_dscal(rest - 1, T_.tau[c], to, 1);
    const double half = -0.5 * T_.tau[c] * cblas_ddot(rest - 1, to, 1, v, 1);
    cblas_daxpy(rest - 1, half, v, 1, to, 1);
  }

  /// to -= Y (X' v), X and Y of `columns` columns.
  void subtract_projection(int rows, int columns, const double* X, const double* Y, const double* v,
                           double* inner, double* to) const {
    if (columns == 0) return;
    cblas_dgemv(CblasColMajor, CblasTrans, rows, columns, 1, X, n_, v, 1, 0, inner, 1);
    cblas_dgemv(CblasColMajor, CblasNoTrans, rows, columns, -1, Y, n_, inner, 1, 1, to, 1);
  }

  /// y = A[begin:, begin:] x from the lower triangle, each part into a vector of its own.
  void multiply_trailing(int begin, const double* x, double* y) {
    const int size = n_ - begin;
    const std::vector<int> ends = equal_parts(size);
    const auto parts = static_cast<int>(ends.size());
    // Moved: an assignment that finds no memory leaves a matrix of Eigen that frees its numbers
    // twice.
    partial_ = Vector(Vector::Zero(Eigen::Index{size} * parts + room));
    parallel_chunks(parts, [&](std::int64_t part) {
      const int from = part == 0 ? 0 : ends[static_cast<std::size_t>(part) - 1];
      double* sum = partial_.data() + std::ptrdiff_t{part} * size;
      for (int column = from; column < ends[static_cast<std::size_t>(part)]; column += strip) {
        const int width = std::min(strip, ends[static_cast<std::size_t>(part)] - column);
        add_strip(begin, column, width, x, sum);
      }
    });
    std::copy_n(partial_.data(), size, y);
    for (int part = 1; part < parts; ++part)
      cblas_daxpy(size, 1, partial_.data() + std::ptrdiff_t{part} * size, 1, y, 1);
  }

  /// The product with columns [column, column + width) of the trailing matrix and, by symmetry,
  /// with the same rows.
  void add_strip(int begin, int column, int width, const double* x, double* sum) {
    const int below = n_ - begin - column - width;
    const double* diagonal = at(begin + column, begin + column);
    cblas_dsymv(CblasColMajor, CblasLower, width, 1, diagonal, n_, x + column, 1, 1, sum + column,
                1);
    if (below == 0) return;
    const double* rows = diagonal + width;
    cblas_dgemv(CblasColMajor, CblasTrans, below, width, 1, rows, n_, x + column + width, 1, 1,
                sum + column, 1);
    cblas_dgemv(CblasColMajor, CblasNoTrans, below, width, 1, rows, n_, x + column, 1, 1,
                sum + column + width, 1);
  }

  /// A -= V W' + W V' behind the panel.
  void subtract_panel(int first) {
    const int begin = first + panel;
    parallel_ranges(n_ - begin, update_columns, [&](std::int64_t from, std::int64_t to) {
      const int row = begin + static_cast<int>(from);
      const auto columns = static_cast<int>(to - from);
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n_ - row, columns, panel, -1,
                  at(row, first), n_, w(row, 0), n_, 1, at(row, row), n_);
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n_ - row, columns, panel, -1, w(row, 0),
                  n_, at(row, first), n_, 1, at(row, row), n_);
    });
    for (int c = first; c < begin; ++c) *at(c + 1, c) = T_.off_diagonal[c];
  }

  void finish(int first) {
    if (n_ == 0) return;
    const int size = n_ - first;
    Vector off_diagonal = Vector::Zero(size);
    // LAPACK multiplies into these two.
    Vector tau = Vector::Zero(size + room);
    const int work_size = size * panel;
    Vector work = Vector::Zero(work_size + room);
    LAPACKE_dsytrd_work(LAPACK_COL_MAJOR, 'L', size, at(first, first), n_,
                        T_.diagonal.data() + first, off_diagonal.data(), tau.data(), work.data(),
                        work_size);
    T_.off_diagonal.tail(size) = off_diagonal;
    T_.tau.tail(size) = tau.head(size);
  }

  int n_;
  Tridiagonal T_;
  double* A_;  // the matrix, and the reflectors that take its place
  Eigen::MatrixXd W_;
  Vector partial_;  // of each part `size` sums
};

/// Entries so small that reflectors of them are not numbers become 0, which no eigenvalue notices.
void drop_negligible(Matrix& S) {
  constexpr double negligible = 1e-200;
  if (S.size() == 0) return;
  const double least = negligible * S.cwiseAbs().maxCoeff();
  S = (S.array().abs() < least).select(0, S);
}

}  // namespace

Tridiagonal tridiagonalize(Matrix S) {
  const SingleThreadedBlas guard;
  drop_negligible(S);
  return Reduction(std::move(S)).run();
}

bool tridiagonal_pairs(const Tridiagonal& T, Index first, Eigen::Ref<Vector> values,
                       Eigen::Ref<Eigen::MatrixXd> Z) {
  if (Z.cols() == 0) return true;
  const auto n = static_cast<lapack_int>(T.diagonal.size());
  const auto wanted = static_cast<lapack_int>(Z.cols());
  Vector diagonal = T.diagonal;
  Vector off_diagonal = T.off_diagonal;
  Vector found_values(n);
  std::vector<lapack_int> support(2 * static_cast<std::size_t>(wanted));
  lapack_int found = 0;
  lapack_logical try_high_accuracy = 1;
  const lapack_int info = LAPACKE_dstemr(
      LAPACK_COL_MAJOR, 'V', 'I', n, diagonal.data(), off_diagonal.data(), 0, 0, first + 1,
      first + wanted, &found, found_values.data(), Z.data(),
      static_cast<lapack_int>(Z.outerStride()), wanted, support.data(), &try_high_accuracy);
  require_memory(info);
  if (info != 0 || found != wanted) return false;
  values = found_values.head(wanted);
  return true;
}

bool is_orthonormal(const Eigen::MatrixXd& Z) {
  RandomStream random(1, 0);
  const Vector x = Vector::NullaryExpr(Z.cols(), [&] { return random.normal(); });
  const Vector y = Z.transpose() * (Z * x);
  return (y - x).cwiseAbs().maxCoeff() < 1e-11 * std::sqrt(static_cast<double>(Z.rows()));
}

void multiply_by_q(const Tridiagonal& T, Eigen::MatrixXd& Z) {
  const SingleThreadedBlas guard;
  constexpr std::int64_t columns_at_once = 256;
  parallel_ranges(Z.cols(), columns_at_once, [&](std::int64_t begin, std::int64_t end) {
    require_memory(LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'L', 'N', T.size(),
                                  static_cast<lapack_int>(end - begin), T.reflectors.data(),
                                  T.size(), T.tau.data(), Z.col(begin).data(), T.size()));
  });
}

}  // namespace repsc
