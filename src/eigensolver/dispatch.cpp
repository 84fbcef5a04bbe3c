// The only file that knows all solvers: chooses one, calls it, and measures its result.
#include <cmath>

#include "core/memory.hpp"
#include "core/numerical_failure.hpp"
#include "eigensolver/backends.hpp"
#include "linalg/cholesky_qr.hpp"
#include "linalg/dense.hpp"

namespace repsc {
namespace {

Eigenpairs run(const ConstrainedLaplacian& A, const EigenQuery& query, const Solver& solver);

/// Whether a factorization is worth trying: only for sparse graphs, within the memory limit. Denser
/// graphs fill in, and even the symbolic factorization costs more than the products.
bool can_factorize(const ConstrainedLaplacian& A, const EigenQuery& query) {
  constexpr double densest = 16;  // entries per row
  const Graph& graph = A.laplacian.graph();
  if (static_cast<double>(graph.num_entries()) > densest * A.num_nodes()) return false;
  return cholesky_bytes(A) <=
         std::min(memory_limit_bytes(query), 4e9);  // above, the factorization takes minutes
}

/// The dimension of the range of a projector, if the projector stores a basis of it.
std::optional<Index> kept_dimension(const Projector& P) {
  if (!std::holds_alternative<KeptBasis>(P.kind())) return std::nullopt;
  return P.dimension();
}

/// The solver that choose_solver() names. If it converges too slowly: dense if that takes only
/// seconds, a factorization if the graph allows one, else more products that start from the last
/// vectors.
Eigenpairs run_chosen(const ConstrainedLaplacian& A, const EigenQuery& query) {
  constexpr int trial_products = 100;
  const Solver first =
      choose_solver(A.num_nodes(), query.count, kept_dimension(A.projector)).solver;
  if (!std::holds_alternative<solver::Lanczos>(first)) return run(A, query, first);
  EigenQuery trial = query;
  trial.max_iterations = std::min(query.max_iterations, trial_products);
  Eigenpairs pairs = run(A, trial, first);
  if (pairs.converged || pairs.out_of_time) return pairs;
  const bool fits = dense_bytes(A.num_nodes()) <= memory_limit_bytes(query);
  if (A.num_nodes() <= 4000 && fits) return run(A, query, solver::Lapack{});
  if (can_factorize(A, query)) return run(A, query, solver::Cholesky{});
  if (query.max_iterations > trial_products) {
    trial.max_iterations = query.max_iterations - trial_products;
    trial.start = pairs.vectors.rightCols(query.count - 1);  // the first is known
    pairs = run(A, trial, first);
    pairs.iterations += trial_products;
  }
  return pairs;
}

/// X = P X with orthonormal columns, in double precision whatever the solver worked in.
void orthonormalize(const Projector& P, Matrix& X) {
  for (int pass = 0; pass < 2; ++pass) {
    P.apply(X);
    if (!cholesky_qr(X)) throw NumericalFailure("a solver returned dependent eigenvectors");
  }
}

/// Rayleigh-Ritz on the vectors that the solver returned, and the largest ||P L x - lambda x|| /
/// ||L|| over the pairs, with a lower bound of ||L||. Measured here, so that it does not rely on
/// any solver.
void measure(const ConstrainedLaplacian& A, Eigenpairs& pairs) {
  orthonormalize(A.projector, pairs.vectors);
  Matrix AX;
  A.apply(pairs.vectors, AX);
  const Matrix projected = transposed_product(pairs.vectors, AX);
  SymmetricEigen ritz = symmetric_eigen(0.5 * (projected + projected.transpose()));
  pairs.values = std::move(ritz.values);
  multiply_in_place(pairs.vectors, ritz.vectors);
  multiply_in_place(AX, ritz.vectors);
  AX -= pairs.vectors * pairs.values.asDiagonal();
  pairs.residual = AX.colwise().norm().maxCoeff() / A.laplacian.norm();
  if (!std::isfinite(pairs.residual)) throw NumericalFailure("the residual is not a number");
}

Eigenpairs run(const ConstrainedLaplacian& A, const EigenQuery& query, const Solver& solver) {
  Eigenpairs pairs = std::visit([&](const auto& how) { return solve(A, query, how); }, solver);
  pairs.solver = name(solver);
  measure(A, pairs);
  pairs.converged = pairs.settled || pairs.stalled || pairs.residual <= query.tolerance;
  pairs.out_of_time = !pairs.converged && query.deadline.passed();
  return pairs;
}

}  // namespace

double memory_limit_bytes(const EigenQuery& query) {
  return query.memory_limit ? static_cast<double>(*query.memory_limit)
                            : 0.8 * static_cast<double>(free_memory_bytes());
}

Solver solver_by_name(const std::string& name) {
  std::string known;
  for (const Solver& solver : available_solvers()) {
    if (name == repsc::name(solver)) return solver;
    known += (known.empty() ? "" : ", ") + repsc::name(solver);
  }
  throw InvalidOptions(
      Fault{.what = "it must be one of " + known, .option = "solver", .value = name});
}

std::string name(const Solver& solver) {
  return std::visit([](const auto& how) { return std::string(how.name); }, solver);
}

std::vector<Solver> available_solvers() {
  return {solver::Lapack{}, solver::Lanczos{}, solver::Cholesky{}};
}

SolverChoice choose_solver(Index num_nodes, Index count, std::optional<Index> kept_dimension) {
  constexpr Index small_basis = 3000;
  constexpr Index small = 500;
  constexpr Index moderate = 5000;
  constexpr Index nodes_per_pair = 25;
  if (kept_dimension && *kept_dimension <= small_basis) {
    return {solver::Lapack{}, joined("the constraint leaves ", *kept_dimension,
                                     " dimensions, a small dense problem")};
  }
  if (num_nodes <= small) return {solver::Lapack{}, joined("at most ", small, " nodes")};
  if (num_nodes <= moderate && count > num_nodes / nodes_per_pair) {
    return {solver::Lapack{},
            joined("more than one eigenpair for every ", nodes_per_pair, " nodes is wanted")};
  }
  return {solver::Lanczos{},
          joined("more than ", small, " nodes; lapack or cholesky follow if it converges slowly")};
}

Eigenpairs smallest_eigenpairs(const ConstrainedLaplacian& A, const EigenQuery& query,
                               const std::optional<Solver>& solver) {
  require(A.num_nodes() == A.projector.num_nodes(), "Laplacian of ", A.num_nodes(),
          " nodes, constraint on ", A.projector.num_nodes());
  require_option(query.count >= 1, "count", query.count, "it must be at least 1");
  require_option(query.tolerance > 0 && query.tolerance < 1, "tolerance", query.tolerance,
                 "it must be above 0 and below 1");
  require_option(query.max_iterations >= 1, "max_iterations", query.max_iterations,
                 "it must be at least 1");
  require(query.count <= A.projector.dimension(), "the constraint of rank ", A.projector.rank(),
          " leaves ", A.projector.dimension(), " of ", A.num_nodes(),
          " dimensions, fewer than the ", query.count, " eigenvectors that are wanted");
  return solver ? run(A, query, *solver) : run_chosen(A, query);
}

}  // namespace repsc
