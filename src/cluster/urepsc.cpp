// URepSC: Algorithm 2 of Gupta and Dukkipati, NeurIPS 2022.
//
//   A  similarity graph, N nodes        P = YY', projector onto range(Y)
//   R  representation graph, N nodes    L  Laplacian of A
//   Y  basis of null(R (I - 11'/N))     H  embedding, N x K
#include "cluster/methods.hpp"
#include "cluster/steps.hpp"

namespace repsc {

Clustering urepsc(const Graph& A, const Graph& R, int K, const ClusterOptions& options) {
  check_sizes(A, R.num_nodes(), K, "representation graph");

  // Step 3. L = D - A.
  const Stopwatch constraint_timer;
  const Laplacian L = laplacian_of(A, Normalization::none, options);

  // Step 2. Y, held as the projector P = YY'. Its range can have K dimensions or nearly N; P stores
  // whichever of Y and its complement is narrower. At rank r, R is its best approximation.
  const std::optional<Constraint> constraint = representation_constraint(R, K, Vector(), options);
  const double constraint_seconds = constraint_timer.seconds();
  if (!constraint) {
    Clustering result = soft_repsc(L, R, K, options);
    result.seconds.constraint += constraint_seconds;
    return result;
  }

  // Step 4. Z = the K lowest eigenvectors of Y'LY. Lifted to H = YZ they are the K lowest
  // eigenvectors of L within range(P).
  const Stopwatch eigen_timer;
  const Embedding rows = embedding_of(L, EmbeddingRows::plain, options);
  const Eigenpairs pairs = lowest_eigenvectors(L, *constraint, K, options, rows);
  Matrix H = rows(pairs.vectors);
  const double eigen_seconds = eigen_timer.seconds();

  // Step 5. k-means on the rows of H.
  Clustering result = cluster_rows(std::move(H), pairs, *constraint, K, options);
  result.method = Method::urepsc;
  result.seconds.constraint = constraint_seconds;
  result.seconds.eigen = eigen_seconds;
  return result;
}

}  // namespace repsc
