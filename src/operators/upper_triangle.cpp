// A Laplacian without its penalty as a sparse matrix.
#include "operators/upper_triangle.hpp"

namespace repsc {

SparseColumns upper_triangle(const Laplacian& L, double sigma) {
  const Graph& graph = L.graph();
  const auto N = static_cast<std::size_t>(graph.num_nodes());
  const auto entries = static_cast<std::size_t>(graph.num_edges()) + N;
  SparseColumns M;
  M.starts.reserve(N + 1);
  M.rows.reserve(entries);
  M.values.reserve(entries);
  const bool symmetric = L.normalization() == Normalization::symmetric;
  M.starts.push_back(0);
  for (Index j = 0; j < graph.num_nodes(); ++j) {
    double diagonal = (symmetric ? 1 : L.degrees()[j]) + sigma;
    const auto neighbors = graph.neighbors(j);
    const auto weights = graph.weights(j);
    for (std::size_t e = 0; e < neighbors.size() && neighbors[e] <= j; ++e) {
      const Index i = neighbors[e];
      const double weight = weights.empty() ? 1 : weights[e];
      const double value = symmetric ? L.scale()[i] * weight * L.scale()[j] : weight;
      if (i == j) {
        diagonal -= value;
      } else {
        M.rows.push_back(i);
        M.values.push_back(-value);
      }
    }
    M.rows.push_back(j);
    M.values.push_back(diagonal);
    M.starts.push_back(static_cast<std::int64_t>(M.rows.size()));
  }
  return M;
}

}  // namespace repsc
