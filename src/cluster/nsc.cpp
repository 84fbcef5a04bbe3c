// NSC: Algorithm 3 (appendix) of Gupta and Dukkipati, NeurIPS 2022: normalized spectral clustering.
//
//   A  similarity graph, N nodes     L = I - D^-1/2 A D^-1/2
//   K  clusters                      H  embedding, N x K, rows of length 1
#include "cluster/methods.hpp"
#include "cluster/steps.hpp"

namespace repsc {

Clustering nsc(const Graph& A, int K, const ClusterOptions& options) {
  check_sizes(A, A.num_nodes(), K, "");

  // Step 2. L = I - D^-1/2 A D^-1/2.
  const Stopwatch timer;
  const Laplacian L = laplacian_of(A, Normalization::symmetric, options);

  // Step 3. H = the K lowest eigenvectors of L.
  const Constraint none = no_constraint(A.num_nodes());
  const Embedding scaled = embedding_of(L, EmbeddingRows::unit, options);
  const Eigenpairs pairs = lowest_eigenvectors(L, none, K, options, scaled);
  const double eigen_seconds = timer.seconds();

  // Step 4. Each row of H scaled to length 1.
  Matrix H = scaled(pairs.vectors);

  // Step 5. k-means on the rows of H.
  Clustering result = cluster_rows(std::move(H), pairs, none, K, options);
  result.method = Method::nsc;
  result.seconds.eigen = eigen_seconds;
  return result;
}

}  // namespace repsc
