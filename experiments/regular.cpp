// d-regular representation graphs (Assumption 4.1): Figures 1 and 5, 14 and 15, and 8 of the paper.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/experiments.hpp"
#include "experiments/panel.hpp"
#include "experiments/work.hpp"
#include "repsc/refine.hpp"

namespace repsc::experiments {
namespace {

struct Model {
  Index nodes;
  int clusters;
  Index degree;
};

enum class Axis { nodes, clusters, degree };

double coordinate(Axis axis, const Setting& setting) {
  switch (axis) {
    case Axis::nodes:
      return setting.nodes;
    case Axis::clusters:
      return setting.clusters;
    case Axis::degree:
      return setting.degree;
  }
  return 0;
}

const char* axis_label(Axis axis) {
  switch (axis) {
    case Axis::nodes:
      return "number of nodes N";
    case Axis::clusters:
      return "number of clusters K";
    case Axis::degree:
      return "degree d of R";
  }
  return "";
}

Summary::Abscissa abscissa(Axis axis) {
  return [axis](const Setting& setting) { return coordinate(axis, setting); };
}

bool any(const Setting&) { return true; }

std::vector<Model> models(Axis axis, Size size) {
  std::vector<Model> result;
  if (axis == Axis::nodes) {
    std::vector<Index> nodes{200, 400, 600, 800, 1000, 1200};
    if (size == Size::paper) nodes = {400, 800, 1200, 1600, 2000};
    if (size == Size::tiny) nodes = {80, 120};
    for (const Index N : nodes) result.push_back({N, 5, 40});
  } else if (axis == Axis::clusters) {
    const Index N = size == Size::tiny ? 120 : 1200;
    std::vector<int> clusters{2, 4, 5, 8, 10};
    if (size == Size::tiny) clusters = {2, 4};
    for (const int K : clusters) result.push_back({N, K, 40});
  } else {
    const Index N = size == Size::tiny ? 120 : 1200;
    std::vector<Index> degrees{20, 40, 80, 120};
    if (size == Size::paper) degrees = {10, 20, 40, 60, 80, 100, 120};
    if (size == Size::tiny) degrees = {20, 40};
    for (const Index d : degrees) result.push_back({N, 5, d});
  }
  return result;
}

Instance instance_of(std::vector<Setting> settings) {
  Instance instance;
  instance.settings = std::move(settings);
  instance.answer = [](std::span<const Setting> wanted, const Emit& emit) {
    const Setting& first = wanted.front();
    const auto R = shared_representation(
        sample_regular_representation(first.nodes, first.clusters, first.degree, first.seed),
        wanted);
    const auto problem = [&](int K) {
      Labels truth = equal_clusters(first.nodes, K);
      const Graph G =
          sample_rpp(R->representation().graph(), truth, probabilities_of(first), first.seed + 1);
      return Problem{Pipeline(G, R), std::move(truth)};
    };
    answer_with(wanted, problem, emit);
  };
  return instance;
}

Setting base_setting(const std::string& id, const Model& model, int run, std::uint64_t seed) {
  const std::array<std::int64_t, 4> numbers{model.nodes, model.clusters, model.degree, run};
  return with({.experiment = id,
               .nodes = model.nodes,
               .clusters = model.clusters,
               .degree = model.degree,
               .run = run,
               .seed = mixed_seed(seed, numbers)},
              paper_probabilities);
}

// SC, FairSC and RepSC with rank and number of groups N/10, both families; if requested, RepSC with
// R itself, with a soft constraint of strength 1, and refined.
std::vector<Setting> compared_methods(const Setting& base, const Request& request) {
  std::vector<Setting> settings;
  for (const bool normalized : {false, true}) {
    Setting setting = base;
    setting.normalized = normalized;
    setting.method = method_name(normalized, "sc");
    settings.push_back(setting);
    setting.method = method_name(normalized, "fairsc");
    setting.groups = base.nodes / 10;
    settings.push_back(setting);
    setting.method = method_name(normalized, "repsc");
    setting.groups = 0;
    setting.rank = base.nodes / 10;
    settings.push_back(setting);
    setting.rank = 0;
    if (request.wants("exact")) {
      setting.method = method_name(normalized, "repsc-exact");
      settings.push_back(setting);
    }
    if (request.wants("soft")) {
      setting.method = method_name(normalized, "repsc-soft");
      setting.strength = 1;
      settings.push_back(setting);
    }
    if (request.wants("refined")) {
      setting.method = method_name(normalized, "repsc-refined");
      setting.strength = 1;
      setting.mu = default_mu;
      settings.push_back(setting);
    }
    if (request.wants("default") && normalized) {
      setting = base;
      setting.normalized = true;
      setting.method = "nauto";
      settings.push_back(setting);
    }
    setting = base;
    setting.normalized = normalized;
    add_lots(setting, settings);
  }
  return settings;
}

std::string caption_along(const Panel& panel) {
  std::string text = fmt::format("From left to right ({})", panel.x_label);
  for (const Curve& curve : panel.curves) {
    if (curve.points.empty()) continue;
    text += fmt::format(", {} goes from {} to {}", curve.name, shown(curve.points.front().y),
                        shown(curve.points.back().y));
  }
  return text + '.';
}

std::vector<Panel> compared_panels(const Summary& summary, Axis axis) {
  struct Kind {
    Quantity quantity;
    const char* file;
    const char* label;
  };
  const std::array kinds{Kind{Quantity::accuracy, "accuracy", "accuracy"},
                         Kind{Quantity::average_balance, "balance", "average balance"},
                         Kind{Quantity::ratio_cut, "ratio-cut", "ratio cut"}};
  const auto row = static_cast<std::size_t>(axis);
  std::vector<Panel> panels;
  for (const bool normalized : {false, true}) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      Panel panel;
      panel.file = fmt::format("{}-{}", kinds[i].file, family_name(normalized));
      panel.title = fmt::format("{} ({})", kinds[i].label, family_name(normalized));
      panel.x_label = axis_label(axis);
      panel.y_label = kinds[i].label;
      panel.from_zero = kinds[i].quantity != Quantity::ratio_cut;
      panel.paper = i == 0 ? fmt::format("Figure {}({})", normalized ? 5 : 1, "abc"[row])
                           : fmt::format("Figure {}, {} panel of row {}", normalized ? 15 : 14,
                                         i == 1 ? "left" : "right", row + 1);
      for (const char* base : {"lots", "sc", "fairsc", "repsc", "repsc-exact", "repsc-soft",
                               "repsc-refined", "auto"}) {
        if (!summary.has_method(method_name(normalized, base))) continue;
        panel.curves.push_back(
            method_curve(summary, kinds[i].quantity, normalized, base, any, abscissa(axis)));
        if (base == std::string("lots")) panel.curves.back().drawn = Drawn::band;
      }
      panel.caption = caption_along(panel);
      panels.push_back(std::move(panel));
    }
  }
  return panels;
}

