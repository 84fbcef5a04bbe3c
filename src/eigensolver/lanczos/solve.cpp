// Thick-restart block Lanczos on P L P, within the range of P and orthogonal to the known vector.
#include "core/dense.hpp"
#include "eigensolver/backends.hpp"
#include "krylov/thick_restart.hpp"

namespace repsc {

Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query,
                 const solver::Lanczos& how) {
  const Index N = A.num_nodes();
  const Matrix known = A.laplacian.null_vector();
  Eigenpairs result;
  result.values = Vector::Zero(query.count);
  result.vectors.resize(N, query.count);
  result.vectors.col(0) = known;  // eigenvalue 0, always allowed (DESIGN, fact 6)
  if (query.count == 1) return result;

  const auto project = [&](Matrix& X) {
    A.projector.apply(X);
    subtract_product(X, known, transposed_product(known, X));
  };
  const KrylovOperator within{.size = N,
                              .dimension = A.projector.dimension() - 1,
                              .norm = A.laplacian.norm(),
                              .apply = [&](const Matrix& X, Matrix& Y) { A.laplacian.apply(X, Y); },
                              .project = project};
  // Guard vectors speed up the last pair wanted; blocks of a multiple of four fill vector
  // registers.
  const Index automatic = std::max<Index>(4, (query.count + 1 + 3) / 4 * 4);
  const KrylovResult pairs = thick_restart_lanczos(
      within, {.count = query.count - 1,
               .wanted = Wanted::smallest,
               .tolerance = 0.5 * query.tolerance,  // the dispatcher's own measure must agree
               .max_iterations = query.max_iterations,
               .block_size = how.block_size > 0 ? how.block_size : automatic,
               .basis_size = how.basis_size,
               .seed = query.seed,
               .start = query.start.size() > 0 ? &query.start : nullptr,
               .stage = "eigen",
               .progress = query.progress});
  result.values.tail(query.count - 1) = pairs.values;
  result.vectors.rightCols(query.count - 1) = pairs.vectors;
  result.iterations = pairs.iterations;
  return result;
}

}  // namespace repsc
