// Settings answered by the library's own pipeline.
#include "experiments/work.hpp"

#include <algorithm>
#include <array>

#include "repsc/metrics.hpp"

namespace repsc::experiments {

std::shared_ptr<RepresentationWork> shared_representation(Graph R,
                                                          std::span<const Setting> settings) {
  const Index N = R.num_nodes();
  auto work = std::make_shared<RepresentationWork>(std::move(R));
  for (const Setting& setting : settings) {
    work->announce(setting.method.ends_with("-exact") ? N : setting.rank, setting.groups);
  }
  return work;
}

ClusterOptions options_of(const Setting& setting) {
  const std::string& method = setting.method;
  if (method == "nauto") return {.seed = setting.seed};
  ClusterOptions options{.method = method_by_name(method.substr(0, method.find('-'))),
                         .seed = setting.seed};
  const bool refined = method.ends_with("-refined");
  if (method.ends_with("-exact")) options.rank = Rank::exact();
  if (method.ends_with("-soft") || refined) options.strength = setting.strength;
  if (setting.rank > 0) options.rank = Rank::of(setting.rank);
  if (setting.groups > 0) options.num_groups = setting.groups;
  if (refined) {
    options.refine = true;
    options.refinement = RefineOptions{.mu = setting.mu};
  }
  return options;
}

void measure(Outcome& outcome, const Labels& labels, int num_clusters, const Graph& G,
             const Representation& R, const Labels& truth) {
  const Metrics metrics = evaluate(G, R, labels, num_clusters);
  outcome.ratio_cut = metrics.ratio_cut;
  outcome.normalized_cut = metrics.normalized_cut;
  outcome.average_balance = metrics.average_balance;
  outcome.minimum_balance = metrics.minimum_balance;
  if (!truth.empty()) outcome.accuracy = accuracy(labels, truth);
}

void add_lots(Setting base, std::vector<Setting>& settings) {
  const int first = base.run * lots_per_repeat;
  base.method = base.normalized ? "nlots" : "ulots";
  for (int lot = 0; lot < lots_per_repeat; ++lot) {
    base.run = first + lot;
    settings.push_back(base);
  }
}

Outcome run_method(const Setting& setting, Problem& problem) {
  Pipeline& pipeline = problem.pipeline;
  RepresentationWork& R = pipeline.representation();
  if (setting.method.ends_with("lots")) {
    const std::array<std::int64_t, 1> numbers{setting.run};
    const Stopwatch watch;
    const Labels labels = deal_lots(pipeline.similarity().num_nodes(), setting.clusters,
                                    mixed_seed(setting.seed, numbers));
    Outcome outcome{.seconds = watch.seconds(), .shared_seconds = 0};
    measure(outcome, labels, setting.clusters, pipeline.similarity(), R.representation(),
            problem.truth);
    return outcome;
  }
  const auto shared_seconds = [&] {
    return R.spectrum_seconds() + R.groups_seconds(setting.normalized);
  };
  const double shared_before = shared_seconds();
  const Stopwatch watch;
  const Clustering found =
      pipeline.run(plan(pipeline.input(), setting.clusters, options_of(setting)));
  Outcome outcome;
  outcome.seconds = watch.seconds() - (shared_seconds() - shared_before);
  outcome.shared_seconds = setting.rank > 0 || setting.method.ends_with("-exact")
                               ? R.spectrum_seconds()
                           : setting.groups > 0 ? R.groups_seconds(setting.normalized)
                                                : 0;
  outcome.converged = found.converged;
  measure(outcome, found.labels, setting.clusters, pipeline.similarity(), R.representation(),
          problem.truth);
  return outcome;
}

}  // namespace repsc::experiments
