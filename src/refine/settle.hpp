// The search at one mu, for whatever score: what refine() and the targets share.
#pragma once

#include <functional>

#include "refine/search.hpp"

namespace repsc {

/// One question asked of one pair of graphs.
struct Question {
  const Graph& G;
  const Graph& R;
  int K;
  CutKind cut = CutKind::normalized;
  NodeScore score = {};
  Index min_cluster_size = 1;
  int max_rounds = 100;
  bool anneal = true;           ///< where it is affordable
  double least_gain_scale = 1;  ///< below 1: sweeps count that gain less for what they cost
  std::uint64_t seed = 0;
  ProgressFn progress = {};
  std::function<void()> pulse = {};  ///< set by settled(): progress, now and then

  [[nodiscard]] Weights weights(double mu) const;
  [[nodiscard]] Partition partition(const Labels& labels) const;
};

/// Labels where the search came to rest.
struct Rest {
  Labels labels;
  double objective = 0;
  int rounds = 0;
  Offset moves = 0;
  bool local_optimum = false;
};

/// Rounds at one mu until nothing gains any more. Every step is a function of the labels alone, so
/// that a second call ends where it begins.
[[nodiscard]] Rest settled(const Question& ask, const Labels& labels, double mu);

/// `labels` with no cluster below the least size.
[[nodiscard]] Labels filled(const Question& ask, const Labels& labels);

}  // namespace repsc
