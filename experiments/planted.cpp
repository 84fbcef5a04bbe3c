// Representation graphs from a planted partition: Figures 2, 6, 11, 16 and 17 of the paper.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "experiments/experiments.hpp"
#include "experiments/sweep.hpp"
#include "experiments/work.hpp"
#include "repsc/metrics.hpp"

namespace repsc::experiments {
namespace {

constexpr int protected_groups = 5;
constexpr double within = 0.8;
constexpr double across = 0.2;

struct Grid {
  Index nodes;
  int repeats;
  std::vector<double> ranks;   // shares of N
  std::vector<double> groups;  // shares of N
  std::vector<Index> ends;     // N - K minus these, ranks
  std::vector<Index> group_ends;
};

// Finding P groups takes N P^2 steps: near the end there are fewer values of P than of r.
std::vector<Grid> grids(const Request& request) {
  const std::vector<double> ranks{0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3,
                                  0.4,   0.5,   0.6,  0.7,  0.8,  0.9, 0.95};
  const std::vector<double> groups{0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.9};
  const std::vector<Index> ends{0, 1, 2, 4, 8, 16};
  switch (request.size) {
    case Size::tiny:
      return {{60, request.repeats, {0.05, 0.3, 0.6}, {0.05, 0.1}, {0, 2}, {0, 2}}};
    case Size::quick:
      return {{400, request.repeats, ranks, groups, ends, {0, 2, 8}},
              {800, std::min(request.repeats, 2), ranks, {0.005, 0.02, 0.1, 0.5}, ends, {0}}};
    case Size::paper:
      break;
  }
  return {{1000, request.repeats, ranks, groups, ends, {0, 1, 2, 4, 8}},
          {3000,
           std::min(request.repeats, 5),
           ranks,
           {0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5},
           ends,
           {0}}};
}

template <typename Number>
std::vector<Number> counts(const std::vector<double>& shares, Index nodes) {
  std::vector<Number> result;
  result.reserve(shares.size());
  for (const double share : shares)
    result.push_back(static_cast<Number>(std::max<long>(2, std::lround(share * nodes))));
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

// The planted groups of R.
Labels planted_groups(Index nodes, const std::string& reading, std::uint64_t seed) {
  if (reading == "groups-random") return deal_lots(nodes, protected_groups, seed);
  Labels groups = equal_clusters(nodes, protected_groups);
  if (reading != "groups-spread") return groups;
  for (std::size_t i = 0; i < groups.size(); ++i)
    groups[i] = static_cast<Label>(i % protected_groups);
  return groups;
}

void answer(std::span<const Setting> wanted, const Emit& emit) {
  const Setting& first = wanted.front();
  const auto R = shared_representation(
      sample_planted_partition(planted_groups(first.nodes, first.reading, first.seed), within,
                               across, first.seed, SelfLoops::add),
      wanted);
  const auto problem = [&](int K) {
    Labels truth = equal_clusters(first.nodes, K);
    const Graph G = sample_rpp(R->representation().graph(), truth, probabilities_of(first),
                               first.seed + static_cast<std::uint64_t>(K));
    return Problem{Pipeline(G, R), std::move(truth)};
  };
  answer_with(wanted, problem, emit);
}

// The settings of one repeat. Those of a large graph are several instances, so that they can run
// side by side: for each K the methods that share the decomposition of R, FairSC with few groups,
// and with each large number of groups, whose k-means takes minutes.
void add_instances(const Grid& grid, int run, const std::string& reading, const Request& request,
                   std::vector<Instance>& instances) {
  const std::array<std::int64_t, 3> numbers{grid.nodes, protected_groups, run};
  const Setting base = with({.experiment = "planted",
                             .reading = reading,
                             .nodes = grid.nodes,
                             .run = run,
                             .seed = mixed_seed(request.seed, numbers)},
                            paper_probabilities);
  const std::vector<int> clusters = request.size == Size::tiny ? std::vector{2} : std::vector{4, 8};
  const std::vector<Setting> all =
      sweep_settings(base, {.clusters = clusters,
                            .ranks = counts<Index>(grid.ranks, grid.nodes),
                            .groups = counts<int>(grid.groups, grid.nodes),
                            .ends = grid.ends,
                            .group_ends = grid.group_ends,
                            .strengths = strengths_of(request),
                            .mus = mus_of(request),
                            .bargain = request.wants("default")});
  const bool split = grid.nodes >= 2000;
  std::map<int, Instance> parts;
  for (const Setting& setting : all) {
    const int part = !split                               ? 0
                     : setting.groups > setting.nodes / 4 ? -setting.groups
                     : setting.groups > 0                 ? -1
                                                          : setting.clusters;
    parts[part].settings.push_back(setting);
  }
  for (auto& [part, instance] : parts) {
    instance.answer = answer;
    instances.push_back(std::move(instance));
  }
}

std::vector<Reading> planted_readings() {
  return {{.name = "groups-spread",
           .changes = "node i is in group i mod 5: every cluster has a fifth of each group"},
          {.name = "groups-random", .changes = "the groups, of equal size, are drawn by lot"},
          fairsc_by_nsc_reading()};
}

}  // namespace

Experiment planted() {
  const SweepNames names{
      .experiment = "planted",
      .network = "planted R",
      .ratio = {"Figures 2 and 11", "Figure 6"},
      .separated = {"Figure 16", "Figure 17"},
      .best_ratio =
          "\"Higher values indicate high quality clusters that are also balanced from the "
          "perspective of individuals\", with RepSC's curve above FairSC's (Section 5, "
          "Figure 2)",
      .real_network = false};
  Experiment experiment;
  experiment.id = "planted";
  experiment.title =
      "R from a planted partition: balance and cut against rank r and number of groups P";
  experiment.paper = "Figures 2, 6, 11; 16, 17";
  experiment.varies = "rank r, groups P (N = 1000, 3000; K = 4, 8)";
  experiment.readings = planted_readings();
  experiment.instances = [](const Request& request) {
    std::vector<Instance> instances;
    std::vector<Grid> all = grids(request);
    const Index smallest = all.front().nodes;
    std::reverse(all.begin(), all.end());  // longest first, for an even load
    for (const std::string& reading : wanted_readings(planted_readings(), request)) {
      for (const Grid& grid : all) {
        if (!reading.empty() && grid.nodes > smallest) continue;
        for (int run = 0; run < grid.repeats; ++run)
          add_instances(grid, run, reading, request, instances);
      }
    }
    return instances;
  };
  experiment.panels = [names](const Summary& summary) { return sweep_panels(summary, names); };
  experiment.claims = [names](const Summary& summary) { return sweep_claims(summary, names); };
  experiment.notes = [](const Request& request) -> std::vector<std::string> {
    std::vector<std::string> notes{
        "P = 5 planted groups, 0.8 within and 0.2 across, of consecutive nodes, as the paper "
        "numbers "
        "the nodes of its clusters (pi). It does not say how groups and clusters overlap; other "
        "readings: groups-spread, groups-random.",
        "FairSC's groups: k-means has ten restarts as long as N P^2 is at most 2e7, then fewer in "
        "proportion, at least one."};
    if (request.size == Size::paper)
      notes.emplace_back(
          "N = 3000 has at most 5 repeats, and P takes fewer values: finding 2996 groups once "
          "takes "
          "27 times as long as 996 of N = 1000. Other readings run at N = 1000.");
    if (request.size == Size::quick)
      notes.emplace_back("At this size N = 400 and 800 replace the paper's 1000 and 3000.");
    return notes;
  };
  return experiment;
}

}  // namespace repsc::experiments
