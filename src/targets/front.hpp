// The search for the front of cut and balance.
#pragma once

#include "repsc/targets.hpp"

namespace repsc {

/// Throws InvalidInput unless the graphs, K and the options fit.
[[nodiscard]] TargetFront search_front(Pipeline& data, int num_clusters, CutKind cut,
                                       const TargetOptions& options);

}  // namespace repsc
