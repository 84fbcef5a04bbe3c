// The balance rho_i of Equation (3), and the counts |C_k and N_R(i)| of which it is a ratio.
#include <algorithm>
#include <limits>
#include <span>

#include "core/parallel.hpp"
#include "metrics/labels.hpp"
#include "metrics/tally.hpp"
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

// min over k, l of counts[k] / counts[l] with 0/0 = 1: the smallest count over the largest.
double row_balance(std::span<const Index> representatives, const Labels& labels,
                   ClusterTally<Index>& counts) {
  if (representatives.empty()) return 1;
  counts.clear();
  for (const Index j : representatives) counts.add(labels[static_cast<std::size_t>(j)], 1);
  if (counts.touched().size() < static_cast<std::size_t>(counts.num_clusters())) return 0;
  Index smallest = std::numeric_limits<Index>::max();
  Index largest = 0;
  for (const Label k : counts.touched()) {
    smallest = std::min(smallest, counts[k]);
    largest = std::max(largest, counts[k]);
  }
  return static_cast<double>(smallest) / static_cast<double>(largest);
}

}  // namespace

CountMatrix representative_counts(const Graph& representation, const Labels& labels,
                                  int num_clusters) {
  check_labels(labels, representation.num_nodes(), num_clusters, "label");
  check_table(representation.num_nodes(), num_clusters);
  CountMatrix counts = CountMatrix::Zero(representation.num_nodes(), num_clusters);
  parallel_ranges(representation.num_nodes(), 1024, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      for (const Index j : representation.neighbors(i)) {
        ++counts(i, labels[static_cast<std::size_t>(j)]);
      }
    }
  });
  return counts;
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

Vector balance(const Representation& given, const Labels& labels, int num_clusters) {
  if (given.by_groups()) return group_balance(given.groups(), labels, num_clusters);
  const Graph& representation = given.graph();
  check_labels(labels, representation.num_nodes(), num_clusters, "label");
  Vector rho(representation.num_nodes());
  parallel_ranges(representation.num_nodes(), tally_grain(num_clusters),
                  [&](std::int64_t begin, std::int64_t end) {
                    ClusterTally<Index> counts(num_clusters);
                    for (auto i = static_cast<Index>(begin); i < end; ++i) {
                      rho[i] = row_balance(representation.neighbors(i), labels, counts);
                    }
                  });
  return rho;
}

Vector group_balance(const Labels& groups, const Labels& labels, int num_clusters) {
  check_partition(groups, labels, "group");
  check_labels(labels, static_cast<Index>(groups.size()), num_clusters, "label");
  const Members members(compact(groups));
  Vector rho(static_cast<Eigen::Index>(groups.size()));
  ClusterTally<Index> counts(num_clusters);
  for (Index g = 0; g < members.num_groups(); ++g) {
    const double shared = row_balance(members[g], labels, counts);
    for (const Index i : members[g]) rho[i] = shared;
  }
  return rho;
}

}  // namespace repsc
