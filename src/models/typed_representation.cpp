// R of Assumption 4.1 of low rank: a regular graph of types, each type several nodes of one
// cluster.
//
//   R_ij = T(type of i, type of j),   rank(R) = rank(T) <= N / (nodes per type)
//
// A sampled regular R has nearly always the largest rank that Assumption 4.1 permits, N - K + 1, so
// that null(RJ) has K dimensions and the constraint alone determines the clusters. The theorems are
// about rank(R) <= N - K.
#include <cstddef>
#include <utility>
#include <vector>

#include "models/checks.hpp"
#include "repsc/models.hpp"

namespace repsc {
namespace {

Graph with_types_repeated(const Graph& types, Index nodes_per_type) {
  const auto copies = static_cast<std::size_t>(nodes_per_type);
  std::vector<Offset> offsets{0};
  std::vector<Index> neighbors;
  offsets.reserve(static_cast<std::size_t>(types.num_nodes()) * copies + 1);
  neighbors.reserve(static_cast<std::size_t>(types.num_entries()) * copies * copies);
  for (Index type = 0; type < types.num_nodes(); ++type) {
    for (Index copy = 0; copy < nodes_per_type; ++copy) {
      for (const Index other : types.neighbors(type)) {
        for (Index j = 0; j < nodes_per_type; ++j) neighbors.push_back(other * nodes_per_type + j);
      }
      offsets.push_back(static_cast<Offset>(neighbors.size()));
    }
  }
  const Index N = types.num_nodes() * nodes_per_type;
  return {std::move(offsets), std::move(neighbors), {}, NodeNames(N, 1)};
}

}  // namespace

Index smallest_type_size(Index num_nodes, int num_clusters, Index degree) {
  const Index K = num_clusters;
  require_clusters(num_nodes, K);
  if (num_nodes % K != 0 || degree % K != 0) return 0;
  const Index n = num_nodes / K;
  const Index m = degree / K;
  for (Index size = 2; size <= m; ++size) {
    const bool divides = m % size == 0 && n % size == 0;
    // A cluster of an odd number of types needs an odd number of links of a type to it.
    if (divides && (n / size % 2 == 0 || m / size % 2 == 1)) return size;
  }
  return 0;
}

Graph sample_typed_representation(Index num_nodes, int num_clusters, Index degree,
                                  Index nodes_per_type, std::uint64_t seed) {
  const Index K = num_clusters;
  require_clusters(num_nodes, K);
  require_option(nodes_per_type >= 1, "nodes_per_type", nodes_per_type, "it must be at least 1");
  require_option(num_nodes % (K * nodes_per_type) == 0 && degree % (K * nodes_per_type) == 0,
                 "nodes_per_type", nodes_per_type, "the ", num_nodes, " nodes and the degree, ",
                 degree, ", must be multiples of it times the ", K, " clusters");
  return with_types_repeated(sample_regular_representation(num_nodes / nodes_per_type, num_clusters,
                                                           degree / nodes_per_type, seed),
                             nodes_per_type);
}

}  // namespace repsc
