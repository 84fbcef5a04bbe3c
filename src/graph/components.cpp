// Connected components: from node to node where rows can be read in any order, else in passes.
#include <algorithm>
#include <numeric>
#include <vector>

#include "graph/row_storage.hpp"

#include "graph/at.hpp"

namespace repsc {
namespace {

Labels components_by_search(const Graph& graph) {
  constexpr Label unseen = -1;
  Labels component(static_cast<std::size_t>(graph.num_nodes()), unseen);
  std::vector<Index> open;
  Label count = 0;
  Index left = graph.num_nodes();  // a dense graph is seen long before all of its rows are read
  for (Index start = 0; start < graph.num_nodes() && left > 0; ++start) {
    if (component[at(start)] != unseen) continue;
    component[at(start)] = count;
    --left;
    open.push_back(start);
    while (!open.empty() && left > 0) {
      const Index node = open.back();
      open.pop_back();
      for (const Index next : graph.neighbors(node)) {
        if (component[at(next)] != unseen) continue;
        component[at(next)] = count;
        --left;
        open.push_back(next);
      }
    }
    ++count;
  }
  return component;
}

/// Sets of nodes, each with a tree whose root is its smallest node.
class Forest {
 public:
  explicit Forest(Index num_nodes) : parent_(at(num_nodes)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  [[nodiscard]] Index root(Index node) {
    while (parent_[at(node)] != node) {
      parent_[at(node)] = parent_[at(parent_[at(node)])];  // halves the path
      node = parent_[at(node)];
    }
    return node;
  }

  void unite(Index u, Index v) {
    u = root(u);
    v = root(v);
    parent_[at(std::max(u, v))] = std::min(u, v);
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

  /// The nodes of other trees than that of a root.
  [[nodiscard]] std::vector<bool> outside(Index of) {
    std::vector<bool> others(parent_.size());
    for (std::size_t i = 0; i < others.size(); ++i) others[i] = root(static_cast<Index>(i)) != of;
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
  std::vector<Index> parent_;
};

/// Unites nodes with their neighbours: the first two of each, or all of the nodes that are marked.
void unite_rows(const Graph& graph, Forest& forest, const std::vector<bool>& marked) {
  constexpr std::size_t few = 2;
  const RowPass pass(graph, 8 * rows_per_place);
  std::vector<std::vector<Edge>> found(static_cast<std::size_t>(pass.num_ranges()));
  const auto collect = [&](std::int64_t turn) {
    const RowPass::Range range = pass.begin(turn);
    std::vector<Edge>& edges = found[static_cast<std::size_t>(turn)];
    for_rows(graph, range.begin, range.end, [&](const RowTile& rows) {
      for (auto u = static_cast<Index>(rows.begin); u < rows.end; ++u) {
        const std::span<const Index> row = rows.neighbors(u);
        if (!marked.empty() && !marked[at(u)]) continue;
        const std::size_t count = marked.empty() ? std::min(few, row.size()) : row.size();
        for (const Index v : row.first(count)) edges.push_back({u, v});
      }
    });
    pass.end(range);
  };
  parallel_in_order(pass.num_ranges(), collect, [&](std::int64_t turn) {
    std::vector<Edge>& edges = found[static_cast<std::size_t>(turn)];
    for (const Edge& edge : edges) forest.unite(edge.from, edge.to);
    std::vector<Edge>().swap(edges);
  });
}

}  // namespace

// A few edges of each node connect nearly all of a large component (Sutton, Ben-Nun and Barak,
// IPDPS 2018). The rows of its nodes need not be read again: an edge to a node outside of it is in
// the row of that node as well.
Labels components_in_passes(const Graph& graph) {
  if (graph.num_nodes() == 0) return {};
  Forest forest(graph.num_nodes());
  unite_rows(graph, forest, {});
  const std::vector<bool> others = forest.outside(forest.common_root());
  if (std::find(others.begin(), others.end(), true) != others.end()) {
    unite_rows(graph, forest, others);
  }
  return forest.numbers();
}

Labels connected_components(const Graph& graph) {
  return graph.storage() != nullptr ? components_in_passes(graph) : components_by_search(graph);
}

}  // namespace repsc
