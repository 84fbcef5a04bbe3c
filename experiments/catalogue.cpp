// The list of experiments, and what they share.
#include <algorithm>
#include <map>

#include "experiments/experiments.hpp"
#include "experiments/work.hpp"

namespace repsc::experiments {

std::string name(Size size) {
  switch (size) {
    case Size::tiny:
      return "tiny";
    case Size::quick:
      return "quick";
    case Size::paper:
      return "paper";
  }
  return "";
}

int default_repeats(Size size) {
  switch (size) {
    case Size::tiny:
      return 2;
    case Size::quick:
      return 3;
    case Size::paper:
      return 10;
  }
  return 1;
}

const std::vector<Experiment>& catalogue() {
  static const std::vector<Experiment> all{regular_nodes(),
                                           regular_clusters(),
                                           regular_degree(),
                                           regular_rank(),
                                           planted(),
                                           fao(),
                                           air(),
                                           toy(),
                                           time_complexity(),
                                           consistency()};
  return all;
}

const Experiment& experiment_by_id(const std::string& id) {
  std::string known;
  for (const Experiment& experiment : catalogue()) {
    if (experiment.id == id) return experiment;
    known += (known.empty() ? "" : ", ") + experiment.id;
  }
  throw InvalidInput(
      Fault{.what = "it must be one of " + known, .option = "experiment", .value = id});
}

// splitmix64 (Steele, Lea and Flood 2014) over the numbers; 44 bits are enough and easy to read.
std::uint64_t mixed_seed(std::uint64_t seed, std::span<const std::int64_t> numbers) {
  const auto mix = [](std::uint64_t z) {
    z += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  };
  std::uint64_t state = mix(seed);
  for (const std::int64_t number : numbers) state = mix(state ^ static_cast<std::uint64_t>(number));
  return state >> 20U;
}

double grouping_cost(Index nodes, int groups) {
  return 9e-9 * nodes * groups * groups * grouping_restarts(nodes, groups);
}

// Recorded on two slow cores (aarch64) with one thread: a dense decomposition of 600 nodes took
// 0.16 s, an iterative solve 0.1 s. Refinement anneals for about 2 s, on tiny graphs less, on large
// ones not at all; a pass costs K times the entries of R, which has a degree of about 0.3 N if it
// is not regular.
double recorded_cost(const Setting& setting) {
  const double n = setting.nodes / 600.0;
  const double solve = 0.1 * n * n;
  if (setting.method.ends_with("-literal")) return 2.0 * n * n * n;
  if (setting.method.ends_with("lots")) return 1e-3 * n * n;
  if (setting.method == "nauto") return 2 + 8 * solve;
  if (setting.mu > 0) {
    const bool regular = setting.degree > 0;
    const double degree = regular ? static_cast<double>(setting.degree) : 0.3 * setting.nodes;
    const double work = setting.clusters * setting.nodes * degree;
    const double annealing = work > 3e6 ? 0 : 2 * std::min(1.0, work / 3e4);
    return solve + 2e-6 * work + annealing;
  }
  if (setting.rank > 0) {
    const double rank = static_cast<double>(setting.rank) / 600.0;
    return 0.7 * solve + (setting.normalized ? 0.25 * n * rank * rank : 0);
  }
  return solve;
}

Setting with(Setting setting, const RppProbabilities& probabilities) {
  setting.p = probabilities.p;
  setting.q = probabilities.q;
  setting.r = probabilities.r;
  setting.s = probabilities.s;
  return setting;
}

RppProbabilities probabilities_of(const Setting& setting) {
  return {.p = setting.p, .q = setting.q, .r = setting.r, .s = setting.s};
}

void answer_with(std::span<const Setting> wanted, const std::function<Problem(int K)>& make,
                 const Emit& emit) {
  struct Placed {
    Problem problem;
    std::optional<Baselines> scale;
  };
  std::map<int, Placed> problems;
  for (const Setting& setting : wanted) {
    const int K = setting.clusters;
    auto found = problems.find(K);
    if (found == problems.end()) {
      Problem problem = make(K);
      // All settings of an instance have the same seed, so that the scale does not depend on which
      // of them are still to be done.
      const auto scale = baselines(problem.pipeline, K, {.seed = setting.seed});
      found = problems.emplace(K, Placed{std::move(problem), scale}).first;
    }
    auto& [problem, scale] = found->second;
    Outcome outcome = run_method(setting, problem);
    if (scale) {
      outcome.structure_kept = scale->structure_kept(outcome.normalized_cut);
      outcome.fairness_gained = scale->fairness_gained(outcome.average_balance);
    }
    emit({setting, outcome});
  }
}

}  // namespace repsc::experiments
