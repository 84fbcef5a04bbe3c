// Sweeps over rank and groups.
#include "experiments/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/work.hpp"
#include "repsc/metrics.hpp"
#include "repsc/refine.hpp"

namespace repsc::experiments {
namespace {

double rank_or_groups(const Setting& setting) {
  return setting.rank > 0 ? static_cast<double>(setting.rank) : setting.groups;
}

// "FAO trade, N = 210, K = 4, normalized: average balance"
std::string title_of(const SweepNames& names, const char* measure, bool normalized,
                     const Place& place) {
  return fmt::format("{}, N = {}, K = {}, {}: {}", names.network, place.nodes, place.clusters,
                     family_name(normalized), measure);
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

Panel trade_off_panel(const Summary& summary, bool normalized, const Place& place,
                      const SweepNames& names) {
  Panel panel;
  panel.file =
      fmt::format("trade-off-{}-n{}-k{}", family_name(normalized), place.nodes, place.clusters);
  panel.title = title_of(names, "balance against cut", normalized, place);
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

struct Kind {
  Quantity quantity;
  const char* file;
  const char* label;
  bool in_paper = true;
};

std::vector<Kind> kinds_of(bool with_normalized_cut) {
  std::vector<Kind> kinds{{Quantity::balance_per_ratio_cut, "ratio", "average balance / ratio cut"},
                          {Quantity::average_balance, "balance", "average balance"},
                          {Quantity::ratio_cut, "ratio-cut", "ratio cut"}};
  if (with_normalized_cut) {
    kinds.push_back({Quantity::normalized_cut, "normalized-cut", "normalized cut", false});
    kinds.push_back({Quantity::balance_per_normalized_cut, "ratio-ncut",
                     "average balance / normalized cut", false});
  }
  return kinds;
}

Panel panel_of(const Summary& summary, const Kind& kind, bool normalized, const Place& place,
               const SweepNames& names) {
  Panel panel;
  panel.file =
      fmt::format("{}-{}-n{}-k{}", kind.file, family_name(normalized), place.nodes, place.clusters);
  panel.title = title_of(names, kind.label, normalized, place);
  panel.x_label = "rank r or number of groups P";
  panel.y_label = kind.label;
  panel.log_x = !names.real_network;
  const std::string& figure = kind.quantity == Quantity::balance_per_ratio_cut
                                  ? names.ratio[normalized]
                                  : names.separated[normalized];
  panel.paper =
      kind.in_paper ? fmt::format("{}, K = {}", figure, place.clusters) : "not in the paper";
  for (const char* base : {"fairsc", "repsc"}) {
    const std::string method = method_name(normalized, base);
    panel.curves.push_back({legend_name(method), style_of_method(method),
                            points_at(summary, kind.quantity, normalized, base, place)});
  }
  for (const char* base : {"lots", "auto"})
    add_line(summary, kind.quantity, normalized, place, base, panel);
  for (const Level& level : extension_levels())
    add_level(summary, kind.quantity, normalized, place, level, panel);
  const bool is_cut =
      kind.quantity == Quantity::ratio_cut || kind.quantity == Quantity::normalized_cut;
  panel.from_zero = !is_cut;
  panel.caption = (is_cut ? "Lowest: " : "Highest: ") + caption_of(panel, !is_cut);
  return panel;
}

// FairSC of the family at every number of groups.
void add_fairsc(Setting setting, const SweepGrid& grid, std::vector<Setting>& settings) {
  setting.method = method_name(setting.normalized, "fairsc");
  const int last = static_cast<int>(setting.nodes) - setting.clusters;
  for (const int P : up_to_the_end(grid.groups, last, grid.group_ends)) {
    setting.groups = P;
    settings.push_back(setting);
  }
}

// The methods with a soft constraint, and the library's default.
void add_extensions(Setting setting, const SweepGrid& grid, std::vector<Setting>& settings) {
  setting.method = method_name(setting.normalized, "repsc-soft");
  for (const double strength : grid.strengths) {
    setting.strength = strength;
    settings.push_back(setting);
  }
  setting.strength = 1;
  setting.method = method_name(setting.normalized, "repsc-refined");
  for (const double mu : grid.mus) {
    setting.mu = mu;
    settings.push_back(setting);
  }
  setting.strength = setting.mu = 0;
  if (!setting.normalized || !grid.bargain) return;
  setting.method = "nauto";
  settings.push_back(setting);
}

}  // namespace

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

std::vector<Setting> sweep_settings(const Setting& base, const SweepGrid& grid) {
  const bool groups_alone = base.reading == fairsc_by_nsc;
  std::vector<Setting> settings;
  for (const int K : grid.clusters) {
    for (const bool normalized : {false, true}) {
      if (normalized ? !grid.normalized : groups_alone) continue;
      Setting setting = base;
      setting.clusters = K;
      setting.normalized = normalized;
      add_fairsc(setting, grid, settings);
      if (groups_alone) continue;
      setting.method = method_name(normalized, "repsc");
      for (const Index rank : up_to_the_end(grid.ranks, base.nodes - K, grid.ends)) {
        setting.rank = rank;
        settings.push_back(setting);
      }
      setting.rank = 0;
      add_extensions(setting, grid, settings);
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

std::vector<Panel> sweep_panels(const Summary& summary, const SweepNames& names) {
  std::vector<Panel> panels;
  for (const bool normalized : {false, true}) {
    if (!summary.has_method(method_name(normalized, "repsc"))) continue;
    const bool has_extensions = summary.has_method(method_name(normalized, "repsc-soft")) ||
                                summary.has_method(method_name(normalized, "repsc-refined"));
    for (const Place& place : places(summary)) {
      for (const Kind& kind : kinds_of(normalized && names.real_network))
        panels.push_back(panel_of(summary, kind, normalized, place, names));
      if (has_extensions) panels.push_back(trade_off_panel(summary, normalized, place, names));
    }
  }
  return panels;
}

}  // namespace repsc::experiments
