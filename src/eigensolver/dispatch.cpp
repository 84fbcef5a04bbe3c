// The only file that knows all solvers: chooses one, calls it, and measures its result.
#include <chrono>
#include <cmath>
#include <limits>

#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "cuda/device.hpp"
#include "eigensolver/backends.hpp"
#include "eigensolver/measure.hpp"
#include "eigensolver/trials.hpp"
#include "linalg/local_rows.hpp"

namespace repsc {
namespace {

/// The dimension of the range of a projector, if the projector stores a basis of it.
std::optional<Index> kept_dimension(const Projector& P) {
  if (!std::holds_alternative<KeptBasis>(P.kind())) return std::nullopt;
  return P.dimension();
}

/// Here and not by the solvers, so that it does not rely on any of them.
void measure_on_host(const ConstrainedLaplacian& A, Eigenpairs& pairs) {
  const LocalRows<Matrix> rows(A.num_nodes());
  measure(
      rows, pairs.vectors, [&](const Matrix& X, Matrix& Y) { A.laplacian.apply(X, Y); },
      [&](Matrix& X) { A.projector.apply(X); }, A.laplacian.residual_unit(), pairs);
}

/// What every result gets, whichever solver it comes from.
void finish(const Laplacian& L, const EigenQuery& query, const Solver& solver, Eigenpairs& pairs) {
  pairs.solver = name(solver);
  pairs.converged = pairs.settled || pairs.stalled || pairs.residual <= query.tolerance;
  pairs.out_of_time = !pairs.converged && query.deadline.passed();
  // No more iterations would help: degrees of too different sizes have spoiled the matrix itself.
  const double rounding = 1e-10 * L.norm() / L.residual_unit();
  if (std::holds_alternative<solver::Lapack>(solver) && !pairs.converged &&
      pairs.residual > rounding) {
    throw NumericalFailure(
        joined("the eigenvectors of a dense matrix have a residual of ", pairs.residual));
  }
}

Matrix vectors_on_host(const Eigenpairs& pairs) {
  if (pairs.on_device == nullptr) return pairs.vectors;
  const std::unique_lock in_use = pairs.on_device->device().use();
  return on_host(pairs.on_device->device(), pairs.on_device->values());
}

bool on_device(const ConstrainedLaplacian& A, const EigenQuery& query) {
  return query.device != nullptr && query.count > 1 && runs_on_device(A);
}

Eigenpairs run(const ConstrainedLaplacian& A, const EigenQuery& query, const Solver& solver) {
  const auto* const lanczos = std::get_if<solver::Lanczos>(&solver);
  Eigenpairs pairs;
  if (lanczos != nullptr && on_device(A, query)) {
    pairs = solve_on_device(A, query, *lanczos);
  } else {
    pairs = std::visit([&](const auto& how) { return solve(A, query, how); }, solver);
    measure_on_host(A, pairs);
  }
  finish(A.laplacian, query, solver, pairs);
  return pairs;
}

/// solver::Cholesky in place of products that converge slowly, within the memory limit, and only
/// for graphs that are sparse or small.
class Factorization {
 public:
  Factorization(const ConstrainedLaplacian& A, const EigenQuery& query) : A_(A), query_(query) {}

  /// Whether it takes no longer than this many products, after few of them: nothing is spent on
  /// graphs that are likely to fill in.
  bool pays_early(double most_products) {
    constexpr double densest = 12;  // entries per row
    return entries_per_row() <= densest && is_affordable(Ordering::quick, most_products);
  }

  /// The same where a hundred products have not been enough, or hardly helped. A dense graph costs
  /// its ordering at most.
  bool pays(double most_products) {
    constexpr double least = 400;  // products that other graphs take, where a hundred were too few
    if (!may_be_factorized(A_.num_nodes(), A_.laplacian.graph().num_entries())) return false;
    if (entries_per_row() <= sparse_row) return is_affordable(Ordering::thorough, most_products);
    return is_affordable(Ordering::quick, std::min(most_products, least));
  }

  /// After one of the two has said yes. `start`: vectors near the wanted ones, or none.
  Eigenpairs run(const Matrix& start) {
    EigenQuery query = query_;
    if (start.size() > 0) query.start = &start;
    Eigenpairs found = solve(A_, query, symbolic_.value());
    measure_on_host(A_, found);
    finish(A_.laplacian, query_, solver::Cholesky{}, found);
    return found;
  }

