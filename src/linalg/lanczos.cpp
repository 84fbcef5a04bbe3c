// Thick-restart block Lanczos on blocks whose rows are all in this process.
#include "linalg/lanczos.hpp"

#include <cassert>

#include "linalg/block_lanczos.hpp"

namespace repsc {

KrylovResult thick_restart_lanczos(const KrylovOperator& A, const KrylovOptions& options) {
  assert(options.count >= 1 && options.count <= A.dimension);
  const LocalRows<Matrix> rows{A.size};
  return BlockLanczos<Matrix>(A, options, rows).run();
}

KrylovResult thick_restart_lanczos(const FloatKrylovOperator& A, const KrylovOptions& options) {
  assert(options.count >= 1 && options.count <= A.dimension);
  const LocalRows<FloatMatrix> rows{A.size};
  return BlockLanczos<FloatMatrix>(A, options, rows).run();
}

}  // namespace repsc
