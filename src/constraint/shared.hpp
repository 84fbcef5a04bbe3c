// Declarations that the files of this stage share.
#pragma once

#include <algorithm>

#include "repsc/constraint.hpp"

namespace repsc {

/// Whether decompose() uses dense matrices. One dense decomposition costs about 10 N^3 operations,
/// the iterative method some 100 products and 4 N (3 count)^2 for each of several restarts: dense
/// wins for small N and for large ranks.
inline bool decompose_densely(Index N, Index count) {
  return N <= 1000 || (N <= max_dense_nodes && count > N / 20);
}

/// Whether the dense method computes the wanted vectors only. If most vectors are wanted, divide
/// and conquer, which computes all, is as fast.
inline bool select_vectors(Index N, Index count) { return N > 64 && count <= N / 3 * 2; }

/// Bytes of the dense method if it computes all vectors.
[[nodiscard]] std::int64_t all_vectors_bytes(Index N, Index count);

/// Block size of the iterative method.
inline Index spectrum_block_size(Index count) { return std::min<Index>(count + 2, 32); }

/// Basis size of the iterative method, at least nine blocks. R of a planted model has a few large
/// eigenvalues and a dense bulk; with four blocks, the usual basis for low ranks, the pairs at the
/// edge of the bulk needed five to six times as many products (3000 nodes, ranks 10 and 20).
inline Index spectrum_basis_size(Index N, Index count) {
  const Index block = spectrum_block_size(count);
  return std::min<Index>(N, std::max<Index>(9 * block, 2 * count + 3 * block));
}

[[nodiscard]] Index num_different_rows(const Graph& R);
[[nodiscard]] Matrix dense_adjacency(const Graph& R);

/// `limit`, or 80 % of the free memory if there is none.
[[nodiscard]] std::int64_t memory_limit(const std::optional<std::int64_t>& limit);

/// Remedies if the decomposition of R needs too much memory.
[[nodiscard]] inline std::vector<Remedy> smaller_constraints() {
  return {{Remedy::Action::lower, "rank"}, {Remedy::Action::use, "groups"}};
}

/// Throws InvalidInput if R, of rank `rank`, leaves fewer than K dimensions.
void require_enough_dimensions(Index N, Index rank, Index removed, int K);

/// Constraint::residual() for groups, from F'H and the squared lengths of the columns of H.
[[nodiscard]] double group_residual(const GroupComplement& groups, Matrix sums,
                                    const Vector& squares);

/// F'S x of some vectors becomes b, where S F b is their part that the projector removes.
void remove_common_part(const GroupComplement& kind, Matrix& sums);

/// z from y = F'x of some vectors, where F z is their part that the projector removes.
[[nodiscard]] Matrix removed_part(const RangeComplement& kind, const Matrix& y);

}  // namespace repsc
