// The shares of groups in clusters, in time O(N + P log P) for P groups and any number of clusters:
// no table of groups and clusters is made.
//
//   n_s = |V_s in C|     N_s = |V_s|
//
// Shares are compared as whole numbers, n_s N with N_s |C|, so that exact proportions give a
// deviation of exactly 0 and ratios of exactly 1.
#include "metrics/group_fairness.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "metrics/tally.hpp"

namespace repsc {
namespace {

class Groups {
 public:
  explicit Groups(const CompactLabels& groups)
      : groups_(groups),
        sizes_(static_cast<std::size_t>(groups.count), 0),
        largest_first_(sizes_.size()),
        counts_(static_cast<int>(groups.count)) {
    for (const Label group : groups.labels) ++sizes_[static_cast<std::size_t>(group)];
    std::iota(largest_first_.begin(), largest_first_.end(), Label{0});
    std::sort(largest_first_.begin(), largest_first_.end(),
              [&](Label a, Label b) { return size(a) > size(b); });
  }

  /// Smallest divided by largest group.
  [[nodiscard]] double balance() const {
    if (sizes_.empty()) return 1;
    return static_cast<double>(size(largest_first_.back())) /
           static_cast<double>(size(largest_first_.front()));
  }

  /// `members` has at least one node.
  ClusterFairness in(std::span<const Index> members) {
    counts_.clear();
    for (const Index i : members) counts_.add(groups_.labels[static_cast<std::size_t>(i)], 1);
    const auto N = static_cast<std::int64_t>(groups_.labels.size());
    const auto all = static_cast<std::int64_t>(members.size());
    Index smallest = std::numeric_limits<Index>::max();
    Index largest = 0;
    std::int64_t deviation = 0;  // times N |C|
    ClusterFairness result{.smallest_ratio = std::numeric_limits<double>::infinity(),
                           .largest_ratio = 0};
    for (const Label s : counts_.touched()) {
      smallest = std::min(smallest, counts_[s]);
      largest = std::max(largest, counts_[s]);
      const std::int64_t found = counts_[s] * N;
      const std::int64_t expected = size(s) * all;
      deviation = std::max(deviation, std::abs(found - expected));
      const double ratio = static_cast<double>(found) / static_cast<double>(expected);
      result.smallest_ratio = std::min(result.smallest_ratio, ratio);
      result.largest_ratio = std::max(result.largest_ratio, ratio);
    }
    if (counts_.touched().size() < sizes_.size()) {
      smallest = 0;
      result.smallest_ratio = 0;
      deviation = std::max(deviation, largest_absent() * all);
    }
    result.balance = static_cast<double>(smallest) / static_cast<double>(largest);
    result.relative_balance = result.balance / balance();
    result.largest_deviation =
        static_cast<double>(deviation) / (static_cast<double>(N) * static_cast<double>(all));
    return result;
  }

 private:
  [[nodiscard]] std::int64_t size(Label s) const { return sizes_[static_cast<std::size_t>(s)]; }

  // The size of the largest group that has nobody in the cluster. The groups that are passed over
  // are in the cluster, so this takes no longer than counting its nodes.
  [[nodiscard]] std::int64_t largest_absent() const {
    const auto absent = std::find_if(largest_first_.begin(), largest_first_.end(),
                                     [&](Label s) { return counts_[s] == 0; });
    return size(*absent);
  }

  const CompactLabels& groups_;
  std::vector<Index> sizes_;
  std::vector<Label> largest_first_;
  ClusterTally<Index> counts_;
};

void add_cluster(GroupFairness& all, const ClusterFairness& cluster) {
  all.average += cluster.balance;  // the sum, for now
  all.minimum = std::min(all.minimum, cluster.balance);
  all.largest_deviation = std::max(all.largest_deviation, cluster.largest_deviation);
  all.smallest_ratio = std::min(all.smallest_ratio, cluster.smallest_ratio);
  all.largest_ratio = std::max(all.largest_ratio, cluster.largest_ratio);
}

}  // namespace

GroupFairness group_fairness(const CompactLabels& compacted, const Labels& labels,
                             int num_clusters) {
  GroupFairness result{.num_groups = compacted.count};
  Groups groups(compacted);
  result.best_possible = groups.balance();
  const Members clusters(CompactLabels{labels, num_clusters});
  result.clusters.resize(static_cast<std::size_t>(num_clusters));
  result.average = 0;
  for (Index k = 0; k < clusters.num_groups(); ++k) {
    if (clusters[k].empty()) {
      ++result.num_empty_clusters;
      continue;
    }
    const ClusterFairness cluster = groups.in(clusters[k]);
    result.clusters[static_cast<std::size_t>(k)] = cluster;
    add_cluster(result, cluster);
  }
  const Index counted = num_clusters - result.num_empty_clusters;
  result.average = counted > 0 ? result.average / counted : 1;
  result.relative_average = result.average / result.best_possible;
  result.relative_minimum = result.minimum / result.best_possible;
  return result;
}

GroupFairness group_fairness(const Labels& groups, const Labels& labels, int num_clusters) {
  check_partition(groups, labels, "group");
  check_labels(labels, static_cast<Index>(groups.size()), num_clusters, "label");
  return group_fairness(compact(groups), labels, num_clusters);
}

}  // namespace repsc
