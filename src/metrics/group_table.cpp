// Every part of the labels has a table of its own; counts are whole numbers, and parts are in
// order.
#include "metrics/group_table.hpp"

#include "core/parallel.hpp"

namespace repsc {
namespace {

/// Of consecutive nodes.
struct GroupCounts {
  std::vector<Index> count;
  std::vector<Index> first;  ///< node, where the count is not 0

  void add(std::size_t cell, Index node, Index number) {
    if (number == 0) return;
    if (count[cell] == 0) first[cell] = node;
    count[cell] += number;
  }
};

}  // namespace

GroupTable::GroupTable(const Labels& groups, Index num_groups, const Labels& labels,
                       int num_clusters)
    : counts_(num_groups, num_clusters), order_(static_cast<std::size_t>(num_groups)) {
  const auto K = static_cast<std::size_t>(num_clusters);
  const std::size_t cells = static_cast<std::size_t>(num_groups) * K;
  const auto N = static_cast<std::int64_t>(labels.size());
  const std::int64_t part = std::max<std::int64_t>(1 << 16, N / 64);
  const GroupCounts none{std::vector<Index>(cells, 0), std::vector<Index>(cells)};
  std::vector<GroupCounts> parts(static_cast<std::size_t>((N + part - 1) / part));
  parallel_ranges(N, part, [&](std::int64_t begin, std::int64_t end) {
    GroupCounts own = none;
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      own.add(static_cast<std::size_t>(groups[i]) * K + static_cast<std::size_t>(labels[i]),
              static_cast<Index>(i), 1);
    }
    parts[static_cast<std::size_t>(begin / part)] = std::move(own);
  });
  GroupCounts all = none;
  for (const GroupCounts& own : parts) {
    for (std::size_t cell = 0; cell < cells; ++cell)
      all.add(cell, own.first[cell], own.count[cell]);
  }
  std::copy(all.count.begin(), all.count.end(), counts_.data());
  for (std::size_t g = 0; g < order_.size(); ++g) {
    for (Label k = 0; k < num_clusters; ++k)
      if (counts_(static_cast<Index>(g), k) > 0) order_[g].push_back(k);
    std::sort(order_[g].begin(), order_[g].end(), [&](Label a, Label b) {
      return all.first[g * K + static_cast<std::size_t>(a)] <
             all.first[g * K + static_cast<std::size_t>(b)];
    });
  }
}

std::int64_t GroupTable::tally(Index group, ClusterTally<std::int64_t>& row) const {
  row.clear();
  std::int64_t size = 0;
  for (const Label k : order_[static_cast<std::size_t>(group)]) {
    row.add(k, counts_(group, k));
    size += counts_(group, k);
  }
  return size;
}

}  // namespace repsc
