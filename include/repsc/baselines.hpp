// The scale on which a clustering is judged: between plain clustering, which has all the structure
// and no fairness, and drawing lots, which favours nobody and has no structure.
//
//   structure kept    s = (c_random - c) / (c_random - c_plain)
//   fairness gained   f = (b - b_plain) / (b_fair - b_plain)
//
// c is the normalized cut, b the average balance. A coin that chooses between plain clustering and
// lots has s + f = 1, and s f of at most 1/4; what lies above beats every such lottery
// (docs/methods.md, "Structure and fairness").
#pragma once

#include <optional>

#include "repsc/metrics.hpp"

namespace repsc {

/// The cut and the average balance of one clustering.
struct Outcome {
  double cut = 0;              ///< normalized, with the paper's factor 1/2
  double average_balance = 0;  ///< NaN without representatives
};

/// Drawing lots: labels dealt at random into K clusters whose sizes differ by at most one. Means
/// and standard deviations over draws.
struct Lots {
  double cut = 0;
  double cut_spread = 0;
  double average_balance = 0;  ///< NaN without representatives, as is its spread
  double balance_spread = 0;
  double ratio_cut = 0;  ///< m (K - 1) / (N - 1), exactly; m is the total weight of the edges
  int draws = 0;
};

/// Labels drawn by lot. Throws InvalidInput unless 1 <= num_clusters <= num_nodes.
[[nodiscard]] Labels deal_lots(Index num_nodes, int num_clusters, std::uint64_t seed);

/// Draws lots: 100 times on small graphs, 10 times on large ones, whose spread is small.
/// Throws InvalidInput unless 1 <= num_clusters <= N. `device`: where cuts are computed, see
/// evaluate().
[[nodiscard]] Lots draw_lots(const Graph& similarity,
                             const std::optional<Representation>& representation, int num_clusters,
                             std::uint64_t seed = 0,
                             const std::shared_ptr<CudaDevice>& device = nullptr);

/// The largest average balance that can be proved possible for these representatives: the mean of
/// floor(d_i / K) / ceil(d_i / K), d_i representatives of node i. No clustering has a larger one.
[[nodiscard]] double average_balance_limit(const Representation& representation, int num_clusters);

/// The largest balance of a node with so many representatives: floor(d / K) / ceil(d / K), and 1
/// without any (0/0).
[[nodiscard]] double balance_limit(Index num_representatives, int num_clusters);

struct Baselines {
  Outcome plain;                 ///< plain normalized clustering, the better of both row scalings
  Lots random;                   ///< drawing lots
  std::optional<Outcome> exact;  ///< R's constraint satisfied exactly, where that is possible
  double fair_balance = 0;       ///< b_fair: that of lots, or of `exact` if that is higher
  double reachable_balance = 1;  ///< no clustering has a higher average balance

  /// s: 1 is as much structure as plain clustering has, 0 is none. If plain clustering cuts no less
  /// than lots, there is no structure to lose: s is 1 for a cut of at most c_random, else 0.
  [[nodiscard]] double structure_kept(double cut) const;
  /// f: 1 is as fair as asked, 0 no fairer than plain clustering. If plain clustering is as fair as
  /// asked already, f is 1 for everything that is at least as fair as b_fair, else b / b_fair. NaN
  /// without representatives.
  [[nodiscard]] double fairness_gained(double average_balance) const;
  /// Whether a cut is within three standard deviations of that of lots, or above.
  [[nodiscard]] bool like_random(double cut) const;
};

}  // namespace repsc
