// Every way to split a few nodes into clusters, each once.
#pragma once

#include <functional>

#include "repsc/core.hpp"

namespace repsc {

/// Calls `look` with each partition of N nodes into K clusters, none empty: labels in the order of
/// their first nodes, so that none comes twice under other numbers.
inline void for_each_labelling(Index N, int K, const std::function<void(const Labels&)>& look) {
  Labels labels(static_cast<std::size_t>(N), 0);
  const std::function<void(Index, int)> fill = [&](Index node, int used) {
    if (used + (N - node) < K) return;
    if (node == N) return look(labels);
    for (Label label = 0; label < std::min(used + 1, K); ++label) {
      labels[static_cast<std::size_t>(node)] = label;
      fill(node + 1, std::max(used, label + 1));
    }
  };
  fill(0, 0);
}

}  // namespace repsc
