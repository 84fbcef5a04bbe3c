// Small problems: rank 0 clusters them as one process does, and the others wait. That takes less
// time than messages, and ends with the labels of cluster() also where undecided nodes would follow
// the last digits of the eigenvectors.
#pragma once

#include "distributed/problem.hpp"

namespace repsc {

/// Whether rank 0 clusters this input alone, see DistributedOptions::alone_up_to. The input of rank
/// 0 counts.
[[nodiscard]] bool is_for_root_alone(const Communicator& ranks, const ClusterInput& input,
                                     const DistributedOptions& options);

/// What rank 0 finds with these options, whose method and constraint are chosen; each rank gets the
/// labels of its own rows. Warnings are those of rank 0, and stay there. `whole`: null elsewhere.
[[nodiscard]] Clustering clustered_by_root(const SpreadRows& rows, Pipeline* whole,
                                           int num_clusters, const ClusterOptions& options);

/// baselines() of rank 0, for all.
[[nodiscard]] std::optional<Baselines> baselines_of_root(const Communicator& ranks, Pipeline* whole,
                                                         int num_clusters,
                                                         const ClusterOptions& options);

}  // namespace repsc
