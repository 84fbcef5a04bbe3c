// SparseQr by SuiteSparseQR, which keeps its Householder vectors.
#include <SuiteSparseQR.hpp>
#include <algorithm>
#include <utility>

#include "linalg/dense.hpp"
#include "linalg/suitesparse/session.hpp"

namespace repsc {

struct SparseQr::Factor {
  SparseColumns columns;  // empty once it is factored
  SuiteSparseQR_factorization<double>* qr = nullptr;
  FactorCost cost;

  Factor() = default;
  ~Factor() {
    CholmodSession session;
    if (qr != nullptr) SuiteSparseQR_free<double>(&qr, session.get());
  }
  Factor(const Factor&) = delete;
  Factor& operator=(const Factor&) = delete;
};

SparseQr::SparseQr(SparseColumns matrix) : factor_(std::make_unique<Factor>()) {
  CholmodSession session;
  factor_->columns = std::move(matrix);
  cholmod_sparse view = view_of(factor_->columns, Stored::whole);
  constexpr int with_rank = 1;
  // COLAMD orders the columns by the pattern of M alone; others would form that of M'M.
  factor_->qr =
      SuiteSparseQR_symbolic<double>(SPQR_ORDERING_COLAMD, with_rank, &view, session.get());
  session.check("analysis");
  const spqr_symbolic& plan = *factor_->qr->QRsym;
  const auto entries = static_cast<std::int64_t>(factor_->columns.rows.size());
  // Fronts with R and H on one stack, the rows of H, and M by rows and by columns.
  factor_->cost.bytes =
      8 * (static_cast<std::int64_t>(plan.maxstack) + plan.hisize + 3 * plan.rjsize) +
      std::int64_t{48} * entries;
  factor_->cost.operations = session.get()->SPQR_flopcount_bound;
}

SparseQr::~SparseQr() = default;

FactorCost SparseQr::cost() const { return factor_->cost; }

void SparseQr::factorize() {
  const SingleThreadedBlas guard;
  CholmodSession session;
  cholmod_sparse view = view_of(factor_->columns, Stored::whole);
  SuiteSparseQR_numeric<double>(SPQR_DEFAULT_TOL, &view, factor_->qr, session.get());
  session.check("QR factorization");
  factor_->columns = {};
}

Index SparseQr::rank() const { return static_cast<Index>(factor_->qr->rank); }

// Row by row our X is X' column by column, which is multiplied from the right.
void SparseQr::project(Matrix& X) const {
  const SingleThreadedBlas guard;
  CholmodSession session;
  cholmod_dense view = view_of(X.data(), X.cols(), X.rows());
  cholmod_dense* within = SuiteSparseQR_qmult<double>(SPQR_XQ, factor_->qr, &view, session.get());
  session.check("product with Q");
  auto* coefficients = static_cast<double*>(within->x);
  std::fill(coefficients + factor_->qr->rank * X.cols(), coefficients + X.size(), 0.0);
  cholmod_dense* back = SuiteSparseQR_qmult<double>(SPQR_XQT, factor_->qr, within, session.get());
  cholmod_l_free_dense(&within, session.get());
  session.check("product with Q'");
  std::copy_n(static_cast<const double*>(back->x), X.size(), X.data());
  cholmod_l_free_dense(&back, session.get());
}

}  // namespace repsc
