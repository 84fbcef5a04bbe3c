// Labels without gaps: the numbers of groups and of true clusters are any numbers of at least 0.
#pragma once

#include <vector>

#include "repsc/core.hpp"

namespace repsc {

/// Labels renumbered 0, 1, ... in the order of first use, so that there are no gaps.
struct CompactLabels {
  Labels labels;
  Index count = 0;
};
[[nodiscard]] CompactLabels compact(const Labels& labels);

/// The same in ascending order, with the given number of each: for what is shown with names.
struct NumberedLabels {
  Labels labels;
  std::vector<Label> numbers;
};
[[nodiscard]] NumberedLabels compact_in_order(const Labels& labels);

}  // namespace repsc
