// Quality and fairness of clusters: cuts, balance and accuracy as the paper defines them.
//
// The paper's Cut carries a factor 1/2: Cut(X, Y) = 1/2 sum A_ij over i in X, j in Y. RCut and NCut
// are reported exactly so; other texts' values are twice as large.
//
// Every function checks its labels and throws InvalidInput if their number is not that of the
// nodes, if one is outside [0, num_clusters), or if there are more clusters than nodes. The numbers
// of groups may have gaps.
#pragma once

#include <vector>

#include "repsc/graph.hpp"

namespace repsc {

/// sum_k Cut(C_k, rest) / |C_k|. Labels are in [0, num_clusters); an empty cluster adds nothing.
[[nodiscard]] double ratio_cut(const Graph& similarity, const Labels& labels, int num_clusters);

/// sum_k Cut(C_k, rest) / Vol(C_k). A cluster of volume 0 adds nothing.
[[nodiscard]] double normalized_cut(const Graph& similarity, const Labels& labels,
                                    int num_clusters);

/// counts(i, k) = |C_k and N_R(i)|: the representatives of node i in cluster k, weights ignored.
using CountMatrix = Eigen::Matrix<std::int32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
[[nodiscard]] CountMatrix representative_counts(const Graph& representation, const Labels& labels,
                                                int num_clusters);
/// The same for the R that links the nodes of each group, self-loops included: row g is that of
/// every node of group g.
[[nodiscard]] CountMatrix group_counts(const Labels& groups, int num_groups, const Labels& labels,
                                       int num_clusters);

/// rho_i = min over k, l of counts(i, k) / counts(i, l), with 0/0 = 1 (Equation (3)), for each
/// node.
[[nodiscard]] Vector balance(const Representation& representation, const Labels& labels,
                             int num_clusters);
[[nodiscard]] Vector group_balance(const Labels& groups, const Labels& labels, int num_clusters);

/// ||R J H||_F / ||R||_F with the cluster membership matrix H of the labels (H_ij = 1/sqrt|C_j|):
/// 0 if and only if the labels satisfy the representation constraint exactly.
[[nodiscard]] double constraint_residual(const Representation& representation, const Labels& labels,
                                         int num_clusters);
[[nodiscard]] double group_constraint_residual(const Labels& groups, const Labels& labels,
                                               int num_clusters);

/// 1 - mistakes/N under the best matching of labels with truth (Hungarian algorithm); the two may
/// use different numbers of clusters. The paper's misclustered fraction is M = 2 (1 - accuracy).
/// The table of clusters is dense; throws InvalidInput beyond about 8000 x 8000.
[[nodiscard]] double accuracy(const Labels& labels, const Labels& truth);

/// The adjusted Rand index (Hubert and Arabie 1985).
[[nodiscard]] double adjusted_rand_index(const Labels& labels, const Labels& truth);

/// Cost and gain of one clustering, such as its cut and its balance.
struct TradeOff {
  double cost = 0;
  double gain = 0;
};

/// The Pareto front: marks the points that no other point beats. A point beats another if it costs
/// at most as much and gains at least as much, and one of the two is strict. Equal points are all
/// on the front or all off it; a point with a NaN is off it.
[[nodiscard]] std::vector<bool> pareto_front(const std::vector<TradeOff>& points);

/// Number of nodes in each cluster.
[[nodiscard]] std::vector<Index> cluster_sizes(const Labels& labels, int num_clusters);

struct Metrics {
  double ratio_cut = 0;
  double normalized_cut = 0;
  // NaN without a representation graph or groups:
  double average_balance = 0;      ///< mean of rho_i
  double minimum_balance = 0;      ///< of rho_i
  double constraint_residual = 0;  ///< of the labels, see constraint_residual()
  std::vector<Index> cluster_sizes;
};

[[nodiscard]] Metrics evaluate(const Graph& similarity, const Labels& labels, int num_clusters);
[[nodiscard]] Metrics evaluate(const Graph& similarity, const Representation& representation,
                               const Labels& labels, int num_clusters);
[[nodiscard]] Metrics evaluate_groups(const Graph& similarity, const Labels& groups,
                                      const Labels& labels, int num_clusters);

}  // namespace repsc