 private:
  [[nodiscard]] double entries_per_row() const {
    return static_cast<double>(A_.laplacian.graph().num_entries()) / A_.num_nodes();
  }

  bool is_affordable(Ordering ordering, double most_products) {
    constexpr double most_bytes = 4e9;  // above, the factorization takes minutes
    symbolic_ = analyze(A_, query_, ordering);
    return symbolic_ && symbolic_->bytes <= std::min(memory_limit_bytes(query_), most_bytes) &&
           symbolic_->products <= most_products;
  }

  const ConstrainedLaplacian& A_;
  const EigenQuery& query_;
  std::optional<SymbolicCholesky> symbolic_;
};

/// Whether most nodes lie on chains, as in road networks: they are eliminated without fill, and
/// products converge very slowly.
bool has_chains(const Graph& graph) {
  const Index N = graph.num_nodes();
  const Index crossings = parallel_sum(N, 1 << 16, Index{0}, [&](auto begin, auto end) {
    Index count = 0;
    for (auto i = begin; i < end; ++i)
      count += graph.num_neighbors(static_cast<Index>(i)) > 2 ? 1 : 0;
    return count;
  });
  return crossings < 0.3 * N;
}

/// Whether a dense decomposition, which cannot be interrupted, ends before the deadline even on a
/// slow machine.
bool dense_in_time(Index num_nodes, const Deadline& deadline) {
  constexpr double slow = 4e-10;  // seconds per N^3
  if (!deadline.at) return true;
  const std::chrono::duration<double> left = *deadline.at - std::chrono::steady_clock::now();
  return slow * std::pow(num_nodes, 3) <= left.count();
}

/// The solver that choose_solver() names. If it converges too slowly: dense if that takes only
/// seconds, a factorization if the graph allows one, else more products that start from the last
/// vectors.
Eigenpairs run_chosen(const ConstrainedLaplacian& A, const EigenQuery& query) {
  constexpr double least_of_a_slow_graph = 120;  // products, if few of them have hardly helped
  constexpr double worth_of_a_slow_graph = 400;  // products that it will take at least
  constexpr Index dense_nodes = 4000;
  constexpr double any = std::numeric_limits<double>::infinity();
  const Solver first =
      choose_solver(A.num_nodes(), query.count, kept_dimension(A.projector)).solver;
  if (!std::holds_alternative<solver::Lanczos>(first)) return run(A, query, first);
  Factorization factorization(A, query);
  if (A.num_nodes() > dense_nodes && has_chains(A.laplacian.graph())) {
    if (factorization.pays(worth_of_a_slow_graph)) return factorization.run({});
  }
  EigenQuery trial = query;
  trial.end_if_slow = [&](int products) {
    return products > early_products ||
           (A.num_nodes() > dense_nodes && factorization.pays_early(least_of_a_slow_graph));
  };
  trial.max_iterations =
      std::min(query.max_iterations, trial_products(lanczos_tells_if_slow(A, query)));
  Eigenpairs pairs = run(A, trial, first);
  if (pairs.converged || pairs.out_of_time) return pairs;
  const bool fits = dense_bytes(A.num_nodes()) <= memory_limit_bytes(query);
  if (A.num_nodes() <= dense_nodes && fits && dense_in_time(A.num_nodes(), query.deadline)) {
    return run(A, query, solver::Lapack{});
  }
  Matrix start = vectors_on_host(pairs).rightCols(query.count - 1);  // the first is known
  const bool analyzed = pairs.slow && pairs.iterations <= early_products;
  if (analyzed || factorization.pays(pairs.slow ? worth_of_a_slow_graph : any)) {
    return factorization.run(start);
  }
  const int done = pairs.iterations;
  if (query.max_iterations <= done) return pairs;
  EigenQuery rest = query;
  rest.max_iterations = query.max_iterations - done;
  rest.start = &start;
  rest.started = [&] { start = Matrix(); };
  rest.next = pairs.next;
  pairs = run(A, rest, first);
  pairs.iterations += done;
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
