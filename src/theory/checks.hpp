// Checks of the model's probabilities.
#pragma once

#include "repsc/theory.hpp"

namespace repsc {

/// Throws InvalidInput unless 1 >= p >= q >= r >= s >= 0 (Definition 4.1).
inline void require_ordered_probabilities(const RppModel& model) {
  const auto& [N, K, d, p, q, r, s] = model;
  require(1 >= p && p >= q && q >= r && r >= s && s >= 0,
          "R-PP probabilities must satisfy 1 >= p >= q >= r >= s >= 0, got p = ", p, ", q = ", q,
          ", r = ", r, ", s = ", s);
}

}  // namespace repsc
