// Sweeps over rank and groups.
#include "experiments/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "experiments/work.hpp"
#include "repsc/metrics.hpp"
#include "repsc/refine.hpp"

namespace repsc::experiments {
namespace {

double rank_or_groups(const Setting& setting) {
  return setting.rank > 0 ? static_cast<double>(setting.rank) : setting.groups;
}

struct Place {
  Index nodes;
  int clusters;
};

std::vector<Place> places(const Summary& summary) {
  std::vector<Place> result;
  for (const double N : summary.distinct([](const Setting& a) { return double(a.nodes); })) {
    for (const double K : summary.distinct([](const Setting& a) { return double(a.clusters); }))
      result.push_back({static_cast<Index>(N), static_cast<int>(K)});
  }
  return result;
}

std::vector<Point> points_at(const Summary& summary, Quantity quantity, bool normalized,
                             const char* base, const Place& place) {
  const auto here = [&](const Setting& setting) {
    return setting.nodes == place.nodes && setting.clusters == place.clusters;
  };
  return method_curve(summary, quantity, normalized, base, here, rank_or_groups).points;
}

std::string caption_of(const Panel& panel, bool high_is_good) {
  std::string text;
  for (const Curve& curve : panel.curves) {
    if (curve.points.empty()) continue;
    const Point& best = high_is_good ? highest(curve.points) : lowest(curve.points);
    text += fmt::format("{}{} reaches {}", text.empty() ? "" : "; ", curve.name, shown(best.y));
    if (curve.drawn == Drawn::both) text += fmt::format(" at {}", best.x);  // a level has no x
  }
  return text.empty() ? "There are no results." : text + '.';
}

// A method without a rank, in a panel whose axis is a rank or a number of groups.
struct Level {
  const char* base;
  const char* name;
  Summary::Abscissa parameter;
  double usual;  ///< value of the parameter
  std::string usual_name;
  CurveStyle usual_style, best_style;
};

std::vector<Level> extension_levels() {
  const double mu = default_mu;
  return {{"repsc-soft", "soft", [](const Setting& a) { return a.strength; }, 1, "soft, strength 1",
           CurveStyle::soft, CurveStyle::exact},
          {"repsc-refined", "refined", [](const Setting& a) { return a.mu; }, mu,
           fmt::format("refined, mu {}", mu), CurveStyle::refined, CurveStyle::reference}};
}

// A horizontal line at the default value of the parameter and, in panels of a ratio, one at the
// best value if it differs.
void add_level(const Summary& summary, Quantity quantity, bool normalized, const Place& place,
               const Level& level, Panel& panel) {
  const auto here = [&, method = method_name(normalized, level.base)](const Setting& setting) {
    return setting.method == method && setting.nodes == place.nodes &&
           setting.clusters == place.clusters;
  };
  const auto points = summary.curve(quantity, here, level.parameter);
  std::vector<double> x;
  for (const Curve& curve : panel.curves) {
    for (const Point& point : curve.points) x.push_back(point.x);
  }
  if (points.empty() || x.empty()) return;
  const double low = *std::min_element(x.begin(), x.end());
  const double high = *std::max_element(x.begin(), x.end());
  const auto add = [&](const std::string& name, CurveStyle style, const Point& at) {
    panel.curves.push_back(
        {name, style, {{low, at.y, 0, at.count}, {high, at.y, 0, at.count}}, Drawn::line});
  };
  const bool is_ratio = quantity == Quantity::balance_per_ratio_cut ||
                        quantity == Quantity::balance_per_normalized_cut;
  const Point& best = highest(points);
  const bool usual_is_best = is_ratio && best.x == level.usual;
  for (const Point& point : points) {
    if (point.x == level.usual)
      add(level.usual_name + (usual_is_best ? " (best)" : ""), level.usual_style, point);
  }
  if (is_ratio && !usual_is_best)
    add(fmt::format("{}, best ({})", level.name, best.x), level.best_style, best);
}

/// A horizontal line across the panel: the mean of a method without a rank; of lots with its
/// spread.
void add_line(const Summary& summary, Quantity quantity, bool normalized, const Place& place,
              const char* base, Panel& panel) {
  const std::vector<Point> points = points_at(summary, quantity, normalized, base, place);
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Curve& curve : panel.curves) {
    for (const Point& point : curve.points) {
      low = std::min(low, point.x);
      high = std::max(high, point.x);
    }
  }
  if (points.empty() || low > high) return;
  const std::string method = method_name(normalized, base);
  const Point& at = points.front();
  const bool lots = std::string(base) == "lots";
  panel.curves.push_back({legend_name(method),
                          style_of_method(method),
                          {{low, at.y, at.sd, at.count}, {high, at.y, at.sd, at.count}},
                          lots ? Drawn::band : Drawn::line});
}

// Balance against cut: the points of each method, and a line through its Pareto front.
void add_cloud(const Summary& summary, bool normalized, const char* base, const Place& place,
               Panel& panel) {
  const std::string method = method_name(normalized, base);
  const Quantity cut = normalized ? Quantity::normalized_cut : Quantity::ratio_cut;
  std::vector<Point> points;
  std::vector<TradeOff> trades;
  for (const SummaryRow& row : summary.rows()) {
    const Setting& setting = row.setting;
    if (setting.method != method || setting.nodes != place.nodes ||
        setting.clusters != place.clusters)
      continue;
    const Statistics& x = row[cut];
    const Statistics& y = row[Quantity::average_balance];
    if (std::isnan(x.mean) || std::isnan(y.mean)) continue;
    points.push_back({x.mean, y.mean, 0, y.count});
    trades.push_back({x.mean, y.mean});
  }
  if (points.empty()) return;
  const std::vector<bool> on_front = pareto_front(trades);
  std::vector<Point> front;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (on_front[i]) front.push_back(points[i]);
  }
  std::sort(front.begin(), front.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  panel.curves.push_back(
      {legend_name(method), style_of_method(method), std::move(points), Drawn::points});
  panel.curves.push_back({"", style_of_method(method), std::move(front), Drawn::line});
}

Panel trade_off_panel(const Summary& summary, bool normalized, const Place& place) {
  Panel panel;
  panel.file =
      fmt::format("trade-off-{}-n{}-k{}", family_name(normalized), place.nodes, place.clusters);
  panel.title =
      fmt::format("N = {}, K = {} ({})", place.nodes, place.clusters, family_name(normalized));
  panel.x_label = normalized ? "normalized cut" : "ratio cut";
  panel.y_label = "average balance";
  panel.paper = "not in the paper";
  for (const char* base : {"lots", "fairsc", "repsc", "repsc-soft", "repsc-refined", "auto"})
    add_cloud(summary, normalized, base, place, panel);
  panel.caption =
      "Up and to the left is better: every point is one rank, number of groups, strength or mu; "
      "lines are the Pareto fronts of the methods.";
  return panel;
}

/// Whether a claim holds at one place, and its numbers there.
struct Finding {
  bool holds;
  std::string numbers;
};

/// A claim that must hold at every place for which `find` returns a finding.
template <typename Find>
Claim claim_at_every_place(const Summary& summary, Claim claim, const Find& find) {
  claim.holds = true;
  for (const Place& place : places(summary)) {
    const std::optional<Finding> found = find(place);
    if (!found) continue;
    claim.holds = claim.holds && found->holds;
    claim.numbers += fmt::format("{}N = {}, K = {}: {}", claim.numbers.empty() ? "" : "; ",
                                 place.nodes, place.clusters, found->numbers);
  }
  claim.holds = claim.holds && !claim.numbers.empty();
  return claim;
}

Claim best_ratio(const Summary& summary, const std::string& experiment, bool normalized) {
  return claim_at_every_place(
      summary,
      {.id = experiment + "-best-ratio",
       .experiment = experiment,
       .family = family_name(normalized),
       .statement = "RepSC (approx.) reaches a higher best ratio of average balance to ratio "
                    "cut than FairSC for each K",
       .tried = "every r and P of the grid; the notes describe the interpretation of the data"},
      [&](const Place& place) -> std::optional<Finding> {
        const auto ratios = [&](const char* base) {
          return points_at(summary, Quantity::balance_per_ratio_cut, normalized, base, place);
        };
        const auto repsc = ratios("repsc");
        const auto fairsc = ratios("fairsc");
        if (repsc.empty() || fairsc.empty()) return std::nullopt;
        const Point &ours = highest(repsc), &theirs = highest(fairsc);
        return Finding{ours.y > theirs.y,
                       fmt::format("{} (r = {}) against {} (P = {})", shown(ours.y), ours.x,
                                   shown(theirs.y), theirs.x)};
      });
}

// The y of `points` at x, NaN if there is no such point.
double at(const std::vector<Point>& points, double x) {
  for (const Point& point : points) {
    if (point.x == x) return point.y;
  }
  return unknown;
}

Claim price_of_balance(const Summary& summary, const std::string& experiment, bool normalized) {
  return claim_at_every_place(
      summary,
      {.id = experiment + "-price-of-balance",
       .experiment = experiment,
       .family = family_name(normalized),
       .statement = "individual fairness costs ratio cut, but the gain in average balance is "
                    "larger: at their best average balance, RepSC's balance exceeds FairSC's "
                    "by a larger factor than its ratio cut does, for each K",
       .tried = "other points of the same curves: see the panels of balance and cut"},
      [&](const Place& place) -> std::optional<Finding> {
        const auto points = [&](Quantity quantity, const char* base) {
          return points_at(summary, quantity, normalized, base, place);
        };
        const auto ours = points(Quantity::average_balance, "repsc");
        const auto theirs = points(Quantity::average_balance, "fairsc");
        if (ours.empty() || theirs.empty()) return std::nullopt;
        const Point &a = highest(ours), &b = highest(theirs);
        const double gain = a.y / b.y;
        const double price = at(points(Quantity::ratio_cut, "repsc"), a.x) /
                             at(points(Quantity::ratio_cut, "fairsc"), b.x);
        return Finding{gain > 1 && gain > price,
                       fmt::format("balance x {}, cut x {}", shown(gain), shown(price))};
      });
}

Claim trade_off(const Summary& summary, const std::string& experiment, bool normalized) {
  return claim_at_every_place(
      summary,
      {.id = experiment + "-trade-off",
       .experiment = experiment,
       .family = family_name(normalized),
       .statement = "the rank r trades balance against cut: both grow with r (rank correlation "
                    "above 0.5 for each K)"},
      [&](const Place& place) -> std::optional<Finding> {
        const auto correlation = [&](Quantity quantity) {
          return rank_correlation(points_at(summary, quantity, normalized, "repsc", place));
        };
        const double balance = correlation(Quantity::average_balance);
        const double cut = correlation(Quantity::ratio_cut);
        if (std::isnan(balance) || std::isnan(cut)) return std::nullopt;
        return Finding{balance > 0.5 && cut > 0.5,
                       fmt::format("balance {:.2f}, cut {:.2f}", balance, cut)};
      });
}

}  // namespace

