// NRepSC: Algorithm 4 (appendix) of Gupta and Dukkipati, NeurIPS 2022.
//
//   A  similarity graph, N nodes        L  Laplacian of A, D its degrees
//   R  representation graph, N nodes    Q^2 = Y'DY
//   Y  basis of null(R (I - 11'/N))     T  embedding, N x K
//
// No square root Q is formed. With X = D^1/2 T the problem min tr(T'LT), T'DT = I, RJT = 0 is the
// symmetric Laplacian under R J D^-1/2 X = 0; T = Y Q^-1 V spans the same space (DESIGN, fact 2).
#include "cluster/methods.hpp"
#include "cluster/steps.hpp"

namespace repsc {

Clustering nrepsc(const Graph& A, const Graph& R, int K, const ClusterOptions& options) {
  check_sizes(A, R.num_nodes(), K, "representation graph");

  // Step 3. The Laplacian, as I - D^-1/2 A D^-1/2.
  const Stopwatch constraint_timer;
  const Laplacian L = laplacian_of(A, Normalization::symmetric, options);

  // Steps 2 and 4. The projector onto D^1/2 range(Y), which takes the place of Y and Q.
  const std::optional<Constraint> constraint = representation_constraint(R, K, L.scale(), options);
  const double constraint_seconds = constraint_timer.seconds();
  if (!constraint) {
    Clustering result = soft_repsc(L, R, K, options);
    result.seconds.constraint += constraint_seconds;
    return result;
  }

  // Step 5. X = D^1/2 Y Q^-1 V, the K lowest eigenvectors within the constraint.
  const Stopwatch eigen_timer;
  const Embedding T = embedding_of(L, EmbeddingRows::plain, options);
  const Eigenpairs pairs = lowest_eigenvectors(L, *constraint, K, options, T);
  const double eigen_seconds = eigen_timer.seconds();

  // Step 6. k-means on the rows of T = D^-1/2 X.
  Clustering result = cluster_rows(T(pairs.vectors), pairs, *constraint, K, options);
  result.method = Method::nrepsc;
  result.seconds.constraint = constraint_seconds;
  result.seconds.eigen = eigen_seconds;
  return result;
}

}  // namespace repsc
