// Representatives by groups, and the row sums of R.
#include <unordered_map>

#include "core/text.hpp"
#include "repsc/graph.hpp"

namespace repsc {

Representation::Representation(const Labels& groups) {
  auto numbered = std::make_shared<Groups>();
  numbered->labels.reserve(groups.size());
  std::unordered_map<Label, Label> number;
  for (const Label group : groups) {
    require_option(group >= 0, "groups", "", "label ", group, " is below 0; labels start at 0");
    const auto known = number.try_emplace(group, static_cast<Label>(numbered->sizes.size()));
    if (known.second) numbered->sizes.push_back(0);
    ++numbered->sizes[static_cast<std::size_t>(known.first->second)];
    numbered->labels.push_back(known.first->second);
  }
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