// Two standard errors of the difference of two means.
double margin(const Point& a, const Point& b) {
  return 2 * std::sqrt(a.sd * a.sd / std::max(a.count, 1) + b.sd * b.sd / std::max(b.count, 1));
}

// RepSC with R itself, if the request includes it: the rank N/10 is not the only interpretation of
// the paper.
std::string tried_exact(const Summary& summary, Axis axis, bool normalized) {
  const auto exact =
      method_curve(summary, Quantity::accuracy, normalized, "repsc-exact", any, abscissa(axis))
          .points;
  if (exact.empty())
    return "nothing else; --also exact adds RepSC with R itself instead of its approximation of "
           "rank N/10";
  return fmt::format("RepSC with R itself (--also exact): accuracy {:.3f} or more",
                     lowest(exact).y);
}

Claim repsc_at_least_others(const Summary& summary, Axis axis, bool normalized,
                            const std::string& experiment, const std::string& fixed) {
  Claim claim{.id = experiment + "-repsc-first",
              .experiment = experiment,
              .family = family_name(normalized),
              .statement = fmt::format("RepSC accuracy is at least that of FairSC and SC for every "
                                       "{} ({}); up to two standard errors of the difference",
                                       axis_label(axis), fixed),
              .holds = true};
  const Curve repsc =
      method_curve(summary, Quantity::accuracy, normalized, "repsc", any, abscissa(axis));
  for (const char* base : {"sc", "fairsc"}) {
    const Curve other =
        method_curve(summary, Quantity::accuracy, normalized, base, any, abscissa(axis));
    double worst = std::numeric_limits<double>::infinity();
    double where = 0;
    for (std::size_t i = 0; i < std::min(repsc.points.size(), other.points.size()); ++i) {
      const double lead = repsc.points[i].y - other.points[i].y;
      if (lead < worst) worst = lead, where = repsc.points[i].x;
      if (lead < -margin(repsc.points[i], other.points[i]) - 1e-12) claim.holds = false;
    }
    claim.numbers += fmt::format("{}smallest lead over {} {:+.3f} at {}",
                                 claim.numbers.empty() ? "" : "; ", other.name, worst, where);
  }
  claim.tried = tried_exact(summary, axis, normalized);
  return claim;
}

