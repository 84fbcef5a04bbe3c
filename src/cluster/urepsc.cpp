// URepSC: Algorithm 2 of Gupta and Dukkipati, NeurIPS 2022.
//
//   A  similarity graph, N nodes        P = YY', projector onto range(Y)
//   R  representation graph, N nodes    L  Laplacian of A
//   Y  basis of null(R (I - 11'/N))     H  embedding, N x K
#include "cluster/methods.hpp"
#include "cluster/steps.hpp"

namespace repsc {

Clustering urepsc(Pipeline& data, const Plan& plan) {
  // Step 2. Y, held as the projector P = YY'. Its range can have K dimensions or nearly N; P stores
  // whichever of Y and its complement is narrower. At rank r, R is its best approximation.
  const Constraint P = data.constraint(plan);
  // Step 3. L = D - A.
  const Laplacian& L = data.laplacian(plan);
  // Step 4. Z = the K lowest eigenvectors of Y'LY. Lifted to H = YZ they are the K lowest
  // eigenvectors of L within range(P).
  SpectralEmbedding H = embed(L, P, plan);
  // Step 5. k-means on the rows of H.
  return cluster_rows(data.similarity(), std::move(H), plan);
}

}  // namespace repsc
