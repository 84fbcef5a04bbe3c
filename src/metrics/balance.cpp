// The balance rho_i of Equation (3) and the proportional balance of each node.
//
//   n_ik  representatives of node i in cluster k, or the sum of their weights
//   rho_i = min over k, l of n_ik / n_il         with 0/0 = 1: the smallest count over the largest
//   the same with n_ik / |C_k| in place of n_ik  over the clusters that are not empty
#include "metrics/balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/parallel.hpp"
#include "metrics/labels.hpp"
#include "metrics/tally.hpp"

namespace repsc {
namespace {

void tally_links(std::span<const Index> representatives, const Labels& labels,
                 ClusterTally<Index>& counts) {
  counts.clear();
  for (const Index j : representatives) counts.add(labels[static_cast<std::size_t>(j)], 1);
}

// In a unit in which the largest weight of the row is from 1 to 2: sums are finite, and what
// vanishes would vanish in the ratio as well.
void tally_weights(std::span<const Index> representatives, std::span<const double> weights,
                   const Labels& labels, ClusterTally<double>& counts) {
  counts.clear();
  if (weights.empty()) return;
  const int exponent = std::ilogb(*std::max_element(weights.begin(), weights.end()));
  for (std::size_t e = 0; e < weights.size(); ++e) {
    counts.add(labels[static_cast<std::size_t>(representatives[e])],
               std::ldexp(weights[e], -exponent));
  }
}

NodeBalance of_groups(const Representation& groups, const Labels& labels,
                      const BalanceOfRows& clusters) {
  const Members members(CompactLabels{groups.groups(), groups.num_sets()});
  NodeBalance result{Vector(groups.num_nodes()), Vector(groups.num_nodes())};
  ClusterTally<Index> counts(clusters.count());
  for (Index g = 0; g < members.num_groups(); ++g) {
    tally_links(members[g], labels, counts);
    const RowBalance shared = clusters.of(counts);
    for (const Index i : members[g]) {
      result.rho[i] = shared.rho;
      result.proportional[i] = shared.proportional;
    }
  }
  return result;
}

// tally(i, counts) counts the representatives of node i.
template <typename Value, typename Tally>
NodeBalance of_rows(Index num_nodes, const BalanceOfRows& clusters, const Tally& tally) {
  NodeBalance result{Vector(num_nodes), Vector(num_nodes)};
  parallel_ranges(num_nodes, tally_grain(clusters.count()),
                  [&](std::int64_t begin, std::int64_t end) {
                    ClusterTally<Value> counts(clusters.count());
                    for (auto i = static_cast<Index>(begin); i < end; ++i) {
                      tally(i, counts);
                      const RowBalance row = clusters.of(counts);
                      result.rho[i] = row.rho;
                      result.proportional[i] = row.proportional;
                    }
                  });
  return result;
}

NodeBalance checked_balance(const Representation& given, const Labels& labels, int num_clusters,
                            Counting counting) {
  if (given.by_groups()) check_partition(given.groups(), labels, "group");
  check_labels(labels, given.num_nodes(), num_clusters, "label");
  return node_balance(given, labels, cluster_sizes(labels, num_clusters), counting);
}

}  // namespace

NodeBalance node_balance(const Representation& given, const Labels& labels,
                         const std::vector<Index>& sizes, Counting counting) {
  const BalanceOfRows clusters(sizes);
  if (given.by_groups()) return of_groups(given, labels, clusters);
  const Graph& R = given.graph();
  if (counting == Counting::weights && R.weighted()) {
    return of_rows<double>(R.num_nodes(), clusters, [&](Index i, ClusterTally<double>& counts) {
      tally_weights(R.neighbors(i), R.weights(i), labels, counts);
    });
  }
  return of_rows<Index>(R.num_nodes(), clusters, [&](Index i, ClusterTally<Index>& counts) {
    tally_links(R.neighbors(i), labels, counts);
  });
}

Vector balance(const Representation& representation, const Labels& labels, int num_clusters,
               Counting counting) {
  return checked_balance(representation, labels, num_clusters, counting).rho;
}

Vector proportional_balance(const Representation& representation, const Labels& labels,
                            int num_clusters, Counting counting) {
  return checked_balance(representation, labels, num_clusters, counting).proportional;
}

Vector group_balance(const Labels& groups, const Labels& labels, int num_clusters) {
  check_partition(groups, labels, "group");
  return balance(Representation(groups), labels, num_clusters);
}

}  // namespace repsc
