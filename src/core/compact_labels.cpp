// Labels without gaps.
#include "core/compact_labels.hpp"

#include <unordered_map>

namespace repsc {

CompactLabels compact(const Labels& labels) {
  CompactLabels result;
  result.labels.reserve(labels.size());
  std::unordered_map<Label, Label> number;
  for (const Label label : labels) {
    const auto known = number.try_emplace(label, result.count);
    if (known.second) ++result.count;
    result.labels.push_back(known.first->second);
  }
  return result;
}

}  // namespace repsc
