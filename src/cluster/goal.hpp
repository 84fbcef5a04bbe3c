// What the search among candidates seeks, and the candidates worth keeping.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "repsc/cluster.hpp"

namespace repsc {

/// Labels on the scale between plain clustering and lots.
struct Candidate {
  std::size_t start = 0;
  double mu = 0;  ///< of the refinement; 0: none
  Labels labels = {};
  double cut = 0;
  double balance = 0;
};

/// The plan's goal as a number of cut and balance.
class GoalValue {
 public:
  /// `cut_scale`: the cut's weight in the objective of a refinement, see RefinementProblem.
  GoalValue(const Plan& plan, double cut_scale) : plan_(plan), cut_scale_(cut_scale) {}

  void set_baselines(const Baselines& baselines) { baselines_ = baselines; }
  [[nodiscard]] const Baselines& baselines() const { return baselines_; }

  /// What the goal makes as large as possible.
  [[nodiscard]] double operator()(double cut, double balance) const;
  [[nodiscard]] double operator()(const Candidate& of) const { return (*this)(of.cut, of.balance); }

  /// Whether a larger mu cannot improve the value, as far as the slopes of cut and balance tell.
  [[nodiscard]] bool fair_enough(const Candidate& at) const;

  /// Whether the level that the goal asks for is reached, if it has one.
  [[nodiscard]] bool is_met(const Candidate& by) const;

  /// What a refinement at mu lowers.
  [[nodiscard]] double objective(const Candidate& of, double mu) const {
    return of.cut * cut_scale_ - mu * of.balance;
  }

 private:
  [[nodiscard]] double given_objective(double cut, double balance) const;

  const Plan& plan_;
  double cut_scale_;
  Baselines baselines_;
};

/// The best candidates so far.
class KeptCandidates {
 public:
  explicit KeptCandidates(const GoalValue& value, Goal goal) : value_(value), goal_(goal) {}

  /// Keeps what is as good as the best.
  void keep(Candidate candidate);
  [[nodiscard]] double best_value() const { return best_value_; }

  /// The fairest of those that are as good as the best. Of the same cut and balance, up to
  /// rounding, the simpler one: an earlier start, less refined.
  [[nodiscard]] const Candidate& chosen();

 private:
  void forget_worse();

  const GoalValue& value_;
  Goal goal_;
  std::vector<Candidate> found_;  ///< as good as the best, and perhaps others
  double best_value_ = -std::numeric_limits<double>::infinity();
};

}  // namespace repsc
