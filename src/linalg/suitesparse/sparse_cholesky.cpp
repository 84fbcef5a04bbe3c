// SparseCholesky by CHOLMOD.
#include <stdexcept>
#include <utility>

#include "core/numerical_failure.hpp"
#include "linalg/dense.hpp"
#include "linalg/suitesparse/session.hpp"

namespace repsc {

struct SparseCholesky::Factor {
  explicit Factor(SparseColumns upper)
      : columns(std::move(upper)), matrix(view_of(columns, Stored::upper_triangle)) {}
  ~Factor() {
    cholmod_l_free_factor(&factor, session.get());
    cholmod_l_free_dense(&solution, session.get());
    cholmod_l_free_dense(&first_work, session.get());
    cholmod_l_free_dense(&second_work, session.get());
  }
  Factor(const Factor&) = delete;
  Factor& operator=(const Factor&) = delete;

  CholmodSession session;
  SparseColumns columns;
  cholmod_sparse matrix;
  cholmod_factor* factor = nullptr;
  cholmod_dense* solution = nullptr;
  cholmod_dense* first_work = nullptr;
  cholmod_dense* second_work = nullptr;
};

SparseCholesky::SparseCholesky(SparseColumns upper)
    : factor_(std::make_unique<Factor>(std::move(upper))) {
  factor_->factor = cholmod_l_analyze(&factor_->matrix, factor_->session.get());
  factor_->session.check("analysis");
}

SparseCholesky::~SparseCholesky() = default;

double SparseCholesky::bytes() const {
  // L and its work space, and A.
  return 2 * 8 * factor_->session.get()->lnz + 16.0 * double(factor_->matrix.nzmax);
}

double SparseCholesky::flops() const { return factor_->session.get()->fl; }

double SparseCholesky::entries() const { return factor_->session.get()->lnz; }

void SparseCholesky::factorize() {
  const SingleThreadedBlas guard;  // the same bits on any number of threads
  cholmod_l_factorize(&factor_->matrix, factor_->factor, factor_->session.get());
  factor_->session.check("Cholesky factorization");
  if (factor_->session.get()->status != CHOLMOD_OK) {
    throw NumericalFailure("SuiteSparse: the matrix is not positive definite");
  }
}

Matrix SparseCholesky::solve(const Matrix& X) {
  const SingleThreadedBlas guard;
  Factor& f = *factor_;
  Eigen::MatrixXd columns = X;
  cholmod_dense right = view_of(columns.data(), X.rows(), X.cols());
  cholmod_l_solve2(CHOLMOD_A, f.factor, &right, nullptr, &f.solution, nullptr, &f.first_work,
                   &f.second_work, f.session.get());
  f.session.check("solution");
  return Eigen::Map<const Eigen::MatrixXd>(static_cast<const double*>(f.solution->x), X.rows(),
                                           X.cols());
}

}  // namespace repsc
