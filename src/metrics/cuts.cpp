// RCut and NCut, with the paper's Cut(X, Y) = 1/2 sum of A_ij over i in X, j in Y.
#include <vector>

#include "core/parallel.hpp"
#include "metrics/labels.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

constexpr std::int64_t grain = 1024;  // rows

// Sum over the entries of each row whose cluster differs from the row's own, added per cluster in
// the order of the rows. Without weights these are whole numbers and therefore exact.
std::vector<double> weight_leaving(const Graph& A, const Labels& labels, int num_clusters) {
  const auto N = static_cast<std::size_t>(A.num_nodes());
  std::vector<double> leaving(N, 0.0);
  parallel_ranges(A.num_nodes(), grain, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto neighbors = A.neighbors(i);
      const auto weights = A.weights(i);
      double sum = 0;
      for (std::size_t e = 0; e < neighbors.size(); ++e) {
        if (labels[static_cast<std::size_t>(neighbors[e])] == labels[at]) continue;
        sum += weights.empty() ? 1.0 : weights[e];
      }
      leaving[at] = sum;
    }
  });
  std::vector<double> result(static_cast<std::size_t>(num_clusters), 0.0);
  for (std::size_t i = 0; i < N; ++i) result[static_cast<std::size_t>(labels[i])] += leaving[i];
  return result;
}

std::vector<double> volumes(const Graph& A, const Labels& labels, int num_clusters) {
  const Vector degrees = A.degrees();
  std::vector<double> result(static_cast<std::size_t>(num_clusters), 0.0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    result[static_cast<std::size_t>(labels[i])] += degrees[static_cast<Eigen::Index>(i)];
  }
  return result;
}

template <typename Size>
double sum_of_ratios(const std::vector<double>& leaving, const std::vector<Size>& sizes) {
  double sum = 0;
  for (std::size_t k = 0; k < leaving.size(); ++k) {
    if (sizes[k] > 0) sum += 0.5 * leaving[k] / static_cast<double>(sizes[k]);
  }
  return sum;
}

}  // namespace

double ratio_cut(const Graph& similarity, const Labels& labels, int num_clusters) {
  check_labels(labels, similarity.num_nodes(), num_clusters, "label");
  return sum_of_ratios(weight_leaving(similarity, labels, num_clusters),
                       cluster_sizes(labels, num_clusters));
}

double normalized_cut(const Graph& similarity, const Labels& labels, int num_clusters) {
  check_labels(labels, similarity.num_nodes(), num_clusters, "label");
  return sum_of_ratios(weight_leaving(similarity, labels, num_clusters),
                       volumes(similarity, labels, num_clusters));
}

}  // namespace repsc
