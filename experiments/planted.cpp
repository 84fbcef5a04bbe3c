// Representation graphs from a planted partition: Figures 2, 6, 11, 16 and 17 of the paper.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/experiments.hpp"
#include "experiments/sweep.hpp"
#include "experiments/work.hpp"

namespace repsc::experiments {
namespace {

constexpr int protected_groups = 5;
constexpr double within = 0.8;
constexpr double across = 0.2;

struct Grid {
  Index nodes;
  int repeats;
  std::vector<int> clusters;
  std::vector<double> ranks;   // shares of N
  std::vector<double> groups;  // shares of N
};

std::vector<Grid> grids(const Request& request) {
  const std::vector<double> ranks{0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2,
                                  0.3,   0.4,   0.5,  0.6,  0.7,  0.8, 0.9};
  const std::vector<double> groups{0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2};
  switch (request.size) {
    case Size::tiny:
      return {{60, request.repeats, {2}, {0.05, 0.3, 0.6}, {0.05, 0.1}}};
    case Size::quick:
      return {{400, request.repeats, {4, 8}, ranks, groups},
              {800, std::min(request.repeats, 2), {4, 8}, ranks, groups}};
    case Size::paper:
      break;
  }
  // A repeat of 3000 nodes costs as much as 27 of 1000.
  return {{1000, request.repeats, {4, 8}, ranks, groups},
          {3000, std::min(request.repeats, 5), {4, 8}, ranks, groups}};
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

Instance instance_of(const Grid& grid, int run, const Request& request) {
  const std::array<std::int64_t, 3> numbers{grid.nodes, protected_groups, run};
  const Setting base = with({.experiment = "planted",
                             .nodes = grid.nodes,
                             .run = run,
                             .seed = mixed_seed(request.seed, numbers)},
                            paper_probabilities);
  Instance instance;
  instance.settings =
      sweep_settings(base, {grid.clusters, counts<Index>(grid.ranks, grid.nodes),
                            counts<int>(grid.groups, grid.nodes), strengths_of(request),
                            mus_of(request), request.wants("default")});
  instance.answer = [](std::span<const Setting> wanted, const Emit& emit) {
    const Setting& first = wanted.front();
    // The groups of R are spread over the clusters: node i is in group i mod P.
    Labels groups(static_cast<std::size_t>(first.nodes));
    for (std::size_t i = 0; i < groups.size(); ++i)
      groups[i] = static_cast<Label>(i % protected_groups);
    const auto R = shared_representation(
        sample_planted_partition(groups, within, across, first.seed, SelfLoops::add), wanted);
    const auto problem = [&](int K) {
      Labels truth = equal_clusters(first.nodes, K);
      const Graph G = sample_rpp(R->representation().graph(), truth, probabilities_of(first),
                                 first.seed + static_cast<std::uint64_t>(K));
      return Problem{Pipeline(G, R), std::move(truth)};
    };
    answer_with(wanted, problem, emit);
  };
  return instance;
}

}  // namespace

Experiment planted() {
  Experiment experiment;
  experiment.id = "planted";
  experiment.title =
      "R from a planted partition: balance and cut against rank r and number of groups P";
  experiment.paper = "Figures 2, 6, 11; 16, 17";
  experiment.varies = "rank r, groups P (N = 1000, 3000; K = 4, 8)";
  experiment.instances = [](const Request& request) {
    std::vector<Instance> instances;
    std::vector<Grid> all = grids(request);
    std::reverse(all.begin(), all.end());  // longest first, for an even load
    for (const Grid& grid : all) {
      for (int run = 0; run < grid.repeats; ++run)
        instances.push_back(instance_of(grid, run, request));
    }
    return instances;
  };
  experiment.panels = [](const Summary& summary) {
    return sweep_panels(summary, {{"Figures 2 and 11", "Figure 6"}, {"Figure 16", "Figure 17"}},
                        false);
  };
  experiment.claims = [](const Summary& summary) { return sweep_claims(summary, "planted"); };
  experiment.notes = [](const Request& request) -> std::vector<std::string> {
    std::vector<std::string> notes{
        "P = 5 planted groups, 0.8 within and 0.2 across; node i is in group i mod 5, so that "
        "every "
        "cluster has a fifth of each group. The paper does not say how groups and clusters "
        "overlap."};
    if (request.size == Size::paper)
      notes.push_back("N = 3000 has at most 5 repeats: one costs as much as 27 of N = 1000.");
    if (request.size == Size::quick)
      notes.push_back("At this size N = 400 and 800 replace the paper's 1000 and 3000.");
    return notes;
  };
  return experiment;
}

}  // namespace repsc::experiments
