// Clustering to a target: the caller states the balance or the cut to reach, and the search chooses
// start, strength and mu.
//
//   const auto found = repsc::cluster_to_target(G, R, 5, {.targets = {.average_balance = 0.8}});
//   found.met;                 // whether it was reached
//   found.clustering.labels;   // the lowest cut that meets the target, or the nearest result found
//
// The search does not look at the target. It computes one front of cut and balance, and every
// target is answered from it. So no target gets a worse answer than one found for another target.
// Several targets can share the front:
//
//   const auto front = repsc::target_front(G, R, 5);
//   const auto found = repsc::cluster_to_target(front, {.average_balance = 0.8});
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repsc/baselines.hpp"
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
[[nodiscard]] std::vector<UnreachableNode> unreachable_nodes(const Representation& representation,
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
  int tried = 0;                             ///< number of searches that the front was made of
  double balance_limit = 1;                  ///< see average_balance_limit()
  double seconds = 0;                        ///< of the front
  bool out_of_time = false;                  ///< the deadline ended the search
};

/// A clustering that the search starts from.
struct FrontStart {
  std::string name;  ///< "nsc", "nrepsc of strength 10", ...
  Clustering clustering;
};

struct FrontPoint {
  Labels labels;
  std::size_t start = 0;  ///< the search came from starts[start]
  double mu = 0;          ///< of the refinement; 0: none
  double cut = 0;         ///< of the front's kind, as repsc/metrics.hpp defines it
  double average_balance = 0;
};

/// Clusterings from which every target is answered. They are a function of the graphs, the number
/// of clusters, the options and the seed.
struct TargetFront {
  Representation representation;
  int num_clusters = 0;
  CutKind cut_kind = CutKind::normalized;
  double plain_cut = 0;      ///< of plain clustering
  double balance_limit = 1;  ///< see average_balance_limit()
  std::vector<FrontStart> starts;
  std::vector<FrontPoint> points;  ///< ascending cut; those of the Pareto front, and others with a
                                   ///< balance for every node
  int tried = 0;
  double seconds = 0;
  bool out_of_time = false;
};

/// Refines several starts at many weights of the balance, and keeps what no other clustering beats.
/// `options.targets` have no effect.
[[nodiscard]] TargetFront target_front(const Graph& similarity,
                                       const Representation& representation, int num_clusters,
                                       const TargetOptions& options = {});

/// The point of the front with the lowest cut that meets the targets (with a limit on the cut
/// alone: with the largest average balance within it); if none meets them, the nearest. Throws
/// InvalidInput for targets out of range.
[[nodiscard]] TargetResult cluster_to_target(const TargetFront& front, const Targets& targets);

/// The same from a front of its own.
[[nodiscard]] TargetResult cluster_to_target(const Graph& similarity,
                                             const Representation& representation, int num_clusters,
                                             const TargetOptions& options);

}  // namespace repsc
