// Exact nearest neighbours of table rows: a KD-tree per cell of equal categories (nanoflann).
//
// From a point, cells are searched in order of their category distance h, which is a lower bound of
// d^2 there, and then of their first node. The search ends as soon as no other cell can contain a
// nearer node. In small cells and in high dimensions, where a tree is slower, points are scanned.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <nanoflann.hpp>
#include <numeric>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "representation/checks.hpp"
#include "representation/points.hpp"
#include "repsc/representation.hpp"

namespace repsc {
namespace {

constexpr Index smallest_tree = 64;
constexpr std::size_t highest_tree_dimension = 20;
constexpr std::int64_t points_per_task = 64;

// Distances that agree to twelve digits count as equal, so that a tie in the data is a tie here,
// whatever the order of summation. Rounds to 40 bits; exact for whole numbers below 2^40.
double round_distance(double squared) {
  constexpr std::uint64_t dropped = 0xFFF;
  const auto bits = std::bit_cast<std::uint64_t>(squared);
  return std::bit_cast<double>((bits + (dropped + 1) / 2) & ~dropped);
}

// The nearest nodes met so far, by distance and then by number: a heap with the worst on top.
class NearestNodes {
 public:
  explicit NearestNodes(std::size_t capacity) : capacity_(capacity) { nodes_.reserve(capacity); }

  void clear() { nodes_.clear(); }
  [[nodiscard]] double worst() const {
    return nodes_.size() < capacity_ ? std::numeric_limits<double>::infinity()
                                     : nodes_.front().first;
  }
  /// Whether `node` at `distance` can no longer be among the nearest; nor can then a node that is
  /// farther away or has a larger number.
  [[nodiscard]] bool refuses(double distance, Index node) const {
    return nodes_.size() == capacity_ && nodes_.front() < std::pair(distance, node);
  }
  /// Offers nodes, ascending, that are all at `distance`.
  void offer(double distance, std::span<const Index> nodes) {
    for (const Index node : nodes) {
      if (refuses(distance, node)) return;
      if (nodes_.size() == capacity_) {
        std::pop_heap(nodes_.begin(), nodes_.end());
        nodes_.pop_back();
      }
      nodes_.emplace_back(distance, node);
      std::push_heap(nodes_.begin(), nodes_.end());
    }
  }
  /// Puts them in order, nearest first; clear() before the next offer.
  [[nodiscard]] std::span<const std::pair<double, Index>> sorted() {
    std::sort_heap(nodes_.begin(), nodes_.end());
    return nodes_;
  }

 private:
  std::size_t capacity_;
  std::vector<std::pair<double, Index>> nodes_;
};

// The interface that nanoflann needs for a cell: its points and distances of coordinates.
struct CellPoints {
  const MixedPoints& points;
  Index begin;
  Index end;

  [[nodiscard]] std::size_t kdtree_get_point_count() const {
    return static_cast<std::size_t>(end - begin);
  }
  [[nodiscard]] double kdtree_get_pt(std::size_t p, std::size_t column) const {
    return points.point(begin + static_cast<Index>(p))[column];
  }
  template <typename Box>
  bool kdtree_get_bbox(Box& /*box*/) const {
    return false;
  }
};

struct WeightedDistance {
  using ElementType = double;
  using DistanceType = double;
  const CellPoints& cell;

  explicit WeightedDistance(const CellPoints& points) : cell(points) {}
  [[nodiscard]] double evalMetric(const double* from, std::uint32_t p, std::size_t) const {
    return cell.points.numeric_distance(from, cell.begin + static_cast<Index>(p));
  }
  [[nodiscard]] double accum_dist(double a, double b, std::size_t column) const {
    return cell.points.weights[column] * ((a - b) * (a - b));
  }
};

// The result set of nanoflann's search. Its bound is slightly larger, so that rounding errors of
// the tree never drop a point, nor one at exactly the worst distance.
struct Collector {
  const CellPoints& cell;
  int category_distance;
  NearestNodes& nearest;

  bool addPoint(double numeric, std::uint32_t p) {
    nearest.offer(round_distance(numeric + category_distance),
                  cell.points.nodes_of(cell.begin + static_cast<Index>(p)));
    return true;
  }
  [[nodiscard]] double worstDist() const {
    const double worst = nearest.worst();
    if (worst == std::numeric_limits<double>::infinity()) return worst;
    return worst - category_distance + 1e-9 * worst + std::numeric_limits<double>::min();
  }
  [[nodiscard]] static bool full() { return true; }
  [[nodiscard]] static std::size_t size() { return 0; }
};

struct CellTree {
  CellPoints points;
  nanoflann::KDTreeSingleIndexAdaptor<WeightedDistance, CellPoints, -1, std::uint32_t> tree;

  CellTree(const MixedPoints& all, Index begin, Index end)
      : points{all, begin, end},
        tree(static_cast<int>(all.dimension()), points,
             nanoflann::KDTreeSingleIndexAdaptorParams(16)) {}
};

// All points, with a tree in each cell that is large enough.
class SearchableCells {
 public:
  explicit SearchableCells(const MixedPoints& points)
      : points_(points), trees_(static_cast<std::size_t>(points.num_cells())) {
    if (points.dimension() == 0 || points.dimension() > highest_tree_dimension) return;
    parallel_ranges(points.num_cells(), 16, [&](std::int64_t begin, std::int64_t end) {
      for (auto c = static_cast<std::size_t>(begin); c < static_cast<std::size_t>(end); ++c) {
        const Index first = points.cell_begins[c];
        const Index last = points.cell_begins[c + 1];
        if (last - first >= smallest_tree) {
          trees_[c] = std::make_unique<CellTree>(points, first, last);
        }
      }
    });
  }

