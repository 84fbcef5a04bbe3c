// The change of the normalized cut. With l_x(k) the links of node x to cluster k, and d_x its
// degree, a node that leaves its cluster a takes d_x - l_x(a) from what leaves a, and adds l_x(a);
// a node that comes to b takes l_x(b) from what leaves b, and adds d_x - l_x(b). Other clusters
// keep their terms.
#include "audit/prices.hpp"

#include <algorithm>
#include <limits>

#include "repsc/metrics.hpp"

namespace repsc {

Prices::Prices(const Graph& similarity, const Labels& labels, int num_clusters)
    : G_(similarity),
      labels_(labels),
      degrees_(similarity.degrees()),
      sizes_(cluster_sizes(labels, num_clusters)),
      weights_(edge_weights(similarity, labels, num_clusters)) {}

void Prices::links(Index node, NodeLinks& found) const {
  found.node = node;
  found.into.assign(sizes_.size(), 0);
  found.all = 0;
  const auto neighbors = G_.neighbors(node);
  const auto weights = G_.weights(node);
  for (std::size_t k = 0; k < neighbors.size(); ++k) {
    if (neighbors[k] == node) continue;  // a self-loop moves along
    const double weight = weights.empty() ? 1 : weights[k];
    found.into[static_cast<std::size_t>(label(neighbors[k]))] += weight;
    found.all += weight;
  }
}

double Prices::weight_between(Index u, Index v) const {
  const auto neighbors = G_.neighbors(u);
  const auto place = std::lower_bound(neighbors.begin(), neighbors.end(), v);
  if (place == neighbors.end() || *place != v) return 0;
  const auto weights = G_.weights(u);
  return weights.empty() ? 1 : weights[static_cast<std::size_t>(place - neighbors.begin())];
}

double Prices::move(const NodeLinks& node, Label to) const {
  const auto a = static_cast<std::size_t>(label(node.node));
  const auto b = static_cast<std::size_t>(to);
  if (sizes_[a] <= 1) return std::numeric_limits<double>::infinity();
  const double degree = degrees_[node.node];
  const double leaving_a = weights_.leaving[a] - node.all + 2 * node.into[a];
  const double leaving_b = weights_.leaving[b] + node.all - 2 * node.into[b];
  const double rounding = 1e-14 * weights_.volumes[a];
  return term(leaving_a, weights_.volumes[a] - degree, rounding) +
         term(leaving_b, weights_.volumes[b] + degree) - term(a) - term(b);
}

double Prices::swap(const NodeLinks& u, const NodeLinks& v) const {
  const auto a = static_cast<std::size_t>(label(u.node));
  const auto b = static_cast<std::size_t>(label(v.node));
  const double between = weight_between(u.node, v.node);
  // u leaves a, then v comes, whose links to a no longer include u; and the reverse for b.
  const double leaving_a =
      weights_.leaving[a] - u.all + 2 * u.into[a] + v.all - 2 * (v.into[a] - between);
  const double leaving_b =
      weights_.leaving[b] - v.all + 2 * v.into[b] + u.all - 2 * (u.into[b] - between);
  const double gained = degrees_[v.node] - degrees_[u.node];
  const double rounding = 1e-14 * (weights_.volumes[a] + weights_.volumes[b]);
  return term(leaving_a, weights_.volumes[a] + gained, rounding) +
         term(leaving_b, weights_.volumes[b] - gained, rounding) - term(a) - term(b);
}

}  // namespace repsc
