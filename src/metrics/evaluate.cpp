// All metrics of one clustering, in one pass over G and two over R.
#include <limits>

#include "core/parallel.hpp"
#include "metrics/balance.hpp"
#include "metrics/edge_weights.hpp"
#include "metrics/group_fairness.hpp"
#include "metrics/labels.hpp"

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

}  // namespace

Metrics evaluate(const Graph& similarity, const Labels& labels, int num_clusters) {
  check_labels(labels, similarity.num_nodes(), num_clusters, "label");
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  Metrics metrics{.average_balance = unknown,
                  .minimum_balance = unknown,
                  .constraint_residual = unknown,
                  .cluster_sizes = cluster_sizes(labels, num_clusters)};
  EdgeWeights weights = edge_weights(similarity, labels, num_clusters);
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
                 const Labels& labels, int num_clusters, Counting counting) {
  Metrics metrics = evaluate(similarity, labels, num_clusters);
  // Checks that the labels are as many as the nodes of R, too.
  metrics.constraint_residual = constraint_residual(representation, labels, num_clusters);
  const NodeBalance nodes = node_balance(representation, labels, metrics.cluster_sizes, counting);
  const Summary rho = summary_of(nodes.rho);
  const Summary proportional = summary_of(nodes.proportional);
  metrics.average_balance = rho.average;
  metrics.minimum_balance = rho.minimum;
  metrics.average_proportional_balance = proportional.average;
  metrics.minimum_proportional_balance = proportional.minimum;
  metrics.counting = counting;
  if (representation.by_groups()) {
    metrics.group_fairness = group_fairness(
        CompactLabels{representation.groups(), representation.num_sets()}, labels, num_clusters);
  }
  return metrics;
}

Metrics evaluate_groups(const Graph& similarity, const Labels& groups, const Labels& labels,
                        int num_clusters) {
  return evaluate(similarity, Representation(groups), labels, num_clusters);
}

}  // namespace repsc
