// The counts of each person, and why they are what they are.
#pragma once

#include "repsc/audit.hpp"

namespace repsc {

/// Counts of representatives by cluster: a row per set of representatives.
class Counts {
 public:
  Counts(const Representation& representation, const Labels& labels, int num_clusters);

  [[nodiscard]] Index num_nodes() const { return R_.num_nodes(); }
  [[nodiscard]] Index num_representatives(Index node) const { return R_.set_size(R_.set_of(node)); }
  [[nodiscard]] std::int32_t operator()(Index node, int cluster) const {
    return table_(R_.set_of(node), cluster);
  }
  [[nodiscard]] double balance(Index node) const;
  /// Whether nobody represents a node, besides the node itself.
  [[nodiscard]] bool isolated(Index node) const;
  /// Whether some cluster has no representative of the node, although others have.
  [[nodiscard]] bool missing(Index node) const;
  /// All that is known from the counts.
  [[nodiscard]] Person person(Index node, Label cluster, const std::vector<Index>& sizes) const;

 private:
  Representation R_;
  CountMatrix table_;
};

}  // namespace repsc
