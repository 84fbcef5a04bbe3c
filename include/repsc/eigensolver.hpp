// The smallest eigenpairs of a Laplacian within a constraint. EigenQuery says what to compute;
// Solver says how: it selects the solver and its settings. Without one, a solver is chosen.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "repsc/cuda.hpp"
#include "repsc/operators.hpp"

namespace repsc {

namespace solver {
struct Lapack {  ///< dense: N up to a few thousand, or whatever the constraint leaves of it
  static constexpr auto name = "lapack";
  bool operator==(const Lapack&) const = default;
};
struct Lanczos {  ///< thick-restart block Lanczos: products with the graph only
  static constexpr auto name = "lanczos";
  std::optional<Index> block_size = {};  ///< none: by the number of eigenpairs
  std::optional<Index> basis_size = {};  ///< vectors kept at most; none: by the block size
  bool single = true;  ///< single precision as far as its accuracy allows, then double
  bool operator==(const Lanczos&) const = default;
};
struct Cholesky {  ///< sparse Cholesky: for roads, meshes and chains, whose eigengaps are very
                   ///< small
  static constexpr auto name = "cholesky";
  bool operator==(const Cholesky&) const = default;
};
}  // namespace solver

using Solver = std::variant<solver::Lapack, solver::Lanczos, solver::Cholesky>;

/// "lapack", "lanczos", "cholesky". Throws InvalidOptions that lists the names.
[[nodiscard]] Solver solver_by_name(const std::string& name);
[[nodiscard]] std::string name(const Solver& solver);
/// Every solver of this build.
[[nodiscard]] std::vector<Solver> available_solvers();

/// The solver that begins if none is named, and the reason.
struct SolverChoice {
  Solver solver;
  std::string reason;
};
/// Dense while that costs a fraction of a second, or if an iterative basis would span much of the
/// space; else Lanczos, which is replaced by another solver if it converges too slowly.
/// `kept_dimension`: the dimension of the space that the constraint leaves, if it stores a basis of
/// it.
[[nodiscard]] SolverChoice choose_solver(Index num_nodes, Index count,
                                         std::optional<Index> kept_dimension = {});

/// Decides whether approximate eigenvectors are good enough for the caller, whatever the tolerance.
class StoppingRule {
 public:
  StoppingRule() = default;
  virtual ~StoppingRule() = default;
  StoppingRule(const StoppingRule&) = delete;
  StoppingRule& operator=(const StoppingRule&) = delete;

  /// The nodes that the rule looks at, ascending; empty: all of them. The vectors below have one
  /// row for each.
  [[nodiscard]] virtual std::span<const Index> nodes() const { return {}; }

  /// Called from time to time with the vectors, `count` columns, once their error is below 0.3:
  /// true ends the iteration as converged. Their error is about residual / eigengap.
  [[nodiscard]] virtual bool good_enough(const Matrix& X, double error) = 0;

  /// Called when the wanted values hardly fall any more although the residual is still above that
  /// limit: true if more precise vectors would be other vectors, but no better ones. Ends the
  /// iteration as stalled.
  [[nodiscard]] virtual bool hopeless(const Matrix& X) {
    static_cast<void>(X);
    return false;
  }
};

struct EigenQuery {
  Index count = 1;
  double tolerance = 1e-8;    ///< of the residual below, in (0, 1)
  int max_iterations = 1000;  ///< products with a block of vectors
  std::uint64_t seed = 0;
  /// N x any: vectors near the wanted ones, if known; iterative solvers only.
  const Matrix* start = nullptr;
  /// Whether `start` has the lowest vectors of another matrix: they may lie almost in an invariant
  /// subspace of this one that is not the lowest. The stopping rule is then asked a little later.
  bool doubtful_start = false;
  std::function<void()> started = {};  ///< called when `start` is no longer needed
  /// A number that the eigenvalue after the wanted ones does not exceed, if one is known. A solver
  /// that begins anew sees only much larger ones at first, and would think the gap too large.
  std::optional<double> next = {};
  ProgressFn progress = {};
  Deadline deadline =
      {};  ///< ends the iteration, which has then not converged; iterative solvers only
  StoppingRule* stopping_rule = nullptr;  ///< iterative solvers only
  /// Above 0: the iteration also ends, as settled, when the sum of the wanted eigenvalues has
  /// fallen by less than this share of itself over the last third of the products. For callers who
  /// want the objective, and vectors only as far as they lower it.
  double objective_tolerance = 0;
  /// Asked, with the number of products so far, if the values fall as they do without a gap near
  /// the lower end of the spectrum: true ends the iteration, as slow. For callers who have another
  /// solver for that. Lanczos on sparse graphs only.
  std::function<bool(int)> end_if_slow = {};
  /// Bytes for factors or dense matrices; none: 80 % of the free memory.
  std::optional<std::int64_t> memory_limit = {};
  /// Where Lanczos runs, unless the constraint is one that only the host has; none: on the host.
  std::shared_ptr<CudaDevice> device = {};
  /// Vectors that were computed on the device stay there: `on_device` in place of `vectors`.
  bool leave_on_device = false;
};

struct Eigenpairs {
  Vector values;            ///< ascending
  Matrix vectors;           ///< N x count, orthonormal, within the constraint; or on_device
  std::string solver = {};  ///< the one that ran
  int iterations = 0;       ///< products with a block; 0 for dense solvers
  double residual = 0;      ///< max ||P L x - lambda x|| / Laplacian::residual_unit(), measured
                            ///< after the solver returned
  bool settled = false;     ///< the stopping rule or the objective tolerance ended it
  bool stalled = false;     ///< the stopping rule found it hopeless: no gap after the wanted values
  bool slow = false;        ///< see EigenQuery::end_if_slow
  bool converged = false;   ///< residual <= tolerance, settled, or stalled
  /// The eigenvalue after the last one, as far as the solver knows it.
  std::optional<double> next = {};
  bool out_of_time = false;    ///< the deadline ended it
  std::string device = "cpu";  ///< where it ran
  /// Connected components of the graph, if they were counted on the way: on a device.
  std::optional<Index> num_components = {};
  std::shared_ptr<DeviceMatrix> on_device = {};  ///< see EigenQuery::leave_on_device
};

/// The `query.count` smallest eigenpairs of L within the range of P. Throws InvalidInput if that
/// range has fewer dimensions. A result that has not converged is returned, not thrown: see
/// `converged` and `residual`.
[[nodiscard]] Eigenpairs smallest_eigenpairs(const ConstrainedLaplacian& A, const EigenQuery& query,
                                             const std::optional<Solver>& solver = {});

}  // namespace repsc
