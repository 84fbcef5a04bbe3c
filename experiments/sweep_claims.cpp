// Claims about sweeps over rank and groups.
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "experiments/sweep.hpp"

namespace repsc::experiments {
namespace {

/// Whether a claim holds at one place, and its numbers there.
struct Finding {
  bool holds;
  std::string numbers;
  std::vector<ClaimNumber> data;
};

/// At how many of the places a claim must hold.
enum class Cases { all, most };

std::string place_name(const Place& place) {
  return fmt::format("N = {}, K = {}", place.nodes, place.clusters);
}

/// A claim that must hold at every place, or at more than half of those, for which `find` returns a
/// finding.
template <typename Find>
Claim claim_at_places(const Summary& summary, Claim claim, Cases cases, const Find& find) {
  int held = 0, found_at = 0;
  for (const Place& place : places(summary)) {
    const std::optional<Finding> found = find(place);
    if (!found) continue;
    ++found_at;
    held += found->holds ? 1 : 0;
    claim.numbers += fmt::format("{}{}: {}{}", claim.numbers.empty() ? "" : "; ", place_name(place),
                                 found->numbers, found->holds ? "" : " (no)");
    for (ClaimNumber number : found->data) {
      number.where = place_name(place) + (number.where.empty() ? "" : ", ") + number.where;
      claim.data.push_back(std::move(number));
    }
  }
  claim.holds = found_at > 0 && (cases == Cases::all ? held == found_at : 2 * held > found_at);
  if (cases == Cases::most) claim.numbers += fmt::format("; in {} of {} cases", held, found_at);
  return claim;
}

ClaimNumber number_of(const Point& point, char parameter, std::string quantity) {
  return {parameter == 0 ? std::string() : fmt::format("{} = {}", parameter, point.x),
          std::move(quantity), point.y, point.sd, point.count};
}

Claim best_ratio(const Summary& summary, const SweepNames& names, bool normalized) {
  return claim_at_places(
      summary,
      {.id = names.experiment + "-best-ratio",
       .experiment = names.experiment,
       .family = family_name(normalized),
       .statement = fmt::format(
           "RepSC (approx.) reaches {} best ratio of average balance to ratio cut {} FairSC for "
           "each N and K",
           names.competitive ? "at least the" : "a higher", names.competitive ? "of" : "than"),
       .tried = "every r and P of the grid, to N - K; other readings: --reading all",
       .source = Source::paper,
       .figure = names.ratio[normalized],
       .quote = names.best_ratio},
      Cases::all, [&](const Place& place) -> std::optional<Finding> {
        const auto ratios = [&](const char* base) {
          return points_at(summary, Quantity::balance_per_ratio_cut, normalized, base, place);
        };
        const auto repsc = ratios("repsc");
        const auto fairsc = ratios("fairsc");
        if (repsc.empty() || fairsc.empty()) return std::nullopt;
        const Point &a = highest(repsc), &b = highest(fairsc);
        return Finding{
            names.competitive ? at_least(a, b) : higher(a, b),
            fmt::format("{} (r = {}) against {} (P = {})", shown(a.y), a.x, shown(b.y), b.x),
            {number_of(a, 'r', "RepSC balance / ratio cut"),
             number_of(b, 'P', "FairSC balance / ratio cut")}};
      });
}

// The point of `points` at x, unknown if there is none.
Point at(const std::vector<Point>& points, double x) {
  for (const Point& point : points) {
    if (point.x == x) return point;
  }
  return constant(unknown);
}

// The quotient of two means, its error to first order.
Point per_cut(const Point& balance, const Point& cut) {
  return {.y = balance.y / cut.y,
          .sd = std::hypot(balance.sd / cut.y, balance.y * cut.sd / (cut.y * cut.y)),
          .count = balance.count};
}

Claim price_of_balance(const Summary& summary, const SweepNames& names, bool normalized) {
  return claim_at_places(
      summary,
      {.id = names.experiment + "-price-of-balance",
       .experiment = names.experiment,
       .family = family_name(normalized),
       .statement = "individual fairness often costs ratio cut, with a much higher gain in average "
                    "balance in most cases: at their best average balance, RepSC's balance is "
                    "higher than FairSC's, by a larger factor than its ratio cut, in more than "
                    "half of the cases N and K",
       .tried = "other points of the same curves: see the panels of balance and cut",
       .source = Source::paper,
       .figure = names.separated[normalized],
       .quote = "\"individual fairness [...] often comes at a higher cost in terms of ratio-cut. "
                "However, the difference in ratio-cut is competitive in most cases with a much "
                "higher gain in terms of average balance\" (Appendix, Plots with ratio-cut and "
                "average balance separated out)"},
      Cases::most, [&](const Place& place) -> std::optional<Finding> {
        const auto points = [&](Quantity quantity, const char* base) {
          return points_at(summary, quantity, normalized, base, place);
        };
        const auto ours = points(Quantity::average_balance, "repsc");
        const auto theirs = points(Quantity::average_balance, "fairsc");
        if (ours.empty() || theirs.empty()) return std::nullopt;
        const Point &a = highest(ours), &b = highest(theirs);
        const Point a_cut = at(points(Quantity::ratio_cut, "repsc"), a.x);
        const Point b_cut = at(points(Quantity::ratio_cut, "fairsc"), b.x);
        return Finding{
            higher(a, b) && higher(per_cut(a, a_cut), per_cut(b, b_cut)),
            fmt::format("balance x {}, cut x {}", shown(a.y / b.y), shown(a_cut.y / b_cut.y)),
            {number_of(a, 'r', "RepSC balance"), number_of(b, 'P', "FairSC balance"),
             number_of(a_cut, 'r', "RepSC ratio cut"), number_of(b_cut, 'P', "FairSC ratio cut")}};
      });
}

Claim trade_off(const Summary& summary, const SweepNames& names, bool normalized) {
  return claim_at_places(
      summary,
      {.id = names.experiment + "-trade-off",
       .experiment = names.experiment,
       .family = family_name(normalized),
       .statement = "the rank r trades balance against cut, for each N and K: from the smallest "
                    "rank to that of the best balance both average balance and ratio cut grow "
                    "(higher at the latter); beside it, the rank correlations with r",
       .source = Source::paper,
       .figure = names.separated[normalized],
       .quote = "\"one can choose the rank R used for approximation in a way that trades-off "
                "appropriately between a quality metric like the ratio-cut and a fairness metric "
                "like the average balance\" (Appendix, Plots with ratio-cut and average balance "
                "separated out)"},
      Cases::all, [&](const Place& place) -> std::optional<Finding> {
        const auto points = [&](Quantity quantity) {
          return points_at(summary, quantity, normalized, "repsc", place);
        };
        const auto balance = points(Quantity::average_balance);
        const auto cut = points(Quantity::ratio_cut);
        if (balance.size() < 3 || cut.size() < 3) return std::nullopt;
        const Point& best = highest(balance);
        const Point best_cut = at(cut, best.x);
        const double trends[2] = {rank_correlation(balance), rank_correlation(cut)};
        return Finding{
            higher(best, balance.front()) && higher(best_cut, cut.front()),
            fmt::format("balance {} to {}, cut {} to {} from r = {} to {}; correlations {:.2f} and "
                        "{:.2f}",
                        shown(balance.front().y), shown(best.y), shown(cut.front().y),
                        shown(best_cut.y), balance.front().x, best.x, trends[0], trends[1]),
            {number_of(balance.front(), 'r', "RepSC balance"),
             number_of(best, 'r', "RepSC balance"),
             number_of(cut.front(), 'r', "RepSC ratio cut"),
             number_of(best_cut, 'r', "RepSC ratio cut"),
             {"", "rank correlation of balance with r", trends[0]},
             {"", "rank correlation of ratio cut with r", trends[1]}}};
      });
}

Claim above_lots(const Summary& summary, const SweepNames& names, bool normalized) {
  return claim_at_places(
      summary,
      {.id = names.experiment + "-above-lots",
       .experiment = names.experiment,
       .family = family_name(normalized),
       .statement = "RepSC (approx.) reaches a higher best ratio of average balance to ratio cut "
                    "than labels drawn by lot, for each N and K",
       .tried = "every r of the grid, to N - K; lots favour nobody and need no graph, so that a "
                "ratio like theirs is no evidence for a method"},
      Cases::all, [&](const Place& place) -> std::optional<Finding> {
        const auto ratios = [&](const char* base) {
          return points_at(summary, Quantity::balance_per_ratio_cut, normalized, base, place);
        };
        const auto repsc = ratios("repsc");
        const auto fairsc = ratios("fairsc");
        const auto lots = ratios("lots");
        if (repsc.empty() || fairsc.empty() || lots.empty()) return std::nullopt;
        const Point &a = highest(repsc), &b = lots.front(), &c = highest(fairsc);
        return Finding{higher(a, b),
                       fmt::format("{} (r = {}) against {} of lots, {:.2f} times; FairSC {:.2f} "
                                   "times",
                                   shown(a.y), a.x, shown(b.y), a.y / b.y, c.y / b.y),
                       {number_of(a, 'r', "RepSC balance / ratio cut"),
                        number_of(b, 0, "lots balance / ratio cut"),
                        {"", "RepSC over lots", a.y / b.y},
                        {"", "FairSC over lots", c.y / b.y}}};
      });
}

}  // namespace

std::vector<Claim> sweep_claims(const Summary& summary, const SweepNames& names) {
  std::vector<Claim> claims;
  for (const bool normalized : {false, true}) {
    if (!summary.has_method(method_name(normalized, "repsc"))) continue;
    claims.push_back(best_ratio(summary, names, normalized));
    claims.push_back(price_of_balance(summary, names, normalized));
    claims.push_back(trade_off(summary, names, normalized));
    if (summary.has_method(method_name(normalized, "lots")))
      claims.push_back(above_lots(summary, names, normalized));
  }
  return claims;
}

}  // namespace repsc::experiments
