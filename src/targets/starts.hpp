// The starts of the search for a target.
#pragma once

#include <string>
#include <vector>

#include "repsc/cluster.hpp"

namespace repsc {

struct Start {
  std::string name;
  Clustering clustering;
};

/// Plain clustering of the family first, then starts that may lead to a better optimum.
[[nodiscard]] std::vector<Start> candidate_starts(Pipeline& data, int num_clusters, CutKind cut,
                                                  const ClusterOptions& options);

}  // namespace repsc
