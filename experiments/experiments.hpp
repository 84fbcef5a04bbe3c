// The experiments, one file each; catalogue.cpp lists them in the paper's order.
#pragma once

#include "experiments/experiment.hpp"
#include "repsc/models.hpp"

namespace repsc::experiments {

[[nodiscard]] Experiment regular_nodes();     // dreg-nodes
[[nodiscard]] Experiment regular_clusters();  // dreg-clusters
[[nodiscard]] Experiment regular_degree();    // dreg-degree
[[nodiscard]] Experiment regular_rank();      // dreg-rank
[[nodiscard]] Experiment planted();           // planted
[[nodiscard]] Experiment fao();               // fao
[[nodiscard]] Experiment air();               // air
[[nodiscard]] Experiment toy();               // toy
[[nodiscard]] Experiment time_complexity();   // time
[[nodiscard]] Experiment consistency();       // consistency

/// p, q, r, s of the paper's experiments.
inline constexpr RppProbabilities paper_probabilities{.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1};

/// `setting` with the probabilities written into it.
[[nodiscard]] Setting with(Setting setting, const RppProbabilities& probabilities);
[[nodiscard]] RppProbabilities probabilities_of(const Setting& setting);

/// Runs `wanted` grouped by number of clusters: make(K) gives the graphs.
struct Problem;
void answer_with(std::span<const Setting> wanted, const std::function<Problem(int K)>& make,
                 const Emit& emit);

}  // namespace repsc::experiments
