// The range of a symmetric sparse matrix M, three ways: eigenvectors, sparse QR, random products.
#include "constraint/range_basis.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "constraint/shared.hpp"
#include "graph/product.hpp"
#include "linalg/dense.hpp"
#include "linalg/random_block.hpp"
#include "linalg/small_factors.hpp"

namespace repsc {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// M by columns, which for a symmetric matrix are the rows.
SparseColumns columns_of(const Graph& M) {
  SparseColumns columns{{M.offsets().begin(), M.offsets().end()},
                        {M.neighbors().begin(), M.neighbors().end()},
                        {M.weights().begin(), M.weights().end()}};
  if (columns.values.empty()) columns.values.assign(columns.rows.size(), 1.0);
  return columns;
}

void remove_parts(Matrix& W, const ConstMatrixView& Q) {
  for (int pass = 0; pass < 2; ++pass) subtract_product(W, Q, transposed_product(Q, W));
}

}  // namespace

RangeBasis::RangeBasis(Matrix Q) : Q_(std::move(Q)) {}
RangeBasis::RangeBasis(std::unique_ptr<const SparseQr> factor) : factor_(std::move(factor)) {}

Index RangeBasis::rank() const { return factor_ ? factor_->rank() : static_cast<Index>(Q_.cols()); }

void RangeBasis::project(Matrix& y) const {
  const SingleThreadedBlas guard;
  if (factor_) {
    factor_->project(y);
  } else {
    assign_product(y, Q_, transposed_product(Q_, y));
  }
}

std::vector<Index> nonzero_values(const Vector& values) {
  const auto n = static_cast<Index>(values.size());
  const double threshold = n * epsilon * values.cwiseAbs().maxCoeff();
  std::vector<Index> kept;
  for (Index i = 0; i < n; ++i) {
    if (std::abs(values[i]) > threshold) kept.push_back(i);
  }
  return kept;
}

RangeBasis dense_range(const Graph& M) {
  const SymmetricEigen all = symmetric_eigen(dense_adjacency(M));
  return RangeBasis(all.vectors(Eigen::all, nonzero_values(all.values)));
}

std::shared_ptr<const RangeBasis> sparse_qr(const Graph& M, const FactorCost& most,
                                            FactorCost* cost) {
  auto factor = std::make_unique<SparseQr>(columns_of(M));
  *cost = factor->cost();
  if (cost->bytes > most.bytes || cost->operations > most.operations) return nullptr;
  factor->factorize();
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
