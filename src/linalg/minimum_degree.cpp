// Approximate minimum degree by Eigen, and the size of the factor by the elimination tree.
#include "linalg/minimum_degree.hpp"

#include <Eigen/OrderingMethods>
#include <limits>
#include <vector>

namespace repsc {
namespace {

/// Counting stops here, after a few seconds: nobody would wait for such a factor.
constexpr std::int64_t most_entries = 1'000'000'000;

/// Row k of L is what the elimination tree leads to from row k of A (Liu 1990).
FactorSize size_of_factor(const SparseMatrix& upper) {
  const auto n = upper.cols();
  std::vector<double> lengths(static_cast<std::size_t>(n), 1);
  std::vector<std::int64_t> parent(static_cast<std::size_t>(n), -1);
  std::vector<std::int64_t> seen_by(static_cast<std::size_t>(n), -1);
  std::int64_t entries = n;
  for (std::int64_t k = 0; k < n; ++k) {
    seen_by[static_cast<std::size_t>(k)] = k;
    for (SparseMatrix::InnerIterator entry(upper, k); entry; ++entry) {
      for (auto i = static_cast<std::size_t>(entry.row()); seen_by[i] != k;
           i = static_cast<std::size_t>(parent[i])) {
        if (parent[i] < 0) parent[i] = k;
        seen_by[i] = k;
        ++lengths[i];
        ++entries;
      }
    }
    if (entries > most_entries) {
      constexpr double infinity = std::numeric_limits<double>::infinity();
      return {infinity, infinity};
    }
  }
  FactorSize size{.entries = static_cast<double>(entries)};
  for (const double length : lengths) size.flops += length * length;
  return size;
}

}  // namespace

OrderedMatrix minimum_degree_ordered(const SparseColumns& matrix) {
  const Eigen::Map<const SparseMatrix> upper(matrix.size(), matrix.size(), matrix.starts.back(),
                                             matrix.starts.data(), matrix.rows.data(),
                                             matrix.values.data());
  Permutation inverse;
  Eigen::AMDOrdering<std::int64_t>()(SparseMatrix(upper).selfadjointView<Eigen::Upper>(), inverse);
  OrderedMatrix result;
  result.order = inverse.inverse();
  result.upper.resize(matrix.size(), matrix.size());
  result.upper.selfadjointView<Eigen::Upper>() =
      upper.selfadjointView<Eigen::Upper>().twistedBy(result.order);
  // twistedBy() leaves the rows of a column in any order; a transposition sorts them.
  const SparseMatrix lower = result.upper.transpose();
  result.upper = lower.transpose();
  result.size = size_of_factor(result.upper);
  return result;
}

}  // namespace repsc
