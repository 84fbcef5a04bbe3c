// The starts of the search for a front. Further methods are added here.
#include "targets/starts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace repsc {
namespace {

// Up to this size ranks are used too, from one dense decomposition of R; above, only strengths.
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

std::vector<FrontStart> candidate_starts(Pipeline& data, int K, CutKind cut,
                                         const ClusterOptions& given) {
  ClusterOptions options = given;
  options.refine.reset();
  const bool normalized = cut == CutKind::normalized;
  const Graph& G = data.similarity();
  std::vector<FrontStart> starts;
  const auto add_plain = [&](Method method) {
    options.method = method;
    starts.push_back({name(method), data.run(plan(data.input(), K, options))});
  };
  add_plain(normalized ? Method::nsc : Method::usc);
  // Plain clusters of the ratio cut are often single nodes, from which no single move raises the
  // balance.
  if (!normalized && isolated_nodes(G).empty() && !given.deadline.passed()) {
    add_plain(Method::nsc);
  }
  if (given.deadline.passed()) return starts;
  options.method = normalized ? Method::nrepsc : Method::urepsc;
  for (PathStep& step : path(data, K, points_to_try(G.num_nodes(), K), options).steps) {
    starts.push_back({named(step), std::move(step.clustering)});
  }
  return starts;
}

}  // namespace repsc
