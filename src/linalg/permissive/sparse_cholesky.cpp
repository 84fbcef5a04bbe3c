// SparseCholesky by Eigen: approximate minimum degree, then a simplicial factorization, entry by
// entry.
#include <Eigen/SparseCholesky>
#include <stdexcept>
#include <utility>

#include "core/numerical_failure.hpp"
#include "linalg/minimum_degree.hpp"
#include "linalg/sparse_factor.hpp"

namespace repsc {

struct SparseCholesky::Factor {
  OrderedMatrix matrix;
  double bytes = 0;
  Eigen::SimplicialLLT<SparseMatrix, Eigen::Upper, Eigen::NaturalOrdering<std::int64_t>> factors;
};

SparseCholesky::SparseCholesky(SparseColumns upper, Ordering)
    : factor_(std::make_unique<Factor>()) {
  const SparseColumns matrix = std::move(upper);  // not needed any more
  factor_->matrix = minimum_degree_ordered(matrix);
  factor_->bytes = 16.0 * factor_->matrix.size.entries + 32.0 * double(matrix.rows.size());
}

SparseCholesky::~SparseCholesky() = default;

double SparseCholesky::bytes() const { return factor_->bytes; }

double SparseCholesky::flops() const { return factor_->matrix.size.flops; }

double SparseCholesky::entries() const { return factor_->matrix.size.entries; }

void SparseCholesky::factorize() {
  factor_->factors.compute(factor_->matrix.upper);
  if (factor_->factors.info() != Eigen::Success) {
    throw NumericalFailure("Cholesky factorization: the matrix is not positive definite");
  }
}

Matrix SparseCholesky::solve(const Matrix& X) {
  const Matrix permuted = factor_->matrix.order * X;
  const Matrix solution = factor_->factors.solve(permuted);
  return factor_->matrix.order.transpose() * solution;
}

}  // namespace repsc
