// How many nodes of each group are in each cluster, in one pass over the labels on all threads.
#pragma once

#include <cstdint>
#include <vector>

#include "metrics/tally.hpp"
#include "repsc/metrics.hpp"

namespace repsc {

class GroupTable {
 public:
  /// Larger tables take longer than sorting the nodes by group.
  [[nodiscard]] static bool fits(Index num_groups, int num_clusters) {
    return std::int64_t{num_groups} * num_clusters <= 4096;
  }

  /// Groups and labels must have been checked, and be as many as one another.
  GroupTable(const Labels& groups, Index num_groups, const Labels& labels, int num_clusters);

  [[nodiscard]] Index num_groups() const { return static_cast<Index>(counts_.rows()); }
  [[nodiscard]] const CountMatrix& counts() const { return counts_; }
  /// Clears the row and counts a group in it. Clusters are added in the order of their first nodes,
  /// as if the nodes were added one by one, on which the rounding of sums over clusters depends.
  /// Returns the size of the group.
  std::int64_t tally(Index group, ClusterTally<std::int64_t>& row) const;

 private:
  CountMatrix counts_;
  std::vector<std::vector<Label>> order_;  ///< the clusters of each group by their first nodes
};

}  // namespace repsc
