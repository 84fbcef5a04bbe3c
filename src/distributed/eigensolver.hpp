// The lowest eigenvectors of a Laplacian within a constraint, on rows that are spread over ranks.
#pragma once

#include "distributed/constraint.hpp"
#include "linalg/lanczos.hpp"

namespace repsc {

struct DistributedQuery {
  Index count = 1;
  double tolerance = 1e-8;
  int max_iterations = 1000;
  std::uint64_t seed = 0;
  ProgressFn progress = {};
};

/// L within the range of P and orthogonal to its known eigenvector of eigenvalue 0, which satisfies
/// every constraint.
class DistributedOperator {
 public:
  DistributedOperator(const DistributedLaplacian& L, const DistributedProjector& P)
      : L_(L), P_(P), known_(L.null_vector()) {}

  [[nodiscard]] const SpreadRows& rows() const { return L_.rows(); }
  [[nodiscard]] double norm() const { return L_.norm(); }
  [[nodiscard]] const Matrix& known() const { return known_; }
  /// Of the vectors that are left.
  [[nodiscard]] Index dimension() const { return rows().num_nodes() - P_.rank() - 1; }
  void multiply(const Matrix& X, Matrix& Y) const { L_.apply(X, Y); }
  void project(Matrix& X) const;
  /// max ||P L x - lambda x|| / ||L||.
  [[nodiscard]] double residual(const Matrix& X, const Vector& values) const;

 private:
  const DistributedLaplacian& L_;
  const DistributedProjector& P_;
  Matrix known_;
};

/// The `query.count` smallest eigenpairs; vectors have the own rows.
[[nodiscard]] Eigenpairs lowest_pairs(const DistributedLaplacian& L, const DistributedProjector& P,
                                      const DistributedQuery& query, DistributedSolver solver,
                                      const std::string& slepc_options);

// The backends: the pairs after the known one.

[[nodiscard]] KrylovResult solve_by_lanczos(const DistributedOperator& A,
                                            const DistributedQuery& query);
[[nodiscard]] KrylovResult solve_by_slepc(const DistributedOperator& A,
                                          const DistributedQuery& query,
                                          const std::string& options);

}  // namespace repsc
