// Checks of a finished matrix, row by row.
#include "graph/finished.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/parallel.hpp"
#include "core/random.hpp"

namespace repsc {
namespace {

constexpr std::int64_t grain = 4096;  // rows

struct Summary {
  bool fine = true;
  bool all_one = true;
  Offset loops = 0;
  std::uint64_t balance[2] = {0, 0};  // fingerprints above the diagonal less those below

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
  explicit Rows(const CsrArrays& arrays)
      : arrays_(arrays), num_nodes_(static_cast<Index>(arrays.offsets.size() - 1)) {}

  [[nodiscard]] Summary summary() const {
    return parallel_sum(num_nodes_, grain, Summary{}, [&](std::int64_t begin, std::int64_t end) {
      Summary result;
      for (auto u = static_cast<Index>(begin); u < end && result.fine; ++u) add_row(u, result);
      return result;
    });
  }

 private:
  void add_row(Index u, Summary& result) const {
    const auto begin = static_cast<std::size_t>(arrays_.offsets[static_cast<std::size_t>(u)]);
    const auto end = static_cast<std::size_t>(arrays_.offsets[static_cast<std::size_t>(u) + 1]);
    Index previous = -1;
    for (std::size_t i = begin; i < end; ++i) {
      const Index v = arrays_.neighbors[i];
      if (v <= previous || v >= num_nodes_) {
        result.fine = false;
        return;
      }
      previous = v;
      std::uint64_t weight = 0;
      if (!arrays_.weights.empty()) {
        const double value = arrays_.weights[i];
        if (!(value > 0) || !std::isfinite(value)) result.fine = false;
        if (value != 1) result.all_one = false;
        weight = std::bit_cast<std::uint64_t>(value);
      }
      if (v == u) {
        ++result.loops;
      } else {
        add_entry(u, v, weight, result);
      }
    }
  }

  static void add_entry(Index u, Index v, std::uint64_t weight, Summary& result) {
    std::uint64_t state = (static_cast<std::uint64_t>(std::min(u, v)) << 32U) |
                          static_cast<std::uint64_t>(std::max(u, v));
    if (weight != 0) state = splitmix64(state) ^ weight;
    for (std::uint64_t& balance : result.balance) {
      const std::uint64_t fingerprint = splitmix64(state);
      balance += u < v ? fingerprint : -fingerprint;
    }
  }

  const CsrArrays& arrays_;
  Index num_nodes_;
};

}  // namespace

std::optional<Graph> view_graph(const CsrArrays& arrays, SelfLoops self_loops) {
  if (!offsets_fit(arrays)) return std::nullopt;
  const Summary summary = Rows(arrays).summary();
  if (!summary.fine || summary.balance[0] != 0 || summary.balance[1] != 0) return std::nullopt;
  const auto num_nodes = static_cast<Index>(arrays.offsets.size() - 1);
  const bool loops_fit =
      self_loops == SelfLoops::keep || (self_loops == SelfLoops::drop && summary.loops == 0) ||
      (self_loops == SelfLoops::add && summary.loops == num_nodes && summary.all_one);
  if (!loops_fit) return std::nullopt;
  const std::span<const double> weights =
      summary.all_one ? std::span<const double>() : arrays.weights;
  return Graph(arrays.offsets, arrays.neighbors, weights, arrays.owner, NodeNames(num_nodes, 0));
}

std::optional<Graph> finished_graph(MatrixArrays&& arrays, SelfLoops self_loops) {
  const auto owner = std::make_shared<MatrixArrays>(std::move(arrays));
  const std::optional<Graph> graph =
      view_graph({owner->offsets, owner->columns, owner->weights, owner}, self_loops);
  // The memory of weights that are all 1 is given back.
  if (graph && !graph->weighted()) std::vector<double>().swap(owner->weights);
  return graph;
}

}  // namespace repsc
