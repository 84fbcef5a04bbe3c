// UFairSC: Algorithm 2 of Kleindessner et al., "Guarantees for Spectral Clustering with Fairness
// Constraints", ICML 2019, the baseline of the paper: every group spread over all clusters.
//
//   A  similarity graph, N nodes     F  N x P, membership of the groups
//   L = D - A, its Laplacian         H  embedding, N x K, with F'(I - 11'/N) H = 0
#include "cluster/methods.hpp"
#include "cluster/sampled_start.hpp"
#include "cluster/steps.hpp"

namespace repsc {

Clustering ufairsc(Pipeline& data, const Plan& plan) {
  EmbeddingStart start = sampled_start(data, plan);  // large graphs only
  // Z, a basis of null(F'J), stored as the projector onto vectors with equal means in all groups.
  Constraint P = data.constraint(plan);
  // H = Z Y, Y the K lowest eigenvectors of Z'LZ.
  SpectralEmbedding H = embed(data.laplacian(plan), P, plan, std::move(start));
  // k-means on the rows of H.
  Clustering result = cluster_rows(data.similarity(), std::move(H), plan);
  result.groups = std::get<GroupComplement>(std::move(P.projector).kind()).groups;
  return result;
}

}  // namespace repsc
