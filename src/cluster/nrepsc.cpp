// NRepSC: Algorithm 4 (appendix) of Gupta and Dukkipati, NeurIPS 2022.
//
//   A  similarity graph, N nodes        L  Laplacian of A, D its degrees
//   R  representation graph, N nodes    Q^2 = Y'DY
//   Y  basis of null(R (I - 11'/N))     T  embedding, N x K
//
// No square root Q is formed. With X = D^1/2 T the problem min tr(T'LT), T'DT = I, RJT = 0 is the
// symmetric Laplacian under R J D^-1/2 X = 0; T = Y Q^-1 V spans the same space
// (docs/numerics.md, fact 2).
#include "cluster/methods.hpp"
#include "cluster/steps.hpp"

namespace repsc {

Clustering nrepsc(Pipeline& data, const Plan& plan) {
  // Step 3. The Laplacian, as I - D^-1/2 A D^-1/2.
  const Laplacian& L = data.laplacian(plan);
  // Steps 2 and 4. The projector onto D^1/2 range(Y), which takes the place of Y and Q.
  const Constraint P = data.constraint(plan);
  // Step 5. X = D^1/2 Y Q^-1 V, the K lowest eigenvectors within the constraint; T = D^-1/2 X.
  SpectralEmbedding T = embed(L, P, plan);
  // Step 6. k-means on the rows of T.
  return cluster_rows(data.similarity(), std::move(T), plan);
}

}  // namespace repsc
