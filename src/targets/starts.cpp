// The starts of the search for a target. A further method joins here, and nowhere else.
#include "targets/starts.hpp"

#include <algorithm>

namespace repsc {
namespace {

// All ranks come from one dense decomposition of R up to this size; above, one rank has to do.
constexpr Index dense_nodes = 1000;

std::vector<Index> ranks_to_try(Index N, int K) {
  if (N > dense_nodes) return {automatic_rank(N, K)};
  std::vector<Index> ranks;
  for (const double share : {0.1, 0.5, 0.9}) {
    ranks.push_back(std::clamp(static_cast<Index>(share * N), Index{1}, N - K));
  }
  return ranks;
}

void add_ranks(const Graph& G, const Graph& R, int K, const ClusterOptions& options,
               std::vector<Start>& starts) {
  if (K >= G.num_nodes()) return;
  RankPath found;
  try {
    found = path(G, R, K, ranks_to_try(G.num_nodes(), K), options);
  } catch (const InvalidInput&) {
    return;  // too large for the memory limit, or not converged: the other starts have to do
  }
  for (PathStep& step : found.steps) {
    starts.push_back({name(options.method) + " of rank " + std::to_string(step.rank),
                      std::move(step.clustering)});
  }
}

}  // namespace

std::vector<Start> candidate_starts(const Graph& G, const Graph& R, int K,
                                    const ClusterOptions& given) {
  ClusterOptions options = given;
  const bool normalized = is_normalized(given.method);
  std::vector<Start> starts;
  options.method = normalized ? Method::nsc : Method::usc;
  starts.push_back({name(options.method), cluster(G, K, options)});
  // Plain ratio cuts often split off single nodes, from where no move leads to any balance.
  if (!normalized && isolated_nodes(G).empty()) {
    options.method = Method::nsc;
    starts.push_back({"nsc", cluster(G, K, options)});
  }
  options.method = normalized ? Method::nrepsc : Method::urepsc;
  add_ranks(G, R, K, options, starts);
  return starts;
}

}  // namespace repsc