std::vector<Setting> sweep_settings(const Setting& base, const SweepGrid& grid) {
  std::vector<Setting> settings;
  for (const int K : grid.clusters) {
    for (const bool normalized : {false, true}) {
      Setting setting = base;
      setting.clusters = K;
      setting.normalized = normalized;
      setting.method = method_name(normalized, "repsc");
      for (const Index rank : grid.ranks) {
        if (rank > base.nodes - K) continue;
        setting.rank = rank;
        settings.push_back(setting);
      }
      setting.rank = 0;
      setting.method = method_name(normalized, "fairsc");
      for (const int P : grid.groups) {
        if (P > base.nodes - K) continue;
        setting.groups = P;
        settings.push_back(setting);
      }
      setting.groups = 0;
      setting.method = method_name(normalized, "repsc-soft");
      for (const double strength : grid.strengths) {
        setting.strength = strength;
        settings.push_back(setting);
      }
      setting.strength = 1;
      setting.method = method_name(normalized, "repsc-refined");
      for (const double mu : grid.mus) {
        setting.mu = mu;
        settings.push_back(setting);
      }
      setting.strength = setting.mu = 0;
      if (normalized && grid.bargain) {
        setting.method = "nauto";
        settings.push_back(setting);
      }
      add_lots(setting, settings);
    }
  }
  return settings;
}

