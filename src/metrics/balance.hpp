// Both balances of every node, in one pass over R.
#pragma once

#include "repsc/metrics.hpp"

namespace repsc {

struct NodeBalance {
  Vector rho;           ///< balance()
  Vector proportional;  ///< proportional_balance()
};

/// `sizes` are those of the clusters. The labels must have been checked, and be as many as the
/// nodes of R.
[[nodiscard]] NodeBalance node_balance(const Representation& representation, const Labels& labels,
                                       const std::vector<Index>& sizes, Counting counting);

}  // namespace repsc
