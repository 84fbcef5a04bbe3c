// A dense symmetric matrix as Q T Q' with T tridiagonal: most of the work of computing eigenpairs.
//
// Why not LAPACK: its dsytrd spends most of its time in products of the matrix with one vector,
// which OpenBLAS either runs on one thread or sums in an order that depends on their number. Here
// they are cut into fixed pieces, with the same bits on any number of threads: half of the pairs of
// a matrix of order 3000 take 7.0 s on two cores, 11.2 s with dsytrd.
#pragma once

#include <Eigen/Core>

#include "repsc/core.hpp"

namespace repsc {

/// S = Q T Q', with Q as LAPACK's dsytrd leaves it: reflectors below the subdiagonal, by columns.
struct Tridiagonal {
  Vector diagonal;
  Vector off_diagonal;  ///< as long as `diagonal`; the last one is 0
  Matrix reflectors;    ///< some rows of zeros follow
  Vector tau;

  [[nodiscard]] Index size() const { return static_cast<Index>(diagonal.size()); }
};

/// Overwrites S; reads its upper triangle.
[[nodiscard]] Tridiagonal tridiagonalize(Matrix S);

/// The pairs first .. first + Z.cols() - 1 of T, ascending and counted from 0, by LAPACK's dstemr.
/// False if dstemr returns another number of pairs, as it may for tightly clustered eigenvalues.
[[nodiscard]] bool tridiagonal_pairs(const Tridiagonal& T, Index first, Eigen::Ref<Vector> values,
                                     Eigen::Ref<Eigen::MatrixXd> Z);

/// Whether Z'Z = I, tested with one random vector, which detects any loss of orthogonality with
/// probability 1. dstemr loses it for some multiple eigenvalues, without a word.
[[nodiscard]] bool is_orthonormal(const Eigen::MatrixXd& Z);

/// Z = Q Z, for Z stored by columns.
void multiply_by_q(const Tridiagonal& T, Eigen::MatrixXd& Z);

}  // namespace repsc
