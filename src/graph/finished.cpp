// Checks whether the arrays of a matrix are a valid graph, row by row.
#include "graph/finished.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "graph/row_storage.hpp"

namespace repsc {
namespace {

struct Summary {
  bool fine = true;
  bool all_one = true;
  Offset loops = 0;
  std::uint64_t balance[2] = {0, 0};  // sum of fingerprints above the diagonal minus those below

  Summary& operator+=(const Summary& other) {
    fine = fine && other.fine;
    all_one = all_one && other.all_one;
    loops += other.loops;
    for (int i = 0; i < 2; ++i) balance[i] += other.balance[i];
    return *this;
  }
};

bool offsets_fit(const CsrArrays& arrays) {
  const std::span<const Offset> offsets = arrays.offsets;
  return !offsets.empty() && offsets.front() == 0 &&
         offsets.back() == static_cast<Offset>(arrays.neighbors.size()) &&
         std::is_sorted(offsets.begin(), offsets.end()) &&
         (arrays.weights.empty() || arrays.weights.size() == arrays.neighbors.size());
}

class Rows {
 public:
  explicit Rows(const Graph& graph) : graph_(graph) {}

  [[nodiscard]] Summary summary() const {
    const RowPass pass(graph_, row_grain);
    std::vector<Summary> parts(static_cast<std::size_t>(pass.num_ranges()));
    parallel_chunks(pass.num_ranges(), [&](std::int64_t turn) {
      const RowPass::Range range = pass.begin(turn);
      Summary& part = parts[static_cast<std::size_t>(turn)];
      for_rows(graph_, range.begin, range.end, [&](const RowTile& rows) {
        for (auto u = static_cast<Index>(rows.begin); u < rows.end && part.fine; ++u) {
          add_row(u, rows.neighbors(u), rows.weights(u), part);
        }
      });
      pass.end(range);
    });
    Summary all;
    for (const Summary& part : parts) all += part;
    return all;
  }

 private:
  void add_row(Index u, std::span<const Index> row, std::span<const double> weights,
               Summary& result) const {
    if (row.empty()) return;
    const bool ascending =
        std::adjacent_find(row.begin(), row.end(), std::greater_equal<>()) == row.end();
    if (!ascending || row.front() < 0 || row.back() >= graph_.num_nodes()) {
      result.fine = false;
      return;
    }
    for (const double value : weights) {
      if (!(value > 0) || !std::isfinite(value)) result.fine = false;
      if (value != 1) result.all_one = false;
    }
    // Below the diagonal, then above: the same pair has the same fingerprint in both.
    const auto diagonal =
        static_cast<std::size_t>(std::lower_bound(row.begin(), row.end(), u) - row.begin());
    const bool loop = diagonal < row.size() && row[diagonal] == u;
    const std::size_t after = diagonal + static_cast<std::size_t>(loop);
    result.loops += static_cast<Offset>(loop);
    const auto node = static_cast<std::uint64_t>(u);
    const auto part = [&](std::size_t first, std::size_t last) {
      return Part{row.data() + first, weights.empty() ? nullptr : weights.data() + first,
                  last - first};
    };
    const Fingerprints above = sum_of_fingerprints(part(after, row.size()), node << 32U, 0);
    const Fingerprints below = sum_of_fingerprints(part(0, diagonal), node, 32);
    for (int i = 0; i < 2; ++i) result.balance[i] += above.sums[i] - below.sums[i];
  }

  struct Part {
    const Index* columns;
    const double* weights;  // null: all 1
    std::size_t size;
  };

  struct Fingerprints {
    std::uint64_t sums[2];
  };

  // Of the pairs `fixed | column << shift`.
  static Fingerprints sum_of_fingerprints(const Part& part, std::uint64_t fixed, unsigned shift) {
    std::uint64_t sum = 0;
    std::uint64_t other_sum = 0;
    for (std::size_t i = 0; i < part.size; ++i) {
      std::uint64_t state = fixed | (static_cast<std::uint64_t>(part.columns[i]) << shift);
      if (part.weights != nullptr)
        state = splitmix64(state) ^ std::bit_cast<std::uint64_t>(part.weights[i]);
      const std::uint64_t fingerprint = splitmix64(state);
      sum += fingerprint;
      // A second, independent hash of the same bits, so that an asymmetric matrix passes only if
      // both sums agree by chance.
      other_sum += (fingerprint ^ (fingerprint >> 29U)) * 0x94d049bb133111ebULL;
    }
    return {{sum, other_sum}};
  }

  const Graph& graph_;
};

}  // namespace

std::optional<RowFacts> check_rows(const Graph& graph) {
  const Summary summary = Rows(graph).summary();
  if (!summary.fine || summary.balance[0] != 0 || summary.balance[1] != 0) return std::nullopt;
  return RowFacts{summary.loops, summary.all_one};
}

std::optional<Graph> view_graph(const CsrArrays& arrays, SelfLoops self_loops) {
  constexpr auto most_nodes = static_cast<std::size_t>(std::numeric_limits<Index>::max());
  require(arrays.offsets.size() <= most_nodes + 1, "graph: ", arrays.offsets.size() - 1,
          " nodes but at most ", most_nodes);
  if (!offsets_fit(arrays)) return std::nullopt;
  const auto num_nodes = static_cast<Index>(arrays.offsets.size() - 1);
  const NodeNames names(num_nodes, 0);
  const std::optional<RowFacts> facts =
      check_rows(Graph(arrays.offsets, arrays.neighbors, arrays.weights, arrays.owner, names, 0));
  if (!facts) return std::nullopt;
  const bool loops_fit =
      self_loops == SelfLoops::keep || (self_loops == SelfLoops::drop && facts->self_loops == 0) ||
      (self_loops == SelfLoops::add && facts->self_loops == num_nodes && facts->all_one);
  if (!loops_fit) return std::nullopt;
  const std::span<const double> weights =
      facts->all_one ? std::span<const double>() : arrays.weights;
  return Graph(arrays.offsets, arrays.neighbors, weights, arrays.owner, names, facts->self_loops);
}

std::optional<Graph> finished_graph(MatrixArrays&& arrays, SelfLoops self_loops) {
  const auto owner = std::make_shared<MatrixArrays>(std::move(arrays));
  std::optional<Graph> graph =
      view_graph({owner->offsets, owner->columns, owner->weights, owner}, self_loops);
  // Weights that are all 1 are freed.
  if (graph && !graph->weighted()) std::vector<double>().swap(owner->weights);
  return graph;
}

}  // namespace repsc
