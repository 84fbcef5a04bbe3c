// The smallest eigenpairs of a Laplacian within a constraint. EigenQuery says which pairs and how
// precise; a Solver value says which solver, with its settings.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "repsc/operators.hpp"

namespace repsc {

namespace solver {
struct Auto {  ///< chooses one of the others by size, see docs/methods.md
  static constexpr auto name = "auto";
};
struct Lapack {  ///< dense: for N, or the dimension that the constraint leaves, up to a few
                 ///< thousand
  static constexpr auto name = "lapack";
};
struct Lanczos {  ///< thick-restart block Lanczos: products with the graph only
  static constexpr auto name = "lanczos";
  Index block_size = 0;  ///< 0: automatic
  Index basis_size = 0;  ///< maximum number of basis vectors; 0: automatic
  bool single = true;    ///< single precision first, then double if the tolerance needs it
};
struct Cholesky {  ///< sparse Cholesky: for roads, meshes and chains, whose eigengaps are very
                   ///< small
  static constexpr auto name = "cholesky";
};
}  // namespace solver

using Solver = std::variant<solver::Auto, solver::Lapack, solver::Lanczos, solver::Cholesky>;

/// "auto", "lapack", "lanczos", "cholesky". Throws InvalidInput that lists the names.
[[nodiscard]] Solver solver_by_name(const std::string& name);
[[nodiscard]] std::string name(const Solver& solver);
/// Every solver of this build, without Auto: what tests run over.
[[nodiscard]] std::vector<Solver> available_solvers();

struct EigenQuery {
  Index count = 1;
  double tolerance = 1e-8;    ///< of the residual below, in (0, 1)
  int max_iterations = 1000;  ///< products with a block of vectors
  std::uint64_t seed = 0;
  Matrix start = {};  ///< N x any: vectors near the wanted ones, if known; iterative solvers only
  ProgressFn progress = {};
  /// Called from time to time with the vectors (N x count), once the residual is below 0.3 of the
  /// eigengap. Returning true ends the iteration as converged, whatever the tolerance.
  std::function<bool(const Matrix& X, double residual)> settled = {};
  /// Above 0: the iteration also ends, as settled, if the sum of the wanted eigenvalues has fallen
  /// by less than this fraction of itself over the last third of the products. For callers that
  /// need the objective rather than the vectors.
  double objective_tolerance = 0;
  std::int64_t memory_limit = 0;  ///< bytes for factors or dense matrices; 0: 80 % of free memory
};

struct Eigenpairs {
  Vector values;            ///< ascending
  Matrix vectors;           ///< N x count, orthonormal, within the constraint
  std::string solver = {};  ///< the one that ran
  int iterations = 0;       ///< products with a block; 0 for dense solvers
  double residual = 0;     ///< max ||P L x - lambda x|| / ||L||, measured after the solver returned
  bool settled = false;    ///< `query.settled` or `query.objective_tolerance` ended it
  bool converged = false;  ///< residual <= tolerance, or settled
};

/// The `query.count` smallest eigenpairs of L within the range of P. Throws InvalidInput where that
/// range has fewer dimensions. A result that has not converged is
/// returned, not thrown: see `converged` and `residual`.
[[nodiscard]] Eigenpairs smallest_eigenpairs(const ConstrainedLaplacian& A, const EigenQuery& query,
                                             const Solver& solver = solver::Auto{});

}  // namespace repsc
