// Factors of indefinite symmetric matrices.
#include "linalg/symmetric_factor.hpp"

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "core/numerical_failure.hpp"
#include "linalg/dense.hpp"
#include "linalg/random_block.hpp"

namespace repsc {
namespace {

void require_success(lapack_int info, const char* routine) {
  if (info == LAPACK_WORK_MEMORY_ERROR) throw std::bad_alloc();
  if (info < 0) throw NumericalFailure(joined("LAPACK ", routine, " failed with info ", info));
}

}  // namespace

DenseLdl::DenseLdl(Eigen::MatrixXd S)
    : factors_(std::move(S)), pivots_(static_cast<std::size_t>(factors_.rows())) {
  const SingleThreadedBlas guard;
  const auto n = static_cast<lapack_int>(factors_.rows());
  const lapack_int info = LAPACKE_dsytrf(LAPACK_COL_MAJOR, 'L', n, factors_.data(),
                                         std::max<lapack_int>(1, n), pivots_.data());
  require_success(info, "dsytrf");
  singular_ = info > 0;
}

std::optional<Index> DenseLdl::num_negative() const {
  if (singular_) return std::nullopt;
  Index negative = 0;
  for (Eigen::Index i = 0; i < factors_.rows(); ++i) {
    if (pivots_[static_cast<std::size_t>(i)] > 0) {
      negative += factors_(i, i) < 0 ? 1 : 0;
    } else {  // a pivot of order 2 has one eigenvalue of each sign
      ++negative;
      ++i;
    }
  }
  return negative;
}

Eigen::MatrixXd DenseLdl::solve(Eigen::MatrixXd B) const {
  const SingleThreadedBlas guard;
  const auto n = static_cast<lapack_int>(factors_.rows());
  const lapack_int least = std::max<lapack_int>(1, n);
  require_success(LAPACKE_dsytrs(LAPACK_COL_MAJOR, 'L', n, static_cast<lapack_int>(B.cols()),
                                 factors_.data(), least, pivots_.data(), B.data(), least),
                  "dsytrs");
  return B;
}

SparseLdl::SparseLdl(const SparseColumns& upper) : matrix_(minimum_degree_ordered(upper)) {}

double SparseLdl::bytes() const {
  return 16.0 * matrix_.size.entries + 3 * 16.0 * static_cast<double>(matrix_.upper.nonZeros());
}

bool SparseLdl::factorize(const Vector& subtracted) {
  shifted_ = matrix_.upper;
  const Vector in_order = matrix_.order * subtracted;
  for (Eigen::Index i = 0; i < in_order.size(); ++i) shifted_.coeffRef(i, i) -= in_order[i];
  factors_.compute(shifted_);
  return factors_.info() == Eigen::Success && factors_.vectorD().allFinite();
}

Index SparseLdl::num_negative() const {
  return static_cast<Index>((factors_.vectorD().array() < 0).count());
}

Eigen::MatrixXd SparseLdl::solve(const Eigen::MatrixXd& B) const {
  return matrix_.order.transpose() * Eigen::MatrixXd(factors_.solve(matrix_.order * B));
}

Eigen::MatrixXd SparseLdl::product(const Eigen::MatrixXd& X) const {
  const Eigen::MatrixXd in_order = matrix_.order * X;
  const SparseMatrix& L = factors_.matrixL().nestedExpression();  // without its ones
  Eigen::MatrixXd Y = in_order + L.transpose() * in_order;
  Y = factors_.vectorD().asDiagonal() * Y;
  Y += (L * Y).eval();
  return matrix_.order.transpose() * Y;
}

double SparseLdl::error() const {
  constexpr Index probes = 5;
  constexpr double factor = 100;  // wrong with probability factor^-probes
  const auto n = static_cast<Index>(shifted_.rows());
  const Eigen::MatrixXd X = random_block<Matrix>(n, probes, 0);
  const Eigen::MatrixXd in_order = matrix_.order * X;
  const Eigen::MatrixXd SX = shifted_.selfadjointView<Eigen::Upper>() * in_order;
  const Eigen::MatrixXd difference = matrix_.order.transpose() * SX - product(X);
  return factor * std::sqrt(2 / M_PI) * difference.colwise().norm().maxCoeff();
}

}  // namespace repsc
