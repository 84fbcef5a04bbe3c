// The best labels that a search has visited: the lowest cut for every average balance.
#pragma once

#include <map>

#include "refine/partition.hpp"

namespace repsc {

/// Labels with cut and average balance, as the search keeps them, and where they come from.
struct Visited {
  Labels labels;
  std::size_t start = 0;  ///< index of the start
  double mu = 0;
  double cut = 0;
  double average = 0;
};

/// Visited labels that no others beat in cut and average balance, at most one per cell of the
/// average balance. The cells are as fine as memory allows, 1/64 to 1/2048.
class Archive {
 public:
  /// `known`: what is beaten by one of these is not kept either; must outlive the archive.
  explicit Archive(Index num_nodes, const Archive* known = nullptr);
  /// The same cells without their labels: to be `known` at little memory.
  [[nodiscard]] Archive outline() const;

  /// Whether labels with this cut and average balance would be kept.
  [[nodiscard]] bool wants(double cut, double average) const;
  void offer(Visited visited);
  /// The same for the labels of a partition whose score is the balance.
  void offer(const Partition& P, std::size_t start, double mu);

  [[nodiscard]] bool empty() const { return cells_.empty(); }
  /// In ascending order of cut, and of average balance.
  [[nodiscard]] const std::map<int, Visited>& cells() const { return cells_; }
  /// The labels of the lowest cut_weight * cut - average_weight * average.
  [[nodiscard]] const Visited& lowest(double cut_weight, double average_weight) const;
  /// The labels of the lowest cut among those with at least this average; null if there are none.
  [[nodiscard]] const Visited* at_least(double average) const;

 private:
  [[nodiscard]] int cell_of(double average) const;

  const Archive* known_;
  double num_nodes_;
  double cells_per_unit_;
  std::map<int, Visited> cells_;  // the cut rises with the cell
};

}  // namespace repsc
