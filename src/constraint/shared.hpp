// What the files of this stage share.
#pragma once

#include <algorithm>

#include "repsc/constraint.hpp"

namespace repsc {

/// How decompose() goes about it. One dense decomposition costs about 10 N^3 operations, the
/// iterative method some 100 products and 4 N (3 count)^2 for each of several restarts: dense wins
/// for small N and for large ranks.
inline bool decompose_densely(Index N, Index count) {
  return N <= 1000 || (N <= max_dense_nodes && count > N / 20);
}

/// Whether the dense way finds the wanted vectors only. Where most are wanted divide and conquer,
/// which finds all, is as fast.
inline bool select_vectors(Index N, Index count) { return N > 64 && count <= N / 3 * 2; }

/// Bytes of the dense way where it finds all vectors.
[[nodiscard]] std::int64_t all_vectors_bytes(Index N, Index count);

/// Vectors that the iterative method multiplies at once.
inline Index spectrum_block_size(Index count) { return std::min<Index>(count + 2, 32); }

/// Vectors that it keeps at most. Nine blocks: R of a planted model has a few large eigenvalues and
/// a dense bulk, and with the four blocks that low counts would get otherwise the pairs at the
/// bulk's edge took five to six times as many products (3000 nodes, ranks 10 and 20).
inline Index spectrum_basis_size(Index N, Index count) {
  const Index block = spectrum_block_size(count);
  return std::min<Index>(N, std::max<Index>(9 * block, 2 * count + 3 * block));
}

[[nodiscard]] Index num_different_rows(const Graph& R);
[[nodiscard]] Matrix dense_adjacency(const Graph& R);

/// `limit`, or, where there is none, 80 % of what is free.
[[nodiscard]] std::int64_t memory_limit(const std::optional<std::int64_t>& limit);

/// What helps where the decomposition of R takes too much.
[[nodiscard]] inline std::vector<Remedy> smaller_constraints() {
  return {{Remedy::Action::lower, "rank"}, {Remedy::Action::use, "groups"}};
}

/// Throws InvalidInput where R, of rank `rank`, removes so much that K dimensions are not left.
void require_room(Index N, Index rank, Index removed, int K);

}  // namespace repsc
