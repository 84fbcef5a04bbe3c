// From the operator to eigenpairs: the solver that suits the size, and the residual, measured alike
// for all of them.
#include "distributed/eigensolver.hpp"

#include <algorithm>
#include <cmath>

#include "distributed/place.hpp"
#include "eigensolver/lanczos/chebyshev.hpp"
#include "eigensolver/trials.hpp"

namespace repsc {
namespace {

Eigenpairs paired(KrylovResult found) {
  Eigenpairs pairs;
  pairs.values = std::move(found.values);
  pairs.vectors = std::move(found.vectors);
  pairs.iterations = found.iterations;
  if (found.next > 0) pairs.next = found.next;
  return pairs;
}

/// Adds the known pair, and measures.
Eigenpairs finished(const DistributedOperator& A, const EigenQuery& query, const char* solver,
                    Eigenpairs found) {
  Eigenpairs pairs = std::move(found);
  Vector values = Vector::Zero(query.count);
  values.tail(query.count - 1) = pairs.values.tail(query.count - 1);
  pairs.values = std::move(values);
  Matrix vectors(A.rows().stored(), query.count);
  vectors << A.known(), pairs.vectors;
  pairs.vectors = std::move(vectors);
  pairs.solver = solver;
  pairs.residual = A.residual(pairs.vectors, pairs.values);
  pairs.converged = pairs.settled || pairs.stalled || pairs.residual <= query.tolerance;
  return pairs;
}

Eigenpairs densely(const DistributedOperator& A, const EigenQuery& query) {
  return finished(A, query, solver::Lapack::name, paired(solve_densely(A, query)));
}

Eigenpairs by_lanczos(const DistributedOperator& A, const EigenQuery& query) {
  SpreadPlace place(A);
  // All is in double precision here. Without a rule that may end the iteration early, a first run
  // of lower precision would only be begun anew.
  const IteratedMatrix L{.num_nodes = A.rows().num_nodes(),
                         .norm = A.norm(),
                         .residual_unit = A.residual_unit(),
                         .fits_single = query.stopping_rule != nullptr};
  return finished(A, query, solver::Lanczos::name, iterate(L, query, {}, place));
}

/// As run_chosen() of src/eigensolver/dispatch.cpp, without factorizations.
Eigenpairs by_the_chosen(const DistributedOperator& A, const EigenQuery& query) {
  const Index N = A.rows().num_nodes();
  if (std::holds_alternative<solver::Lapack>(choose_solver(N, query.count).solver) &&
      N <= max_spread_dense_nodes)
    return densely(A, query);
  EigenQuery trial = query;
  if (N <= max_spread_dense_nodes) {
    const bool filtered = query.stopping_rule != nullptr && A.filter_pays();
    trial.max_iterations = std::min(query.max_iterations, trial_products(filtered));
  }
  Eigenpairs pairs = by_lanczos(A, trial);
  return pairs.converged || N > max_spread_dense_nodes ? pairs : densely(A, query);
}

}  // namespace

bool filter_pays(const DistributedLaplacian& L) {
  return L.normalized() && !L.penalized() &&
         static_cast<double>(L.num_entries()) <= densest_filtered * L.rows().num_nodes();
}

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
  return std::sqrt(squares.maxCoeff()) / residual_unit();
}

void measure(const DistributedLaplacian& L, const DistributedProjector& P, const EigenQuery& query,
             Eigenpairs& pairs) {
  pairs.residual = DistributedOperator(L, P).residual(pairs.vectors, pairs.values);
  pairs.converged = pairs.settled || pairs.stalled || pairs.residual <= query.tolerance;
}

Eigenpairs lowest_pairs(const DistributedLaplacian& L, const DistributedProjector& P,
                        const EigenQuery& query, std::optional<DistributedSolver> solver,
                        const std::string& slepc_options) {
  const DistributedOperator A(L, P);
  require_option(A.dimension() + 1 >= query.count, "num_clusters", query.count,
                 "the constraint leaves ", A.dimension() + 1, " dimensions, fewer than clusters");
  if (!solver) return by_the_chosen(A, query);
  switch (*solver) {
    case DistributedSolver::lapack:
      return densely(A, query);
    case DistributedSolver::lanczos:
      return by_lanczos(A, query);
    case DistributedSolver::slepc:
      break;
  }
  return finished(A, query, "slepc", paired(solve_by_slepc(A, query, slepc_options)));
}

}  // namespace repsc
