// The search at one mu for a given score, shared by refine() and cluster_to_target().
#pragma once

#include <functional>

#include "refine/search.hpp"

namespace repsc {

/// A refinement problem: G, representatives, score and limits of the search.
struct RefinementProblem {
  const Graph& G;
  const Representation& R;
  int K;
  CutKind cut = CutKind::normalized;
  NodeScore score = {};
  Index min_cluster_size = 1;
  int max_rounds = 100;
  bool anneal = true;           ///< if the graph is small enough
  double least_gain_scale = 1;  ///< below 1: accepts sweeps with a smaller gain
  std::uint64_t seed = 0;
  ProgressFn progress = {};
  std::function<void()> pulse = {};  ///< set by search_at(): reports progress from time to time
  std::function<void(const Partition&)> visit = {};  ///< see SearchOptions
  Deadline deadline = {};

  [[nodiscard]] Weights weights(double mu) const;
  [[nodiscard]] Partition partition(const Labels& labels) const;
};

/// Result of the search.
struct SearchResult {
  Labels labels;
  double objective = 0;
  int rounds = 0;
  Offset moves = 0;
  bool local_optimum = false;
};

/// Throws InvalidInput unless K clusters of at least this size fit.
void check_min_cluster_size(Index least, int K, Index num_nodes);

/// Rounds at one mu until no step gains enough. Every step is a function of the labels alone, so a
/// second call returns its input.
[[nodiscard]] SearchResult search_at(const RefinementProblem& problem, const Labels& labels,
                                     double mu);

/// `labels` with small clusters filled up to the minimum size.
[[nodiscard]] Labels fill_small_clusters(const RefinementProblem& problem, const Labels& labels);

}  // namespace repsc
