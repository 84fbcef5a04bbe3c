// Small graphs: rank 0 gathers the matrix of the operator and decomposes it, as the serial tool
// does.
//
// The matrix is P L P + sigma (I - P) with sigma above the spectrum of L, so that the directions
// which P removes, and the known eigenvector, are not among the lowest (docs/numerics.md, fact 5).
#include <algorithm>

#include "distributed/eigensolver.hpp"
#include "linalg/dense.hpp"

namespace repsc {
namespace {

/// The own rows of these columns of the matrix.
Matrix columns_of(const DistributedOperator& A, Index first, Index count) {
  const SpreadRows& rows = A.rows();
  Matrix units = Matrix::Zero(rows.stored(), count);
  for (Index j = 0; j < count; ++j) {
    const Index row = first + j - rows.begin();
    if (row >= 0 && row < rows.stored()) units(row, j) = 1;
  }
  Matrix within = units;
  A.project(within);
  Matrix columns;
  A.multiply(within, columns);
  A.project(columns);
  return columns + 2 * A.norm() * (units - within);
}

}  // namespace

KrylovResult solve_densely(const DistributedOperator& A, const EigenQuery& query) {
  const SpreadRows& rows = A.rows();
  const Communicator& ranks = rows.ranks();
  const Index N = rows.num_nodes();
  require_option(N <= max_spread_dense_nodes, "solver", "lapack", "it is for up to ",
                 max_spread_dense_nodes, " nodes if several processes run; use lanczos");
  if (query.progress) query.progress({"eigen"});
  constexpr Index width = 64;
  Matrix M;
  on_root(ranks, [&] { M.resize(N, N); });
  for (Index first = 0; first < N; first += width) {
    const Index count = std::min(width, N - first);
    const Matrix own = columns_of(A, first, count);
    const std::vector<double> all =
        ranks.gather(std::span<const double>(own.data(), static_cast<std::size_t>(own.size())));
    if (ranks.is_root())
      M.middleCols(first, count) = Eigen::Map<const Matrix>(all.data(), N, count);
  }
  const Index wanted = query.count - 1;
  std::vector<double> found;  // values, then vectors row by row
  on_root(ranks, [&] {
    M = 0.5 * (M + M.transpose()).eval();
    const SymmetricEigen pairs = smallest_symmetric_eigen(std::move(M), wanted);
    found.assign(pairs.values.begin(), pairs.values.end());
    found.insert(found.end(), pairs.vectors.data(), pairs.vectors.data() + pairs.vectors.size());
  });
  ranks.broadcast(found);
  KrylovResult result;
  result.values = Eigen::Map<const Vector>(found.data(), wanted);
  result.vectors = Eigen::Map<const Matrix>(found.data() + wanted, N, wanted)
                       .middleRows(rows.begin(), rows.stored());
  A.project(result.vectors);  // removes the rounding errors of the lift
  return result;
}

}  // namespace repsc
