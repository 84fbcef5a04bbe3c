// Stops an eigensolver when the labels of its vectors have settled.
#pragma once

#include <utility>
#include <vector>

#include "cluster/label_watch.hpp"
#include "cluster/steps.hpp"
#include "repsc/eigensolver.hpp"

namespace repsc {

class SettledLabels final : public StoppingRule {
 public:
  /// `nodes` are looked at, none: all; `rows` makes their points. `may_stall`: whether a stall
  /// means that there are no clusters. Not with a penalty, whose own spectrum slows the iteration
  /// down; its objective has a tolerance.
  SettledLabels(int num_clusters, std::uint64_t seed, std::vector<Index> nodes, RowMap rows,
                bool may_stall)
      : watch_(num_clusters, seed),
        stall_watch_(num_clusters, seed),
        nodes_(std::move(nodes)),
        rows_(std::move(rows)),
        may_stall_(may_stall) {}

  [[nodiscard]] std::span<const Index> nodes() const override { return nodes_; }
  bool good_enough(const Matrix& X, double error) override {
    return watch_.settled(rows_(X), error);
  }
  bool hopeless(const Matrix& X) override { return may_stall_ && stall_watch_.unsettled(rows_(X)); }

 private:
  LabelWatch watch_;
  LabelWatch stall_watch_;
  std::vector<Index> nodes_;
  RowMap rows_;
  bool may_stall_;
};

/// Above 0: the part of itself by which the objective of a penalized Laplacian still falls when
/// that has settled, see EigenQuery::objective_tolerance.
inline constexpr double settled_objective = 1e-4;

/// Products without the penalty that the iteration on a penalized Laplacian starts from.
inline constexpr int products_before_penalty = 20;

}  // namespace repsc
