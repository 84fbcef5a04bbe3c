// Eigenproblems in sequence: paths over ranks and strengths, and candidates of a search.
#include "cluster/warm_solver.hpp"

#include <algorithm>

namespace repsc {
namespace {

/// A dense solver cannot start from the vectors of the previous point. If it was chosen because the
/// problem is small, the next points try the iterative solver first, unless its basis would fill a
/// large part of the space.
bool try_iterating(const Eigenpairs& last, Index N, const Plan& plan) {
  return !plan.options.solver && last.solver == solver::Lapack::name && plan.num_clusters <= N / 25;
}

}  // namespace

Clustering WarmSolver::step(const Laplacian& L, const Constraint& constraint) {
  const Stopwatch watch;
  Eigenpairs pairs = solve(L, constraint);
  start_ = pairs.vectors.rightCols(plan_.num_clusters - 1);  // the first is known
  iterate_ = iterate_ || try_iterating(pairs, L.num_nodes(), plan_);
  SpectralEmbedding H = embedded(std::move(pairs), L, constraint, plan_);
  H.seconds = watch.seconds();
  Clustering found = cluster_rows(L.graph(), std::move(H), plan_);
  found.method = plan_.method;
  return found;
}

Eigenpairs WarmSolver::solve(const Laplacian& L, const Constraint& constraint) {
  if (iterate_ && !too_slow_) {
    Plan tried = plan_;
    tried.options.solver = solver::Lanczos{};
    tried.options.max_iterations = std::min(plan_.options.max_iterations, 100);
    Eigenpairs pairs = lowest_eigenvectors(L, constraint, tried, {start_, /*doubtful=*/true});
    if (pairs.converged) return pairs;
    too_slow_ = true;  // the next point will not converge faster
  }
  return lowest_eigenvectors(L, constraint, plan_, {start_, /*doubtful=*/true});
}

}  // namespace repsc