// The gap of SC to RepSC at the right end of the axis.
Claim sc_gap(const Summary& summary, Axis axis, bool normalized, const std::string& experiment,
             bool closes, const std::string& statement) {
  constexpr double small = 0.05;
  Claim claim{.id = experiment + (closes ? "-sc-catches-up" : "-sc-stays-behind"),
              .experiment = experiment,
              .family = family_name(normalized),
              .statement = statement};
  const auto repsc =
      method_curve(summary, Quantity::accuracy, normalized, "repsc", any, abscissa(axis)).points;
  const auto sc =
      method_curve(summary, Quantity::accuracy, normalized, "sc", any, abscissa(axis)).points;
  if (repsc.empty() || sc.empty()) return claim;
  const double gap = repsc.back().y - sc.back().y;
  claim.holds = closes ? sc.back().y > 0.9 && gap < small : gap > small;
  claim.numbers = fmt::format("at {} = {}: SC {:.3f}, RepSC {:.3f}", axis_label(axis), sc.back().x,
                              sc.back().y, repsc.back().y);
  claim.tried = tried_exact(summary, axis, normalized);
  return claim;
}

Experiment compared(Axis axis, const std::string& id, const std::string& title,
                    const std::string& fixed) {
  Experiment experiment;
  experiment.id = id;
  experiment.title = title;
  const char panel = "abc"[static_cast<std::size_t>(axis)];
  experiment.paper =
      fmt::format("Figures 1({0}), 5({0}); 14, 15 row {1}", panel, static_cast<int>(axis) + 1);
  experiment.varies = fmt::format("{} ({})", axis_label(axis), fixed);
  experiment.instances = [axis, id](const Request& request) {
    std::vector<Instance> instances;
    for (const Model& model : models(axis, request.size)) {
      for (int run = 0; run < request.repeats; ++run) {
        instances.push_back(
            instance_of(compared_methods(base_setting(id, model, run, request.seed), request)));
      }
    }
    return instances;
  };
  experiment.panels = [axis](const Summary& summary) { return compared_panels(summary, axis); };
  experiment.claims = [axis, id, fixed](const Summary& summary) {
    std::vector<Claim> claims;
    for (const bool normalized : {false, true}) {
      claims.push_back(repsc_at_least_others(summary, axis, normalized, id, fixed));
      if (axis == Axis::nodes) {
        claims.push_back(sc_gap(summary, axis, normalized, id, true,
                                "SC returns representation-aware clusters for a large enough graph "
                                "(accuracy above 0.9 and within 0.05 of RepSC at the largest N)"));
      }
      if (axis == Axis::clusters) {
        claims.push_back(sc_gap(summary, axis, normalized, id, false,
                                "SC does not when the number of clusters increases (accuracy more "
                                "than 0.05 below RepSC at the largest K)"));
      }
    }
    return claims;
  };
  return experiment;
}

double rank_or_groups(const Setting& setting) {
  return setting.rank > 0 ? static_cast<double>(setting.rank) : setting.groups;
}

std::vector<Setting> rank_settings(const Setting& base, Size size) {
  std::vector<double> ranks{0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95};
  std::vector<double> groups{0.005, 0.01, 0.02, 0.05, 0.1, 0.2};
  if (size == Size::paper) groups.push_back(0.3);
  if (size == Size::tiny) ranks = {0.1, 0.5, 0.9}, groups = {0.05, 0.1};
  std::vector<Setting> settings;
  for (const bool normalized : {false, true}) {
    Setting setting = base;
    setting.normalized = normalized;
    setting.method = method_name(normalized, "repsc");
    for (const double share : ranks) {
      setting.rank = static_cast<Index>(std::lround(share * base.nodes));
      settings.push_back(setting);
    }
    setting.rank = 0;
    setting.method = method_name(normalized, "fairsc");
    for (const double share : groups) {
      setting.groups = std::max(2, static_cast<int>(std::lround(share * base.nodes)));
      settings.push_back(setting);
    }
  }
  return settings;
}

