// The lowest eigenvectors of a Laplacian within a constraint, on rows that are spread over ranks.
#pragma once

#include "distributed/constraint.hpp"
#include "linalg/lanczos.hpp"
#include "repsc/eigensolver.hpp"

namespace repsc {

/// Whether the graph is sparse enough for the polynomial filter.
[[nodiscard]] bool filter_pays(const DistributedLaplacian& L);

/// L within the range of P and orthogonal to its known eigenvector of eigenvalue 0, which satisfies
/// every constraint.
class DistributedOperator {
 public:
  DistributedOperator(const DistributedLaplacian& L, const DistributedProjector& P)
      : L_(L), P_(P), known_(L.null_vector()) {}

  [[nodiscard]] const SpreadRows& rows() const { return L_.rows(); }
  [[nodiscard]] double norm() const { return L_.norm(); }
  [[nodiscard]] double residual_unit() const { return L_.residual_unit(); }
  [[nodiscard]] const Matrix& known() const { return known_; }
  /// Of the vectors that are left.
  [[nodiscard]] Index dimension() const { return rows().num_nodes() - P_.rank() - 1; }
  void multiply(const Matrix& X, Matrix& Y) const { L_.apply(X, Y); }
  void project(Matrix& X) const;
  /// X = P X, the known vector not removed.
  void satisfy(Matrix& X) const {
    if (P_.rank() > 0) P_.apply(X);
  }
  [[nodiscard]] bool filter_pays() const { return repsc::filter_pays(L_); }
  /// max ||P L x - lambda x|| / residual_unit().
  [[nodiscard]] double residual(const Matrix& X, const Vector& values) const;

 private:
  const DistributedLaplacian& L_;
  const DistributedProjector& P_;
  Matrix known_;
};

/// The `query.count` smallest eigenpairs; vectors have the own rows, and so has `query.start`. If
/// no solver is given, dense where the serial tool begins so, else Lanczos, followed by a dense
/// decomposition of small graphs where it converges slowly. A stopping rule names its nodes.
[[nodiscard]] Eigenpairs lowest_pairs(const DistributedLaplacian& L, const DistributedProjector& P,
                                      const EigenQuery& query,
                                      std::optional<DistributedSolver> solver = {},
                                      const std::string& slepc_options = {});

/// Adds what is measured: the residual, and whether that is enough.
void measure(const DistributedLaplacian& L, const DistributedProjector& P, const EigenQuery& query,
             Eigenpairs& pairs);

/// Rank 0 holds the matrix, and all ranks take part in making it.
inline constexpr Index max_spread_dense_nodes = 4000;

// The backends: the pairs after the known one.

[[nodiscard]] KrylovResult solve_densely(const DistributedOperator& A, const EigenQuery& query);
[[nodiscard]] KrylovResult solve_by_slepc(const DistributedOperator& A, const EigenQuery& query,
                                          const std::string& options);

}  // namespace repsc
