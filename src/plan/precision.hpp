// How precise eigenvectors have to be.
#pragma once

#include "repsc/plan.hpp"

namespace repsc {

/// Whether an iteration ends once the labels have settled, before it reaches tolerance_for().
[[nodiscard]] bool until_labels_settle(Index num_nodes, const ClusterOptions& options);

}  // namespace repsc
