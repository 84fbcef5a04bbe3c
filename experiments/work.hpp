// Settings answered by the library's own pipeline: one decomposition of R is used for every rank,
// one of its Laplacian for every number of groups.
#pragma once

#include <memory>
#include <span>

#include "experiments/experiment.hpp"
#include "repsc/cluster.hpp"

namespace repsc::experiments {

/// R, for all of the settings: what they will ask for is announced.
[[nodiscard]] std::shared_ptr<RepresentationWork> shared_representation(
    Graph R, std::span<const Setting> settings);

/// A similarity graph with R, and the true clusters if they are known.
struct Problem {
  Pipeline pipeline;
  Labels truth = {};  ///< empty: not known
};

/// Restarts of the k-means that finds P groups in R. One takes N P^2 steps, 9 s for N = 1000 and
/// P = 996: above 2e7 steps there are fewer than ten of them, in proportion, and at least one.
[[nodiscard]] int grouping_restarts(Index N, int P);

/// Whether RepSC takes R itself, not an approximation.
[[nodiscard]] bool takes_all_of_R(const Setting& setting);

/// What the setting asks of the library; FairSC, which has groups, does not go through here.
[[nodiscard]] ClusterOptions options_of(const Setting& setting);

/// Runs the method of `setting`: SC, FairSC on groups found in R, RepSC at a rank, exact, soft,
/// soft and refined, the library's default, or labels drawn by lot. Throws what the library throws.
[[nodiscard]] Outcome run_method(const Setting& setting, Problem& problem);

/// Lots for each repeat of the other methods: many, so that their spread is known.
inline constexpr int lots_per_repeat = 20;
/// Settings of labels drawn by lot, for both families if `base` has none.
void add_lots(Setting base, std::vector<Setting>& settings);

/// Fills the metrics of an outcome, and the accuracy if the truth is known.
void measure(Outcome& outcome, const Labels& labels, int num_clusters, const Graph& G,
             const Representation& R, const Labels& truth);

}  // namespace repsc::experiments
