// From the operator to eigenpairs: one of two solvers, and the residual, measured alike for both.
#include "distributed/eigensolver.hpp"

#include <algorithm>
#include <cmath>

#include "distributed/lanczos.hpp"

namespace repsc {

void DistributedOperator::project(Matrix& X) const {
  P_.apply(X);
  rows().subtract(X, known_, rows().gram(known_, X));
}

double DistributedOperator::residual(const Matrix& X, const Vector& values) const {
  Matrix LX;
  L_.apply(X, LX);
  P_.apply(LX);
  LX.noalias() -= X * values.asDiagonal();
  const Vector squares = rows().sum(static_cast<Index>(X.cols()),
                                    [&](Index i, auto&& part) { part += LX.row(i).cwiseAbs2(); });
  return std::sqrt(squares.maxCoeff()) / norm();
}

KrylovResult solve_by_lanczos(const DistributedOperator& A, const DistributedQuery& query) {
  const Index count = query.count - 1;
  // As the serial solver chooses them (docs/solvers.md).
  const Index block = std::max<Index>(4, (count + 3) / 4 * 4);
  const KrylovOperator L{.size = A.rows().num_nodes(),
                         .dimension = A.dimension(),
                         .norm = A.norm(),
                         .apply = [&](const Matrix& X, Matrix& Y) { A.multiply(X, Y); },
                         .project = [&](Matrix& X) { A.project(X); }};
  return spread_lanczos(A.rows(), L,
                        {.count = count,
                         .tolerance = 0.5 * query.tolerance,
                         .max_iterations = query.max_iterations,
                         .block_size = block,
                         .basis_size = std::max<Index>(32, 2 * count + 4 * block),
                         .seed = query.seed,
                         .progress = query.progress});
}

Eigenpairs lowest_pairs(const DistributedLaplacian& L, const DistributedProjector& P,
                        const DistributedQuery& query, DistributedSolver solver,
                        const std::string& slepc_options) {
  const DistributedOperator A(L, P);
  require_option(A.dimension() + 1 >= query.count, "num_clusters", query.count,
                 "the constraint leaves ", A.dimension() + 1, " dimensions, fewer than clusters");
  const bool slepc = solver == DistributedSolver::slepc;
  const KrylovResult found =
      slepc ? solve_by_slepc(A, query, slepc_options) : solve_by_lanczos(A, query);
  Eigenpairs pairs;
  pairs.values = Vector::Zero(query.count);
  pairs.values.tail(query.count - 1) = found.values;
  pairs.vectors = Matrix(A.rows().stored(), query.count);
  pairs.vectors << A.known(), found.vectors;
  pairs.solver = slepc ? "slepc" : "lanczos";
  pairs.iterations = found.iterations;
  if (found.next > 0) pairs.next = found.next;
  pairs.residual = A.residual(pairs.vectors, pairs.values);
  pairs.converged = pairs.residual <= query.tolerance;
  return pairs;
}

}  // namespace repsc
