// Metrics as JSON, the same in every report.
#include "report/metrics_json.hpp"

namespace repsc {
namespace {

using Json = nlohmann::ordered_json;

Json cluster_fairness_json(const std::optional<ClusterFairness>& cluster) {
  if (!cluster) return nullptr;
  return {{"balance", cluster->balance},
          {"relative_balance", cluster->relative_balance},
          {"largest_deviation", cluster->largest_deviation},
          {"smallest_ratio", cluster->smallest_ratio},
          {"largest_ratio", cluster->largest_ratio}};
}

Json group_fairness_json(const std::optional<GroupFairness>& groups) {
  if (!groups) return nullptr;
  Json clusters = Json::array();
  for (const auto& cluster : groups->clusters) clusters.push_back(cluster_fairness_json(cluster));
  return {{"average", groups->average},
          {"minimum", groups->minimum},
          {"relative_average", groups->relative_average},
          {"relative_minimum", groups->relative_minimum},
          {"best_possible", groups->best_possible},
          {"largest_deviation", groups->largest_deviation},
          {"smallest_ratio", groups->smallest_ratio},
          {"largest_ratio", groups->largest_ratio},
          {"groups", groups->num_groups},
          {"empty_clusters", groups->num_empty_clusters},
          {"clusters", std::move(clusters)}};
}

}  // namespace

Json metrics_json(const Metrics& metrics) {
  return {{"ratio_cut", metrics.ratio_cut},
          {"normalized_cut", metrics.normalized_cut},
          {"average_balance", metrics.average_balance},
          {"minimum_balance", metrics.minimum_balance},
          {"cluster_sizes", metrics.cluster_sizes},
          {"constraint_residual", metrics.constraint_residual},
          {"average_proportional_balance", metrics.average_proportional_balance},
          {"minimum_proportional_balance", metrics.minimum_proportional_balance},
          {"balance_counts", metrics.counting == Counting::links ? "links" : "weights"},
          {"modularity", metrics.modularity},
          {"internal_edge_share", metrics.internal_edge_share},
          {"conductance", metrics.conductance},
          {"cluster_internal_shares", metrics.cluster_internal_shares},
          {"group_balance", group_fairness_json(metrics.group_fairness)}};
}

}  // namespace repsc
