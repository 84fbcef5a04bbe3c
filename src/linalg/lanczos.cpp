// Thick-restart block Lanczos on blocks whose rows are all in this process.
#include "linalg/lanczos.hpp"

#include <cassert>
#include <type_traits>

#include "linalg/block_lanczos.hpp"
#include "linalg/local_rows.hpp"

namespace repsc {
namespace {

template <typename Block>
KrylovResult run(const BlockOperator<Block>& A, const KrylovOptions& options) {
  assert(options.count >= 1 && options.count <= A.dimension);
  const LocalRows<Block> rows(A.size);
  BlockLanczos<Block, LocalRows<Block>> lanczos(A, options, rows);
  KrylovResult found;
  if (options.start == nullptr || options.start->rows() != A.size) {
    found = lanczos.run();
  } else if constexpr (std::is_same_v<Block, Matrix>) {
    found = lanczos.run(options.start);
  } else {
    const Block start = options.start->template cast<typename Block::Scalar>();
    found = lanczos.run(&start);
  }
  found.vectors = rows.on_host(lanczos.vectors());
  return found;
}

}  // namespace

KrylovResult thick_restart_lanczos(const KrylovOperator& A, const KrylovOptions& options) {
  return run(A, options);
}

KrylovResult thick_restart_lanczos(const FloatKrylovOperator& A, const KrylovOptions& options) {
  return run(A, options);
}

}  // namespace repsc
