// Time of U/NRepSC (approx.) against the number of nodes: Figure 13 of the paper, K = 4, r = N/2.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/experiments.hpp"
#include "experiments/literal.hpp"
#include "experiments/panel.hpp"
#include "experiments/work.hpp"
#include "repsc/cluster.hpp"

namespace repsc::experiments {
namespace {

constexpr int num_clusters = 4;
constexpr int protected_groups = 5;
constexpr double within = 0.8;
constexpr double across = 0.2;

double nodes_of(const Setting& setting) { return setting.nodes; }
bool any(const Setting&) { return true; }

struct Grid {
  std::vector<Index> nodes;
  Index largest_literal;  // above, the literal implementation takes too long
  int repeats;
};

Grid grid_of(const Request& request) {
  switch (request.size) {
    case Size::tiny:
      return {{60, 80, 120}, 80, std::min(request.repeats, 1)};
    case Size::quick:
      return {{200, 300, 400, 600, 800, 1200}, 600, std::min(request.repeats, 2)};
    case Size::paper:
      break;
  }
  return {{250, 500, 750, 1000, 1500, 2000, 3000}, 1500, std::min(request.repeats, 3)};
}

Outcome measured(const Setting& setting, const Graph& G, const Graph& R, const Labels& truth) {
  Labels labels;
  Outcome outcome;
  const Stopwatch watch;
  if (setting.method.ends_with("-literal")) {
    labels = literal_repsc(G, R, num_clusters, setting.rank, setting.normalized, setting.seed);
  } else {
    const Clustering result = cluster(G, R, num_clusters, options_of(setting));
    labels = result.labels;
    outcome.converged = result.converged;
  }
  outcome.seconds = watch.seconds();
  outcome.shared_seconds = 0;
  measure(outcome, labels, num_clusters, G, R, truth);
  return outcome;
}

Instance instance_of(Index nodes, bool with_literal, int run, std::uint64_t seed) {
  const std::array<std::int64_t, 3> numbers{nodes, num_clusters, run};
  Setting setting = with({.experiment = "time",
                          .nodes = nodes,
                          .clusters = num_clusters,
                          .rank = nodes / 2,
                          .run = run,
                          .seed = mixed_seed(seed, numbers)},
                         paper_probabilities);
  Instance instance;
  for (const bool normalized : {false, true}) {
    setting.normalized = normalized;
    setting.method = method_name(normalized, "repsc");
    instance.settings.push_back(setting);
    if (!with_literal) continue;
    setting.method = method_name(normalized, "repsc-literal");
    instance.settings.push_back(setting);
  }
  instance.answer = [](std::span<const Setting> wanted, const Emit& emit) {
    const Setting& first = wanted.front();
    const Graph R = sample_planted_partition(equal_clusters(first.nodes, protected_groups), within,
                                             across, first.seed, SelfLoops::add);
    const Labels truth = equal_clusters(first.nodes, num_clusters);
    const Graph G = sample_rpp(R, truth, probabilities_of(first), first.seed + 1);
    for (const Setting& s : wanted) emit({s, measured(s, G, R, truth)});
  };
  return instance;
}

// C N^3 through the last point of `points`.
Curve cubic(const std::vector<Point>& points) {
  Curve curve{"growth as N^3", CurveStyle::reference, {}};
  if (points.empty()) return curve;
  const Point& last = points.back();
  for (const Point& point : points)
    curve.points.push_back({point.x, last.y * std::pow(point.x / last.x, 3), 0, 1});
  return curve;
}

std::vector<Point> upper_half(std::vector<Point> points) {
  if (points.size() > 3) points.erase(points.begin(), points.end() - 3);
  return points;
}

std::vector<Point> seconds_of(const Summary& summary, bool normalized, const char* base) {
  return method_curve(summary, Quantity::seconds, normalized, base, any, nodes_of).points;
}

ClaimNumber seconds_number(const Point& point, const char* method) {
  return {fmt::format("N = {}", point.x), fmt::format("{} seconds", method), point.y, point.sd,
          point.count};
}

// The standard error of log_slope(), from those of the means.
double slope_error(const std::vector<Point>& points) {
  double mean = 0, squares = 0, variance = 0;
  for (const Point& point : points) mean += std::log(point.x) / static_cast<double>(points.size());
  for (const Point& point : points) squares += std::pow(std::log(point.x) - mean, 2);
  for (const Point& point : points) {
    const double relative = point.sd / point.y;
    variance += std::pow((std::log(point.x) - mean) * relative, 2) / std::max(point.count, 1);
  }
  return std::sqrt(variance) / squares;
}

Claim cubic_claim(const Summary& summary, bool normalized) {
  Claim claim{.id = "time-cubic",
              .experiment = "time",
              .family = family_name(normalized),
              .statement =
                  "the time of RepSC (approx.) grows no faster than N^3 (slope of log "
                  "seconds against log N over the three largest N at most 3)",
              .source = Source::paper,
              .figure = "Figure 13",
              .quote =
                  "\"still have O(N^3) time complexity\" (Appendix, Numerical validation of "
                  "time complexity)"};
  const auto points = upper_half(seconds_of(summary, normalized, "repsc"));
  if (points.size() < 2) return claim;
  const double slope = log_slope(points);
  claim.holds = at_least(constant(3), {.y = slope, .sd = slope_error(points), .count = 1});
  claim.numbers =
      fmt::format("slope {:.2f} from N = {} ({} s) to N = {} ({} s)", slope, points.front().x,
                  shown(points.front().y), points.back().x, shown(points.back().y));
  claim.data.push_back({"", "slope of log seconds against log N", slope});
  for (const Point& point : points) claim.data.push_back(seconds_number(point, "RepSC"));
  return claim;
}

Claim gain_claim(const Summary& summary, bool normalized) {
  Claim claim{.id = "time-gain",
              .experiment = "time",
              .family = family_name(normalized),
              .statement =
                  "a literal implementation of the paper's formulas takes longer at every "
                  "N where both ran",
              .holds = true};
  const auto ours = seconds_of(summary, normalized, "repsc");
  const auto literal = seconds_of(summary, normalized, "repsc-literal");
  for (const Point& slow : literal) {
    for (const Point& fast : ours) {
      if (fast.x != slow.x) continue;
      claim.holds = claim.holds && higher(slow, fast);
      claim.numbers += fmt::format("{}N = {}: {} times", claim.numbers.empty() ? "" : "; ", fast.x,
                                   shown(slow.y / fast.y));
      claim.data.push_back({fmt::format("N = {}", fast.x), "literal over RepSC", slow.y / fast.y});
    }
  }
  claim.holds = claim.holds && !claim.numbers.empty();
  return claim;
}

std::vector<Panel> time_panels(const Summary& summary) {
  Panel panel{.file = "seconds",
              .title = "planted R, K = 4, r = N/2: seconds on one thread",
              .x_label = "number of nodes N",
              .y_label = "seconds",
              .log_x = true,
              .log_y = true,
              .paper = "Figure 13"};
  for (const bool normalized : {false, true}) {
    for (const char* base : {"repsc", "repsc-literal"}) {
      Curve curve = method_curve(summary, Quantity::seconds, normalized, base, any, nodes_of);
      const bool literal = curve.style == CurveStyle::literal;
      if (normalized) curve.style = literal ? CurveStyle::exact : CurveStyle::other_family;
      curve.name = fmt::format("{}RepSC{}", normalized ? "N" : "U", literal ? ", literal" : "");
      if (!curve.points.empty()) panel.curves.push_back(std::move(curve));
    }
  }
  panel.curves.push_back(cubic(seconds_of(summary, true, "repsc")));
  const Claim growth = cubic_claim(summary, true), gain = gain_claim(summary, true);
  panel.caption =
      fmt::format("NRepSC (approx.): {}; the literal implementation takes longer by {}.",
                  growth.numbers, gain.numbers);
  return {panel};
}

}  // namespace

Experiment time_complexity() {
  Experiment experiment;
  experiment.id = "time";
  experiment.title =
      "Time of RepSC (approx.) and of a literal implementation of the paper's formulas";
  experiment.paper = "Figure 13";
  experiment.varies = "number of nodes N (K = 4, r = N/2)";
  experiment.alone = true;
  experiment.instances = [](const Request& request) {
    const Grid grid = grid_of(request);
    std::vector<Instance> instances;
    for (const Index nodes : grid.nodes) {
      for (int run = 0; run < grid.repeats; ++run) {
        instances.push_back(instance_of(nodes, nodes <= grid.largest_literal, run, request.seed));
      }
    }
    return instances;
  };
  experiment.panels = time_panels;
  experiment.claims = [](const Summary& summary) {
    std::vector<Claim> claims;
    for (const bool normalized : {false, true}) {
      claims.push_back(cubic_claim(summary, normalized));
      claims.push_back(gain_claim(summary, normalized));
    }
    return claims;
  };
  experiment.notes = [](const Request& request) {
    const Grid grid = grid_of(request);
    return std::vector<std::string>{
        fmt::format("One thread, one run at a time, at most {} repeats. The literal implementation "
                    "(curves \"literal\": explicit null space by QR, matrix square root, dense "
                    "eigensolver, all with "
                    "Eigen) runs up to N = {}.",
                    grid.repeats, grid.largest_literal)};
  };
  return experiment;
}

}  // namespace repsc::experiments
