// What cuts, modularity and conductance are ratios of, in one pass over the graph.
#pragma once

#include <vector>

#include "repsc/graph.hpp"

namespace repsc {

/// For each cluster, sums of A_ij over i in C_k.
struct EdgeWeights {
  std::vector<double> leaving;  ///< over j outside of C_k
  std::vector<double> volumes;  ///< over all j
};

/// The labels must have been checked. Without weights all sums are exact. leaving[k] is never above
/// volumes[k], and equal to it if no entry lies inside of the cluster.
[[nodiscard]] EdgeWeights edge_weights(const Graph& A, const Labels& labels, int num_clusters);

/// The same sums in a unit in which they are finite, for measures that do not depend on the unit of
/// the weights: where the weights add up to infinity, all of them times a power of two.
[[nodiscard]] EdgeWeights finite_edge_weights(const Graph& A, const Labels& labels,
                                              int num_clusters);
[[nodiscard]] bool is_finite(const EdgeWeights& weights);

// The measures of metrics.hpp, from these sums. All but the ratio cut need finite ones.

[[nodiscard]] double ratio_cut(const EdgeWeights& weights, const std::vector<Index>& sizes);
[[nodiscard]] double normalized_cut(const EdgeWeights& weights);
[[nodiscard]] double modularity(const EdgeWeights& weights);
[[nodiscard]] double internal_edge_share(const EdgeWeights& weights);
[[nodiscard]] std::vector<double> conductance(const EdgeWeights& weights);
/// (volumes[k] - leaving[k]) / volumes[k], with 0/0 = 1.
[[nodiscard]] std::vector<double> internal_shares(const EdgeWeights& weights);

}  // namespace repsc
