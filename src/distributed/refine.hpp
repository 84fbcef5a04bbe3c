// Refinement of labels that are spread over ranks.
#pragma once

#include "distributed/problem.hpp"
#include "repsc/refine.hpp"

namespace repsc {

/// Lowers cut / cut_scale() - mu * average balance, the objective of refine(), by moves of single
/// nodes: many at once, in synchronous rounds. There are no swaps, and of the escapes from local
/// optima only the smooth score, so that refine() ends lower. A second call changes nothing. Called
/// by every rank, with the labels of its rows; options.maximize_ratio and the deadline are not
/// used. The problem has a representation.
[[nodiscard]] Refinement refine_spread(const DistributedProblem& problem, const Labels& own,
                                       int num_clusters, const RefineOptions& options = {});

}  // namespace repsc
