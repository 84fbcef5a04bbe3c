// The eigenpairs of a dense symmetric matrix that are largest in absolute value.
#include "linalg/largest_eigen.hpp"

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/parallel.hpp"
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

double magnitude(const Vector& values, const std::vector<Index>& order, Index i) {
  return std::abs(values[order[static_cast<std::size_t>(i)]]);
}

/// `count`, or more if values of equal absolute value, but not zero, follow.
Index end_of_group(const Vector& values, const std::vector<Index>& order, Index count,
                   double equal) {
  const double difference = equal * magnitude(values, order, 0);
  const Index most =
      std::min<Index>(count + max_equal_pairs(count), static_cast<Index>(values.size()));
  Index end = count;
  while (end < most && magnitude(values, order, end - 1) > difference &&
         magnitude(values, order, end - 1) - magnitude(values, order, end) <= difference) {
    ++end;
  }
  return end;
}

/// The absolute value at this place of the order, 0 at its end.
double next_magnitude(const Vector& values, const std::vector<Index>& order, Index end) {
  return end < values.size() ? magnitude(values, order, end) : 0;
}

/// The `low` lowest and `high` highest pairs of T, lifted to those of S. Empty if LAPACK's method
/// of relatively robust representations fails, as it may for tightly clustered eigenvalues.
std::optional<LargestEigen> ends(const Tridiagonal& T, Index low, Index high, double next) {
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
  return LargestEigen{values(order), Z(Eigen::all, order), next};
}

}  // namespace

LargestValues largest_values(const Vector& values, Index count, double equal) {
  std::vector<Index> order = by_magnitude(values);
  const Index end = end_of_group(values, order, count, equal);
  const double next = next_magnitude(values, order, end);
  order.resize(static_cast<std::size_t>(end));
  return {std::move(order), next};
}

LargestEigen largest_of_all_eigen(Matrix S, Index count, double equal) {
  const SymmetricEigen all = symmetric_eigen(std::move(S));
  const LargestValues largest = largest_values(all.values, count, equal);
  return {all.values(largest.order), all.vectors(Eigen::all, largest.order), largest.next};
}

std::optional<LargestEigen> selected_largest_eigen(Matrix S, Index count, double equal) {
  const SingleThreadedBlas guard;
  const Tridiagonal T = tridiagonalize(std::move(S));
  Vector values = T.diagonal;
  Vector off_diagonal = T.off_diagonal;
  const auto n = static_cast<lapack_int>(values.size());
  if (LAPACKE_dsterf(n, values.data(), off_diagonal.data()) != 0) return std::nullopt;
  // Ascending, so that the wanted negative ones come first and the wanted positive ones last.
  const std::vector<Index> order = by_magnitude(values);
  const Index end = end_of_group(values, order, count, equal);
  const auto low = static_cast<Index>(
      std::count_if(order.begin(), order.begin() + end, [&](Index i) { return values[i] < 0; }));
  return ends(T, low, end - low, next_magnitude(values, order, end));
}

}  // namespace repsc
