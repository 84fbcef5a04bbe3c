// Thick-restart block Lanczos with full reorthogonalization: a few extreme eigenpairs of a
// symmetric operator that can only be multiplied (Wu and Simon 2000, in block form).
//
// Why not a library: ARPACK and Spectra work on one vector at a time and can miss copies of a
// multiple eigenvalue (components of a graph, planted models), which a block as wide as the number
// of pairs does not (docs/numerics.md, fact 7). One product of a graph with eight vectors costs
// about as much as two products with one vector.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "repsc/core.hpp"

namespace repsc {

/// A symmetric operator restricted to an invariant set of allowed vectors, given by its products
/// with blocks of doubles or of floats. The small projected problem is always solved in double.
template <typename Block>
struct BlockOperator {
  Index size = 0;
  Index dimension = 0;  ///< of the allowed vectors; `size` if all vectors are allowed
  double norm = 1;      ///< about ||A||: tolerances are relative to it
  std::function<void(const Block& X, Block& Y)> apply;  ///< Y = A X, X allowed
  std::function<void(Block& X)> project = {};           ///< X onto the allowed vectors
  std::function<void()> ended = {};  ///< called when no product follows: its memory is needed
};
using KrylovOperator = BlockOperator<Matrix>;
using FloatKrylovOperator = BlockOperator<FloatMatrix>;

enum class Wanted { smallest, largest_magnitude };

/// State of an iteration.
struct RitzPairs {
  int iterations = 0;
  double residual = 0;                   ///< max ||A x - theta x|| over the wanted pairs
  Vector values;                         ///< wanted ones first, then the next few
  std::function<Matrix()> vectors = {};  ///< the wanted ones, computed when called
  /// The same for these rows only.
  std::function<Matrix(std::span<const Index> rows)> rows_of_vectors = {};
};

struct KrylovOptions {
  Index count = 1;
  Wanted wanted = Wanted::smallest;
  double tolerance = 1e-8;               ///< ||A x - theta x|| <= tolerance * norm for each pair
  bool relative = false;                 ///< to |theta| of each pair rather than to norm
  int max_iterations = 1000;             ///< products with a block
  std::optional<Index> block_size = {};  ///< none: count + 2 guard vectors
  std::optional<Index> basis_size =
      {};  ///< maximum number of columns kept; none: by block size and count
  std::uint64_t seed = 0;
  const Matrix* start = nullptr;  ///< vectors near the wanted ones; the rest of the block is random
  std::function<void()> started = {};  ///< called when `start` is no longer needed
  std::string_view stage = "eigen";    ///< the name in progress reports
  ProgressFn progress = {};
  Deadline deadline = {};    ///< ends the iteration as max_iterations does
  Index spare = 0;           ///< vectors after the wanted ones that are returned, too
  bool look_always = false;  ///< after every product, even if that costs as much as a sparse one
  /// Called from time to time with the residual of the worst wanted pair and the Ritz values and
  /// vectors (the wanted ones, and the values of a few more): true ends the iteration as converged.
  std::function<bool(const RitzPairs&)> settled = {};
};

struct KrylovResult {
  Vector values;       ///< ascending for smallest, by falling magnitude for largest_magnitude
  Matrix vectors;      ///< size x (count + spare), orthonormal; fewer if the basis is smaller
  int iterations = 0;  ///< products with a block
  bool converged = false;
  double next = 0;  ///< estimate of the eigenvalue after the wanted ones; 0 if there is none
};

/// Needs count <= dimension. If the basis contains all allowed vectors, the result is exact.
[[nodiscard]] KrylovResult thick_restart_lanczos(const KrylovOperator& A,
                                                 const KrylovOptions& options);
/// The same in single precision: tolerances below about 1e-5 cannot be reached; it then stops as
/// not converged.
[[nodiscard]] KrylovResult thick_restart_lanczos(const FloatKrylovOperator& A,
                                                 const KrylovOptions& options);

}  // namespace repsc
