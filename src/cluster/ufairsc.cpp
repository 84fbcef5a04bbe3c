// UFairSC: Algorithm 2 of Kleindessner et al., "Guarantees for Spectral Clustering with Fairness
// Constraints", ICML 2019, the baseline of the paper: every group spread over all clusters.
//
//   A  similarity graph, N nodes     F  N x P, membership of the groups
//   L = D - A, its Laplacian         H  embedding, N x K, with F'(I - 11'/N) H = 0
#include "cluster/methods.hpp"
#include "cluster/steps.hpp"

namespace repsc {

Clustering ufairsc(const Graph& A, const Labels& groups, int K, const ClusterOptions& options) {
  check_sizes(A, static_cast<Index>(groups.size()), K, "groups");

  // Z, a basis of null(F'J), held as the projector that evens out the groups' means.
  const Stopwatch constraint_timer;
  const Constraint constraint = group_constraint(groups);
  const double constraint_seconds = constraint_timer.seconds();

  // H = Z Y, Y the K lowest eigenvectors of Z'LZ.
  const Stopwatch eigen_timer;
  const Laplacian L = laplacian_of(A, Normalization::none, options);
  const Embedding rows = embedding_of(L, EmbeddingRows::plain, options);
  const Eigenpairs pairs = lowest_eigenvectors(L, constraint, K, options, rows);
  Matrix H = rows(pairs.vectors);
  const double eigen_seconds = eigen_timer.seconds();

  // k-means on the rows of H.
  Clustering result = cluster_rows(std::move(H), pairs, constraint, K, options);
  result.method = Method::ufairsc;
  result.groups = groups;
  result.seconds.constraint = constraint_seconds;
  result.seconds.eigen = eigen_seconds;
  return result;
}

}  // namespace repsc
