// Clusters of which each rank has the labels of its rows, with all that the trial of a move reads.
// It is computed as a whole from the labels, never updated, so that its bits depend on them alone.
//
//   A  similarity graph     C_k  cluster k     leaving_k = sum of A_ij, i in C_k, j elsewhere
//   c_ik = the representatives of node i in C_k; for groups, the nodes of the group in C_k
//   cut = sum_k leaving_k / 2 / measure_k, measure: nodes (ratio) or degrees (normalized)
#pragma once

#include <vector>

#include "distributed/problem.hpp"
#include "refine/partition.hpp"

namespace repsc {

class SpreadClusters {
 public:
  /// Called by every rank. Refers to the problem, which has a representation.
  SpreadClusters(const DistributedProblem& problem, int num_clusters, CutKind cut);
  /// Called by every rank, with the labels of its rows.
  void assign(Labels own);
  /// From the next labels on; ignored sets are those with fewer nodes than clusters.
  void measure_by(double alpha) { score_.alpha = alpha; }

  [[nodiscard]] const SpreadRows& rows() const { return *problem_.rows; }
  [[nodiscard]] int num_clusters() const { return static_cast<int>(sizes_.size()); }
  [[nodiscard]] const Labels& own() const { return own_; }
  [[nodiscard]] const std::vector<Index>& sizes() const { return sizes_; }  ///< nodes
  [[nodiscard]] double cut() const;
  /// The mean score of the nodes: their balance, unless measure_by() says otherwise.
  [[nodiscard]] double average_score() const { return average_score_; }
  /// cut_scale() of the graph.
  [[nodiscard]] double cut_scale() const { return cut_scale_; }
  /// The entries of R of all ranks; groups have one per node.
  [[nodiscard]] double num_representatives() const { return num_representatives_; }

  /// Fills `trial` for all targets, if this own row alone moved. Not called by all ranks alike.
  void try_moves(Index row, Trial& trial) const;

 private:
  void count_links();
  void count_groups(const DistributedGroups& groups);
  void count_representatives(const DistributedGraph& R);
  void share_counts(const DistributedGraph& R, const Labels& counts);
  void try_cut(Index row, Trial& trial) const;
  void try_scores(Index row, Trial& trial) const;
  [[nodiscard]] bool counts_for(std::span<const std::int32_t> counts) const;
  [[nodiscard]] double score_of(std::span<const std::int32_t> counts) const;
  /// Adds the changes of the scores of a set of representatives, one of whom moves, for each
  /// target, times the nodes that share the set.
  void add_changes(std::span<const std::int32_t> counts, std::size_t from, double sharing,
                   Trial& trial) const;
  [[nodiscard]] std::span<const std::int32_t> counts(Index column) const;

  const DistributedProblem& problem_;
  CutKind cut_;
  Vector masses_;  ///< of the own rows: degrees, or 1
  double cut_scale_ = 0;
  double num_representatives_ = 0;
  Labels own_;
  std::vector<Index> sizes_;
  std::vector<double> leaving_;
  std::vector<double> measures_;
  Matrix links_;  ///< own rows x K: the weight of the edges into each cluster
  /// Rows of K counts: of each group, or of each column of R. Those of R are in room_ if there is
  /// any, which all ranks see.
  std::vector<std::int32_t> counts_;
  SharedMemory room_;
  NodeScore score_;
  double average_score_ = 0;
};

}  // namespace repsc
