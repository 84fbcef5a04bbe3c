// Laplacians of which each rank holds its rows; if penalized, with a soft constraint. The formulas
// are those of repsc/operators.hpp.
#pragma once

#include <algorithm>
#include <optional>

#include "distributed/problem.hpp"

namespace repsc {

class DistributedLaplacian {
 public:
  /// Throws InvalidInput, on every rank, if `normalization` is symmetric and a node has no edge.
  DistributedLaplacian(const DistributedGraph& graph, Normalization normalization);

  /// L + strength C, see RepresentationPenalty.
  void penalize(const DistributedRepresentation& representation, double strength);

  [[nodiscard]] const SpreadRows& rows() const { return graph_.rows(); }
  [[nodiscard]] bool normalized() const { return normalized_; }
  [[nodiscard]] bool penalized() const { return penalty_.has_value(); }
  [[nodiscard]] double strength() const { return penalty_ ? penalty_->strength : 0; }
  /// The groups of the penalty, or none.
  [[nodiscard]] const DistributedGroups* penalized_groups() const {
    return penalty_ ? penalty_->representation->groups() : nullptr;
  }
  [[nodiscard]] Offset num_entries() const { return num_entries_; }  ///< of the graph, all rows
  /// D^-1/2 of the own rows; empty without normalization.
  [[nodiscard]] const Vector& scale() const { return scale_; }
  [[nodiscard]] Vector null_vector() const;            ///< own rows; of length 1 over all
  [[nodiscard]] double norm() const { return norm_; }  ///< see Laplacian::norm()
  /// See Laplacian::residual_unit().
  [[nodiscard]] double residual_unit() const {
    return std::max(graph_norm_, Laplacian::least_unit * norm_);
  }
  void apply(const Matrix& X, Matrix& Y) const;
  /// ||WRJH||_F / ||WR||_F for the eigenvectors X, as the serial tool reports it.
  [[nodiscard]] double penalty_residual(const Matrix& X) const;

 private:
  struct Penalty {
    const DistributedRepresentation* representation;
    double strength;
    Vector sums;     ///< of the rows of R
    Vector inverse;  ///< 1 / r_i, or 0
    double tau = 0;
    double frobenius_norm = 0;  ///< of WR
  };
  /// Z = RJU.
  void centered_product(const Matrix& U, Matrix& Z) const;
  /// Y += factor S C U.
  void add_penalty(const Matrix& U, double factor, Matrix& Y) const;
  [[nodiscard]] double penalty_norm() const;
  [[nodiscard]] double trace() const;  ///< of D - A

  const DistributedGraph& graph_;
  bool normalized_;
  Offset num_entries_;
  Vector degrees_;
  Vector scale_;
  std::optional<Penalty> penalty_;
  double graph_norm_ = 1;
  double norm_ = 1;
};

}  // namespace repsc
