// URepSC and NRepSC with a soft constraint: what Algorithms 2 and 4 forbid is penalized instead.
//
//   L  Laplacian of A, D its degrees    C  penalty of R, see RepresentationPenalty
//   lambda  the strength                H  embedding, N x K: min tr(H'(L + lambda C)H), H'H = I
//
// Normalized, T'DT = I takes the place of H'H = I, and X = D^1/2 T is sought, as in NRepSC.
// lambda = 0 is plain spectral clustering. Large values approach the exact constraint if K
// dimensions satisfy it, and otherwise come as close to it as K dimensions can.
#include "cluster/methods.hpp"
#include "cluster/steps.hpp"

namespace repsc {

Clustering soft_repsc(Pipeline& data, const Plan& plan) {
  const Laplacian& L = data.laplacian(plan);
  const Laplacian M = data.penalized_laplacian(plan, plan.constraint.strength);
  SpectralEmbedding H = embed_softly(L, M, plan);
  return cluster_rows(data.similarity(), std::move(H), plan);
}

}  // namespace repsc
