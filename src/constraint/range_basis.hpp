// An orthonormal basis Q of the range of a symmetric sparse matrix, found without forming it dense.
#pragma once

#include <memory>

#include "repsc/constraint.hpp"

namespace repsc {

class RangeBasis {
 public:
  explicit RangeBasis(Matrix Q);
  /// A sparse QR factorization that keeps its Householder vectors; see sparse_qr().
  struct Factor;
  explicit RangeBasis(std::shared_ptr<const Factor> factor);

  [[nodiscard]] Index rank() const;
  /// y = QQ'y.
  void project(Matrix& y) const;

 private:
  Matrix Q_;
  std::shared_ptr<const Factor> factor_;  ///< null: Q_ holds the basis
};

/// All eigenvectors of eigenvalue other than zero. For small M.
[[nodiscard]] RangeBasis dense_range(const Graph& M);

/// What symbolic analysis bounds the cost of sparse_qr() by.
struct QrCost {
  std::int64_t bytes = 0;
  double operations = 0;
};

/// Rank-revealing sparse QR by SuiteSparseQR. Null where `*cost` is above `most`.
[[nodiscard]] std::shared_ptr<const RangeBasis> sparse_qr(const Graph& M, const QrCost& most,
                                                          QrCost* cost);

/// Products with random vectors, orthonormalized until nothing new appears: for a low rank whatever
/// the pattern. Null where the rank is above `most_rank`.
[[nodiscard]] std::shared_ptr<const RangeBasis> low_rank_range(const Graph& M, Index most_rank,
                                                               std::uint64_t seed,
                                                               const ProgressFn& progress = {});

}  // namespace repsc
