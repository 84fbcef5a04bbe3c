// The starts of the search for a front.
#pragma once

#include <vector>

#include "repsc/targets.hpp"

namespace repsc {

/// Plain clustering of the family first, then starts that may lead to a better optimum. Ends with
/// those that were found before the deadline, at least plain clustering.
[[nodiscard]] std::vector<FrontStart> candidate_starts(Pipeline& data, int num_clusters,
                                                       CutKind cut, const ClusterOptions& options);

}  // namespace repsc
