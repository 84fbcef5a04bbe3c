// The eigenpairs of a dense symmetric matrix that are largest in absolute value.
#include "linalg/largest_eigen.hpp"

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "linalg/tridiagonal.hpp"

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

/// Whether Z'Z = I, tested with one random vector, which detects any loss of orthogonality with
/// probability 1.
bool is_orthonormal(const Columns& Z) {
  RandomStream random(1, 0);
  const Vector x = Vector::NullaryExpr(Z.cols(), [&] { return random.normal(); });
  const Vector y = Z.transpose() * (Z * x);
  return (y - x).cwiseAbs().maxCoeff() < 1e-11 * std::sqrt(static_cast<double>(Z.rows()));
}

/// The `low` lowest and `high` highest pairs of T, lifted to those of S. Empty if LAPACK's method
/// of relatively robust representations fails, as it may for tightly clustered eigenvalues.
std::optional<SymmetricEigen> ends(const Tridiagonal& T, Index low, Index high) {
  const auto n = static_cast<lapack_int>(T.diagonal.size());
  const Index count = low + high;
  Vector values(count);
  Columns Z(n, count);
  bool found[2] = {false, false};
  parallel_chunks(2, [&](std::int64_t side) {
    found[side] = side == 0 ? tridiagonal_pairs(T, 0, values.head(low), Z.leftCols(low))
                            : tridiagonal_pairs(T, n - high, values.tail(high), Z.rightCols(high));
  });
  if (!found[0] || !found[1] || !is_orthonormal(Z)) return std::nullopt;
  multiply_by_q(T, Z);
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
  const Tridiagonal T = tridiagonalize(std::move(S));
  Vector values = T.diagonal;
  Vector off_diagonal = T.off_diagonal;
  const auto n = static_cast<lapack_int>(values.size());
  if (LAPACKE_dsterf(n, values.data(), off_diagonal.data()) != 0) return std::nullopt;
  // Ascending, so that the wanted negative ones come first and the wanted positive ones last.
  const std::vector<Index> order = by_magnitude(values);
  const auto low = static_cast<Index>(
      std::count_if(order.begin(), order.begin() + count, [&](Index i) { return values[i] < 0; }));
  return ends(T, low, count - low);
}

}  // namespace repsc