std::vector<double> strengths_of(const Request& request) {
  if (!request.wants("soft")) return {};
  if (request.size == Size::tiny) return {0.1, 1, 10};
  return {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000};
}

std::vector<double> mus_of(const Request& request) {
  if (!request.wants("refined")) return {};
  if (request.size == Size::tiny) return {1, 2};
  return {0.2, 0.5, 1, 1.5, 2, 3, 5};
}

std::vector<Panel> sweep_panels(const Summary& summary, const SweepFigures& figures,
                                bool real_network) {
  struct Kind {
    Quantity quantity;
    const char* file;
    const char* label;
  };
  std::vector<Panel> panels;
  for (const bool normalized : {false, true}) {
    const bool has_extensions = summary.has_method(method_name(normalized, "repsc-soft")) ||
                                summary.has_method(method_name(normalized, "repsc-refined"));
    std::vector<Kind> kinds{
        {Quantity::balance_per_ratio_cut, "ratio", "average balance / ratio cut"},
        {Quantity::average_balance, "balance", "average balance"},
        {Quantity::ratio_cut, "ratio-cut", "ratio cut"}};
    if (normalized && real_network) {
      kinds.push_back({Quantity::normalized_cut, "normalized-cut", "normalized cut"});
      kinds.push_back(
          {Quantity::balance_per_normalized_cut, "ratio-ncut", "average balance / normalized cut"});
    }
    for (const Place& place : places(summary)) {
      for (std::size_t i = 0; i < kinds.size(); ++i) {
        Panel panel;
        panel.file = fmt::format("{}-{}-n{}-k{}", kinds[i].file, family_name(normalized),
                                 place.nodes, place.clusters);
        panel.title = fmt::format("N = {}, K = {} ({})", place.nodes, place.clusters,
                                  family_name(normalized));
        panel.x_label = "rank r or number of groups P";
        panel.y_label = kinds[i].label;
        panel.log_x = !real_network;
        const std::string figure =
            i == 0 ? figures.ratio[normalized] : figures.separated[normalized];
        panel.paper =
            i < 3 ? fmt::format("{}, K = {}", figure, place.clusters) : "not in the paper";
        for (const char* base : {"fairsc", "repsc"}) {
          const std::string method = method_name(normalized, base);
          panel.curves.push_back({legend_name(method), style_of_method(method),
                                  points_at(summary, kinds[i].quantity, normalized, base, place)});
        }
        for (const char* base : {"lots", "auto"})
          add_line(summary, kinds[i].quantity, normalized, place, base, panel);
        for (const Level& level : extension_levels())
          add_level(summary, kinds[i].quantity, normalized, place, level, panel);
        const bool is_cut = kinds[i].quantity == Quantity::ratio_cut ||
                            kinds[i].quantity == Quantity::normalized_cut;
        panel.from_zero = !is_cut;
        panel.caption = (is_cut ? "Lowest: " : "Highest: ") + caption_of(panel, !is_cut);
        panels.push_back(std::move(panel));
      }
      if (has_extensions) panels.push_back(trade_off_panel(summary, normalized, place));
    }
  }
  return panels;
}

std::vector<Claim> sweep_claims(const Summary& summary, const std::string& experiment) {
  std::vector<Claim> claims;
  for (const bool normalized : {false, true}) {
    claims.push_back(best_ratio(summary, experiment, normalized));
    claims.push_back(price_of_balance(summary, experiment, normalized));
    claims.push_back(trade_off(summary, experiment, normalized));
  }
  return claims;
}

}  // namespace repsc::experiments
