// Thick-restart block Lanczos on blocks whose rows are all in this process.
#include "linalg/lanczos.hpp"

#include <cassert>

#include "linalg/block_lanczos.hpp"
#include "linalg/local_rows.hpp"

namespace repsc {
namespace {

template <typename Block>
KrylovResult run(const BlockOperator<Block>& A, const KrylovOptions& options) {
  assert(options.count >= 1 && options.count <= A.dimension);
  Block start;  // in the precision of the iteration, for its first block only
  KrylovOptions how = options;
  how.started = [&] {
    start = Block();
    if (options.started) options.started();
  };
  const LocalRows<Block> rows(A.size);
  BlockLanczos<Block, LocalRows<Block>> lanczos(A, how, rows);
  const bool given = options.start != nullptr && options.start->rows() == A.size;
  if (given) start = options.start->template cast<typename Block::Scalar>();
  KrylovResult found = lanczos.run(given ? &start : nullptr);
  if (A.ended) A.ended();
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
