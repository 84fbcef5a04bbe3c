// All metrics of one clustering, in one pass over G and two over R.
#include <limits>

#include "core/parallel.hpp"
#include "metrics/balance.hpp"
#include "metrics/constraint_residual.hpp"
#include "metrics/edge_weights.hpp"
#include "metrics/group_fairness.hpp"
#include "metrics/group_table.hpp"
#include "metrics/labels.hpp"
#include "metrics/on_device.hpp"

namespace repsc {
namespace {

struct Summary {
  double average = std::numeric_limits<double>::quiet_NaN();
  double minimum = std::numeric_limits<double>::quiet_NaN();
};

Summary summary_of(const Vector& balances) {
  if (balances.size() == 0) return {};
  const double sum =
      parallel_sum(balances.size(), 4096, 0.0, [&](std::int64_t begin, std::int64_t end) {
        double part = 0;
        for (std::int64_t i = begin; i < end; ++i) part += balances[i];
        return part;
      });
  return {sum / static_cast<double>(balances.size()), balances.minCoeff()};
}

BalanceSummary balance_summary(const Representation& representation, const Labels& labels,
                               const std::vector<Index>& sizes, Counting counting) {
  const auto num_clusters = static_cast<int>(sizes.size());
  const double residual = constraint_residual(representation, labels, num_clusters);
  const NodeBalance nodes = node_balance(representation, labels, sizes, counting);
  const Summary rho = summary_of(nodes.rho);
  const Summary proportional = summary_of(nodes.proportional);
  return {rho.average, rho.minimum, proportional.average, proportional.minimum, residual};
}

/// The same for groups, from their table.
BalanceSummary balance_summary(const Labels& groups, const GroupTable& table,
                               const std::vector<Index>& sizes) {
  const auto N = static_cast<Index>(groups.size());
  const BalanceOfRows clusters(sizes);
  ClusterTally<std::int64_t> row(clusters.count());
  std::vector<RowBalance> of_group;
  RowBalance least;
  double squared_RJH = 0;
  double squared_R = 0;
  for (Index g = 0; g < table.num_groups(); ++g) {
    const std::int64_t size = table.tally(g, row);
    const auto rows = static_cast<double>(size);
    squared_RJH += rows * scaled_row_norm(row, size, sizes, N);
    squared_R += rows * rows;
    const RowBalance own = of_group.emplace_back(clusters.of(row));
    least = {std::min(least.rho, own.rho), std::min(least.proportional, own.proportional)};
  }
  struct Sums {
    double rho = 0;
    double proportional = 0;
    void operator+=(const Sums& other) {
      rho += other.rho;
      proportional += other.proportional;
    }
  };
  const Sums sums = parallel_sum(N, 4096, Sums{}, [&](std::int64_t begin, std::int64_t end) {
    Sums part;
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const RowBalance& own = of_group[static_cast<std::size_t>(groups[i])];
      part.rho += own.rho;
      part.proportional += own.proportional;
    }
    return part;
  });
  return {sums.rho / N, least.rho, sums.proportional / N, least.proportional,
          scaled_residual(squared_RJH, squared_R, N)};
}

}  // namespace

double average_balance(const Representation& representation, const Labels& labels, int num_clusters,
                       const std::shared_ptr<CudaDevice>& device) {
  if (representation.num_nodes() == 0) return std::numeric_limits<double>::quiet_NaN();
  check_labels(labels, representation.num_nodes(), num_clusters, "label");
  const std::vector<Index> sizes = cluster_sizes(labels, num_clusters);
  if (representation.by_groups()) {
    const Labels& groups = representation.groups();
    const Index num_groups = representation.num_sets();
    if (GroupTable::fits(num_groups, num_clusters)) {
      const GroupTable table(groups, num_groups, labels, num_clusters);
      return balance_summary(groups, table, sizes).average_rho;
    }
  } else {
    const auto found =
        balance_on_device(device, representation.graph(), labels, sizes, Counting::links,
                          /*residual=*/false);
    if (found) return found->average_rho;
  }
  return summary_of(node_balance(representation, labels, sizes, Counting::links).rho).average;
}

Metrics evaluate(const Graph& similarity, const Labels& labels, int num_clusters,
                 const std::shared_ptr<CudaDevice>& device) {
  check_labels(labels, similarity.num_nodes(), num_clusters, "label");
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  Metrics metrics{.average_balance = unknown,
                  .minimum_balance = unknown,
                  .constraint_residual = unknown,
                  .cluster_sizes = cluster_sizes(labels, num_clusters)};
  std::optional<EdgeWeights> found =
      edge_weights_on_device(device, similarity, labels, num_clusters);
  EdgeWeights weights = found ? *std::move(found) : edge_weights(similarity, labels, num_clusters);
  metrics.ratio_cut = ratio_cut(weights, metrics.cluster_sizes);
  if (!is_finite(weights)) weights = finite_edge_weights(similarity, labels, num_clusters);
  metrics.normalized_cut = normalized_cut(weights);
  metrics.modularity = modularity(weights);
  metrics.internal_edge_share = internal_edge_share(weights);
  metrics.conductance = conductance(weights);
  metrics.cluster_internal_shares = internal_shares(weights);
  return metrics;
}

Metrics evaluate(const Graph& similarity, const Representation& representation,
                 const Labels& labels, int num_clusters, Counting counting,
                 const std::shared_ptr<CudaDevice>& device) {
  Metrics metrics = evaluate(similarity, labels, num_clusters, device);
  std::optional<BalanceSummary> found;
  if (!representation.by_groups()) {
    check_labels(labels, representation.num_nodes(), num_clusters, "label");
    found =
        balance_on_device(device, representation.graph(), labels, metrics.cluster_sizes, counting);
  } else {
    const Labels& groups = representation.groups();
    const Index num_groups = representation.num_sets();
    check_partition(groups, labels, "group");
    if (!groups.empty() && GroupTable::fits(num_groups, num_clusters)) {
      const GroupTable table(groups, num_groups, labels, num_clusters);
      found = balance_summary(groups, table, metrics.cluster_sizes);
      metrics.group_fairness = group_fairness(table.counts());
    } else {
      metrics.group_fairness =
          group_fairness(CompactLabels{groups, num_groups}, labels, num_clusters);
    }
  }
  if (!found) found = balance_summary(representation, labels, metrics.cluster_sizes, counting);
  metrics.constraint_residual = found->constraint_residual;
  metrics.average_balance = found->average_rho;
  metrics.minimum_balance = found->minimum_rho;
  metrics.average_proportional_balance = found->average_proportional;
  metrics.minimum_proportional_balance = found->minimum_proportional;
  metrics.counting = counting;
  return metrics;
}

Metrics evaluate_groups(const Graph& similarity, const Labels& groups, const Labels& labels,
                        int num_clusters) {
  return evaluate(similarity, Representation(groups), labels, num_clusters);
}

}  // namespace repsc
