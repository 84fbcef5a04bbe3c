// R-PP: Definition 4.1 of Gupta and Dukkipati, NeurIPS 2022.
//
//   P(A_ij = 1) = p: same cluster,  linked in R      r: same cluster,  not linked in R
//                 q: other cluster, linked in R      s: other cluster, not linked in R
//
// Pairs not linked in R are nearly all pairs, so they are not listed: successes of r and s are
// drawn among all pairs, and those that turn out to be linked in R are dropped. As p, q >= r >= s
// this draws no more than the final number of edges, in expectation.
#include <utility>

#include "models/checks.hpp"
#include "models/edge_sampling.hpp"
#include "models/node_order.hpp"
#include "repsc/models.hpp"

namespace repsc {
namespace {

// "rpp" in ASCII: another family of streams than the other samplers', so that R and G from the same
// seed are independent.
constexpr std::uint64_t rpp_streams = 0x727070;

/// The position of each node in `order`.
std::vector<Index> positions_in(const std::vector<Index>& order) {
  std::vector<Index> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    position[static_cast<std::size_t>(order[i])] = static_cast<Index>(i);
  }
  return position;
}

}  // namespace

Graph sample_rpp(const Graph& R, const Labels& clusters, const RppProbabilities& probabilities,
                 std::uint64_t seed) {
  require_ordered(probabilities);
  require_labels(clusters, "clusters");
  require(clusters.size() == static_cast<std::size_t>(R.num_nodes()), "clusters: ", clusters.size(),
          " labels for a representation graph with ", R.num_nodes(), " nodes");
  const auto [p, q, r, s] = probabilities;
  const auto cluster = [&](Index node) { return clusters[static_cast<std::size_t>(node)]; };

  const std::vector<Index> order =
      sorted_nodes(clusters.size(), [&](Index u, Index v) { return cluster(u) < cluster(v); });
  const std::vector<Index> position = positions_in(order);
  const std::vector<Index> cluster_end =
      run_ends(order, [&](Index u, Index v) { return cluster(u) == cluster(v); });
  const double same = pairs_within(cluster_end);
  require_storable(p * static_cast<double>(R.num_edges()) + r * same +
                   s * (all_pairs(clusters.size()) - same));

  const Trials same_cluster(r);
  const Trials other_cluster(s);
  const auto draw_row = [&](Index i, RandomStream& stream, std::vector<Index>& partners) {
    const Index u = order[static_cast<std::size_t>(i)];
    const Index end = cluster_end[static_cast<std::size_t>(i)];
    for (const Index v : R.neighbors(u)) {
      if (position[static_cast<std::size_t>(v)] <= i) continue;
      const double linked = cluster(u) == cluster(v) ? probabilities.p : probabilities.q;
      if (stream.uniform() < linked) partners.push_back(v);
    }
    const auto link_if_not_in_R = [&](Index j) {
      const Index v = order[static_cast<std::size_t>(j)];
      if (!R.has_edge(u, v)) partners.push_back(v);
    };
    same_cluster.run(i + 1, end, stream, link_if_not_in_R);
    other_cluster.run(end, R.num_nodes(), stream, link_if_not_in_R);
  };
  return sample_graph(order, SelfLoops::drop, seed ^ rpp_streams, draw_row);
}

Graph sample_rpp_groups(const Labels& groups, const Labels& clusters,
                        const RppProbabilities& probabilities, std::uint64_t seed) {
  require_ordered(probabilities);
  require_labels(groups, "groups");
  require_labels(clusters, "clusters");
  require(groups.size() == clusters.size(), "groups of ", groups.size(), " nodes, clusters of ",
          clusters.size());
  const auto [p, q, r, s] = probabilities;
  const auto cluster = [&](Index node) { return clusters[static_cast<std::size_t>(node)]; };
  const auto group = [&](Index node) { return groups[static_cast<std::size_t>(node)]; };
  const auto same_cluster = [&](Index u, Index v) { return cluster(u) == cluster(v); };
  const auto same_group = [&](Index u, Index v) { return group(u) == group(v); };
  const auto same_cell = [&](Index u, Index v) { return same_cluster(u, v) && same_group(u, v); };

  // A cell is the nodes of one cluster and one group. In order of cluster, then group, a node is
  // followed by the rest of its cell (p), the rest of its cluster (r) and other clusters (s, but q
  // for its own group). Those with q are scattered there. In order of group, then cluster, they
  // follow the cell up to the end of the group.
  const std::vector<Index> order = sorted_nodes(groups.size(), [&](Index u, Index v) {
    return std::pair(cluster(u), group(u)) < std::pair(cluster(v), group(v));
  });
  const std::vector<Index> by_group = sorted_nodes(groups.size(), [&](Index u, Index v) {
    return std::pair(group(u), cluster(u)) < std::pair(group(v), cluster(v));
  });
  const std::vector<Index> cell_end = run_ends(order, same_cell);
  const std::vector<Index> cluster_end = run_ends(order, same_cluster);
  const std::vector<Index> cell_end_by_group = run_ends(by_group, same_cell);
  const std::vector<Index> group_end = run_ends(by_group, same_group);
  const std::vector<Index> position_by_group = positions_in(by_group);

  const double cell_pairs = pairs_within(cell_end);
  const double cluster_pairs = pairs_within(cluster_end);
  const double group_pairs = pairs_within(group_end);
  require_storable(p * cell_pairs + q * (group_pairs - cell_pairs) +
                   r * (cluster_pairs - cell_pairs) +
                   s * (all_pairs(groups.size()) - cluster_pairs - group_pairs + cell_pairs));

  const Trials with_p(p);
  const Trials with_q(q);
  const Trials with_r(r);
  const Trials with_s(s);
  const auto N = static_cast<Index>(order.size());
  const auto draw_row = [&](Index i, RandomStream& stream, std::vector<Index>& partners) {
    const auto row = static_cast<std::size_t>(i);
    const Index u = order[row];
    const auto link = [&](Index j) { partners.push_back(order[static_cast<std::size_t>(j)]); };
    with_p.run(i + 1, cell_end[row], stream, link);
    with_r.run(cell_end[row], cluster_end[row], stream, link);
    with_s.run(cluster_end[row], N, stream, [&](Index j) {
      const Index v = order[static_cast<std::size_t>(j)];
      if (!same_group(u, v)) partners.push_back(v);
    });
    const auto at = static_cast<std::size_t>(position_by_group[static_cast<std::size_t>(u)]);
    with_q.run(cell_end_by_group[at], group_end[at], stream,
               [&](Index j) { partners.push_back(by_group[static_cast<std::size_t>(j)]); });
  };
  return sample_graph(order, SelfLoops::drop, seed ^ rpp_streams, draw_row);
}

}  // namespace repsc
