// URepSC and NRepSC with a soft constraint: what Algorithms 2 and 4 forbid has a price instead.
//
//   L  Laplacian of A, D its degrees    C  penalty of R, see RepresentationPenalty
//   lambda  the strength                H  embedding, N x K: min tr(H'(L + lambda C)H), H'H = I
//
// Normalized, T'DT = I takes the place of H'H = I, and X = D^1/2 T is sought, as in NRepSC.
// lambda = 0 is plain spectral clustering; large values lead to the exact constraint, where K
// dimensions meet it, and as near to it as K dimensions can come, where they do not.
#include "cluster/methods.hpp"
#include "cluster/steps.hpp"

namespace repsc {

Clustering soft_repsc(const Laplacian& L, const Graph& R, int K, const ClusterOptions& options) {
  const Stopwatch constraint_timer;
  const Laplacian M = penalized(L, R, K, options);
  const double constraint_seconds = constraint_timer.seconds();

  const Stopwatch eigen_timer;
  const Eigenpairs pairs = lowest_soft_eigenvectors(L, M, K, options);
  const double eigen_seconds = eigen_timer.seconds();

  Clustering result = cluster_soft_rows(M, pairs, K, options);
  result.method = L.normalization() == Normalization::none ? Method::urepsc : Method::nrepsc;
  result.seconds.constraint = constraint_seconds;
  result.seconds.eigen = eigen_seconds;
  return result;
}

}  // namespace repsc
