// A Laplacian as a sparse matrix, for factorizations.
#pragma once

#include "linalg/sparse_factor.hpp"
#include "repsc/operators.hpp"

namespace repsc {

/// The upper triangle of L + sigma I, every diagonal entry included. Neither the penalty nor the
/// regularization, which are not sparse, is part of it.
[[nodiscard]] SparseColumns upper_triangle(const Laplacian& L, double sigma);

}  // namespace repsc
