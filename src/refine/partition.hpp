// Labels with the cut terms of every cluster and the representatives of every node in each cluster,
// updated exactly under single moves.
//
//   A  similarity graph     C_k  cluster k     leaving_k = sum of A_ij, i in C_k, j elsewhere
//   R  sets of representatives     c_ik = the nodes of set i in C_k
//   One set per node, N_R(i), or one per group, with the weight of the nodes that share it.
//   cut = sum_k leaving_k / 2 / size_k, size: nodes (ratio) or degrees (normalized)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "repsc/graph.hpp"
#include "repsc/refine.hpp"

namespace repsc {

/// The score of the counts of a set, which is that of every node whose set it is.
struct NodeScore {
  /// Below 0: rho_i, the balance. Else -sum_k max(0, alpha max_l c_il - c_ik) / |N_R(i)|, which is
  /// 0 exactly if rho_i >= alpha and falls with every missing representative.
  double alpha = -1;
  std::vector<bool> ignored = {};  ///< sets without a score; empty: none

  [[nodiscard]] bool ignores(Index set) const {
    return !ignored.empty() && ignored[static_cast<std::size_t>(set)];
  }
  [[nodiscard]] double operator()(Index set, std::span<const std::int32_t> counts) const;
  /// The same for any set, ignored or not.
  [[nodiscard]] double of(std::span<const std::int32_t> counts) const;
  /// Scores with one representative more, for each cluster in which it can be. `counts` are
  /// workspace, too, and as before in the end.
  void with_one_more(std::span<std::int32_t> counts, std::span<double> scores) const;
};

/// alpha of the smooth score. rho_i, the smallest count divided by the largest, is 0 for every node
/// with two clusters without representatives, whatever node moves, so it gives the search no
/// direction. The shortfall below this balance falls with every missing representative that is
/// added.
inline constexpr double smooth_alpha = 0.5;

/// The changes of cut and score if one node moved, for each target cluster.
struct Trial {
  explicit Trial(int num_clusters);
  std::vector<double> cut;
  std::vector<double> score;      ///< of the sum over all nodes
  std::vector<double> changes;    ///< workspace
  std::vector<std::int32_t> row;  ///< the same
};

class Partition {
 public:
  Partition(const Graph& similarity, const Representation& representation, Labels labels,
            int num_clusters, CutKind cut, NodeScore score = {});

  [[nodiscard]] const Labels& labels() const { return labels_; }
  [[nodiscard]] Label label(Index node) const { return labels_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] Index num_nodes() const { return static_cast<Index>(labels_.size()); }
  [[nodiscard]] int num_clusters() const { return static_cast<int>(sizes_.size()); }
  [[nodiscard]] const std::vector<Index>& sizes() const { return sizes_; }
  /// The counts of a set of representatives; `set` is the node if R is a graph.
  [[nodiscard]] std::span<const std::int32_t> counts(Index set) const {
    return {counts_.data() + row(set), sizes_.size()};
  }
  [[nodiscard]] const Graph& similarity() const { return A_; }
  [[nodiscard]] const Representation& representation() const { return R_; }

  [[nodiscard]] double cut() const;
  [[nodiscard]] double score() const { return score_sum_; }  ///< sum over the nodes

  /// Fills `trial` for all targets at once: O(K deg_R), and as many additions if the table of score
  /// changes exists and is up to date.
  void try_moves(Index node, Trial& trial) const;
  /// Prefetches the data that try_moves() will read.
  void prefetch(Index node) const {
    if (table_.empty()) return;
    const auto a = static_cast<std::size_t>(label(node));
    for (const Index set : R_.sets_with(node)) __builtin_prefetch(table_row(set, a));
  }
  /// As try_moves(), and stores computed rows in the table. For one thread; used if moves are about
  /// as frequent as trials.
  void try_moves_and_keep(Index node, Trial& trial);
  /// Updates the table on all threads. Used before many trials from the same state.
  void refresh();
  struct Change {
    double cut = 0;
    double score = 0;
  };
  /// The changes if u and v, of different clusters, were swapped: O(K (deg_R(u) + deg_R(v))) time,
  /// or 1/K of that with the table.
  [[nodiscard]] Change try_swap(Index u, Index v, Trial& trial) const;
  void move(Index node, Label target);
  /// As a new Partition with these labels.
  void assign(Labels labels);
  /// As a new Partition with this score.
  void score_by(NodeScore score);
  /// Recomputes cut terms and scores, so that they depend on the labels alone, not on the moves
  /// before. Costs nothing if nothing has moved since.
  void add_up();

 private:
  /// Where the K numbers of a node or of a set begin.
  [[nodiscard]] std::size_t row(Index at) const {
    return static_cast<std::size_t>(at) * sizes_.size();
  }
  void count();
  void score_sets();
  void add_up_scores();
  void try_cut(Index node, Trial& trial) const;
  /// Sums the score changes of all nodes that `node` represents; `slice(set, a)` are the changes of
  /// a set if a representative leaves cluster a.
  template <class Slice>
  void try_scores(Index node, Trial& trial, const Slice& slice) const;
  /// The change of the score of a set if a representative moves from cluster `from` to each other
  /// one, times the nodes that share it; `row` is workspace.
  void score_changes(Index set, std::size_t from, std::span<std::int32_t> row,
                     std::span<double> changes) const;
  /// The entry of score_changes() for one target.
  [[nodiscard]] double score_change(Index set, std::size_t from, std::size_t to,
                                    Trial& trial) const;
  /// The row of the table for (set, from) if it is up to date; else computed in `trial`.
  [[nodiscard]] const double* slice(Index set, std::size_t from, Trial& trial) const;
  [[nodiscard]] bool is_fresh(Index set, std::size_t from) const;
  [[nodiscard]] const double* table_row(Index set, std::size_t from) const {
    return table_.data() + (row(set) + from) * sizes_.size();
  }
  /// Creates the table on first use; false if it would be too large.
  bool make_table();
  void mark_stale(Index set);
  void mark_all_stale();
  [[nodiscard]] double term(std::size_t cluster) const;
  /// The contribution of a node to the size of its cluster.
  [[nodiscard]] double mass(Index node) const { return masses_.size() == 0 ? 1.0 : masses_[node]; }

  Graph A_;
  Representation R_;
  Labels labels_;
  NodeScore score_;
  Vector masses_;                 // degrees; empty: ratio cut
  std::vector<Index> sizes_;      // nodes
  std::vector<double> measures_;  // the divisor of each cluster's cut
  std::vector<Index> carriers_;   // number of nodes of mass > 0 in each cluster; 0 means mass 0
                                  // exactly, without rounding
  std::vector<double> leaving_;
  std::vector<std::int32_t> counts_;  // sets x K
  std::vector<double> scores_;        // of each set, times the nodes that share it
  std::vector<double> links_;         // N x K: weight of a node's edges into each cluster
  std::vector<double> table_;         // sets x K x K: score_changes() of all; empty: not made
  std::vector<std::uint64_t> stale_;  // bit a of set i: table_[i][a] has to be computed again
  std::vector<Index> touched_;        // sets with stale bits
  double score_sum_ = 0;
  bool added_up_ = false;  // nothing has moved since add_up()
};

}  // namespace repsc
