// Checks of the expected degrees.
#pragma once

#include "repsc/core.hpp"

namespace repsc {

/// Throws InvalidInput if the smallest expected degree is 0.
inline void require_positive_degree(double smallest) {
  if (smallest > 0) return;
  throw InvalidInput(
      Fault{.what = "an expected degree is 0, so the normalized Laplacian is undefined",
            .remedies = {advice("raise p, q, r or s")}});
}

}  // namespace repsc
