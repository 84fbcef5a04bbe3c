// Random graphs: planted partitions, the R of Assumption 4.1, and R-PP (Definition 4.1).
//
//   const auto clusters = repsc::equal_clusters(1200, 5);
//   const auto R = repsc::sample_regular_representation(1200, 5, 40, /*seed=*/1);
//   const auto G = repsc::sample_rpp(R, clusters, {.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1}, 2);
//
// Every sampler takes O(nodes + edges) time and draws from numbered random streams, so that the
// same seed gives the same graph on any number of threads. Nodes are named 1, 2, ...
#pragma once

#include <cstdint>

#include "repsc/graph.hpp"

namespace repsc {

/// Cluster of each node, as the paper sets pi: the first N/K nodes in cluster 0, and so on. If K
/// does not divide N, sizes differ by at most one, larger ones first.
[[nodiscard]] Labels equal_clusters(Index num_nodes, int num_clusters);

/// Each pair of nodes is an edge with probability `within` if their labels agree, else `across`.
/// Labels need not be sorted and their numbers may have gaps. SelfLoops::add gives every node a
/// self-loop; the model itself has none.
[[nodiscard]] Graph sample_planted_partition(const Labels& labels, double within, double across,
                                             std::uint64_t seed,
                                             SelfLoops self_loops = SelfLoops::drop);

/// R of Assumption 4.1 for equal_clusters(N, K): self-loops, `degree`-regular, every node linked to
/// exactly degree/K nodes of every cluster, its self-loop counted; beyond that uniformly random, up
/// to the mixing of a long chain of edge switches. K must divide both N and `degree`; if N/K is
/// odd, degree/K must be odd too.
[[nodiscard]] Graph sample_regular_representation(Index num_nodes, int num_clusters, Index degree,
                                                  std::uint64_t seed);

/// R of Assumption 4.1 whose rank is at most N / nodes_per_type: `nodes_per_type` consecutive
/// nodes, all of one cluster, have the same representatives, and these types are linked as
/// sample_regular_representation() links nodes. N and `degree` must be multiples of K times
/// nodes_per_type.
[[nodiscard]] Graph sample_typed_representation(Index num_nodes, int num_clusters, Index degree,
                                                Index nodes_per_type, std::uint64_t seed);

/// The smallest number of nodes per type, at least 2, with which sample_typed_representation() has
/// a graph; 0 if there is none.
[[nodiscard]] Index smallest_type_size(Index num_nodes, int num_clusters, Index degree);

/// Probabilities of an edge of the R-PP model; 1 >= p >= q >= r >= s >= 0.
struct RppProbabilities {
  double p = 0;  ///< same cluster, linked in R
  double q = 0;  ///< other cluster, linked in R
  double r = 0;  ///< same cluster, not linked in R
  double s = 0;  ///< other cluster, not linked in R
};

/// A similarity graph from R-PP for any representation graph, whose weights are ignored.
[[nodiscard]] Graph sample_rpp(const Graph& representation, const Labels& clusters,
                               const RppProbabilities& probabilities, std::uint64_t seed);

/// R-PP for protected groups (R links the nodes of each group) without storing R.
[[nodiscard]] Graph sample_rpp_groups(const Labels& groups, const Labels& clusters,
                                      const RppProbabilities& probabilities, std::uint64_t seed);

/// The paper's toy example (appendix): 24 nodes, d = 6, K = 2.
struct ToyExample {
  Graph representation;       ///< d-regular with d = 6, self-loops included
  Labels protected_groups;    ///< found by clustering R: two groups of 12
  Labels statistically_fair;  ///< half of each group in each cluster, yet every rho_i = 1/5
  Labels individually_fair;   ///< three representatives of every node in each cluster: rho_i = 1
};
[[nodiscard]] ToyExample toy_example();

}  // namespace repsc
