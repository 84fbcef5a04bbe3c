// The constraint as a projection: small sums over all ranks, and work on the own rows.
#pragma once

#include <optional>

#include "distributed/laplacian.hpp"

namespace repsc {

/// P, the orthogonal projector onto vectors that satisfy the constraint; see repsc/constraint.hpp.
class DistributedProjector {
 public:
  /// P = I.
  explicit DistributedProjector(const SpreadRows& rows) : rows_(&rows) {}

  /// Every group in proportion: GroupComplement. `scale` is that of the own rows, empty for S = I.
  static DistributedProjector of_groups(const SpreadRows& rows, const DistributedGroups& groups,
                                        const DistributedLaplacian& L);
  /// The best approximation of R of this rank.
  struct LowRank {
    Index rank = 0;
    std::uint64_t seed = 0;
    double tolerance = 1e-8;
    int max_iterations = 1000;
    ProgressFn progress = {};
  };
  static DistributedProjector of_rank(const DistributedRepresentation& R,
                                      const DistributedLaplacian& L, const LowRank& how);

  /// The groups of of_groups(), or none.
  [[nodiscard]] const DistributedGroups* groups() const {
    return groups_ ? groups_->groups : nullptr;
  }
  [[nodiscard]] Index rank() const { return rank_; }       ///< dimensions removed
  [[nodiscard]] bool unique() const { return unique_; }    ///< see Constraint::unique
  [[nodiscard]] Index rank_used() const { return used_; }  ///< of R, at most what was asked for
  void apply(Matrix& X) const;
  /// See Constraint::residual.
  [[nodiscard]] double residual(const Matrix& X) const;

 private:
  struct Groups {
    const DistributedGroups* groups;
    Vector scale;
    Vector sizes, weights;
    double denominator;
  };
  /// Removes the span of Q, which is orthonormal.
  struct Basis {
    Matrix Q;
    Matrix V;       ///< leading eigenvectors of R
    Vector values;  ///< and their eigenvalues
    Vector scale;
  };
  void apply_groups(Matrix& X) const;
  [[nodiscard]] Matrix centered(const Matrix& X, const Vector& scale) const;

  const SpreadRows* rows_;
  std::optional<Groups> groups_;
  std::optional<Basis> basis_;
  Index rank_ = 0;
  Index used_ = 0;
  bool unique_ = true;
};

}  // namespace repsc
