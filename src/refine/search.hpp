// Local search on a Partition: sweeps of single moves, swaps, Fiduccia-Mattheyses passes and
// annealing.
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

/// cut * cut_weight - score * score_weight: the objective of the search.
struct Weights {
  double cut = 1;
  double score = 0;
};

/// Bounds that every step of sweeps and swaps must satisfy.
struct Bounds {
  double least_score = -std::numeric_limits<double>::infinity();  ///< sum over the nodes
  double most_cut = std::numeric_limits<double>::infinity();
};

struct SearchOptions {
  Index min_cluster_size = 1;
  std::uint64_t seed = 0;
  /// A sweep over all nodes or a round of swaps that gains less is undone, because its cost does
  /// not depend on its gain.
  double least_gain = 0;
  double least_gain_of_escapes = 0;
  Bounds bounds = {};
  std::function<void()> pulse = {};  ///< called from time to time; may throw
  /// Called with every state that a descent or a climb visits, whether it is kept or not.
  std::function<void(const Partition&)> visit = {};
  Deadline deadline = {};
};

class Search {
 public:
  Search(Partition& partition, const Weights& weights, const SearchOptions& options);

  [[nodiscard]] double objective() const;
  [[nodiscard]] Offset moves() const { return moves_; }

  /// Moves nodes into clusters below the minimum size, in order of the change of the objective. K
  /// times that size must be at most N.
  void fill_small_clusters();
  /// Sweeps of moves and rounds of swaps until neither lowers the objective by least_gain. Returns
  /// whether anything changed.
  bool descend();
  /// One Fiduccia-Mattheyses pass: the best move of a node that has not moved yet, even if the
  /// objective rises, repeatedly; then back to the best state visited. Returns whether the
  /// objective fell by least_gain_of_escapes; otherwise the labels are unchanged.
  bool climb();
  /// Annealing with the given number of steps; otherwise as climb().
  bool anneal(std::int64_t steps);

 private:
  struct Move {
    Index node = -1;
    Label target = -1;
    double change = 0;
  };
  /// The best allowed move of a node; target -1 if there is none.
  [[nodiscard]] Move best_move(Index node, Trial& trial) const;
  /// The same for a trial that has been made, of a node that may leave its cluster.
  [[nodiscard]] Move best_of(const Trial& trial, Index node) const;
  [[nodiscard]] double change(const Trial& trial, Label target) const;
  [[nodiscard]] bool within_bounds(double cut_change, double score_change) const;
  [[nodiscard]] bool may_leave(Index node) const;
  void apply(Index node, Label target);
  /// Undoes the moves since undo_ was empty unless they lowered the objective `before` enough.
  /// Returns whether any moves are left.
  bool undo_unless_gained(double before);
  void wake_neighbours(Index node);
  /// Undoes moves from the end until `kept` are left. Returns whether any is.
  bool keep_best(std::vector<std::pair<Index, Label>>& undo, std::size_t kept);
  /// Tries the nodes against the current state on all threads; calls use(i, trial) with the trial
  /// of nodes[i].
  template <class Use>
  void try_all(std::span<const Index> nodes, const Use& use);
  /// Makes the moves that lower the objective; each is tried again if other moves were made before
  /// it.
  Offset accept(std::span<const Move> moves);
  Offset sweep(std::span<const Index> nodes);
  /// A sweep over all nodes, which also collects the candidates for swaps.
  Offset sweep_all();
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
  std::function<void(const Partition&)> visit_;
  Deadline deadline_;
  std::vector<Index> order_;  // of sweeps
  std::vector<char> awake_;   // nodes whose trial may have changed since they were last tried
  std::vector<std::pair<Index, Label>>
      undo_;                      // node and its previous cluster, since undo_ was cleared
  std::vector<Lowest> partners_;  // [a * K + b]: nodes of a that may go to b
  Offset moves_ = 0;
};

}  // namespace repsc
