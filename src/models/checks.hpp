// Checks of the samplers' arguments.
#pragma once

#include "repsc/models.hpp"

namespace repsc {

/// Throws InvalidInput unless the value of `option` is a probability.
void require_probability(double value, const char* option);

/// Throws InvalidInput unless 1 <= num_clusters <= num_nodes.
void require_clusters(Index num_nodes, int num_clusters);

/// Throws InvalidInput unless 1 >= p >= q >= r >= s >= 0 (Definition 4.1).
void require_ordered(const RppProbabilities& probabilities);

/// Throws InvalidInput for more labels than nodes can be numbered, or a negative label.
void require_labels(const Labels& labels, const char* name);

/// Throws InvalidInput, before sampling, if the expected number of edges is above the limit.
void require_storable(double expected_edges);

}  // namespace repsc
