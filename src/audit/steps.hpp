// The single step that raises the balance of one person most.
#pragma once

#include <span>
#include <vector>

#include "audit/prices.hpp"
#include "repsc/audit.hpp"

namespace repsc {

/// Only steps of representatives change a person's counts, and a step from cluster a to b changes
/// them in the same way whoever makes it. So the best pairs (a, b) come first, then the cheapest
/// step among them.
class StepFinder {
 public:
  /// every_swap: all partners of a swap are tried, else those that move at the lowest price.
  StepFinder(const Graph& similarity, const Representation& representation, const Labels& labels,
             int num_clusters, bool every_swap);

  [[nodiscard]] HelpfulStep best(Index person, const std::vector<std::int32_t>& found) const;

  [[nodiscard]] const Prices& prices() const { return prices_; }

 private:
  struct Pair {
    Label from;
    Label to;
    double balance;  ///< of the person, if a representative makes that step
  };
  /// The largest balance first.
  [[nodiscard]] static std::vector<Pair> improving_pairs(const std::vector<std::int32_t>& found);
  [[nodiscard]] std::span<const Index> representatives(Index person) const;
  /// Nodes of cluster `from` that may swap into `to`.
  [[nodiscard]] const std::vector<Index>& partners(Label from, Label to) const;
  void collect_partners(bool every_swap);
  void try_steps(Index person, const Pair& pair, HelpfulStep& best) const;

  Prices prices_;
  Representation R_;
  std::vector<std::vector<Index>> members_;   // of each cluster, or of each group
  std::vector<std::vector<Index>> partners_;  // by from * K + to, or by from alone
  bool every_swap_;
};

}  // namespace repsc
