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
  std::optional<double> average_balance;     ///< mean of rho_i at least, in [0, 1]
  std::optional<double> individual_balance;  ///< rho_i >= alpha for every node that can reach it:
                                             ///< the paper's Equation (4); in [0, 1]
  /// The cut at most (1 + this) times that of plain clustering; from 0. Alone: the largest average
  /// balance within it.
  std::optional<double> max_cut_increase;
};

/// A node that no clustering gives the balance asked for.
struct UnreachableNode {
  Index node = 0;
  Index representatives = 0;  ///< d = |N_R(i)|
  double best = 0;            ///< the largest rho_i there is: floor(d / K) / ceil(d / K)
};

/// Nodes for which rho_i >= alpha is out of reach, whatever the clusters: the most even spread of d
/// representatives over K clusters has floor(d / K) in one and ceil(d / K) in another. A node
/// without representatives has rho_i = 1 (0/0).
[[nodiscard]] std::vector<UnreachableNode> unreachable_nodes(const Graph& representation,
                                                             int num_clusters, double alpha);

struct TargetOptions {
  Targets targets;         ///< one at least; not average and individual balance both
  ClusterOptions cluster;  ///< its method says which family (usc, urepsc: ratio cut; others:
                           ///< normalized cut); rank and strength play no part
  Index min_cluster_size = 1;
};

struct TargetResult {
  Clustering clustering;  ///< of the start that led there, with the labels found
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
  int tried = 0;                             ///< clusterings looked at
};

/// The least cut that meets the targets, among refinements of several starts at values of mu found
/// by bisection; where none meets them, the nearest. Throws InvalidInput for targets out of range.
[[nodiscard]] TargetResult cluster_to_target(const Graph& similarity, const Graph& representation,
                                             int num_clusters, const TargetOptions& options);

}  // namespace repsc
