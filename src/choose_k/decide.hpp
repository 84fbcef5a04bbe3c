// What the signs say.
#pragma once

#include "repsc/choose_k.hpp"

namespace repsc {

/// Marks the rows that are clear, and fills the recommendation, the candidates and the reason.
void decide(Index num_nodes, ClusterCount& found);

}  // namespace repsc
