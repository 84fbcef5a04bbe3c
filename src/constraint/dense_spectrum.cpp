// The eigenpairs of a dense symmetric matrix that are largest in absolute value.
#include "constraint/dense_spectrum.hpp"

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/random.hpp"

namespace repsc {
namespace {

/// Columns are vectors, as LAPACK wants them.
using Columns = Eigen::MatrixXd;

/// Positions by falling absolute value.
std::vector<Index> by_magnitude(const Vector& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index i, Index j) { return std::abs(values[i]) > std::abs(values[j]); });
  return order;
}

/// A tridiagonal matrix T with S = Q T Q', Q as reflectors in `reflectors` and `tau`.
struct Tridiagonal {
  Vector diagonal;
  Vector off_diagonal;
  Matrix reflectors;
  Vector tau;
};

std::optional<Tridiagonal> tridiagonal(Matrix S) {
  const auto n = static_cast<lapack_int>(S.rows());
  Tridiagonal T{Vector(n), Vector::Zero(n), std::move(S), Vector(n)};
  const lapack_int info = LAPACKE_dsytrd(LAPACK_COL_MAJOR, 'L', n, T.reflectors.data(), n,
                                         T.diagonal.data(), T.off_diagonal.data(), T.tau.data());
  if (info != 0) return std::nullopt;
  return T;
}

/// The pairs first .. first + Z.cols() - 1 of T, ascending and counted from 0. False where dstemr
/// finds another number of them.
bool tridiagonal_pairs(const Tridiagonal& T, Index first, Eigen::Ref<Vector> values,
                       Eigen::Ref<Columns> Z) {
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
  if (info != 0 || found != wanted) return false;
  values = found_values.head(wanted);
  return true;
}

/// Whether Z'Z = I, by one random vector: a loss anywhere shows in it.
bool is_orthonormal(const Columns& Z) {
  RandomStream random(1, 0);
  const Vector x = Vector::NullaryExpr(Z.cols(), [&] { return random.normal(); });
  const Vector y = Z.transpose() * (Z * x);
  return (y - x).cwiseAbs().maxCoeff() < 1e-11 * std::sqrt(static_cast<double>(Z.rows()));
}

/// The `low` lowest and `high` highest pairs of T, lifted to those of S. Nothing where LAPACK's
/// relatively robust representations fail, which they may on tight clusters.
std::optional<SymmetricEigen> ends(const Tridiagonal& T, Index low, Index high) {
  const auto n = static_cast<lapack_int>(T.diagonal.size());
  const Index count = low + high;
  Vector values(count);
  Columns Z(n, count);
  if (!tridiagonal_pairs(T, 0, values.head(low), Z.leftCols(low)) ||
      !tridiagonal_pairs(T, n - high, values.tail(high), Z.rightCols(high)) || !is_orthonormal(Z))
    return std::nullopt;
  const lapack_int info = LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'L', 'N', n, count,
                                         T.reflectors.data(), n, T.tau.data(), Z.data(), n);
  if (info != 0) return std::nullopt;
  std::vector<Index> order = by_magnitude(values);
  return SymmetricEigen{values(order), Z(Eigen::all, order)};
}

}  // namespace

SymmetricEigen largest_of_all_eigen(Matrix S, Index count) {
  SymmetricEigen all = symmetric_eigen(std::move(S));
  std::vector<Index> order = by_magnitude(all.values);
  order.resize(static_cast<std::size_t>(count));
  return {all.values(order), all.vectors(Eigen::all, order)};
}

std::optional<SymmetricEigen> selected_largest_eigen(Matrix S, Index count) {
  const SingleThreadedBlas guard;
  const auto T = tridiagonal(std::move(S));
  if (!T) return std::nullopt;
  Vector values = T->diagonal;
  Vector off_diagonal = T->off_diagonal;
  const auto n = static_cast<lapack_int>(values.size());
  if (LAPACKE_dsterf(n, values.data(), off_diagonal.data()) != 0) return std::nullopt;
  // Ascending, so that the wanted negative ones come first and the wanted positive ones last.
  const std::vector<Index> order = by_magnitude(values);
  const auto low = static_cast<Index>(
      std::count_if(order.begin(), order.begin() + count, [&](Index i) { return values[i] < 0; }));
  return ends(*T, low, count - low);
}

}  // namespace repsc
