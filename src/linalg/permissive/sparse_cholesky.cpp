// SparseCholesky by Eigen: approximate minimum degree, then a simplicial factorization, entry by
// entry.
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/numerical_failure.hpp"
#include "linalg/sparse_factor.hpp"

namespace repsc {
namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int64_t>;
using Permutation = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, std::int64_t>;

/// Counting stops here, after a few seconds: nobody would wait for such a factor.
constexpr std::int64_t most_entries = 1'000'000'000;

/// Size of L, and the operations that it takes: the sum of the squares of its column lengths.
struct FactorSize {
  double entries = 0;
  double flops = 0;
};

/// For A whose upper triangle is `upper`; row k of L is what the elimination tree leads to from row
/// k of A (Liu 1990). Infinite above `most_entries`.
FactorSize size_of_factor(const Sparse& upper) {
  const auto n = upper.cols();
  std::vector<double> lengths(static_cast<std::size_t>(n), 1);
  std::vector<std::int64_t> parent(static_cast<std::size_t>(n), -1);
  std::vector<std::int64_t> seen_by(static_cast<std::size_t>(n), -1);
  std::int64_t entries = n;
  for (std::int64_t k = 0; k < n; ++k) {
    seen_by[static_cast<std::size_t>(k)] = k;
    for (Sparse::InnerIterator entry(upper, k); entry; ++entry) {
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

struct SparseCholesky::Factor {
  Sparse upper;  // permuted
  Permutation order;
  double bytes = 0;
  FactorSize size;
  Eigen::SimplicialLLT<Sparse, Eigen::Upper, Eigen::NaturalOrdering<std::int64_t>> factors;
};

SparseCholesky::SparseCholesky(SparseColumns matrix) : factor_(std::make_unique<Factor>()) {
  const Eigen::Map<const Sparse> upper(matrix.size(), matrix.size(), matrix.starts.back(),
                                       matrix.starts.data(), matrix.rows.data(),
                                       matrix.values.data());
  Permutation inverse;
  Eigen::AMDOrdering<std::int64_t>()(Sparse(upper).selfadjointView<Eigen::Upper>(), inverse);
  factor_->order = inverse.inverse();
  factor_->upper.resize(matrix.size(), matrix.size());
  factor_->upper.selfadjointView<Eigen::Upper>() =
      upper.selfadjointView<Eigen::Upper>().twistedBy(factor_->order);
  factor_->size = size_of_factor(factor_->upper);
  factor_->bytes = 16.0 * factor_->size.entries + 32.0 * double(matrix.rows.size());
}

SparseCholesky::~SparseCholesky() = default;

double SparseCholesky::bytes() const { return factor_->bytes; }

double SparseCholesky::flops() const { return factor_->size.flops; }

double SparseCholesky::entries() const { return factor_->size.entries; }

void SparseCholesky::factorize() {
  factor_->factors.compute(factor_->upper);
  if (factor_->factors.info() != Eigen::Success) {
    throw NumericalFailure("Cholesky factorization: the matrix is not positive definite");
  }
}

Matrix SparseCholesky::solve(const Matrix& X) {
  const Matrix permuted = factor_->order * X;
  const Matrix solution = factor_->factors.solve(permuted);
  return factor_->order.transpose() * solution;
}

}  // namespace repsc
