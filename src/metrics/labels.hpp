// Checks of labels that all metrics need, and nodes sorted by label.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/compact_labels.hpp"
#include "repsc/core.hpp"

namespace repsc {

/// Throws InvalidInput unless there are `num_nodes` labels, all in [0, num_labels), and
/// 1 <= num_labels <= num_nodes (1 for no nodes). `what` is "label" or "group"; `option` is the
/// name of num_labels in the public function.
void check_labels(const Labels& labels, Index num_nodes, int num_labels, std::string_view what,
                  std::string_view option = "num_clusters");

/// Throws InvalidInput unless there are as many as `labels`, none below 0.
void check_partition(const Labels& partition, const Labels& labels, std::string_view what);

/// The nodes of each label, ascending.
class Members {
 public:
  explicit Members(const CompactLabels& groups);

  [[nodiscard]] Index num_groups() const { return static_cast<Index>(offsets_.size()) - 1; }
  [[nodiscard]] std::span<const Index> operator[](Index group) const {
    const auto g = static_cast<std::size_t>(group);
    return {nodes_.data() + offsets_[g], nodes_.data() + offsets_[g + 1]};
  }

 private:
  std::vector<std::size_t> offsets_;
  std::vector<Index> nodes_;
};

}  // namespace repsc
