// Fair clusters in ten lines: sample a representation graph R and a similarity graph G with planted
// clusters that R partly hides, then find the clusters.
#include <iostream>

#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "repsc/models.hpp"

int main() {
  const repsc::Labels truth = repsc::equal_clusters(600, 3);
  const repsc::Graph R = repsc::sample_regular_representation(600, 3, 30, /*seed=*/1);
  const repsc::Graph G = repsc::sample_rpp(R, truth, {.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1}, 2);
  const repsc::Clustering result = repsc::cluster(G, R, 3);
  std::cout << "accuracy " << repsc::accuracy(result.labels, truth) << ", average balance "
            << repsc::evaluate(G, R, result.labels, 3).average_balance << '\n';
}
