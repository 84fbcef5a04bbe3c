// Solves a sequence of similar eigenproblems, each from the solution of the one before.
#pragma once

#include "cluster/steps.hpp"

namespace repsc {

class WarmSolver {
 public:
  /// `start`: vectors near the first solution, if known. Refers to the plan.
  explicit WarmSolver(const Plan& plan, Matrix start = {})
      : plan_(plan), start_(std::move(start)) {}

  [[nodiscard]] Clustering step(const Laplacian& L, const Constraint& constraint);

 private:
  [[nodiscard]] Eigenpairs solve(const Laplacian& L, const Constraint& constraint);

  const Plan& plan_;
  Matrix start_;
  bool iterate_ = false;
  bool too_slow_ = false;
};

}  // namespace repsc