Claim grows_with_rank(const Summary& summary, bool normalized) {
  const auto repsc =
      method_curve(summary, Quantity::accuracy, normalized, "repsc", any, rank_or_groups).points;
  const auto fairsc =
      method_curve(summary, Quantity::accuracy, normalized, "fairsc", any, rank_or_groups).points;
  Claim claim{.id = "dreg-rank-grows",
              .experiment = "dreg-rank",
              .family = family_name(normalized),
              .statement =
                  "accuracy of RepSC (approx.) grows with the rank r (rank correlation above 0.8), "
                  "FairSC shows no such gain with P (its best gain over the smallest P is "
                  "less than half of RepSC's gain)"};
  if (repsc.empty() || fairsc.empty()) return claim;
  const double trend = rank_correlation(repsc);
  const double gain = repsc.back().y - repsc.front().y;
  const double other = highest(fairsc).y - fairsc.front().y;
  claim.holds = trend > 0.8 && gain > 0 && other < gain / 2;
  claim.numbers = fmt::format(
      "RepSC {:.3f} at r = {} to {:.3f} at r = {}, rank correlation {:.2f}; FairSC {:.3f} at P = "
      "{}, best {:.3f} at P = {}",
      repsc.front().y, repsc.front().x, repsc.back().y, repsc.back().x, trend, fairsc.front().y,
      fairsc.front().x, highest(fairsc).y, highest(fairsc).x);
  return claim;
}

}  // namespace

Experiment regular_nodes() {
  return compared(Axis::nodes, "dreg-nodes", "d-regular R: accuracy against the number of nodes",
                  "d = 40, K = 5, r = P = N/10");
}

Experiment regular_clusters() {
  return compared(Axis::clusters, "dreg-clusters",
                  "d-regular R: accuracy against the number of clusters",
                  "N = 1200, d = 40, r = P = N/10");
}

Experiment regular_degree() {
  return compared(Axis::degree, "dreg-degree", "d-regular R: accuracy against the degree of R",
                  "N = 1200, K = 5, r = P = N/10");
}

Experiment regular_rank() {
  Experiment experiment;
  experiment.id = "dreg-rank";
  experiment.title = "d-regular R: accuracy against rank r and number of groups P";
  experiment.paper = "Figure 8(a), 8(b)";
  experiment.varies = "rank r, groups P (d = 40, K = 5)";
  experiment.instances = [](const Request& request) {
    Model model{1200, 5, 40};
    if (request.size == Size::quick) model.nodes = 800;
    if (request.size == Size::tiny) model = {80, 2, 8};
    std::vector<Instance> instances;
    instances.reserve(static_cast<std::size_t>(request.repeats));
    for (int run = 0; run < request.repeats; ++run) {
      instances.push_back(instance_of(
          rank_settings(base_setting("dreg-rank", model, run, request.seed), request.size)));
    }
    return instances;
  };
  experiment.panels = [](const Summary& summary) {
    std::vector<Panel> panels;
    for (const bool normalized : {false, true}) {
      Panel panel;
      panel.file = "accuracy-" + family_name(normalized);
      panel.title = fmt::format("accuracy ({}, N = {})", family_name(normalized),
                                summary.rows().front().setting.nodes);
      panel.x_label = "rank r or number of groups P";
      panel.y_label = "accuracy";
      panel.paper = normalized ? "Figure 8(b)" : "Figure 8(a)";
      for (const char* base : {"fairsc", "repsc"}) {
        panel.curves.push_back(
            method_curve(summary, Quantity::accuracy, normalized, base, any, rank_or_groups));
      }
      panel.caption = caption_along(panel);
      panels.push_back(std::move(panel));
    }
    return panels;
  };
  experiment.claims = [](const Summary& summary) {
    return std::vector<Claim>{grows_with_rank(summary, false), grows_with_rank(summary, true)};
  };
  return experiment;
}

}  // namespace repsc::experiments
