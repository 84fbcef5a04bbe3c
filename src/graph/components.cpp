// Connected components: all threads unite nodes with their neighbours.
#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include "graph/at.hpp"
#include "graph/row_storage.hpp"

namespace repsc {
namespace {

/// Sets of nodes, each with a tree whose root is its smallest node. Several threads may unite sets
/// at the same time: parents only fall, and in the end the trees are the same.
class Forest {
 public:
  explicit Forest(Index num_nodes) : parent_(at(num_nodes)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  [[nodiscard]] Index root(Index node) {
    for (;;) {
      const Index parent = load(node);
      const Index above = load(parent);
      if (parent == above) return parent;
      // Halves the path. If another thread has lowered the parent meanwhile, this would raise it.
      Index expected = parent;
      cell(node).compare_exchange_weak(expected, above, std::memory_order_relaxed);
      node = above;
    }
  }

  void unite(Index u, Index v) {
    for (;;) {
      u = root(u);
      v = root(v);
      if (u == v) return;
      if (u < v) std::swap(u, v);
      Index expected = u;  // still a root?
      if (cell(u).compare_exchange_strong(expected, v, std::memory_order_relaxed)) return;
    }
  }

  /// The root of the most nodes, if one of a few nodes belongs to them.
  [[nodiscard]] Index common_root() {
    constexpr std::size_t sample = 1024;
    std::vector<Index> roots;
    const std::size_t step = std::max<std::size_t>(1, parent_.size() / sample);
    for (std::size_t i = 0; i < parent_.size(); i += step) {
      roots.push_back(root(static_cast<Index>(i)));
    }
    std::sort(roots.begin(), roots.end());
    const Index* best = roots.data();
    std::ptrdiff_t most = 0;
    for (auto begin = roots.begin(); begin != roots.end();) {
      const auto end = std::upper_bound(begin, roots.end(), *begin);
      if (end - begin > most) {
        most = end - begin;
        best = &*begin;
      }
      begin = end;
    }
    return *best;
  }

  /// Marks the nodes of other trees than that of a root.
  [[nodiscard]] std::vector<char> outside(Index of) {
    std::vector<char> others(parent_.size());
    parallel_ranges(std::ssize(parent_), row_grain, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = static_cast<Index>(begin); i < end; ++i) others[at(i)] = root(i) != of ? 1 : 0;
    });
    return others;
  }

  /// Numbered in the order of their first nodes.
  [[nodiscard]] Labels numbers() {
    Labels number(parent_.size());
    Label count = 0;
    for (std::size_t i = 0; i < parent_.size(); ++i) {
      const Index first = root(static_cast<Index>(i));
      number[i] = at(first) == i ? count++ : number[at(first)];
    }
    return number;
  }

 private:
  [[nodiscard]] std::atomic_ref<Index> cell(Index node) {
    return std::atomic_ref<Index>(parent_[at(node)]);
  }
  [[nodiscard]] Index load(Index node) { return cell(node).load(std::memory_order_relaxed); }

  std::vector<Index> parent_;
};

/// Unites nodes with their neighbours: the first two of each, or all of the nodes that are marked.
void unite_rows(const Graph& graph, Forest& forest, const std::vector<char>& marked) {
  constexpr std::size_t few = 2;
  parallel_rows(graph, 8 * rows_per_place, [&](const RowTile& rows) {
    for (auto u = static_cast<Index>(rows.begin); u < rows.end; ++u) {
      if (!marked.empty() && marked[at(u)] == 0) continue;
      const std::span<const Index> row = rows.neighbors(u);
      const std::size_t count = marked.empty() ? std::min(few, row.size()) : row.size();
      for (const Index v : row.first(count)) forest.unite(u, v);
    }
  });
}

}  // namespace

// A few edges of each node connect nearly all of a large component (Sutton, Ben-Nun and Barak,
// IPDPS 2018). The rows of its nodes need not be read again: an edge to a node outside of it is in
// the row of that node as well.
Labels connected_components(const Graph& graph) {
  if (graph.num_nodes() == 0) return {};
  Forest forest(graph.num_nodes());
  unite_rows(graph, forest, {});
  const std::vector<char> others = forest.outside(forest.common_root());
  if (std::find(others.begin(), others.end(), 1) != others.end()) {
    unite_rows(graph, forest, others);
  }
  return forest.numbers();
}

}  // namespace repsc
