// An orthonormal basis Q of the range of a symmetric sparse matrix, found without forming it dense.
#pragma once

#include <memory>

#include "linalg/sparse_factor.hpp"
#include "repsc/constraint.hpp"

namespace repsc {

class RangeBasis {
 public:
  explicit RangeBasis(Matrix Q);
  explicit RangeBasis(std::unique_ptr<const SparseQr> factor);

  [[nodiscard]] Index rank() const;
  /// y = QQ'y.
  void project(Matrix& y) const;
  /// Q; null where there are factors in its place.
  [[nodiscard]] const Matrix* basis() const { return factor_ ? nullptr : &Q_; }

 private:
  Matrix Q_;
  std::unique_ptr<const SparseQr> factor_;  ///< null: Q_ holds the basis
};

/// All eigenvectors of eigenvalue other than zero. For small M.
[[nodiscard]] RangeBasis dense_range(const Graph& M);

/// Which of all eigenvalues of an n x n matrix are not zero, up to rounding.
[[nodiscard]] std::vector<Index> nonzero_values(const Vector& values);

/// Rank-revealing sparse QR. Null where `*cost` is above `most`.
[[nodiscard]] std::shared_ptr<const RangeBasis> sparse_qr(const Graph& M, const FactorCost& most,
                                                          FactorCost* cost);

/// Products with random vectors, orthonormalized until nothing new appears: for a low rank whatever
/// the pattern. Null where the rank is above `most_rank`.
[[nodiscard]] std::shared_ptr<const RangeBasis> low_rank_range(const Graph& M, Index most_rank,
                                                               std::uint64_t seed,
                                                               const ProgressFn& progress = {});

}  // namespace repsc
