// The order in which a sparse symmetric matrix is factorized, and the size of its factor.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>

#include "linalg/sparse_factor.hpp"

namespace repsc {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int64_t>;
using Permutation = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, std::int64_t>;

/// Size of L in L L' or L D L', and the operations that it takes: the sum of the squares of its
/// column lengths. Infinite where it has too many entries to wait for.
struct FactorSize {
  double entries = 0;
  double flops = 0;
};

/// Q A Q' for the permutation Q of an approximate minimum degree ordering.
struct OrderedMatrix {
  SparseMatrix upper;  ///< its upper triangle
  Permutation order;   ///< Q
  FactorSize size;     ///< of its factor
};

/// `upper` is the upper triangle of A, with its diagonal.
[[nodiscard]] OrderedMatrix minimum_degree_ordered(const SparseColumns& upper);

}  // namespace repsc
