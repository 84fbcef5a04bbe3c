// Peak memory of constraints, counted array by array, and the check against the memory limit.
#include <algorithm>

#include "constraint/shared.hpp"
#include "core/memory.hpp"
#include "linalg/largest_eigen.hpp"
#include "repsc/constraint.hpp"

namespace repsc {
namespace {

using Bytes = std::int64_t;

Bytes matrix(Bytes rows, Bytes cols) { return rows * cols * static_cast<Bytes>(sizeof(double)); }

/// R, and the wanted vectors twice: as LAPACK returns them, and sorted. A group of equal
/// eigenvalues may add a few.
Bytes selected_vectors_bytes(Bytes N, Bytes count) {
  const Bytes more = max_equal_pairs(static_cast<Index>(count));
  return matrix(N, N) + matrix(2 * N, std::min(N, count + more));
}

/// The basis with one block more, a few temporary blocks, the result, and the small matrices of
/// Rayleigh-Ritz.
Bytes iterative_bytes(Bytes N, Bytes count) {
  const Bytes block = spectrum_block_size(static_cast<Index>(count));
  const Bytes basis = spectrum_basis_size(static_cast<Index>(N), static_cast<Index>(count)) + block;
  return matrix(N, basis + 4 * block + count) + matrix(6 * basis, basis);
}

}  // namespace

/// R and the workspace of dsyevd, two more N x N matrices; then all eigenvectors and the `count`
/// that are kept.
std::int64_t all_vectors_bytes(Index N, Index count) {
  return std::max(matrix(3 * Bytes{N}, N), matrix(N, N) + matrix(N, count));
}

std::int64_t decomposition_bytes(Index num_nodes, Index count) {
  if (!decompose_densely(num_nodes, count)) return iterative_bytes(num_nodes, count);
  return select_vectors(num_nodes, count) ? selected_vectors_bytes(num_nodes, count)
                                          : all_vectors_bytes(num_nodes, count);
}

std::int64_t rank_constraint_bytes(Index num_nodes, Index rank, bool scaled) {
  const Bytes kept = matrix(num_nodes, rank);
  // The scaled copy of V, the Gram matrix, its factors, and partial sums of panels.
  const Bytes gram = scaled ? matrix(num_nodes, rank) + matrix(4 * Bytes{rank}, rank) : 0;
  return std::max(decomposition_bytes(num_nodes, rank), kept + gram);
}

std::int64_t memory_limit(const std::optional<std::int64_t>& limit) {
  return limit ? *limit : free_memory_bytes() / 10 * 8;
}

void require_memory(std::int64_t needed, const std::optional<std::int64_t>& limit,
                    const std::string& what, std::vector<Remedy> remedies) {
  const std::int64_t most = memory_limit(limit);
  if (needed <= most) return;
  remedies.push_back({Remedy::Action::raise, "memory_limit"});
  throw MemoryLimitExceeded(Fault{
      .what = joined("memory: ", what, " needs about ", bytes_in_words(needed), ", above ",
                     limit ? "the limit of " : "80 % of the free memory, ", bytes_in_words(most)),
      .remedies = std::move(remedies)});
}

}  // namespace repsc
