// What the samplers check at their door.
#pragma once

#include "repsc/models.hpp"

namespace repsc {

/// Throws InvalidInput unless `value` is a probability; `name` is what the message calls it.
void require_probability(double value, const char* name);

/// Throws InvalidInput unless 1 >= p >= q >= r >= s >= 0 (Definition 4.1).
void require_ordered(const RppProbabilities& probabilities);

/// Throws InvalidInput for more labels than nodes can be numbered, or a negative label.
void require_labels(const Labels& labels, const char* name);

/// Throws InvalidInput where a model expects more edges than any machine we know can hold, before
/// the first is drawn.
void require_storable(double expected_edges);

}  // namespace repsc
