// USC: Algorithm 1 of Gupta and Dukkipati, NeurIPS 2022: unnormalized spectral clustering.
//
//   A  similarity graph, N nodes     L = D - A, its Laplacian
//   K  clusters                      H  embedding, N x K
#include "cluster/methods.hpp"
#include "cluster/steps.hpp"

namespace repsc {

Clustering usc(const Graph& A, int K, const ClusterOptions& options) {
  check_sizes(A, A.num_nodes(), K, "");

  // Step 2. L = D - A.
  const Stopwatch timer;
  const Laplacian L = laplacian_of(A, Normalization::none, options);

  // Step 3. H = the K lowest eigenvectors of L.
  const Constraint none = no_constraint(A.num_nodes());
  const Embedding rows = embedding_of(L, EmbeddingRows::plain, options);
  const Eigenpairs pairs = lowest_eigenvectors(L, none, K, options, rows);
  Matrix H = rows(pairs.vectors);
  const double eigen_seconds = timer.seconds();

  // Step 4. k-means on the rows of H.
  Clustering result = cluster_rows(std::move(H), pairs, none, K, options);
  result.method = Method::usc;
  result.seconds.eigen = eigen_seconds;
  return result;
}

}  // namespace repsc
