// Factors L D L' of indefinite symmetric matrices, dense or sparse. They tell how many eigenvalues
// are negative: as many as D has (Sylvester's law of inertia).
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCholesky>
#include <optional>
#include <vector>

#include "linalg/minimum_degree.hpp"

namespace repsc {

/// A dense matrix, by LAPACK's dsytrf (Bunch and Kaufman's pivots, of order 1 and 2).
class DenseLdl {
 public:
  explicit DenseLdl(Eigen::MatrixXd S);

  /// The number of negative eigenvalues; none if a pivot is 0.
  [[nodiscard]] std::optional<Index> num_negative() const;
  /// S^-1 B.
  [[nodiscard]] Eigen::MatrixXd solve(Eigen::MatrixXd B) const;

 private:
  Eigen::MatrixXd factors_;
  std::vector<int> pivots_;
  bool singular_ = false;
};

/// A sparse matrix, by Eigen, without pivots: it exists for almost all matrices, but its errors can
/// be large. error() measures them.
class SparseLdl {
 public:
  /// Finds the order and the size of L. `upper` is the upper triangle, with its diagonal.
  explicit SparseLdl(const SparseColumns& upper);

  /// Memory that factorize() needs; infinite where it is too much to be counted.
  [[nodiscard]] double bytes() const;
  /// Operations of factorize().
  [[nodiscard]] double flops() const { return matrix_.size.flops; }

  /// Factors of S - diag(subtracted). False if a pivot is 0 or not a number.
  [[nodiscard]] bool factorize(const Vector& subtracted);
  [[nodiscard]] Index num_negative() const;
  /// (LDL')^-1 B.
  [[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;
  /// LDL' X.
  [[nodiscard]] Eigen::MatrixXd product(const Eigen::MatrixXd& X) const;
  /// An upper bound of ||S - diag(subtracted) - LDL'||_2, wrong with probability 1e-10: from the
  /// products of the difference with random vectors (Halko, Martinsson and Tropp 2011, Lemma 4.1).
  [[nodiscard]] double error() const;

 private:
  OrderedMatrix matrix_;
  SparseMatrix shifted_;  ///< its upper triangle, in the order of the factors
  Eigen::SimplicialLDLT<SparseMatrix, Eigen::Upper, Eigen::NaturalOrdering<std::int64_t>> factors_;
};

}  // namespace repsc
