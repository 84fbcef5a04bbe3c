// How long products are tried before solvers that do without them: by one process and by several.
#pragma once

#include <algorithm>

#include "repsc/core.hpp"

namespace repsc {

/// After as many, values that fall as they do without a gap end the trial.
inline constexpr int early_products = 50;

/// After as many the trial ends. On a sparse graph, where products are cheap, the filter itself
/// tells whether it is slow.
constexpr int trial_products(bool filtered) { return filtered ? 400 : 100; }

/// Entries per row of a graph that counts as sparse, so that its factors do not fill in at once.
inline constexpr Offset sparse_row = 16;

/// Whether a factorization is worth a question: large graphs that are not sparse fill in, and even
/// the symbolic factorization costs more than the products.
constexpr bool may_be_factorized(Index num_nodes, Offset num_entries) {
  constexpr Offset small = 1'000'000;
  return num_entries <= std::max(small, sparse_row * num_nodes);
}

}  // namespace repsc
