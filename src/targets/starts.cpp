// The starts of the search for a target. A further method joins here, and nowhere else.
#include "targets/starts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace repsc {
namespace {

// All ranks come from one dense decomposition of R up to this size; above, strengths have to do.
constexpr Index dense_nodes = 1000;

PathPoints points_to_try(Index N, int K) {
  PathPoints points{.ranks = {}, .strengths = {1, 10}};
  if (N > dense_nodes || K >= N) return points;
  for (const double share : {0.5, 0.9}) {
    points.ranks.push_back(std::clamp(static_cast<Index>(share * N), Index{1}, N - K));
  }
  return points;
}

std::string named(const PathStep& step) {
  const std::string method = name(step.clustering.method);
  return step.rank > 0
             ? fmt::format("{} of rank {}", method, step.rank)
             : fmt::format("{} of strength {:g}", method, step.clustering.strength.value_or(0));
}

}  // namespace

std::vector<Start> candidate_starts(const Graph& G, const Graph& R, int K,
                                    const ClusterOptions& given) {
  ClusterOptions options = given;
  options.refine = Refining::no;
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
  for (PathStep& step : path(G, R, K, points_to_try(G.num_nodes(), K), options).steps) {
    starts.push_back({named(step), std::move(step.clustering)});
  }
  return starts;
}

}  // namespace repsc
