// The representatives of each node, or of each group, in each cluster.
#include "core/parallel.hpp"
#include "metrics/labels.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

void check_table(std::int64_t rows, int num_clusters) {
  constexpr std::int64_t most_cells = std::int64_t{1} << 31U;  // 8 GiB
  if (rows * num_clusters <= most_cells) return;
  throw InvalidInput(
      Fault{.what = joined("a table of ", rows, " x ", num_clusters, " counts is too large"),
            .remedies = {advice("compute the balances, which need no table")}});
}

// The sum over the representatives j of node i in each cluster of value(i, e), where e is the place
// of j in the row of i.
template <typename Table, typename Value>
Table sums_by_cluster(const Graph& R, const Labels& labels, int num_clusters, const Value& value) {
  check_labels(labels, R.num_nodes(), num_clusters, "label");
  check_table(R.num_nodes(), num_clusters);
  Table sums = Table::Zero(R.num_nodes(), num_clusters);
  parallel_ranges(R.num_nodes(), 1024, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      const auto neighbors = R.neighbors(i);
      for (std::size_t e = 0; e < neighbors.size(); ++e) {
        sums(i, labels[static_cast<std::size_t>(neighbors[e])]) += value(i, e);
      }
    }
  });
  return sums;
}

}  // namespace

CountMatrix representative_counts(const Graph& representation, const Labels& labels,
                                  int num_clusters) {
  return sums_by_cluster<CountMatrix>(representation, labels, num_clusters,
                                      [](Index, std::size_t) { return 1; });
}

Matrix representative_weights(const Graph& representation, const Labels& labels, int num_clusters) {
  const bool weighted = representation.weighted();
  return sums_by_cluster<Matrix>(representation, labels, num_clusters,
                                 [&, weighted](Index i, std::size_t e) {
                                   return weighted ? representation.weights(i)[e] : 1.0;
                                 });
}

CountMatrix group_counts(const Labels& groups, int num_groups, const Labels& labels,
                         int num_clusters) {
  check_partition(groups, labels, "group");
  check_labels(groups, static_cast<Index>(groups.size()), num_groups, "group", "num_groups");
  check_labels(labels, static_cast<Index>(groups.size()), num_clusters, "label");
  check_table(num_groups, num_clusters);
  CountMatrix counts = CountMatrix::Zero(num_groups, num_clusters);
  for (std::size_t i = 0; i < labels.size(); ++i) ++counts(groups[i], labels[i]);
  return counts;
}

}  // namespace repsc
