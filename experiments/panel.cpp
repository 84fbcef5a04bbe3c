// Panels: names, styles, and the statistics for captions and claims.
#include "experiments/panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace repsc::experiments {
namespace {

// Positions 1..n of the values in ascending order, equal values sharing their mean position.
std::vector<double> positions(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  std::vector<double> result(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double mean = (static_cast<double>(begin + end) + 1) / 2;
    for (; begin < end; ++begin) result[order[begin]] = mean;
  }
  return result;
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  const double mx = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double my = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

// Differences below the last digits of a sum of means are rounding.
double rounding(const Point& a, const Point& b) { return 1e-12 * (std::abs(a.y) + std::abs(b.y)); }

bool by_y(const Point& a, const Point& b) { return a.y < b.y; }

}  // namespace

std::string name(Source source) {
  switch (source) {
    case Source::paper:
      return "paper";
    case Source::ours:
      return "ours";
    case Source::construction:
      return "construction";
  }
  return "";
}

std::string family_name(bool normalized) { return normalized ? "normalized" : "unnormalized"; }

std::string method_name(bool normalized, const std::string& base) {
  return (normalized ? "n" : "u") + base;
}

std::string legend_name(const std::string& method) {
  const std::string family = method.substr(0, 1) == "n" ? "N" : "U";
  const std::string base = method.substr(1);
  if (base == "sc") return family + "SC";
  if (base == "fairsc") return family + "FairSC";
  if (base == "repsc") return family + "RepSC (approx.)";
  if (base == "repsc-exact") return family + "RepSC, sampled R";
  if (base == "repsc-soft") return family + "RepSC (soft)";
  if (base == "repsc-refined") return family + "RepSC (soft, refined)";
  if (base == "auto") return "fair bargain (default)";
  if (base == "lots") return "lots";
  if (base == "sc-types") return family + "SC (R of types)";
  if (base == "repsc-types") return family + "RepSC, rank(R) <= N/2";
  if (base == "repsc-literal") return family + "RepSC (approx.), literal implementation";
  return method;
}

CurveStyle style_of_method(const std::string& method) {
  const std::string base = method.substr(1);
  if (base == "sc") return CurveStyle::sc;
  if (base == "fairsc") return CurveStyle::fairsc;
  if (base == "repsc-exact") return CurveStyle::exact;
  if (base == "repsc-types") return CurveStyle::types;
  if (base == "repsc-literal") return CurveStyle::literal;
  if (base == "repsc-soft") return CurveStyle::soft;
  if (base == "repsc-refined") return CurveStyle::refined;
  if (base == "auto") return CurveStyle::automatic;
  if (base == "lots") return CurveStyle::lots;
  return CurveStyle::repsc;
}

Curve method_curve(const Summary& summary, Quantity quantity, bool normalized,
                   const std::string& base, const Summary::Choice& choice,
                   const Summary::Abscissa& x) {
  const std::string method = method_name(normalized, base);
  return {
      legend_name(method), style_of_method(method),
      summary.curve(
          quantity,
          [&](const Setting& setting) { return setting.method == method && choice(setting); }, x)};
}

std::string shown(double value) { return fmt::format("{:.3g}", value); }

const Point& highest(const std::vector<Point>& points) {
  return *std::max_element(points.begin(), points.end(), by_y);
}

const Point& lowest(const std::vector<Point>& points) {
  return *std::min_element(points.begin(), points.end(), by_y);
}

double rank_correlation(const std::vector<Point>& points) {
  if (points.size() < 3) return unknown;
  std::vector<double> x, y;
  for (const Point& point : points) {
    x.push_back(point.x);
    y.push_back(point.y);
  }
  return correlation(positions(x), positions(y));
}

double log_slope(const std::vector<Point>& points) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, n = 0;
  for (const Point& point : points) {
    if (!(point.x > 0) || !(point.y > 0)) continue;
    const double x = std::log(point.x), y = std::log(point.y);
    sx += x, sy += y, sxx += x * x, sxy += x * y, n += 1;
  }
  const double spread = n * sxx - sx * sx;
  return n >= 2 && spread > 0 ? (n * sxy - sx * sy) / spread : unknown;
}

double standard_error(const Point& a, const Point& b) {
  const auto square = [](const Point& mean) {
    return mean.count > 0 ? mean.sd * mean.sd / mean.count : 0;
  };
  return std::sqrt(square(a) + square(b));
}

bool at_least(const Point& a, const Point& b) {
  return a.y - b.y >= -2 * standard_error(a, b) - rounding(a, b);
}

bool higher(const Point& a, const Point& b) {
  return a.y - b.y > 2 * standard_error(a, b) + rounding(a, b);
}

Point constant(double value) { return {.y = value}; }

}  // namespace repsc::experiments
