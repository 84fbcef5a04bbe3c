// Clustering to a target: the caller states the balance or the cut to reach, and the search chooses
// start, rank and mu.
//
//   const auto found = repsc::cluster_to_target(G, R, 5, {.targets = {.average_balance = 0.8}});
//   found.met;                 // whether it was reached
//   found.clustering.labels;   // the lowest cut that meets the target, or the nearest result found
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repsc/cluster.hpp"
#include "repsc/refine.hpp"

namespace repsc {

struct Targets {
  std::optional<double> average_balance;     ///< minimum of the mean of rho_i, in [0, 1]
  std::optional<double> individual_balance;  ///< rho_i >= alpha for every node that can reach it:
                                             ///< the paper's Equation (4); in [0, 1]
  /// Maximum increase of the cut over plain clustering, as a fraction; at least 0. Alone: the
  /// largest average balance within this limit.
  std::optional<double> max_cut_increase;
};

/// A node that cannot reach the requested balance in any clustering.
struct UnreachableNode {
  Index node = 0;
  Index representatives = 0;  ///< d = |N_R(i)|
  double best = 0;            ///< the largest possible rho_i: floor(d / K) / ceil(d / K)
};

/// Nodes for which rho_i >= alpha is impossible in any clustering: the most even spread of d
/// representatives over K clusters has floor(d / K) in one and ceil(d / K) in another. A node
/// without representatives has rho_i = 1 (0/0).
[[nodiscard]] std::vector<UnreachableNode> unreachable_nodes(const Graph& representation,
                                                             int num_clusters, double alpha);

struct TargetOptions {
  Targets targets;  ///< at least one; not both an average and an individual balance
  /// Its method names the family (usc, urepsc: ratio cut; others: normalized cut). Rank,
  /// constraint, strength and refinement are chosen by the search and must not be given.
  ClusterOptions cluster;
  Index min_cluster_size = 1;
};

struct TargetResult {
  Clustering clustering;  ///< of the start, with the labels found from it
  std::string start;      ///< "nsc", "nrepsc of strength 10", ...
  double mu = 0;          ///< of the refinement that followed; 0: none
  bool met = false;
  CutKind cut_kind = CutKind::normalized;
  double cut = 0;
  double plain_cut = 0;  ///< of plain clustering
  double average_balance = 0;
  Index satisfied = 0;                       ///< nodes with rho_i >= alpha (individual_balance)
  std::vector<Index> below;                  ///< nodes below alpha that could reach it
  std::vector<UnreachableNode> unreachable;  ///< nodes that could not
  int tried = 0;                             ///< number of clusterings evaluated
};

/// The lowest cut that meets the targets, among refinements of several starts at values of mu found
/// by bisection; if none meets them, the nearest. Throws InvalidInput for targets out of range.
[[nodiscard]] TargetResult cluster_to_target(const Graph& similarity, const Graph& representation,
                                             int num_clusters, const TargetOptions& options);

}  // namespace repsc
