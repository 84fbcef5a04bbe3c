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

/// Rank-revealing sparse QR by SuiteSparseQR. Null where its symbolic analysis says that it may
/// hold more than `most_bytes`; `*needed` is what it says.
[[nodiscard]] std::shared_ptr<const RangeBasis> sparse_qr(const Graph& M, std::int64_t most_bytes,
                                                          std::int64_t* needed);

/// Products with random vectors, orthonormalized until nothing new appears: for a low rank whatever
/// the pattern. Null where the rank is above `most_rank`.
[[nodiscard]] std::shared_ptr<const RangeBasis> low_rank_range(const Graph& M, Index most_rank,
                                                               std::uint64_t seed);

}  // namespace repsc
