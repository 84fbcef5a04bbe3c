// Labels without gaps: the numbers of groups and of true clusters are any numbers of at least 0.
// And what else is done with one label per node, on all threads: of 65 million, a pass by one takes
// a tenth of a second.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "repsc/core.hpp"

namespace repsc {

/// Labels renumbered 0, 1, ... in the order of first use, so that there are no gaps.
struct CompactLabels {
  Labels labels;
  Index count = 0;
};
[[nodiscard]] CompactLabels compact(const Labels& labels);

/// For each label of [0, range) its number in the order of first use; -1: it is not used. All
/// labels must be within that range.
[[nodiscard]] std::vector<Label> numbers_by_first_use(const Labels& labels, Label range);
/// Replaces each label by its number, numbers[label].
void renumber(Labels& labels, const std::vector<Label>& numbers);
/// The smallest and the largest label of at least one.
struct LabelExtent {
  Label least = std::numeric_limits<Label>::max();
  Label most = std::numeric_limits<Label>::min();
  LabelExtent& operator+=(const LabelExtent& other) {
    least = std::min(least, other.least);
    most = std::max(most, other.most);
    return *this;
  }
};
[[nodiscard]] LabelExtent extent_of(const Labels& labels);
/// A copy in large pages, where there are many.
[[nodiscard]] Labels copy_of(const Labels& labels);
/// How often each label of [0, range) is used.
[[nodiscard]] std::vector<Index> label_counts(const Labels& labels, Label range);

/// The same in ascending order, with the given number of each: for what is shown with names.
struct NumberedLabels {
  Labels labels;
  std::vector<Label> numbers;
};
[[nodiscard]] NumberedLabels compact_in_order(const Labels& labels);

}  // namespace repsc
