// Fairness to groups whose numbers have no gaps, from labels or from counts.
#pragma once

#include "metrics/labels.hpp"
#include "repsc/metrics.hpp"

namespace repsc {

/// The labels must have been checked.
[[nodiscard]] GroupFairness group_fairness(const CompactLabels& groups, const Labels& labels,
                                           int num_clusters);

/// The same from the number of nodes of each group (row) in each cluster (column); no group is
/// empty.
[[nodiscard]] GroupFairness group_fairness(const CountMatrix& table);

}  // namespace repsc
