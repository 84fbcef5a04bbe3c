// NFairSC: Algorithm 3 of Kleindessner et al., ICML 2019: UFairSC for the normalized cut.
//
//   A  similarity graph, N nodes     F  N x P, membership of the groups
//   L, D  Laplacian and degrees      T  embedding, N x K, with T'DT = I and F'(I - 11'/N) T = 0
//
// As in NRepSC no square root is formed: X = D^1/2 T is sought under F'J D^-1/2 X = 0.
#include "cluster/methods.hpp"
#include "cluster/steps.hpp"

namespace repsc {

Clustering nfairsc(const Graph& A, const Labels& groups, int K, const ClusterOptions& options) {
  check_sizes(A, static_cast<Index>(groups.size()), K, "groups");

  // The projector onto the X that even out the groups' means of T = D^-1/2 X.
  const Stopwatch constraint_timer;
  const Laplacian L = laplacian_of(A, Normalization::symmetric, options);
  const Constraint constraint = group_constraint(groups, L.scale());
  const double constraint_seconds = constraint_timer.seconds();

  // X, the K lowest eigenvectors of the symmetric Laplacian within the constraint.
  const Stopwatch eigen_timer;
  const Embedding T = embedding_of(L, EmbeddingRows::plain, options);
  const Eigenpairs pairs = lowest_eigenvectors(L, constraint, K, options, T);
  const double eigen_seconds = eigen_timer.seconds();

  // k-means on the rows of T = D^-1/2 X.
  Clustering result = cluster_rows(T(pairs.vectors), pairs, constraint, K, options);
  result.method = Method::nfairsc;
  result.groups = groups;
  result.seconds.constraint = constraint_seconds;
  result.seconds.eigen = eigen_seconds;
  return result;
}

}  // namespace repsc
