// RCut and NCut, with the paper's Cut(X, Y) = 1/2 sum of A_ij over i in X, j in Y.
#include <optional>
#include <vector>

#include "metrics/edge_weights.hpp"
#include "metrics/labels.hpp"
#include "metrics/on_device.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

template <typename Size>
double sum_of_ratios(const std::vector<double>& leaving, const std::vector<Size>& sizes) {
  double sum = 0;
  for (std::size_t k = 0; k < leaving.size(); ++k) {
    if (sizes[k] > 0) sum += 0.5 * leaving[k] / static_cast<double>(sizes[k]);
  }
  return sum;
}

}  // namespace

double ratio_cut(const EdgeWeights& weights, const std::vector<Index>& sizes) {
  return sum_of_ratios(weights.leaving, sizes);
}

double normalized_cut(const EdgeWeights& weights) {
  return sum_of_ratios(weights.leaving, weights.volumes);
}

double ratio_cut(const Graph& similarity, const Labels& labels, int num_clusters) {
  check_labels(labels, similarity.num_nodes(), num_clusters, "label");
  return ratio_cut(edge_weights(similarity, labels, num_clusters),
                   cluster_sizes(labels, num_clusters));
}

double normalized_cut(const Graph& similarity, const Labels& labels, int num_clusters) {
  return normalized_cut(similarity, labels, num_clusters, nullptr);
}

double normalized_cut(const Graph& similarity, const Labels& labels, int num_clusters,
                      const std::shared_ptr<CudaDevice>& device) {
  check_labels(labels, similarity.num_nodes(), num_clusters, "label");
  const std::optional<EdgeWeights> found =
      edge_weights_on_device(device, similarity, labels, num_clusters);
  if (found && is_finite(*found)) return normalized_cut(*found);
  return normalized_cut(finite_edge_weights(similarity, labels, num_clusters));
}

}  // namespace repsc
