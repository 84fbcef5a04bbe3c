// The weight of one row of a graph in each cluster, in time proportional to the length of the row:
// clusters without an entry in the row take no time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "repsc/core.hpp"

namespace repsc {

template <typename Value>
class ClusterTally {
 public:
  explicit ClusterTally(int num_clusters) : values_(static_cast<std::size_t>(num_clusters)) {}

  void clear() {
    for (const Label k : touched_) values_[static_cast<std::size_t>(k)] = 0;
    touched_.clear();
  }
  /// Adds value >= 0.
  void add(Label cluster, Value value) {
    if (value == 0) return;
    Value& sum = values_[static_cast<std::size_t>(cluster)];
    if (sum == 0) touched_.push_back(cluster);
    sum += value;
  }

  [[nodiscard]] int num_clusters() const { return static_cast<int>(values_.size()); }
  [[nodiscard]] const std::vector<Label>& touched() const { return touched_; }
  [[nodiscard]] Value operator[](Label cluster) const {
    return values_[static_cast<std::size_t>(cluster)];
  }

 private:
  std::vector<Value> values_;
  std::vector<Label> touched_;
};

/// Rows per chunk of a parallel loop, so that clearing the tally takes no longer than the rows.
inline std::int64_t tally_grain(int num_clusters) {
  return std::max<std::int64_t>(1024, num_clusters);
}

}  // namespace repsc
