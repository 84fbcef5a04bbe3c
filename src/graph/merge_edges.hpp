// What becomes of a given edge, and of the copies of a pair: the rules that building in memory and
// on disk share.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/text.hpp"
#include "repsc/graph.hpp"

namespace repsc {

enum class EdgeOutcome { keep, loop, zero, placeholder };

/// An edge list names a node without edges as `u u 0`, so dropping that entry loses no edge.
inline EdgeOutcome outcome(Index from, Index to, double weight, SelfLoops self_loops) {
  if (weight == 0) return from == to ? EdgeOutcome::placeholder : EdgeOutcome::zero;
  return from == to && self_loops == SelfLoops::drop ? EdgeOutcome::loop : EdgeOutcome::keep;
}

/// All copies of one pair: how often it was given in each direction, and the weights summed.
struct Copies {
  Offset count[2] = {0, 0};
  double weight[2] = {0, 0};
};

/// Merges the copies of a pair u <= v into one weight. Pairs come in ascending order.
struct Merged {
  GraphChanges& changes;
  std::optional<Edge>& one_sided;
  Offset& in_both_directions;

  double operator()(Index u, Index v, const Copies& copies) const {
    const auto [forward, backward] = copies.count;
    changes.duplicates_merged +=
        std::max<Offset>(forward - 1, 0) + std::max<Offset>(backward - 1, 0);
    if (forward > 0 && backward > 0) {
      ++in_both_directions;
      if (copies.weight[0] != copies.weight[1]) ++changes.directions_merged;
    } else if (u != v) {
      ++changes.directions_dropped;
      if (!one_sided) one_sided = forward > 0 ? Edge{u, v} : Edge{v, u};
    }
    return std::max(copies.weight[0], copies.weight[1]);
  }
};

inline void require_finite_sum(double weight, Index u, Index v, const NodeNames& names,
                               const std::string& source) {
  if (std::isfinite(weight)) return;
  require_file(false, source, "the weights of edge ", in_quotes(names[u]), ' ', in_quotes(names[v]),
               " add up to infinity");
}

}  // namespace repsc
