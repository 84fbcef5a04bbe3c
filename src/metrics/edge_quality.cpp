// Modularity, conductance and the share of weight inside of clusters.
//
//   vol_k = sum of A_ij over i in C_k     vol = sum of all vol_k
//   out_k = the part of vol_k outside     Q = sum_k (vol_k - out_k) / vol - (vol_k / vol)^2
//
// Ratios of sums are formed before anything is squared, so that they neither overflow nor vanish
// with the unit of the weights.
#include <algorithm>
#include <numeric>

#include "metrics/edge_weights.hpp"
#include "metrics/labels.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

double total(const std::vector<double>& volumes) {
  return std::accumulate(volumes.begin(), volumes.end(), 0.0);
}

// The volume outside of cluster k. Not vol - vol_k: if C_k has nearly all of the volume, the
// difference would be rounding alone.
double volume_outside(const std::vector<double>& volumes, std::size_t k) {
  const auto at = volumes.begin() + static_cast<std::ptrdiff_t>(k);
  return std::accumulate(at + 1, volumes.end(), std::accumulate(volumes.begin(), at, 0.0));
}

EdgeWeights checked_weights(const Graph& A, const Labels& labels, int num_clusters) {
  check_labels(labels, A.num_nodes(), num_clusters, "label");
  return finite_edge_weights(A, labels, num_clusters);
}

}  // namespace

double modularity(const EdgeWeights& weights) {
  const double vol = total(weights.volumes);
  double Q = 0;
  for (std::size_t k = 0; vol > 0 && k < weights.volumes.size(); ++k) {
    const double share = weights.volumes[k] / vol;
    Q += (weights.volumes[k] - weights.leaving[k]) / vol - share * share;
  }
  return Q;
}

double internal_edge_share(const EdgeWeights& weights) {
  const double vol = total(weights.volumes);
  if (vol == 0) return 1;
  double inside = 0;
  for (std::size_t k = 0; k < weights.volumes.size(); ++k) {
    inside += weights.volumes[k] - weights.leaving[k];
  }
  return inside / vol;
}

std::vector<double> conductance(const EdgeWeights& weights) {
  const double vol = total(weights.volumes);
  std::vector<double> result(weights.volumes.size(), 0.0);
  for (std::size_t k = 0; k < result.size(); ++k) {
    if (weights.leaving[k] == 0) continue;
    // At most one cluster has more than half of the volume, so this takes O(K) in all.
    const double inside = weights.volumes[k];
    const double smaller =
        inside <= vol / 2 ? inside : std::min(inside, volume_outside(weights.volumes, k));
    result[k] = std::min(1.0, weights.leaving[k] / smaller);
  }
  return result;
}

std::vector<double> internal_shares(const EdgeWeights& weights) {
  std::vector<double> result(weights.volumes.size(), 1.0);
  for (std::size_t k = 0; k < result.size(); ++k) {
    const double vol = weights.volumes[k];
    if (vol > 0) result[k] = (vol - weights.leaving[k]) / vol;
  }
  return result;
}

double modularity(const Graph& similarity, const Labels& labels, int num_clusters) {
  return modularity(checked_weights(similarity, labels, num_clusters));
}

double internal_edge_share(const Graph& similarity, const Labels& labels, int num_clusters) {
  return internal_edge_share(checked_weights(similarity, labels, num_clusters));
}

std::vector<double> conductance(const Graph& similarity, const Labels& labels, int num_clusters) {
  return conductance(checked_weights(similarity, labels, num_clusters));
}

}  // namespace repsc
