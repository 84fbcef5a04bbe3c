// The range of a symmetric sparse matrix M, three ways: eigenvectors, sparse QR, random products.
#include "constraint/range_basis.hpp"

#include <Eigen/QR>
#include <SuiteSparseQR.hpp>
#include <cmath>
#include <limits>
#include <new>

#include "constraint/shared.hpp"
#include "graph/product.hpp"
#include "linalg/dense.hpp"
#include "linalg/random_block.hpp"

namespace repsc {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
using Long = SuiteSparse_long;

/// CHOLMOD's settings and workspace, silent: what goes wrong is an exception of ours.
class Cholmod {
 public:
  Cholmod() {
    cholmod_l_start(&common_);
    common_.print = 0;
  }
  ~Cholmod() { cholmod_l_finish(&common_); }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;
  cholmod_common* get() { return &common_; }
  void check() const {
    if (common_.status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
    if (common_.status < 0)
      throw std::runtime_error("SuiteSparse failed with status " + std::to_string(common_.status));
  }

 private:
  cholmod_common common_{};
};

/// M for CHOLMOD: by columns, which for a symmetric matrix are the rows.
class ColumnForm {
 public:
  explicit ColumnForm(const Graph& M)
      : starts_(M.offsets().begin(), M.offsets().end()),
        rows_(M.neighbors().begin(), M.neighbors().end()),
        values_(M.weights().begin(), M.weights().end()) {
    if (values_.empty()) values_.assign(rows_.size(), 1.0);
    matrix_.nrow = matrix_.ncol = static_cast<std::size_t>(M.num_nodes());
    matrix_.nzmax = rows_.size();
    matrix_.p = starts_.data();
    matrix_.i = rows_.data();
    matrix_.x = values_.data();
    matrix_.stype = 0;
    matrix_.itype = CHOLMOD_LONG;
    matrix_.xtype = CHOLMOD_REAL;
    matrix_.dtype = CHOLMOD_DOUBLE;
    matrix_.sorted = matrix_.packed = 1;
  }
  cholmod_sparse* get() { return &matrix_; }

 private:
  std::vector<Long> starts_;
  std::vector<Long> rows_;
  std::vector<double> values_;
  cholmod_sparse matrix_{};
};

void remove_parts(Matrix& W, const ConstMatrixView& Q) {
  for (int pass = 0; pass < 2; ++pass) subtract_product(W, Q, transposed_product(Q, W));
}

/// An orthonormal basis of what W spans above `threshold`.
Matrix spanned(const Matrix& W, double threshold) {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr{Eigen::MatrixXd(W)};
  const auto diagonal = qr.matrixQR().diagonal().cwiseAbs();
  const auto rank = (diagonal.array() > threshold).count();
  return Eigen::MatrixXd(qr.householderQ() * Eigen::MatrixXd::Identity(W.rows(), rank));
}

}  // namespace

struct RangeBasis::Factor {
  mutable SuiteSparseQR_factorization<double>* qr = nullptr;

  Factor() = default;
  ~Factor() {
    Cholmod cholmod;
    if (qr != nullptr) SuiteSparseQR_free<double>(&qr, cholmod.get());
  }
  Factor(const Factor&) = delete;
  Factor& operator=(const Factor&) = delete;