  /// Offers to `nearest` the points of a cell that can be among the nearest of `from`.
  void search(Index cell, const double* from, int category_distance, NearestNodes& nearest) const {
    const auto c = static_cast<std::size_t>(cell);
    if (trees_[c]) {
      Collector collector{trees_[c]->points, category_distance, nearest};
      trees_[c]->tree.findNeighbors(collector, from, nanoflann::SearchParams());
      return;
    }
    for (Index p = points_.cell_begins[c]; p < points_.cell_begins[c + 1]; ++p) {
      nearest.offer(round_distance(points_.numeric_distance(from, p) + category_distance),
                    points_.nodes_of(p));
    }
  }

 private:
  const MixedPoints& points_;
  std::vector<std::unique_ptr<CellTree>> trees_;
};

// The cells by their category distance from one of them, in order of number within each.
class CellLevels {
 public:
  CellLevels(const MixedPoints& points, Index from) {
    std::vector<int> distances;
    points.category_distances(from, distances);
    begins_.assign(points.categories.size() + 2, 0);
    for (const int h : distances) ++begins_[static_cast<std::size_t>(h) + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    cells_.resize(distances.size());
    std::vector<std::size_t> next = begins_;
    for (std::size_t c = 0; c < distances.size(); ++c) {
      cells_[next[static_cast<std::size_t>(distances[c])]++] = static_cast<Index>(c);
    }
  }

  [[nodiscard]] int count() const { return static_cast<int>(begins_.size()) - 1; }
  [[nodiscard]] std::span<const Index> operator[](int h) const {
    const auto level = static_cast<std::size_t>(h);
    return std::span(cells_).subspan(begins_[level], begins_[level + 1] - begins_[level]);
  }

 private:
  std::vector<Index> cells_;
  std::vector<std::size_t> begins_;  ///< per level, where its cells start
};

void search_levels(const MixedPoints& points, const SearchableCells& cells,
                   const CellLevels& levels, Index p, NearestNodes& nearest) {
  for (int h = 0; h < levels.count() && h <= nearest.worst(); ++h) {
    for (const Index cell : levels[h]) {
      if (nearest.refuses(h, points.first_nodes[static_cast<std::size_t>(cell)])) break;
      cells.search(cell, points.point(p), h, nearest);
    }
  }
}

// Writes the num_neighbors edges of every node at point p to its place in `edges`.
void write_edges(const MixedPoints& points, Index p, std::size_t num_neighbors,
                 std::span<const std::pair<double, Index>> nearest, std::vector<Edge>& edges) {
  for (const Index node : points.nodes_of(p)) {
    auto place =
        edges.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(node) * num_neighbors);
    const auto end = place + static_cast<std::ptrdiff_t>(num_neighbors);
    // `nearest` has one node more than requested, because it may contain the node itself.
    for (const auto& [distance, neighbor] : nearest) {
      if (neighbor != node && place != end) *place++ = {node, neighbor};
    }
  }
}

std::vector<Edge> nearest_edges(const MixedPoints& points, std::size_t num_neighbors) {
  const SearchableCells cells(points);
  std::vector<Edge> edges(points.nodes.size() * num_neighbors);
  parallel_ranges(points.num_points(), points_per_task, [&](std::int64_t begin, std::int64_t end) {
    NearestNodes nearest(num_neighbors + 1);
    const auto after =
        std::upper_bound(points.cell_begins.begin(), points.cell_begins.end(), begin);
    auto cell = static_cast<Index>(after - points.cell_begins.begin()) - 1;
    CellLevels levels(points, cell);
    for (auto p = static_cast<Index>(begin); p < end; ++p) {
      if (p == points.cell_begins[static_cast<std::size_t>(cell) + 1]) {
        levels = CellLevels(points, ++cell);
      }
      nearest.clear();
      search_levels(points, cells, levels, p, nearest);
      write_edges(points, p, num_neighbors, nearest.sorted(), edges);
    }
  });
  return edges;
}

}  // namespace

Graph representation_from_neighbors(const Table& table, const NeighborOptions& options) {
  require_option(options.num_neighbors >= 1, "num_neighbors", options.num_neighbors,
                 "it must be at least 1");
  const Index num_nodes = table.names.size();
  require(num_nodes > 0, "the table has no rows");
  require_consistent(table);
  const Index num_neighbors = std::min<Index>(options.num_neighbors, num_nodes - 1);
  require_entries(num_nodes + 2 * static_cast<Offset>(num_nodes) * num_neighbors,
                  "the graph of nearest neighbours", {{Remedy::Action::lower, "num_neighbors"}});
  std::vector<Edge> edges =
      nearest_edges(mixed_points(table, options), static_cast<std::size_t>(num_neighbors));
  return build_graph(table.names, std::move(edges), {}, SelfLoops::add).graph;
}

}  // namespace repsc
