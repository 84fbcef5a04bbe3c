// A penalized Laplacian in a sparse form of larger order, for factorizations.
//
//   M = L + t S C S             the penalized Laplacian, C = tau (WRJ)'(WRJ), J = I - 11'/N
//   B = (gamma t tau)^1/2 S (WRJ)'       so that M = L + BB' / gamma
//   A = [ L - sI   B      ]     has the Schur complement M - sI of -gamma I: it has as many
//   negative
//       [ B'      -gamma I ]    eigenvalues as M - sI, and one more for each column of B
//
// R W^2 R, which can be dense, is never formed. J makes B dense: B = B_0 - ab', of which B_0 is as
// sparse as R, and A = A_0 - (uv' + vu') with u = (a, 0), v = (0, b).
//
// Rows of R that are equal by construction, those of a group, share a column of B.
#pragma once

#include "linalg/sparse_factor.hpp"
#include "repsc/operators.hpp"

namespace repsc {

struct AugmentedLaplacian {
  Index num_nodes = 0;
  Index num_sets = 0;  ///< columns of B; 0 without a penalty
  double gamma = 1;
  SparseColumns upper;  ///< of A_0, for s = 0
  Vector u = {};        ///< empty without a penalty
  Vector v = {};
};

/// Entries of the upper triangle of A_0 per row, known before it is formed.
[[nodiscard]] double augmented_density(const Laplacian& M);

[[nodiscard]] AugmentedLaplacian augmented(const Laplacian& M);

}  // namespace repsc
