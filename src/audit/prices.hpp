// What moves and swaps of single nodes cost: the change of the normalized cut, in O(1) time from
// the links of a node to every cluster.
#pragma once

#include <vector>

#include "metrics/edge_weights.hpp"
#include "repsc/graph.hpp"

namespace repsc {

/// A node's links to the others, by cluster and in all.
struct NodeLinks {
  Index node = 0;
  std::vector<double> into = {};
  double all = 0;
};

class Prices {
 public:
  Prices(const Graph& similarity, const Labels& labels, int num_clusters);

  void links(Index node, NodeLinks& found) const;

  /// The change of the normalized cut if a node moves. Infinite if its cluster would be empty.
  [[nodiscard]] double move(const NodeLinks& node, Label to) const;
  /// The change if u and v, of different clusters, swap.
  [[nodiscard]] double swap(const NodeLinks& u, const NodeLinks& v) const;

  [[nodiscard]] Label label(Index node) const { return labels_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] int num_clusters() const { return static_cast<int>(sizes_.size()); }
  [[nodiscard]] Index num_nodes() const { return G_.num_nodes(); }
  /// The normalized cut, cluster by cluster.
  [[nodiscard]] double term(std::size_t cluster) const {
    return term(weights_.leaving[cluster], weights_.volumes[cluster]);
  }

 private:
  /// A volume that is no more than rounding errors is 0.
  [[nodiscard]] static double term(double leaving, double volume, double rounding = 0) {
    return volume > rounding ? leaving / 2 / volume : 0;
  }
  [[nodiscard]] double weight_between(Index u, Index v) const;

  Graph G_;
  Labels labels_;
  Vector degrees_;
  std::vector<Index> sizes_;
  EdgeWeights weights_;
};

}  // namespace repsc
