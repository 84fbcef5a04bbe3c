// NSC: Algorithm 3 (appendix) of Gupta and Dukkipati, NeurIPS 2022: normalized spectral clustering.
//
//   A  similarity graph, N nodes     L = I - D^-1/2 A D^-1/2
//   K  clusters                      H  embedding, N x K, rows of length 1
#include "cluster/methods.hpp"
#include "cluster/sampled_start.hpp"
#include "cluster/steps.hpp"

namespace repsc {

Clustering nsc(Pipeline& data, const Plan& plan) {
  EmbeddingStart start = sampled_start(data, plan);  // large graphs only
  // Step 2. L = I - D^-1/2 A D^-1/2.
  const Laplacian& L = data.laplacian(plan);
  // Steps 3 and 4. H = the K lowest eigenvectors of L, each row scaled to length 1.
  SpectralEmbedding H = embed(L, data.constraint(plan), plan, std::move(start));
  // Step 5. k-means on the rows of H.
  return cluster_rows(data.similarity(), std::move(H), plan);
}

}  // namespace repsc
