// d-regular representation graphs (Assumption 4.1), against N, K and d: Figures 1 and 5, 14 and 15
// of the paper.
#include "experiments/regular.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/experiments.hpp"
#include "experiments/work.hpp"
#include "repsc/refine.hpp"

namespace repsc::experiments {
namespace {

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

bool any(const Setting&) { return true; }

// N where it does not vary.
Index fixed_nodes(Size size) {
  if (size == Size::tiny) return 120;
  return size == Size::quick ? 800 : 1200;
}

std::vector<Model> models(Axis axis, Size size) {
  std::vector<Model> result;
  if (axis == Axis::nodes) {
    std::vector<Index> nodes{200, 400, 600, 800, 1000, 1200};
    if (size == Size::paper) nodes = {400, 800, 1200, 1600, 2000, 3000, 4000};
    if (size == Size::tiny) nodes = {80, 120};
    for (const Index N : nodes) result.push_back({N, 5, 40});
    std::reverse(result.begin(), result.end());  // longest first, for an even load
  } else if (axis == Axis::clusters) {
    const Index N = fixed_nodes(size);
    std::vector<int> clusters{2, 4, 5, 8, 10, 20};
    if (size == Size::tiny) clusters = {2, 4};
    for (const int K : clusters) result.push_back({N, K, 40});
  } else {
    const Index N = fixed_nodes(size);
    std::vector<Index> degrees{10, 20, 40, 80, 120, 240};
    if (size == Size::paper) degrees = {10, 20, 40, 60, 80, 100, 120, 160, 200, 240};
    if (size == Size::tiny) degrees = {20, 40};
    for (const Index d : degrees) result.push_back({N, 5, d});
  }
  return result;
}

bool has_types(const Setting& setting) { return setting.method.ends_with("-types"); }

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

// SC, and RepSC with R itself, on an R of types: what the theorems are about.
std::vector<Setting> methods_on_types(const Setting& base) {
  std::vector<Setting> settings;
  if (smallest_type_size(base.nodes, base.clusters, base.degree) == 0) return settings;
  for (const bool normalized : {false, true}) {
    for (const char* method : {"sc-types", "repsc-types"}) {
      settings.push_back(base);
      settings.back().normalized = normalized;
      settings.back().method = method_name(normalized, method);
    }
  }
  return settings;
}

std::vector<Setting> groups_by_nsc(Setting base) {
  base.reading = fairsc_by_nsc;
  base.normalized = true;
  base.method = "nfairsc";
  base.groups = base.nodes / 10;
  return {base};
}

std::vector<Instance> compared_instances(Axis axis, const std::string& id, const Request& request) {
  std::vector<Instance> instances;
  const auto add = [&](std::vector<Setting> settings) {
    if (!settings.empty()) instances.push_back(regular_instance(std::move(settings)));
  };
  for (const Model& model : models(axis, request.size)) {
    for (int run = 0; run < request.repeats; ++run) {
      const Setting base = regular_setting(id, model, run, request.seed);
      add(compared_methods(base, request));
      add(methods_on_types(base));
      if (wanted_readings({fairsc_by_nsc_reading()}, request).size() > 1) add(groups_by_nsc(base));
    }
  }
  return instances;
}

// What does not vary, with the values of the run.
std::string fixed_in(const Summary& summary, Axis axis) {
  const Setting& any_setting = summary.rows().front().setting;
  std::string text = "d-regular R";
  if (axis != Axis::nodes) text += fmt::format(", N = {}", any_setting.nodes);
  if (axis != Axis::clusters) text += fmt::format(", K = {}", any_setting.clusters);
  if (axis != Axis::degree) text += fmt::format(", d = {}", any_setting.degree);
  return text;
}

std::vector<Panel> compared_panels(const Summary& summary, Axis axis) {
  const auto& kinds = regular_kinds;
  const auto row = static_cast<std::size_t>(axis);
  std::vector<Panel> panels;
  for (const bool normalized : {false, true}) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      Panel panel;
      panel.file = fmt::format("{}-{}", kinds[i].file, family_name(normalized));
      panel.title = fmt::format("{}, {}: {}", fixed_in(summary, axis), family_name(normalized),
                                kinds[i].label);
      panel.x_label = axis_label(axis);
      panel.y_label = kinds[i].label;
      panel.from_zero = kinds[i].quantity != Quantity::ratio_cut;
      panel.paper = i == 0 ? fmt::format("Figure {}({})", normalized ? 5 : 1, "abc"[row])
                           : fmt::format("Figure {}, {} panel of row {}", normalized ? 15 : 14,
                                         i == 1 ? "left" : "right", row + 1);
      for (const char* base : {"lots", "sc", "fairsc", "repsc", "repsc-types", "repsc-exact",
                               "repsc-soft", "repsc-refined", "auto"}) {
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

Experiment compared(Axis axis, const std::string& id, const std::string& title,
                    const std::string& fixed) {
  Experiment experiment;
  experiment.id = id;
  experiment.title = title;
  const char panel = "abc"[static_cast<std::size_t>(axis)];
  experiment.paper =
      fmt::format("Figures 1({0}), 5({0}); 14, 15 row {1}", panel, static_cast<int>(axis) + 1);
  experiment.varies = fmt::format("{} ({})", axis_label(axis), fixed);
  experiment.readings = {fairsc_by_nsc_reading()};
  experiment.instances = [axis, id](const Request& request) {
    return compared_instances(axis, id, request);
  };
  experiment.panels = [axis](const Summary& summary) { return compared_panels(summary, axis); };
  experiment.claims = [axis, id, fixed](const Summary& summary) {
    return compared_claims(summary, axis, id, fixed);
  };
  experiment.notes = [axis](const Request& request) {
    std::vector<std::string> notes{
        "RepSC (approx.) has rank N/10 on a sampled R, whose rank is nearly always N - K + 1. The "
        "curve \"rank(R) <= N/2\", and the reading exact-types of the claims, is RepSC with R "
        "itself on an R that also has rank(R) <= N - K, as the theorems need: a regular graph of "
        "types, each of c nodes of one cluster with the same representatives, c the smallest "
        "number "
        "of at least 2 with which such a graph exists. Its similarity graph is sampled from that "
        "R."};
    if (request.size == Size::quick && axis != Axis::nodes)
      notes.emplace_back("At this size N = 800 replaces the paper's 1200.");
    return notes;
  };
  return experiment;
}

}  // namespace

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

char axis_letter(Axis axis) { return "NKd"[static_cast<std::size_t>(axis)]; }

Summary::Abscissa abscissa(Axis axis) {
  return [axis](const Setting& setting) { return coordinate(axis, setting); };
}

Setting regular_setting(const std::string& id, const Model& model, int run, std::uint64_t seed) {
  const std::array<std::int64_t, 4> numbers{model.nodes, model.clusters, model.degree, run};
  return with({.experiment = id,
               .nodes = model.nodes,
               .clusters = model.clusters,
               .degree = model.degree,
               .run = run,
               .seed = mixed_seed(seed, numbers)},
              paper_probabilities);
}

Instance regular_instance(std::vector<Setting> settings) {
  Instance instance;
  instance.settings = std::move(settings);
  instance.answer = [](std::span<const Setting> wanted, const Emit& emit) {
    const Setting& first = wanted.front();
    const auto [N, K, d] = std::tuple(first.nodes, first.clusters, first.degree);
    const auto R = shared_representation(
        has_types(first)
            ? sample_typed_representation(N, K, d, smallest_type_size(N, K, d), first.seed)
            : sample_regular_representation(N, K, d, first.seed),
        wanted);
    const auto problem = [&](int num_clusters) {
      Labels truth = equal_clusters(first.nodes, num_clusters);
      const Graph G =
          sample_rpp(R->representation().graph(), truth, probabilities_of(first), first.seed + 1);
      return Problem{Pipeline(G, R), std::move(truth)};
    };
    answer_with(wanted, problem, emit);
  };
  return instance;
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

}  // namespace repsc::experiments
