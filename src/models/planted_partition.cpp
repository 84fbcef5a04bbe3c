// Planted partitions: equal clusters, and edges that prefer nodes with the same label.
#include <utility>

#include "models/checks.hpp"
#include "models/edge_sampling.hpp"
#include "models/node_order.hpp"
#include "repsc/models.hpp"

namespace repsc {
namespace {

// "planted" in ASCII: another family of streams than the other samplers', so that R and G from the
// same seed are independent.
constexpr std::uint64_t planted_streams = 0x706c616e746564;

}  // namespace

Labels equal_clusters(Index num_nodes, int num_clusters) {
  require_clusters(num_nodes, num_clusters);
  Labels labels;
  labels.reserve(static_cast<std::size_t>(num_nodes));
  const Index smaller = num_nodes / num_clusters;
  const Index num_larger = num_nodes % num_clusters;
  for (Label k = 0; k < num_clusters; ++k) {
    const Index size = k < num_larger ? smaller + 1 : smaller;
    labels.insert(labels.end(), static_cast<std::size_t>(size), k);
  }
  return labels;
}

Graph sample_planted_partition(const Labels& labels, double within, double across,
                               std::uint64_t seed, SelfLoops self_loops) {
  require_probability(within, "within");
  require_probability(across, "across");
  require_labels(labels, "labels");
  const auto label = [&](Index node) { return labels[static_cast<std::size_t>(node)]; };

  // In this order the nodes after a node are first those of the same label, then all others.
  const std::vector<Index> order =
      sorted_nodes(labels.size(), [&](Index u, Index v) { return label(u) < label(v); });
  const std::vector<Index> label_end =
      run_ends(order, [&](Index u, Index v) { return label(u) == label(v); });
  const double same = pairs_within(label_end);
  require_storable(within * same + across * (all_pairs(labels.size()) - same));

  const Trials same_label(within);
  const Trials other_label(across);
  const auto N = static_cast<Index>(order.size());
  return sample_graph(order, self_loops, seed ^ planted_streams,
                      [&](Index i, RandomStream& stream, std::vector<Index>& partners) {
                        const auto link = [&](Index j) {
                          partners.push_back(order[static_cast<std::size_t>(j)]);
                        };
                        const Index end = label_end[static_cast<std::size_t>(i)];
                        same_label.run(i + 1, end, stream, link);
                        other_label.run(end, N, stream, link);
                      });
}

}  // namespace repsc
