// USC: Algorithm 1 of Gupta and Dukkipati, NeurIPS 2022: unnormalized spectral clustering.
//
//   A  similarity graph, N nodes     L = D - A, its Laplacian
//   K  clusters                      H  embedding, N x K
#include "cluster/methods.hpp"
#include "cluster/steps.hpp"

namespace repsc {

Clustering usc(Pipeline& data, const Plan& plan) {
  // Step 2. L = D - A.
  const Laplacian& L = data.laplacian(plan);
  // Step 3. H = the K lowest eigenvectors of L.
  SpectralEmbedding H = embed(L, data.constraint(plan), plan);
  // Step 4. k-means on the rows of H.
  return cluster_rows(data.similarity(), std::move(H), plan);
}

}  // namespace repsc
