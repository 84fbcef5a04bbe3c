// Fair refinement: improves labels from any tool by moves of single nodes and swaps of pairs.
//
//   const repsc::Refinement better = repsc::refine(G, R, labels, 5, {.mu = 2});
//   better.labels[i];      // the cluster of node i
//
// Every accepted step lowers cut / cut_scale() - mu * average balance, with cut and balance as
// repsc/metrics.hpp defines them (docs/numerics.md, "Refinement objective").
#pragma once

#include <cstdint>
#include <optional>

#include "repsc/graph.hpp"

namespace repsc {

enum class CutKind { ratio, normalized };

/// The weight of the balance if none is given.
inline constexpr double default_mu = 2;

/// The expected cut of random labels with K equal clusters: (K - 1) / 2 times the mean degree for
/// the ratio cut, (K - 1) / 2 for the normalized cut. It is the unit of mu. It depends on the graph
/// alone, not on labels, so that refining refined labels minimizes the same objective.
[[nodiscard]] double cut_scale(const Graph& similarity, int num_clusters, CutKind cut);

struct RefineOptions {
  /// Weight of one unit of average balance, relative to the cut of a random labelling: at 1,
  /// balance 1 with the cut of a random labelling is as good as balance 0 without any cut. At least
  /// 0. At 1 and below, clusters of a single node, with no balance and hardly any ratio cut, can be
  /// optimal. None: default_mu; a search for a fair bargain (repsc/cluster.hpp) chooses it.
  std::optional<double> mu = {};
  /// Instead of using a given mu, maximizes average balance / cut, the ratio of the paper's
  /// figures, by Dinkelbach's method: mu = cut / balance of the best labels so far, until it no
  /// longer changes.
  bool maximize_ratio = false;
  CutKind cut = CutKind::normalized;
  Index min_cluster_size = 1;  ///< clusters that are smaller at the start are filled first
  int max_rounds = 100;        ///< rounds of descent and escapes from local optima, at each mu
  std::uint64_t seed = 0;      ///< same seed, same labels, on any number of threads
  ProgressFn progress = {};
  Deadline deadline = {};
};

struct Refinement {
  Labels labels;
  double mu = 0;               ///< the last one
  double cut = 0;              ///< of the requested kind
  double average_balance = 0;  ///< mean of rho_i
  double objective = 0;        ///< cut / cut_scale() - mu * average_balance
  double start_objective = 0;  ///< of the labels given, at the same mu
  Offset moves = 0;            ///< accepted steps; a swap counts two
  int rounds = 0;
  bool local_optimum = false;  ///< a second call would change nothing; false: stopped by max_rounds
                               ///< or by the deadline
  bool out_of_time = false;    ///< the deadline ended it
};

/// Lowers the objective until sweeps of single moves, swaps among the best candidates and escapes
/// from local optima gain too little. The least gain of a sweep is 1e-11 times the entries that it
/// reads, those of G and K times those of R, at most 1e-3 (maximize_ratio: a hundredth of that).
/// Both graphs share their node numbering. Groups are counted directly, so that a trial of a move
/// takes O(degree + K) time; each node then reads one entry of R. Clusters never become empty.
/// Throws InvalidInput for labels that leave a cluster empty or do not fit.
[[nodiscard]] Refinement refine(const Graph& similarity, const Representation& representation,
                                const Labels& labels, int num_clusters,
                                const RefineOptions& options = {});

}  // namespace repsc
