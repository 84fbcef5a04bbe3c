// d-regular representation graphs, against rank and number of groups: Figure 8 of the paper.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/experiments.hpp"
#include "experiments/regular.hpp"
#include "experiments/sweep.hpp"
#include "experiments/work.hpp"

namespace repsc::experiments {
namespace {

constexpr const char* id = "dreg-rank";

bool any(const Setting&) { return true; }
double rank_or_groups(const Setting& setting) {
  return setting.rank > 0 ? static_cast<double>(setting.rank) : setting.groups;
}

Model model_of(Size size) {
  if (size == Size::tiny) return {80, 2, 8};
  return {size == Size::quick ? 600 : 1200, 5, 40};
}

// Shares of N, and to N - K with both.
SweepGrid grid_of(const Model& model, Size size) {
  std::vector<double> ranks{0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95};
  std::vector<double> groups{0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9};
  SweepGrid grid{.clusters = {model.clusters}, .ends = {0, 1, 2, 4, 8, 16}};
  grid.group_ends = {0, 1, 2, 4, 8};
  if (size == Size::quick) groups = {0.005, 0.02, 0.05, 0.1, 0.2, 0.5}, grid.group_ends = {0, 4};
  if (size == Size::tiny) {
    ranks = {0.1, 0.5, 0.9};
    groups = {0.05, 0.1};
    grid.ends = grid.group_ends = {0};
  }
  const auto count = [&](double share) {
    return std::max<long>(2, std::lround(share * model.nodes));
  };
  for (const double share : ranks) grid.ranks.push_back(static_cast<Index>(count(share)));
  for (const double share : groups) grid.groups.push_back(static_cast<int>(count(share)));
  return grid;
}

struct Curves {
  std::vector<Point> repsc, fairsc;
};

Curves curves_of(const Summary& summary, bool normalized) {
  const auto curve = [&](const char* base) {
    return method_curve(summary, Quantity::accuracy, normalized, base, any, rank_or_groups).points;
  };
  return {curve("repsc"), curve("fairsc")};
}

ClaimNumber number_of(const Point& point, char parameter, const char* method) {
  return {fmt::format("{} = {}", parameter, point.x), fmt::format("{} accuracy", method), point.y,
          point.sd, point.count};
}

// b - a, with its error.
Point gain(const Point& a, const Point& b) {
  return {.y = b.y - a.y, .sd = standard_error(a, b), .count = 1};
}

Claim grows_with_rank(const Summary& summary, bool normalized) {
  const auto [repsc, fairsc] = curves_of(summary, normalized);
  Claim claim{
      .id = "dreg-rank-grows",
      .experiment = id,
      .family = family_name(normalized),
      .statement =
          "accuracy of RepSC (approx.) grows with the rank r (higher at the largest than at "
          "the smallest, rank correlation of the means above 0.8), FairSC shows no such "
          "gain with P (half of RepSC's gain is higher than FairSC's best gain over the "
          "smallest P)",
      .source = Source::paper,
      .figure = normalized ? "Figure 8(b)" : "Figure 8(a)",
      .quote =
          "\"the accuracy increases with R as the approximation of R becomes better "
          "but no similar gains are observed for UFairSC and NFairSC for various "
          "values of P\" (Appendix, Experiments with NRepSC)"};
  if (repsc.empty() || fairsc.empty()) return claim;
  const double trend = rank_correlation(repsc);
  const Point& best = highest(fairsc);
  Point half = gain(repsc.front(), repsc.back());
  half.y /= 2;
  half.sd /= 2;
  claim.holds = trend > 0.8 && higher(repsc.back(), repsc.front()) &&
                higher(half, gain(fairsc.front(), best));
  claim.numbers = fmt::format(
      "RepSC {:.3f} at r = {} to {:.3f} at r = {}, rank correlation {:.2f}; FairSC {:.3f} at P = "
      "{}, best {:.3f} at P = {}",
      repsc.front().y, repsc.front().x, repsc.back().y, repsc.back().x, trend, fairsc.front().y,
      fairsc.front().x, best.y, best.x);
  claim.data = {number_of(repsc.front(), 'r', "RepSC"),
                number_of(repsc.back(), 'r', "RepSC"),
                {"", "rank correlation of RepSC accuracy with r", trend},
                number_of(fairsc.front(), 'P', "FairSC"),
                number_of(best, 'P', "FairSC")};
  return claim;
}

std::vector<Panel> rank_panels(const Summary& summary) {
  const auto& kinds = regular_kinds;
  const Setting& first = summary.rows().front().setting;
  std::vector<Panel> panels;
  for (const bool normalized : {false, true}) {
    for (const Kind& kind : kinds) {
      Panel panel;
      panel.file = fmt::format("{}-{}", kind.file, family_name(normalized));
      panel.title = fmt::format("d-regular R, N = {}, K = {}, d = {}, {}: {}", first.nodes,
                                first.clusters, first.degree, family_name(normalized), kind.label);
      panel.x_label = "rank r or number of groups P";
      panel.y_label = kind.label;
      panel.from_zero = kind.quantity != Quantity::ratio_cut;
      const bool in_paper = kind.quantity == Quantity::accuracy;
      panel.paper = !in_paper ? "not in the paper" : normalized ? "Figure 8(b)" : "Figure 8(a)";
      for (const char* base : {"fairsc", "repsc"}) {
        panel.curves.push_back(
            method_curve(summary, kind.quantity, normalized, base, any, rank_or_groups));
      }
      add_line(summary, kind.quantity, normalized, {first.nodes, first.clusters}, "lots", panel);
      panel.caption = caption_along(panel);
      panels.push_back(std::move(panel));
    }
  }
  return panels;
}

}  // namespace

Experiment regular_rank() {
  Experiment experiment;
  experiment.id = id;
  experiment.title = "d-regular R: accuracy against rank r and number of groups P";
  experiment.paper = "Figure 8(a), 8(b)";
  experiment.varies = "rank r, groups P (d = 40, K = 5)";
  experiment.readings = {fairsc_by_nsc_reading()};
  experiment.instances = [](const Request& request) {
    const Model model = model_of(request.size);
    std::vector<Instance> instances;
    for (const std::string& reading : wanted_readings({fairsc_by_nsc_reading()}, request)) {
      for (int run = 0; run < request.repeats; ++run) {
        Setting base = regular_setting(id, model, run, request.seed);
        base.reading = reading;
        instances.push_back(regular_instance(sweep_settings(base, grid_of(model, request.size))));
      }
    }
    return instances;
  };
  experiment.panels = rank_panels;
  experiment.claims = [](const Summary& summary) {
    return std::vector<Claim>{grows_with_rank(summary, false), grows_with_rank(summary, true)};
  };
  experiment.notes = [](const Request& request) -> std::vector<std::string> {
    if (request.size != Size::quick) return {};
    return {"At this size N = 600 replaces the paper's 1200."};
  };
  return experiment;
}

}  // namespace repsc::experiments
