#include "graph/sample.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "graph/at.hpp"
#include "graph/row_storage.hpp"

namespace repsc {
namespace {

constexpr std::int64_t sampled_rows = 8 * rows_per_place;  // of a range of a pass

class EdgeSample {
 public:
  explicit EdgeSample(int one_in)
      : limit_(std::numeric_limits<std::uint64_t>::max() / static_cast<std::uint64_t>(one_in)) {}

  [[nodiscard]] bool has(Index u, Index v) const {
    const auto smaller = static_cast<std::uint64_t>(std::min(u, v));
    std::uint64_t pair = smaller << 32U | static_cast<std::uint64_t>(std::max(u, v));
    return splitmix64(pair) <= limit_;
  }

 private:
  std::uint64_t limit_;
};

}  // namespace

Graph sampled_edges(const Graph& graph, int one_in) {
  const EdgeSample sample(one_in);
  std::vector<Offset> offsets(at(graph.num_nodes()) + 1);
  parallel_rows(graph, sampled_rows, [&](const RowTile& rows) {
    for (auto u = static_cast<Index>(rows.begin); u < rows.end; ++u) {
      const std::span<const Index> row = rows.neighbors(u);
      offsets[at(u) + 1] =
          std::count_if(row.begin(), row.end(), [&](Index v) { return sample.has(u, v); });
    }
  });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<Index> neighbors(static_cast<std::size_t>(offsets.back()));
  std::vector<double> weights(graph.weighted() ? neighbors.size() : 0);
  parallel_rows(graph, sampled_rows, [&](const RowTile& rows) {
    for (auto u = static_cast<Index>(rows.begin); u < rows.end; ++u) {
      const std::span<const Index> row = rows.neighbors(u);
      const std::span<const double> row_weights = rows.weights(u);
      auto place = static_cast<std::size_t>(offsets[at(u)]);
      for (std::size_t k = 0; k < row.size(); ++k) {
        if (!sample.has(u, row[k])) continue;
        neighbors[place] = row[k];
        if (!weights.empty()) weights[place] = row_weights[k];
        ++place;
      }
    }
  });
  return {std::move(offsets), std::move(neighbors), std::move(weights),
          NodeNames(graph.num_nodes(), 0)};
}

}  // namespace repsc
