// What the search among candidates seeks.
//
//   c, b   normalized cut and average balance of a candidate
//   s, f   structure kept and fairness gained, see repsc/baselines.hpp
#include "cluster/goal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace repsc {
namespace {

/// Candidates whose value is this close to the best are as good; the fairest of them is returned.
constexpr double as_good = 0.01;

}  // namespace

double GoalValue::given_objective(double cut, double balance) const {
  if (plan_.refine.maximize_ratio) return cut > 0 ? -balance / cut : 0;
  return cut * cut_scale_ - plan_.refine.mu.value_or(default_mu) * balance;
}

double GoalValue::operator()(double cut, double balance) const {
  const double s = baselines_.structure_kept(cut);
  const double f = baselines_.fairness_gained(balance);
  switch (plan_.search->goal) {
    case Goal::structure:
      return s >= plan_.search->level ? 1 + balance : s - 1e3;
    case Goal::fairness:
      return f >= plan_.search->level ? s : f - plan_.search->level - 1e3;
    case Goal::objective:
      return -given_objective(cut, balance);
    case Goal::bargain:
      break;
  }
  // Where nothing is gained, plain clustering is the least bad.
  if (s <= 0 || f <= 0) return std::min(s, 0.0) + std::min(f, 0.0) - 1e-3 * (f < 0 || s < 0);
  return s * std::min(f, 1.0);
}

bool GoalValue::is_met(const Candidate& by) const {
  switch (plan_.search->goal) {
    case Goal::structure:
      return baselines_.structure_kept(by.cut) >= plan_.search->level;
    case Goal::fairness:
      return baselines_.fairness_gained(by.balance) >= plan_.search->level;
    case Goal::objective:
    case Goal::bargain:
      break;
  }
  return true;
}

bool GoalValue::fair_enough(const Candidate& at) const {
  switch (plan_.search->goal) {
    case Goal::structure:
      return !is_met(at);
    case Goal::fairness:
      return is_met(at);
    case Goal::objective:
      return true;
    case Goal::bargain:
      break;
  }
  if (at.balance >= baselines_.fair_balance) return true;
  const double cut_left = baselines_.random.cut - at.cut;
  const double gained = at.balance - baselines_.plain.average_balance;
  if (cut_left <= 0) return true;
  if (gained <= 0) return false;
  // At a local optimum dc = mu db, in units of the cut's scale; s f rises as long as dc / cut_left
  // < db / gained.
  return at.mu * gained > cut_left * cut_scale_;
}

void KeptCandidates::keep(Candidate candidate) {
  const double own = value_(candidate);
  if (own <= best_value_ * (best_value_ > 0 ? 1 - as_good : 1 + as_good) && !found_.empty()) {
    return;
  }
  best_value_ = found_.empty() ? own : std::max(best_value_, own);
  found_.push_back(std::move(candidate));
  if (found_.size() > 64) forget_worse();
}

void KeptCandidates::forget_worse() {
  const double least =
      goal_ == Goal::bargain ? best_value_ - as_good * std::abs(best_value_) : best_value_;
  std::erase_if(found_, [&](const Candidate& c) { return value_(c) < least; });
  // Of those only the fairest can be returned, and the best decides which those are.
  if (found_.size() < 32) return;
  const Candidate best = *std::max_element(
      found_.begin(), found_.end(),
      [&](const Candidate& x, const Candidate& y) { return value_(x) < value_(y); });
  std::stable_sort(found_.begin(), found_.end(),
                   [](const Candidate& x, const Candidate& y) { return x.balance > y.balance; });
  found_.resize(16);
  found_.push_back(best);
}

const Candidate& KeptCandidates::chosen() {
  constexpr double rounding = 1e-12;
  forget_worse();
  return *std::min_element(found_.begin(), found_.end(),
                           [](const Candidate& x, const Candidate& y) {
                             if (std::abs(x.balance - y.balance) > rounding)
                               return x.balance > y.balance;
                             if (std::abs(x.cut - y.cut) > rounding) return x.cut < y.cut;
                             return std::pair(x.start, x.mu) < std::pair(y.start, y.mu);
                           });
}

}  // namespace repsc
