// Labels without gaps.
#include "core/compact_labels.hpp"

#include <algorithm>
#include <unordered_map>

namespace repsc {

CompactLabels compact(const Labels& labels) {
  CompactLabels result;
  result.labels.reserve(labels.size());
  const auto [least, most] = std::minmax_element(labels.begin(), labels.end());
  if (labels.empty()) return result;
  if (*least >= 0 && static_cast<std::size_t>(*most) < 2 * labels.size()) {
    std::vector<Label> number(static_cast<std::size_t>(*most) + 1, -1);
    for (const Label label : labels) {
      Label& own = number[static_cast<std::size_t>(label)];
      if (own < 0) own = result.count++;
      result.labels.push_back(own);
    }
    return result;
  }
  std::unordered_map<Label, Label> number;
  for (const Label label : labels) {
    const auto known = number.try_emplace(label, result.count);
    if (known.second) ++result.count;
    result.labels.push_back(known.first->second);
  }
  return result;
}

NumberedLabels compact_in_order(const Labels& labels) {
  NumberedLabels result{.labels = labels, .numbers = labels};
  std::vector<Label>& numbers = result.numbers;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (Label& label : result.labels) {
    label = static_cast<Label>(std::lower_bound(numbers.begin(), numbers.end(), label) -
                               numbers.begin());
  }
  return result;
}

}  // namespace repsc
