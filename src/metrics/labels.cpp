// Checks and orders labels.
#include "metrics/labels.hpp"

#include <algorithm>

#include "repsc/metrics.hpp"

namespace repsc {

void check_labels(const Labels& labels, Index num_nodes, int num_labels, std::string_view what,
                  std::string_view option) {
  require(labels.size() == static_cast<std::size_t>(num_nodes), labels.size(), ' ', what,
          "s for a graph of ", num_nodes, " nodes");
  require_option(num_labels >= 1 && num_labels <= std::max(num_nodes, Index{1}), option, num_labels,
                 "it must be from 1 to the number of nodes, ", num_nodes);
  const LabelExtent extent = extent_of(labels);
  if (extent.least >= 0 && extent.most < num_labels) return;
  const auto wrong = std::find_if(labels.begin(), labels.end(),
                                  [&](Label label) { return label < 0 || label >= num_labels; });
  require(false, what, ' ', *wrong, " of node ", wrong - labels.begin(), " is not in [0, ",
          num_labels, ')');
}

void check_partition(const Labels& partition, const Labels& labels, std::string_view what) {
  require(partition.size() == labels.size(), labels.size(), " labels but ", partition.size(), ' ',
          what, "s");
  if (extent_of(partition).least >= 0) return;
  const auto wrong =
      std::find_if(partition.begin(), partition.end(), [](Label label) { return label < 0; });
  require(false, what, ' ', *wrong, " of node ", wrong - partition.begin(), " is below 0");
}

Members::Members(const CompactLabels& groups)
    : offsets_(static_cast<std::size_t>(groups.count) + 1, 0), nodes_(groups.labels.size()) {
  for (const Label group : groups.labels) ++offsets_[static_cast<std::size_t>(group) + 1];
  for (std::size_t g = 1; g < offsets_.size(); ++g) offsets_[g] += offsets_[g - 1];
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[next[static_cast<std::size_t>(groups.labels[i])]++] = static_cast<Index>(i);
  }
}

std::vector<Index> cluster_sizes(const Labels& labels, int num_clusters) {
  check_labels(labels, static_cast<Index>(labels.size()), num_clusters, "label");
  return label_counts(labels, num_clusters);
}

}  // namespace repsc
