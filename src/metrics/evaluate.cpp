// All metrics of one clustering.
#include <limits>

#include "core/parallel.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

Metrics with_fairness(Metrics metrics, const Vector& rho, double residual) {
  metrics.constraint_residual = residual;
  if (rho.size() == 0) return metrics;
  const double sum = parallel_sum(rho.size(), 4096, 0.0, [&](std::int64_t begin, std::int64_t end) {
    double part = 0;
    for (std::int64_t i = begin; i < end; ++i) part += rho[i];
    return part;
  });
  metrics.average_balance = sum / static_cast<double>(rho.size());
  metrics.minimum_balance = rho.minCoeff();
  return metrics;
}

}  // namespace

Metrics evaluate(const Graph& similarity, const Labels& labels, int num_clusters) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  return {.ratio_cut = ratio_cut(similarity, labels, num_clusters),
          .normalized_cut = normalized_cut(similarity, labels, num_clusters),
          .average_balance = unknown,
          .minimum_balance = unknown,
          .constraint_residual = unknown,
          .cluster_sizes = cluster_sizes(labels, num_clusters)};
}

Metrics evaluate(const Graph& similarity, const Representation& representation,
                 const Labels& labels, int num_clusters) {
  return with_fairness(evaluate(similarity, labels, num_clusters),
                       balance(representation, labels, num_clusters),
                       constraint_residual(representation, labels, num_clusters));
}

Metrics evaluate_groups(const Graph& similarity, const Labels& groups, const Labels& labels,
                        int num_clusters) {
  return evaluate(similarity, Representation(groups), labels, num_clusters);
}

}  // namespace repsc
