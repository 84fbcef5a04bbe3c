// Fairness to groups whose numbers have no gaps.
#pragma once

#include "metrics/labels.hpp"
#include "repsc/metrics.hpp"

namespace repsc {

/// The labels must have been checked.
[[nodiscard]] GroupFairness group_fairness(const CompactLabels& groups, const Labels& labels,
                                           int num_clusters);

}  // namespace repsc
