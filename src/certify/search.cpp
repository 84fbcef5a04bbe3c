// Cutting planes in one dimension: the dual function is concave and lies below every tangent, so
// that the next strength is where the tangents at both ends of the bracket intersect. Any strength
// gives a valid bound; a search that ends early only gives a weaker one.
#include "certify/search.hpp"

#include <algorithm>
#include <cmath>

namespace repsc {
namespace {

/// Residuals of the search, relative to the norm of the matrix. They enter the bound as squares.
constexpr double search_tolerance = 1e-3;
constexpr double finest_tolerance = 1e-10;

/// Beyond, the graph is lost in the rounding errors of the penalty.
constexpr double largest_strength = 1e8;

/// Part of the tolerance that the residuals at the best strength may take.
constexpr double share_of_residuals = 0.1;

class Search {
 public:
  Search(Dual& dual, const CertifyOptions& options) : dual_(dual), options_(options) {}

  DualMaximum run() {
    if (dual_.labels().cut == 0) return {.verified = true};  // 0 is a bound of every cut
    visit(0);
    if (dual_.has_penalty()) {
      while (const std::optional<double> t = next_strength()) visit(*t);
    }
    return finished();
  }

 private:
  /// As far as residuals tell.
  [[nodiscard]] double value(const DualPoint& point) const {
    return dual_.lower_value(point, suggested_bounds(point.ritz).front().value);
  }

  void visit(double strength) {
    report_progress();
    DualPoint point = dual_.solve(strength, search_tolerance, last_vectors_);
    last_vectors_ = point.vectors;
    out_of_time_ = out_of_time_ || point.out_of_time;
    stuck_ = !point.converged;
    std::optional<DualPoint>& end = point.slope > 0 ? low_ : high_;
    if (!best_ || value(point) > value(*best_)) best_ = point;
    point.vectors.resize(0, 0);
    end = std::move(point);
  }

  /// The strength to look at next; none: the bound cannot rise by more than the tolerance.
  [[nodiscard]] std::optional<double> next_strength() {
    if (dual_.num_solved() >= options_.max_eigenproblems || stuck_) return std::nullopt;
    out_of_time_ = out_of_time_ || options_.deadline.passed();
    if (out_of_time_ || !low_) return std::nullopt;  // falling from strength 0 on: that is the best
    const double enough = options_.tolerance * std::max(value(*best_), 0.0);
    return high_ ? inside_bracket(enough) : beyond(enough);
  }

  [[nodiscard]] std::optional<double> inside_bracket(double enough) const {
    const double low = low_->strength;
    const double high = high_->strength;
    const double crossing = (low_->at_zero - high_->at_zero) / (high_->slope - low_->slope);
    const double limit = std::min(low_->at(crossing), 2 * dual_.labels().cut);
    if (!(limit - ritz_value(*best_) > enough) || high - low <= 1e-9 * high) return std::nullopt;
    // A crossing near an end would shorten the bracket by little.
    const double least = 0.05 * (high - low);
    return std::clamp(crossing, low + least, high - least);
  }

  /// All tangents so far rise. No tangent is above the own cut of the labels where it matters: the
  /// strength at which the last one reaches it is the scale of the next step.
  [[nodiscard]] std::optional<double> beyond(double enough) const {
    const double t = low_->strength;
    const double left = 2 * dual_.labels().cut - ritz_value(*low_);
    // Towards an exact constraint the function rises as its limit minus c / t: by t slope in all.
    if (left <= enough || (t > 0 && t * low_->slope <= enough)) return std::nullopt;
    if (t >= largest_strength) return std::nullopt;
    const double step = 2 * left / low_->slope;
    const double largest = t > 0 ? 16 * t : largest_strength;
    return std::min({t + std::max(step, t), largest, largest_strength});
  }

  /// The value on the tangent: that of g, from above.
  [[nodiscard]] static double ritz_value(const DualPoint& point) {
    return point.at(point.strength);
  }

  [[nodiscard]] DualMaximum finished() {
    refine_best();
    DualMaximum result{.strength = best_->strength, .out_of_time = out_of_time_};
    CheckedBound bound = checked(*best_);
    if (bound.missed && !out_of_time_) {
      // Once more from random vectors, with residuals at rounding level.
      report_progress();
      best_ = dual_.solve(best_->strength, finest_tolerance, {}, 1);
      bound = checked(*best_);
    }
    result.verified = bound.verified;
    result.reason = std::move(bound.reason);
    // A bound that is known to miss eigenvalues is none.
    if (!bound.missed || bound.verified) {
      result.value = std::max(0.0, dual_.lower_value(*best_, bound.value));
    }
    return result;
  }

  [[nodiscard]] CheckedBound checked(const DualPoint& point) {
    if (!options_.verify) return checked_bound(point.ritz, nullptr);
    if (options_.deadline.passed()) {
      CheckedBound bound = checked_bound(point.ritz, nullptr);
      bound.reason = "the time limit was reached before the eigenvalues were counted";
      return bound;
    }
    const Laplacian M = dual_.matrix(point.strength);
    EigenvalueCounter counter(M, {.memory_limit = options_.memory_limit});
    return checked_bound(point.ritz, &counter);
  }

  /// Solves again at the best strength, more precisely, while its residuals cost too much.
  void refine_best() {
    double tolerance = search_tolerance;
    while (dual_.num_solved() < options_.max_eigenproblems && !out_of_time_) {
      const double lost = ritz_value(*best_) - value(*best_);
      const double enough =
          share_of_residuals * options_.tolerance * std::max(ritz_value(*best_), 0.0);
      tolerance *= 0.1;
      if (lost <= enough || tolerance < finest_tolerance || !best_->converged) return;
      report_progress();
      DualPoint again = dual_.solve(best_->strength, tolerance, best_->vectors);
      out_of_time_ = out_of_time_ || again.out_of_time;
      if (!(value(again) > value(*best_))) return;
      best_ = std::move(again);
    }
  }

  void report_progress() const {
    if (options_.progress) {
      options_.progress({"certify", dual_.num_solved(), 0, best_ ? value(*best_) : 0});
    }
  }

  Dual& dual_;
  const CertifyOptions& options_;
  std::optional<DualPoint> low_;   ///< the largest strength where the function rises
  std::optional<DualPoint> high_;  ///< the smallest strength where it falls
  std::optional<DualPoint> best_;
  Matrix last_vectors_;
  bool stuck_ = false;
  bool out_of_time_ = false;
};

}  // namespace

DualMaximum maximize(Dual& dual, const CertifyOptions& options) {
  return Search(dual, options).run();
}

}  // namespace repsc
