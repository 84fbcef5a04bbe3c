// Where Lanczos has its blocks and computes products with them: the memory of the host, of a
// device, or of several processes. What is computed, and when it ends, is decided in iterate.cpp
// for all places.
#pragma once

#include <span>

#include "eigensolver/lanczos/chebyshev.hpp"
#include "linalg/lanczos.hpp"
#include "repsc/eigensolver.hpp"

namespace repsc {

class LanczosPlace {
 public:
  LanczosPlace() = default;
  virtual ~LanczosPlace() = default;
  LanczosPlace(const LanczosPlace&) = delete;
  LanczosPlace& operator=(const LanczosPlace&) = delete;

  // Lanczos on P L P, within the range of P and orthogonal to the known vector. A place that keeps
  // the vectors it finds returns none, and starts its next run from them.

  [[nodiscard]] virtual KrylovResult run_single(const KrylovOptions& how) = 0;
  [[nodiscard]] virtual KrylovResult run_double(const KrylovOptions& how) = 0;
  /// Products in 16 bits. `error` becomes the largest one of a product, see
  /// Laplacian::apply_coarsely().
  [[nodiscard]] virtual KrylovResult run_coarsely(const KrylovOptions& how, double& error) = 0;
  /// Lanczos on p(P L P).
  [[nodiscard]] virtual KrylovResult run_filtered(const KrylovOptions& how,
                                                  const ChebyshevFilter& filter) = 0;

  /// The next run of a place that keeps vectors starts from new ones.
  virtual void forget() {}

  /// The known vector at these nodes; none: at all.
  [[nodiscard]] virtual Vector known(std::span<const Index> nodes) const = 0;
  /// Whether filters are faster than plain products here.
  [[nodiscard]] virtual bool filtering_pays() const = 0;
  /// Vectors at once, if none are asked for.
  [[nodiscard]] virtual Index default_block(Index count) const = 0;
};

/// The most vectors that the iteration keeps, if no number is asked for: for `count` unknown ones.
[[nodiscard]] Index default_basis(Index num_nodes, Index count, Index block);

/// What the iteration knows of L.
struct IteratedMatrix {
  Index num_nodes = 0;
  double norm = 1;               ///< see Laplacian::norm()
  double residual_unit = 1;      ///< see Laplacian::residual_unit()
  bool fits_single = true;       ///< see Laplacian::fits_single()
  bool coarse_products = false;  ///< whether products in 16 bits are offered, and pay
};
[[nodiscard]] IteratedMatrix iterated_matrix(const Laplacian& L);

/// The lowest pairs, with all vectors but the known one if the place returns vectors, else none.
[[nodiscard]] Eigenpairs iterate(const IteratedMatrix& L, const EigenQuery& query,
                                 const solver::Lanczos& how, LanczosPlace& place);

/// The known vector and the others. It has eigenvalue 0 and satisfies every constraint
/// (docs/numerics.md, fact 6).
[[nodiscard]] Matrix with_known(const Eigen::Ref<const Vector>& known, const Matrix& others);

}  // namespace repsc
