// Cutting planes in one dimension: the dual function is concave and lies below every tangent, so
// that the next strength is where the tangents at both ends of the bracket intersect. Any strength
// gives a valid bound; a search that ends early only gives a weaker one.
#include "certify/search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace repsc {
namespace {

/// Residuals of the search, relative to the norm of L: its tangents need no more.
constexpr double search_tolerance = 3e-3;
constexpr double finest_search_tolerance = 1e-10;

/// At the best strength, where residuals lower the bound: the effort in steps of the search.
constexpr int best_share = 2;
constexpr int most_attempts = 12;

/// Beyond, the graph is lost in the rounding errors of the penalty.
constexpr double largest_strength = 1e8;

/// The residuals at the best strength may cost this part of the tolerance.
constexpr double share_of_residuals = 1;

/// Where the tangents are not precise enough to end the search, strengths as near as this do.
constexpr double nearest = 1.05;

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
  [[nodiscard]] bool has_done(double part) const {
    return dual_.num_solved() >= options_.max_eigenproblems || dual_.has_done(part);
  }

  /// As far as residuals tell.
  [[nodiscard]] double value(const DualPoint& point) const {
    return dual_.lower_value(point, suggested_bounds(point.ritz).front().value);
  }

  void visit(double strength) {
    report_progress();
    DualPoint point = dual_.solve(strength, {.tolerance = search_tolerance}, last_vectors_);
    last_vectors_ = point.vectors;
    out_of_time_ = out_of_time_ || point.out_of_time;
    std::optional<DualPoint>& end = point.slope > 0 ? low_ : high_;
    if (!best_ || value(point) > value(*best_)) best_ = point;
    point.vectors.resize(0, 0);
    if (!first_) first_ = point;
    end = std::move(point);
  }

  /// The strength to look at next; none: the bound cannot rise by more than the tolerance.
  [[nodiscard]] std::optional<double> next_strength() {
    if (has_done(0.6)) return std::nullopt;  // the rest is for the best strength
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
    if (!(limit - ritz_value(*best_) > enough) || high <= nearest * low) return std::nullopt;
    // A crossing near an end would shorten the bracket by little.
    const double least = 0.05 * (high - low);
    return std::clamp(crossing, low + least, high - least);
  }

  /// All tangents so far rise. At first half the strength at which the tangent reaches the own cut
  /// of the labels; then the secant of the slopes, which falls short, twice as far; and farther
  /// with every step, because without a falling end there is no limit.
  [[nodiscard]] std::optional<double> beyond(double enough) {
    const double t = low_->strength;
    const double left = 2 * dual_.labels().cut - ritz_value(*low_);
    // Towards an exact constraint the function rises as its limit minus c / t: by t slope in all.
    if (left <= enough || (t > 0 && t * low_->slope <= enough)) return std::nullopt;
    if (t >= largest_strength) return std::nullopt;
    if (t == 0) {
      before_low_ = {0, low_->slope};
      return std::min(0.5 * left / low_->slope, 0.1);  // at 1 the penalty weighs as the graph does
    }
    const double fall = before_low_.second - low_->slope;
    const double secant = fall > 0 ? low_->slope * (t - before_low_.first) / fall : t;
    before_low_ = {t, low_->slope};
    growth_ = std::min(2 * growth_, 16.0);
    return std::min(std::clamp(t + 2 * secant, growth_ * t, 16 * t), largest_strength);
  }

  /// The value on the tangent: that of g, from above.
  [[nodiscard]] static double ritz_value(const DualPoint& point) {
    return point.at(point.strength);
  }

  [[nodiscard]] DualMaximum finished() {
    refine_best();
    CheckedBound bound = checked(*best_);
    if (!out_of_time_ && (bound.missed || is_weak(bound))) {
      // Once more: after a miss from random vectors, and with residuals at rounding level.
      report_progress();
      const DualPoint again = dual_.solve(best_->strength, {.tolerance = finest_search_tolerance},
                                          bound.missed ? Matrix() : best_->vectors, 1);
      CheckedBound second = checked(again);
      if (bound.missed || (second.verified && second.value > bound.value))
        bound = std::move(second);
    }
    DualMaximum result = maximum_at(*best_, std::move(bound));
    if (result.value >= value(*first_)) return result;
    // Without a penalty the eigenproblem is easier, and its solution may be the better one.
    DualMaximum plain = maximum_at(*first_, checked(*first_));
    return plain.value > result.value ? plain : result;
  }

  [[nodiscard]] DualMaximum maximum_at(const DualPoint& point, CheckedBound bound) const {
    // A bound that is known to miss eigenvalues is none.
    const double lowest = bound.missed ? 0 : dual_.lower_value(point, bound.value);
    return {.value = std::max(0.0, lowest),
            .strength = point.strength,
            .verified = bound.verified,
            .reason = std::move(bound.reason),
            .out_of_time = out_of_time_};
  }

  /// Whether counting has confirmed only a bound that is far below what the residuals promise.
  [[nodiscard]] bool is_weak(const CheckedBound& bound) const {
    const double promised = suggested_bounds(best_->ritz).front().value;
    return bound.verified && promised - bound.value > options_.tolerance * promised;
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

  /// Solves again at the best strength, more precisely, while its residuals cost too much and that
  /// helps.
  void refine_best() {
    double tolerance = search_tolerance;
    for (int attempt = 0; attempt < most_attempts && !out_of_time_; ++attempt) {
      const double lost = ritz_value(*best_) - value(*best_);
      const double enough =
          share_of_residuals * options_.tolerance * std::max(ritz_value(*best_), 0.0);
      tolerance = std::max(finest_search_tolerance, 0.2 * tolerance);
      if (lost <= enough || has_done(1)) return;
      report_progress();
      DualPoint again = dual_.solve(best_->strength, {.tolerance = tolerance, .share = best_share},
                                    best_->vectors);
      out_of_time_ = out_of_time_ || again.out_of_time;
      const double gained = value(again) - value(*best_);
      if (gained > 0) best_ = std::move(again);
      if (!(gained > 0.5 * lost)) return;
    }
  }

  void report_progress() const {
    if (options_.progress) {
      options_.progress({"certify", dual_.num_solved(), 0, best_ ? value(*best_) : 0});
    }
  }

  Dual& dual_;
  const CertifyOptions& options_;
  std::optional<DualPoint> low_;          ///< the largest strength where the function rises
  std::optional<DualPoint> high_;         ///< the smallest strength where it falls
  std::optional<DualPoint> first_;        ///< at strength 0
  std::optional<DualPoint> best_;         ///< the only one with its vectors
  std::pair<double, double> before_low_;  ///< strength and slope at the last rising end but one
  double growth_ = 0.75;                  ///< least factor of the next step upwards
  Matrix last_vectors_;
  bool out_of_time_ = false;
};

}  // namespace

DualMaximum maximize(Dual& dual, const CertifyOptions& options) {
  return Search(dual, options).run();
}

}  // namespace repsc
