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

/// What the setting asks of the library.
[[nodiscard]] ClusterOptions options_of(const Setting& setting);

/// Runs the method of `setting`: SC, FairSC on groups found in R, RepSC at a rank, exact, soft, or
/// soft and refined. Throws what the library throws.
[[nodiscard]] Outcome run_method(const Setting& setting, Problem& problem);

/// Fills the metrics of an outcome, and the accuracy if the truth is known.
void measure(Outcome& outcome, const Labels& labels, int num_clusters, const Graph& G,
             const Representation& R, const Labels& truth);

}  // namespace repsc::experiments
