// The only file that knows all solvers: chooses, calls, and measures what came back.
#include "core/dense.hpp"
#include "eigensolver/backends.hpp"

namespace repsc {
namespace {

/// Dense while that costs a fraction of a second, or where the iterative basis would span much of
/// the space anyway; and where the constraint leaves a small problem Y'LY (DESIGN, fact 8).
Solver choose(const ConstrainedLaplacian& A, const EigenQuery& query) {
  const Index N = A.num_nodes();
  if (std::holds_alternative<KeptBasis>(A.projector.kind()) && A.projector.dimension() <= 3000)
    return solver::Lapack{};
  if (N <= 500 || (N <= 5000 && query.count > N / 25)) return solver::Lapack{};
  return solver::Lanczos{};
}

Eigenpairs run(const ConstrainedLaplacian& A, const EigenQuery& query, const Solver& solver);

Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query, const solver::Auto&) {
  Eigenpairs pairs = run(A, query, choose(A, query));
  const bool small = A.num_nodes() <= 4000;  // a dense solve still takes seconds only
  if (!pairs.converged && small && pairs.solver != solver::Lapack::name)
    pairs = run(A, query, solver::Lapack{});
  return pairs;
}

/// max over the pairs of ||P L x - lambda x|| / ||L||, ||L|| from below: no solver's own word.
double largest_residual(const ConstrainedLaplacian& A, const Eigenpairs& pairs) {
  Matrix AX;
  A.apply(pairs.vectors, AX);
  AX -= pairs.vectors * pairs.values.asDiagonal();
  return AX.colwise().norm().maxCoeff() / A.laplacian.norm();
}

Eigenpairs run(const ConstrainedLaplacian& A, const EigenQuery& query, const Solver& solver) {
  Eigenpairs pairs = std::visit([&](const auto& how) { return solve(A, query, how); }, solver);
  if (pairs.solver.empty()) pairs.solver = name(solver);
  pairs.residual = largest_residual(A, pairs);
  pairs.converged = pairs.residual <= query.tolerance;
  return pairs;
}

}  // namespace

Solver solver_by_name(const std::string& name) {
  if (name == solver::Auto::name) return solver::Auto{};
  std::string known = solver::Auto::name;
  for (const Solver& solver : available_solvers()) {
    if (name == repsc::name(solver)) return solver;
    known += ", " + repsc::name(solver);
  }
  throw InvalidInput("solver: '" + name + "' is not one of " + known);
}

std::string name(const Solver& solver) {
  return std::visit([](const auto& how) { return std::string(how.name); }, solver);
}

std::vector<Solver> available_solvers() { return {solver::Lapack{}, solver::Lanczos{}}; }

Eigenpairs smallest_eigenpairs(const ConstrainedLaplacian& A, const EigenQuery& query,
                               const Solver& solver) {
  require(A.num_nodes() == A.projector.num_nodes(), "Laplacian of ", A.num_nodes(),
          " nodes, constraint on ", A.projector.num_nodes());
  require(query.count >= 1, "eigenpairs: ", query.count, " but at least 1 is needed");
  require(query.tolerance > 0 && query.tolerance < 1, "tolerance: ", query.tolerance,
          " but it must be between 0 and 1");
  require(query.max_iterations >= 1, "iterations: ", query.max_iterations,
          " but at least 1 is needed");
  require(query.count <= A.projector.dimension(), "the constraint of rank ", A.projector.rank(),
          " leaves ", A.projector.dimension(), " of ", A.num_nodes(),
          " dimensions, fewer than the ", query.count, " asked for");
  return run(A, query, solver);
}

}  // namespace repsc
