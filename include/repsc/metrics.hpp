// Quality and fairness of clusters: cuts, balance and accuracy as the paper defines them, and what
// is measured outside of spectral clustering: modularity, conductance, shares of groups. The table
// in docs/methods.md has all formulas.
//
// The paper's Cut carries a factor 1/2: Cut(X, Y) = 1/2 sum A_ij over i in X, j in Y. RCut and NCut
// are reported exactly so; other texts' values are twice as large.
//
// Every function checks its labels and throws InvalidInput if their number is not that of the
// nodes, if one is outside [0, num_clusters), or if there are more clusters than nodes. The numbers
// of groups may have gaps.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "repsc/cuda.hpp"
#include "repsc/graph.hpp"

namespace repsc {

/// sum_k Cut(C_k, rest) / |C_k|. Labels are in [0, num_clusters); an empty cluster adds nothing.
[[nodiscard]] double ratio_cut(const Graph& similarity, const Labels& labels, int num_clusters);

/// sum_k Cut(C_k, rest) / Vol(C_k). A cluster of volume 0 adds nothing.
[[nodiscard]] double normalized_cut(const Graph& similarity, const Labels& labels,
                                    int num_clusters);
/// The same on a device, as evaluate() uses it.
[[nodiscard]] double normalized_cut(const Graph& similarity, const Labels& labels, int num_clusters,
                                    const std::shared_ptr<CudaDevice>& device);

// The next three take A as the graph stores it: a self-loop of weight w adds w to its row, once.
// Vol(C) is the sum of the rows of C, vol that of all rows.

/// Newman's modularity: sum_k inside_k / vol - (Vol(C_k) / vol)^2, where inside_k is the sum of
/// A_ij over i and j in C_k. 0 for a graph without edges.
[[nodiscard]] double modularity(const Graph& similarity, const Labels& labels, int num_clusters);

/// The weight inside of clusters divided by the total weight, sum_k inside_k / vol: what a
/// clustering that cuts nothing keeps. 1 for a graph without edges.
[[nodiscard]] double internal_edge_share(const Graph& similarity, const Labels& labels,
                                         int num_clusters);

/// For each cluster, the weight that leaves it divided by min(Vol(C), vol - Vol(C)), as it is
/// usually defined: without the paper's factor 1/2. 0 if nothing leaves, also for an empty cluster.
[[nodiscard]] std::vector<double> conductance(const Graph& similarity, const Labels& labels,
                                              int num_clusters);

/// How the representatives of a node in a cluster are counted.
enum class Counting {
  links,    ///< as the paper does: every representative counts one, whatever the weight of its link
  weights,  ///< a representative j of node i counts R_ij; the same as links if R has no weights
};

/// counts(i, k) = |C_k and N_R(i)|: the representatives of node i in cluster k, weights ignored.
using CountMatrix = Eigen::Matrix<std::int32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
[[nodiscard]] CountMatrix representative_counts(const Graph& representation, const Labels& labels,
                                                int num_clusters);
/// The same for the R that links the nodes of each group, self-loops included: row g is that of
/// every node of group g.
[[nodiscard]] CountMatrix group_counts(const Labels& groups, int num_groups, const Labels& labels,
                                       int num_clusters);

/// The sum of R_ij over j in C_k, for every node i and cluster k: the counts by weights.
[[nodiscard]] Matrix representative_weights(const Graph& representation, const Labels& labels,
                                            int num_clusters);

/// rho_i = min over k, l of counts(i, k) / counts(i, l), with 0/0 = 1 (Equation (3)), for each
/// node.
[[nodiscard]] Vector balance(const Representation& representation, const Labels& labels,
                             int num_clusters, Counting counting = Counting::links);
/// The same with counts divided by cluster sizes: min over k, l of
/// (counts(i, k) / |C_k|) / (counts(i, l) / |C_l|), with 0/0 = 1. Empty clusters are left out. 1
/// for all nodes exactly if the labels satisfy the representation constraint, also if clusters
/// differ in size (for an R with weights: by weights).
[[nodiscard]] Vector proportional_balance(const Representation& representation,
                                          const Labels& labels, int num_clusters,
                                          Counting counting = Counting::links);
/// The mean of balance(), of links, over all nodes. With a device: as evaluate() uses it.
[[nodiscard]] double average_balance(const Representation& representation, const Labels& labels,
                                     int num_clusters,
                                     const std::shared_ptr<CudaDevice>& device = nullptr);
/// balance() of the R that links the nodes of each group.
[[nodiscard]] Vector group_balance(const Labels& groups, const Labels& labels, int num_clusters);

/// ||R J H||_F / ||R||_F with the cluster membership matrix H of the labels (H_ij = 1/sqrt|C_j|):
/// 0 if and only if the labels satisfy the representation constraint exactly.
[[nodiscard]] double constraint_residual(const Representation& representation, const Labels& labels,
                                         int num_clusters);
[[nodiscard]] double group_constraint_residual(const Labels& groups, const Labels& labels,
                                               int num_clusters);

/// The groups in one cluster C of a graph with N nodes. V_s: the nodes of group s.
struct ClusterFairness {
  double balance = 1;            ///< min over groups s, t of |V_s in C| / |V_t in C|
  double relative_balance = 1;   ///< divided by that of the whole graph
  double largest_deviation = 0;  ///< max over s of | |V_s in C| / |C| - |V_s| / N |
  double smallest_ratio = 1;     ///< min over s of (|V_s in C| / |C|) / (|V_s| / N)
  double largest_ratio = 1;      ///< max over s of the same
};

/// Fairness to groups as Chierichetti et al. (2017) and later work on fair clustering measure it:
/// cluster by cluster, where balance() is a number for each node.
struct GroupFairness {
  Index num_groups = 0;
  Index num_empty_clusters = 0;  ///< left out of all numbers
  /// Smallest divided by largest group of the whole graph. No clustering has a larger minimum; an
  /// average over clusters can be larger.
  double best_possible = 1;
  double average = 1;           ///< of the balances of the clusters
  double minimum = 1;           ///< of the same
  double relative_average = 1;  ///< average / best_possible
  double relative_minimum = 1;  ///< minimum / best_possible
  double largest_deviation = 0;
  /// The bounds [alpha, beta] of fair clustering: alpha |V_s| / N <= |V_s in C| / |C| <= beta
  /// |V_s| / N holds for all groups and clusters with these two, and with no closer ones.
  double smallest_ratio = 1;
  double largest_ratio = 1;
  std::vector<std::optional<ClusterFairness>> clusters = {};  ///< none for an empty cluster
};
[[nodiscard]] GroupFairness group_fairness(const Labels& groups, const Labels& labels,
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
  // NaN without a representation graph or groups:
  double average_proportional_balance = std::numeric_limits<double>::quiet_NaN();
  double minimum_proportional_balance = std::numeric_limits<double>::quiet_NaN();
  Counting counting = Counting::links;  ///< of the four balances
  double modularity = 0;
  double internal_edge_share = 1;
  std::vector<double> conductance = {};              ///< of each cluster
  std::vector<double> cluster_internal_shares = {};  ///< inside_k / Vol(C_k); 1 without volume
  std::optional<GroupFairness> group_fairness = {};  ///< if the representatives are groups
};

/// With a device, the passes over the graphs run there, and on the CPU where it cannot: G in packed
/// rows or more than 512 clusters, R in packed rows, with rows of more than 65536 entries, or more
/// than 64 clusters; or no memory left. All numbers are those of the CPU to the byte, except cuts,
/// modularity, conductance and residuals of graphs with weights: docs/gpu.md, "How it is built".
[[nodiscard]] Metrics evaluate(const Graph& similarity, const Labels& labels, int num_clusters,
                               const std::shared_ptr<CudaDevice>& device = nullptr);
[[nodiscard]] Metrics evaluate(const Graph& similarity, const Representation& representation,
                               const Labels& labels, int num_clusters,
                               Counting counting = Counting::links,
                               const std::shared_ptr<CudaDevice>& device = nullptr);
[[nodiscard]] Metrics evaluate_groups(const Graph& similarity, const Labels& groups,
                                      const Labels& labels, int num_clusters);

}  // namespace repsc
