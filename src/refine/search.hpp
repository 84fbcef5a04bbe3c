// Local search on a Partition: sweeps of single moves, swaps, and passes that climb hills.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "refine/lowest.hpp"
#include "refine/partition.hpp"

namespace repsc {

/// cut * cut_weight - score * score_weight: what the search lowers.
struct Weights {
  double cut = 1;
  double score = 0;
};

/// What every step of sweeps and swaps must keep.
struct Bounds {
  double least_score = -std::numeric_limits<double>::infinity();  ///< sum over the nodes
  double most_cut = std::numeric_limits<double>::infinity();
};

struct SearchOptions {
  Index min_cluster_size = 1;
  std::uint64_t seed = 0;
  /// A sweep over all nodes or a round of swaps that gains less is taken back: what it costs does
  /// not depend on what it gains.
  double least_gain = 0;
  double least_gain_of_escapes = 0;
  Bounds bounds = {};
  std::function<void()> pulse = {};  ///< called now and then; may throw
};

class Search {
 public:
  Search(Partition& partition, const Weights& weights, const SearchOptions& options);

  [[nodiscard]] double objective() const;
  [[nodiscard]] Offset moves() const { return moves_; }

  /// Moves nodes into clusters below the least size, those first that cost least. K times that size
  /// must be within N.
  void fill_small_clusters();
  /// Sweeps of moves and rounds of swaps until neither lowers the objective by least_gain. Returns
  /// whether anything changed.
  bool descend();
  /// One Fiduccia-Mattheyses pass: the best move of a node that has not moved yet, uphill too, and
  /// so on; then back to the best state on the way. Returns whether that is lower than the start,
  /// by least_gain_of_escapes; else nothing has changed.
  bool climb();
  /// So many steps of annealing; otherwise as climb().
  bool anneal(std::int64_t steps);

 private:
  struct Move {
    Index node = -1;
    Label target = -1;
    double change = 0;
  };
  /// The best allowed move of a node; target -1 where there is none.
  [[nodiscard]] Move best_move(Index node, Trial& trial) const;
  /// The same where the trial has been made; the node may leave.
  [[nodiscard]] Move best_of(const Trial& trial, Index node) const;
  [[nodiscard]] double change(const Trial& trial, Label target) const;
  [[nodiscard]] bool within_bounds(double cut_change, double score_change) const;
  [[nodiscard]] bool may_leave(Index node) const;
  void apply(Index node, Label target);
  /// Takes the moves since undo_ was empty back unless they gained enough on the objective
  /// `before`. Returns whether any are left.
  bool undo_unless_gained(double before);
  void wake_neighbours(Index node);
  /// Undoes moves from the end until `kept` are left. Returns whether any is.
  bool keep_best(std::vector<std::pair<Index, Label>>& undo, std::size_t kept);
  /// Trials of the nodes against the state now, on all threads; use(i, trial) sees that of
  /// nodes[i].
  template <class Use>
  void try_all(std::span<const Index> nodes, const Use& use);
  /// Makes those moves that lower the objective, each tried again where others came before it.
  Offset accept(std::span<const Move> moves);
  Offset sweep(std::span<const Index> nodes);
  /// A sweep over all nodes, which leaves partners for swaps behind.
  Offset sweep_all();
  void add_partner(Index node, std::span<Lowest::Entry> changes);
  bool sweep_until_still();
  /// Swaps between each pair of clusters, right after a sweep over all nodes.
  bool swap_round();
  void swap_if_better(Index u, Index v, Trial& trial);
  [[nodiscard]] std::vector<Move> best_moves(std::span<const Index> nodes);

  Partition& P_;
  Weights weights_;
  Index min_size_;
  double least_gain_;
  double least_gain_of_escapes_;
  Bounds bounds_;
  std::uint64_t seed_;
  std::function<void()> pulse_;
  std::vector<Index> order_;  // of sweeps
  std::vector<char> awake_;   // nodes that a move may have concerned since they were last tried
  std::vector<std::pair<Index, Label>> undo_;  // node and where it was, since undo_ was cleared
  std::vector<Lowest> partners_;               // [a * K + b]: nodes of a that may go to b
  Offset moves_ = 0;
};

}  // namespace repsc
