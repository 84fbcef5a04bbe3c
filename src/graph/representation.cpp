// Representatives by groups, and the row sums of R.
#include <algorithm>
#include <utility>

#include "core/compact_labels.hpp"
#include "repsc/graph.hpp"

namespace repsc {

Representation::Representation(const Labels& groups) {
  const auto wrong =
      std::find_if(groups.begin(), groups.end(), [](Label group) { return group < 0; });
  if (wrong != groups.end()) {
    require_option(false, "groups", "", "label ", *wrong, " is below 0; labels start at 0");
  }
  CompactLabels compacted = compact(groups);
  auto numbered = std::make_shared<Groups>();
  numbered->labels = std::move(compacted.labels);
  numbered->sizes = label_counts(numbered->labels, compacted.count);
  groups_ = std::move(numbered);
}

const Labels& Representation::groups() const {
  static const Labels none;
  if (groups_ == nullptr) return none;
  return groups_->labels;
}

Index Representation::num_nodes() const {
  return by_groups() ? static_cast<Index>(groups_->labels.size()) : graph_.num_nodes();
}

Vector Representation::sums() const {
  if (!by_groups()) return graph_.degrees();
  Vector sums(num_nodes());
  for (Index i = 0; i < num_nodes(); ++i) sums[i] = set_size(set_of(i));
  return sums;
}

Vector Representation::squared_sums() const {
  if (by_groups() || !graph_.weighted()) {
    Vector sizes(num_nodes());
    for (Index i = 0; i < num_nodes(); ++i) sizes[i] = set_size(set_of(i));
    return sizes;
  }
  Vector sums = Vector::Zero(num_nodes());
  for (Index i = 0; i < num_nodes(); ++i) {
    for (const double weight : graph_.weights(i)) sums[i] += weight * weight;
  }
  return sums;
}

}  // namespace repsc
