// Dense linear algebra on tall matrices (one row per node) and on small square ones.
//
// Tall products are cut into row blocks whose number depends on the shape alone and are added in a
// fixed order, each block one single-threaded BLAS call: all cores, and the same bits on any number
// of threads. Multi-threaded BLAS does not guarantee that.
#pragma once

#include "repsc/core.hpp"

namespace repsc {

using MatrixView = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;
using ConstMatrixView = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
using FloatMatrixView = Eigen::Ref<FloatMatrix, 0, Eigen::OuterStride<>>;
using ConstFloatMatrixView = Eigen::Ref<const FloatMatrix, 0, Eigen::OuterStride<>>;

/// While an object of this class exists, BLAS runs on the calling thread only; the destructor
/// restores the caller's setting. Every call of BLAS needs one: the constructor also sees to the
/// memory that BLAS needs, and throws MemoryLimitExceeded without it.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  int callers_;  ///< threads that this guard adds to those which may call BLAS
};

/// A'B for tall A and B with the same rows. Single precision is summed within a block of rows only.
[[nodiscard]] Matrix transposed_product(const ConstMatrixView& A, const ConstMatrixView& B);
[[nodiscard]] Matrix transposed_product(const ConstFloatMatrixView& A,
                                        const ConstFloatMatrixView& B);

/// A -= B T for tall A and B and a small T.
void subtract_product(MatrixView A, const ConstMatrixView& B, const Matrix& T);
void subtract_product(FloatMatrixView A, const ConstFloatMatrixView& B, const Matrix& T);

/// A = B T for tall A and B and a small T. A may not overlap B.
void assign_product(MatrixView A, const ConstMatrixView& B, const Matrix& T);
void assign_product(FloatMatrixView A, const ConstFloatMatrixView& B, const Matrix& T);

/// The first T.cols() columns of V become V T, without a second tall matrix.
void multiply_in_place(MatrixView V, const Matrix& T);
void multiply_in_place(FloatMatrixView V, const Matrix& T);

/// The mean of each column, summed in a fixed order.
[[nodiscard]] Eigen::RowVectorXd column_means(const ConstMatrixView& A);
[[nodiscard]] Eigen::RowVectorXd column_means(const ConstFloatMatrixView& A);  ///< in double

/// Subtracts from each column of A its mean: A = (I - 11'/N) A.
void center_columns(MatrixView A);

/// All eigenpairs of a symmetric matrix, ascending: S = vectors diag(values) vectors'. One column
/// of `vectors` per pair.
struct SymmetricEigen {
  Vector values;
  Matrix vectors;
};
[[nodiscard]] SymmetricEigen symmetric_eigen(Matrix S);

/// The `count` smallest eigenpairs of a symmetric matrix, ascending.
[[nodiscard]] SymmetricEigen smallest_symmetric_eigen(Matrix S, Index count);

}  // namespace repsc