  /// X = QQ'X. Row by row our X is X' column by column, which is multiplied from the right.
  void project(Matrix& X) const {
    Cholmod cholmod;
    cholmod_dense view{};
    view.nrow = view.d = static_cast<std::size_t>(X.cols());
    view.ncol = static_cast<std::size_t>(X.rows());
    view.nzmax = view.nrow * view.ncol;
    view.x = X.data();
    view.xtype = CHOLMOD_REAL;
    view.dtype = CHOLMOD_DOUBLE;
    cholmod_dense* within = SuiteSparseQR_qmult<double>(SPQR_XQ, qr, &view, cholmod.get());
    cholmod.check();
    auto* coefficients = static_cast<double*>(within->x);
    std::fill(coefficients + qr->rank * X.cols(), coefficients + X.size(), 0.0);
    cholmod_dense* back = SuiteSparseQR_qmult<double>(SPQR_XQT, qr, within, cholmod.get());
    cholmod_l_free_dense(&within, cholmod.get());
    cholmod.check();
    std::copy_n(static_cast<const double*>(back->x), X.size(), X.data());
    cholmod_l_free_dense(&back, cholmod.get());
  }
};

RangeBasis::RangeBasis(Matrix Q) : Q_(std::move(Q)) {}
RangeBasis::RangeBasis(std::shared_ptr<const Factor> factor) : factor_(std::move(factor)) {}

Index RangeBasis::rank() const {
  return static_cast<Index>(factor_ ? factor_->qr->rank : Q_.cols());
}

void RangeBasis::project(Matrix& y) const {
  const SingleThreadedBlas guard;
  if (factor_) {
    factor_->project(y);
  } else {
    assign_product(y, Q_, transposed_product(Q_, y));
  }
}

RangeBasis dense_range(const Graph& M) {
  const Index n = M.num_nodes();
  const SymmetricEigen all = symmetric_eigen(dense_adjacency(M));
  const double threshold = n * epsilon * all.values.cwiseAbs().maxCoeff();
  std::vector<Index> kept;
  for (Index i = 0; i < n; ++i) {
    if (std::abs(all.values[i]) > threshold) kept.push_back(i);
  }
  return RangeBasis(all.vectors(Eigen::all, kept));
}

std::shared_ptr<const RangeBasis> sparse_qr(const Graph& M, const QrCost& most, QrCost* cost) {
  const SingleThreadedBlas guard;
  Cholmod cholmod;
  ColumnForm matrix(M);
  auto factor = std::make_shared<RangeBasis::Factor>();
  constexpr int with_rank = 1;
  // COLAMD orders the columns by the pattern of M alone; others would form that of M'M.
  factor->qr =
      SuiteSparseQR_symbolic<double>(SPQR_ORDERING_COLAMD, with_rank, matrix.get(), cholmod.get());
  cholmod.check();
  const spqr_symbolic& plan = *factor->qr->QRsym;
  const auto entries = static_cast<std::int64_t>(M.num_entries());
  // Fronts with R and H on one stack, the rows of H, and M by rows and by columns.
  cost->bytes = 8 * (static_cast<std::int64_t>(plan.maxstack) + plan.hisize + 3 * plan.rjsize) +
                std::int64_t{48} * entries;
  cost->operations = cholmod.get()->SPQR_flopcount_bound;
  if (cost->bytes > most.bytes || cost->operations > most.operations) return nullptr;
  SuiteSparseQR_numeric<double>(SPQR_DEFAULT_TOL, matrix.get(), factor->qr, cholmod.get());
  cholmod.check();
  return std::make_shared<const RangeBasis>(std::move(factor));
}

std::shared_ptr<const RangeBasis> low_rank_range(const Graph& M, Index most_rank,
                                                 std::uint64_t seed, const ProgressFn& progress) {
  const Index n = M.num_nodes();
  const Index block = std::min<Index>(32, n);
  const Index room = std::min<Index>(n, most_rank + block);
  Matrix Q(n, std::min<Index>(room, 4 * block));
  Index rank = 0;
  double threshold = 0;
  for (std::uint64_t round = 0;; ++round) {
    if (progress) progress({"constraint", rank, most_rank});
    Matrix W;
    multiply(M, random_block<Matrix>(n, block, seed + 0x9e3779b9ULL * round), W);
    if (round == 0) threshold = n * epsilon * W.colwise().norm().maxCoeff();
    remove_parts(W, Q.leftCols(rank));
    Matrix fresh = spanned(W, threshold);
    remove_parts(fresh, Q.leftCols(rank));
    // What M maps random vectors to has, but for probability zero, as many new directions as there
    // are left, or as many as vectors: fewer than these means that all are found.
    const auto found = static_cast<Index>(fresh.cols());
    const Index kept = std::min<Index>(found, room - rank);
    if (rank + kept > Q.cols())
      Q.conservativeResize(Eigen::NoChange, std::min<Eigen::Index>(room, 2 * Q.cols()));
    fresh.colwise().normalize();
    Q.middleCols(rank, kept) = fresh.leftCols(kept);
    rank += kept;
    if (rank > most_rank) return nullptr;
    if (found < block || rank == n) break;
  }
  return std::make_shared<const RangeBasis>(Matrix(Q.leftCols(rank)));
}

}  // namespace repsc
