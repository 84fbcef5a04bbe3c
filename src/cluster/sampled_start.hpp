// Vectors to start from, where products with the whole graph are expensive.
#pragma once

#include "cluster/steps.hpp"

namespace repsc {

/// A start for nsc, or for nfairsc with given groups: from a short iteration with one of
/// `plan.sampled_start` edges. Empty if the plan asks for none. To be called before the pipeline
/// has a Laplacian, so that its vectors are not in memory at the same time.
[[nodiscard]] EmbeddingStart sampled_start(const Pipeline& data, const Plan& plan);

}  // namespace repsc
