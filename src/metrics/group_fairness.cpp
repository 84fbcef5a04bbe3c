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
  explicit Groups(std::vector<Index> sizes)
      : sizes_(std::move(sizes)),
        num_nodes_(std::accumulate(sizes_.begin(), sizes_.end(), std::int64_t{0})),
        largest_first_(sizes_.size()) {
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

  [[nodiscard]] Index count() const { return static_cast<Index>(sizes_.size()); }

  /// A cluster of `all` nodes, at least one, of which counts[s] are in group s.
  [[nodiscard]] ClusterFairness in(const ClusterTally<Index>& counts, std::int64_t all) const {
    const std::int64_t N = num_nodes_;
    Index smallest = std::numeric_limits<Index>::max();
    Index largest = 0;
    std::int64_t deviation = 0;  // times N |C|
    ClusterFairness result{.smallest_ratio = std::numeric_limits<double>::infinity(),
                           .largest_ratio = 0};
    for (const Label s : counts.touched()) {
      smallest = std::min(smallest, counts[s]);
      largest = std::max(largest, counts[s]);
      const std::int64_t found = counts[s] * N;
      const std::int64_t expected = size(s) * all;
      deviation = std::max(deviation, std::abs(found - expected));
      const double ratio = static_cast<double>(found) / static_cast<double>(expected);
      result.smallest_ratio = std::min(result.smallest_ratio, ratio);
      result.largest_ratio = std::max(result.largest_ratio, ratio);
    }
    if (counts.touched().size() < sizes_.size()) {
      smallest = 0;
      result.smallest_ratio = 0;
      deviation = std::max(deviation, largest_absent(counts) * all);
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
  [[nodiscard]] std::int64_t largest_absent(const ClusterTally<Index>& counts) const {
    const auto absent = std::find_if(largest_first_.begin(), largest_first_.end(),
                                     [&](Label s) { return counts[s] == 0; });
    return size(*absent);
  }

  std::vector<Index> sizes_;
  std::int64_t num_nodes_;
  std::vector<Label> largest_first_;
};

void add_cluster(GroupFairness& all, const ClusterFairness& cluster) {
  all.average += cluster.balance;  // the sum, for now
  all.minimum = std::min(all.minimum, cluster.balance);
  all.largest_deviation = std::max(all.largest_deviation, cluster.largest_deviation);
  all.smallest_ratio = std::min(all.smallest_ratio, cluster.smallest_ratio);
  all.largest_ratio = std::max(all.largest_ratio, cluster.largest_ratio);
}

/// tally(k, counts) counts the members of cluster k by group and returns their number.
template <typename Tally>
GroupFairness fairness(const Groups& groups, int num_clusters, const Tally& tally) {
  GroupFairness result{.num_groups = groups.count()};
  result.best_possible = groups.balance();
  result.clusters.resize(static_cast<std::size_t>(num_clusters));
  result.average = 0;
  ClusterTally<Index> counts(groups.count());
  for (Index k = 0; k < num_clusters; ++k) {
    counts.clear();
    const std::int64_t size = tally(k, counts);
    if (size == 0) {
      ++result.num_empty_clusters;
      continue;
    }
    const ClusterFairness cluster = groups.in(counts, size);
    result.clusters[static_cast<std::size_t>(k)] = cluster;
    add_cluster(result, cluster);
  }
  const Index counted = num_clusters - result.num_empty_clusters;
  result.average = counted > 0 ? result.average / counted : 1;
  result.relative_average = result.average / result.best_possible;
  result.relative_minimum = result.minimum / result.best_possible;
  return result;
}

}  // namespace

GroupFairness group_fairness(const CompactLabels& compacted, const Labels& labels,
                             int num_clusters) {
  std::vector<Index> sizes(static_cast<std::size_t>(compacted.count), 0);
  for (const Label group : compacted.labels) ++sizes[static_cast<std::size_t>(group)];
  const Members clusters(CompactLabels{labels, num_clusters});
  return fairness(Groups(std::move(sizes)), num_clusters,
                  [&](Index k, ClusterTally<Index>& counts) {
                    for (const Index i : clusters[k]) {
                      counts.add(compacted.labels[static_cast<std::size_t>(i)], 1);
                    }
                    return static_cast<std::int64_t>(clusters[k].size());
                  });
}

GroupFairness group_fairness(const CountMatrix& table) {
  const auto num_groups = static_cast<Index>(table.rows());
  std::vector<Index> sizes(static_cast<std::size_t>(num_groups), 0);
  for (Index g = 0; g < num_groups; ++g) sizes[static_cast<std::size_t>(g)] = table.row(g).sum();
  return fairness(Groups(std::move(sizes)), static_cast<int>(table.cols()),
                  [&](Index k, ClusterTally<Index>& counts) {
                    for (Index g = 0; g < num_groups; ++g) counts.add(g, table(g, k));
                    return std::int64_t{table.col(k).sum()};
                  });
}

GroupFairness group_fairness(const Labels& groups, const Labels& labels, int num_clusters) {
  check_partition(groups, labels, "group");
  check_labels(labels, static_cast<Index>(groups.size()), num_clusters, "label");
  return group_fairness(compact(groups), labels, num_clusters);
}

}  // namespace repsc
