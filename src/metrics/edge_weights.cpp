// One pass over the graph for the sums that all measures of edges need.
#include "metrics/edge_weights.hpp"

#include <cmath>
#include <numeric>

#include "graph/row_storage.hpp"
#include "graph/scale.hpp"

namespace repsc {
namespace {

constexpr std::int64_t grain = 1024;  // rows

struct RowWeights {
  double leaving = 0;
  double all = 0;
};

RowWeights row_weights(std::span<const Index> neighbors, std::span<const double> weights,
                       const Labels& labels, Label own) {
  RowWeights sum;
  if (weights.empty()) {
    std::int64_t leaving = 0;
    for (const Index j : neighbors) leaving += labels[static_cast<std::size_t>(j)] != own ? 1 : 0;
    return {static_cast<double>(leaving), static_cast<double>(neighbors.size())};
  }
  // Both sums add in the same order, so that rounding cannot make the smaller one larger.
  for (std::size_t e = 0; e < neighbors.size(); ++e) {
    sum.all += weights[e];
    if (labels[static_cast<std::size_t>(neighbors[e])] != own) sum.leaving += weights[e];
  }
  return sum;
}

}  // namespace

EdgeWeights edge_weights(const Graph& A, const Labels& labels, int num_clusters) {
  std::vector<RowWeights> rows(static_cast<std::size_t>(A.num_nodes()));
  parallel_rows(A, grain, [&](const RowTile& tile) {
    for (std::int64_t i = tile.begin; i < tile.end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      rows[at] = row_weights(tile.neighbors(i), tile.weights(i), labels, labels[at]);
    }
  });
  // In the order of the rows, whatever the number of threads.
  const auto K = static_cast<std::size_t>(num_clusters);
  EdgeWeights result{std::vector<double>(K, 0.0), std::vector<double>(K, 0.0)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto k = static_cast<std::size_t>(labels[i]);
    result.leaving[k] += rows[i].leaving;
    result.volumes[k] += rows[i].all;
  }
  return result;
}

bool is_finite(const EdgeWeights& weights) {
  return std::isfinite(std::accumulate(weights.volumes.begin(), weights.volumes.end(), 0.0));
}

EdgeWeights finite_edge_weights(const Graph& A, const Labels& labels, int num_clusters) {
  EdgeWeights weights = edge_weights(A, labels, num_clusters);
  if (is_finite(weights)) return weights;
  return edge_weights(well_scaled(A).graph, labels, num_clusters);
}

}  // namespace repsc
