// SparseCholesky by CHOLMOD.
#include <algorithm>
#include <utility>

#include "core/numerical_failure.hpp"
#include "core/parallel.hpp"
#include "linalg/dense.hpp"
#include "linalg/suitesparse/session.hpp"

namespace repsc {

struct SparseCholesky::Factor {
  explicit Factor(SparseColumns upper)
      : columns(std::move(upper)), matrix(view_of(columns, Stored::upper_triangle)) {}
  ~Factor() { cholmod_l_free_factor(&factor, session.get()); }
  Factor(const Factor&) = delete;
  Factor& operator=(const Factor&) = delete;

  CholmodSession session;
  SparseColumns columns;
  cholmod_sparse matrix;
  cholmod_factor* factor = nullptr;
};

namespace {

/// L L' X = B, column by column.
class Solution {
 public:
  Solution(cholmod_factor* factor, Eigen::MatrixXd right) : right_(std::move(right)) {
    cholmod_dense view = view_of(right_.data(), right_.rows(), right_.cols());
    found_ = cholmod_l_solve(CHOLMOD_A, factor, &view, session_.get());
    session_.check("solution");
  }
  ~Solution() { cholmod_l_free_dense(&found_, session_.get()); }
  Solution(const Solution&) = delete;
  Solution& operator=(const Solution&) = delete;

  [[nodiscard]] Eigen::Map<const Eigen::MatrixXd> get() const {
    return {static_cast<const double*>(found_->x), right_.rows(), right_.cols()};
  }

 private:
  CholmodSession session_;
  Eigen::MatrixXd right_;
  cholmod_dense* found_ = nullptr;
};

}  // namespace

SparseCholesky::SparseCholesky(SparseColumns upper, Ordering ordering)
    : factor_(std::make_unique<Factor>(std::move(upper))) {
  cholmod_common& settings = *factor_->session.get();
  if (ordering == Ordering::quick) {
    settings.nmethods = 1;
    settings.method[0].ordering = CHOLMOD_AMD;
  }
  // Factors are computed in dense blocks where that pays (operations per entry of L; CHOLMOD's own
  // limit, 40, is slower here), but solved with entry by entry: L is read for few columns at a
  // time, and one call of BLAS for each block is 1.5 to 3 times slower on one thread and 4 to 6
  // times on two, which wait for each other inside OpenBLAS.
  settings.supernodal_switch = 150;
  settings.final_asis = 0;
  settings.final_super = 0;
  settings.final_ll = 1;
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
  // The same columns together on any number of threads: the same bits. CHOLMOD reads L only.
  const std::int64_t together = std::max<std::int64_t>(2, (X.cols() + 3) / 4);
  Matrix Y(X.rows(), X.cols());
  parallel_ranges(X.cols(), together, [&](std::int64_t begin, std::int64_t end) {
    const Solution some(factor_->factor, X.middleCols(begin, end - begin));
    Y.middleCols(begin, end - begin) = some.get();
  });
  return Y;
}

}  // namespace repsc
