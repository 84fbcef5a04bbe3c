// A literal implementation of the paper's Algorithms 2 and 4 (approx.) with dense matrices, with
// which the library's times are compared.
#pragma once

#include "repsc/graph.hpp"

namespace repsc::experiments {

/// URepSC (approx.), or NRepSC (approx.) if `normalized`: explicit null space by a
/// rank-revealing QR factorization, matrix square root by an eigendecomposition, dense eigensolver.
/// O(N^3).
[[nodiscard]] Labels literal_repsc(const Graph& A, const Graph& R, int K, Index rank,
                                   bool normalized, std::uint64_t seed);

}  // namespace repsc::experiments
