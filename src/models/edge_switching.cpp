// Random regular graphs by edge switching.
//
// A switch takes two random edges a-b and c-d and makes them a-d and c-b, unless that gives a
// self-loop or an edge that is already there. Degrees never change, each switch is as likely as its
// reverse, and switches lead from any simple graph to any other of the same degrees (Ryser 1957 for
// bipartite graphs, Taylor 1981), so the uniform distribution is the limit. 10 switches per edge
// are tried, after which statistics of the graph no longer change (Milo et al. 2003; Ray, Pinar and
// Seshadhri 2012), and 100 more for very small graphs. The start is a circulant graph whose nodes
// were shuffled.
#include "models/edge_switching.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace repsc {
namespace {

/// A set of 64-bit keys with open addressing. Implemented here because std::unordered_set allocates
/// memory for each key; sampling 2 million edges took 7 times as long with it.
class EdgeSet {
 public:
  explicit EdgeSet(std::size_t max_size)
      : slots_(std::bit_ceil(2 * max_size + 2), empty),
        shift_(static_cast<unsigned>(std::countl_zero(slots_.size())) + 1) {}

  [[nodiscard]] bool contains(std::uint64_t key) const { return slots_[find(key)] == key; }
  void insert(std::uint64_t key) { slots_[find(key)] = key; }

  /// Closes the gap by moving later keys back, so that no search is ever cut short.
  void erase(std::uint64_t key) {
    std::size_t gap = find(key);
    for (std::size_t i = next(gap); slots_[i] != empty; i = next(i)) {
      const std::size_t from_home = distance(home(slots_[i]), i);
      if (from_home < distance(gap, i)) continue;
      slots_[gap] = slots_[i];
      gap = i;
    }
    slots_[gap] = empty;
  }

 private:
  static constexpr std::uint64_t empty = UINT64_MAX;

  /// Fibonacci hashing (Knuth, volume 3): the top bits of a multiple.
  [[nodiscard]] std::size_t home(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> shift_);
  }
  [[nodiscard]] std::size_t next(std::size_t i) const { return (i + 1) & (slots_.size() - 1); }
  [[nodiscard]] std::size_t distance(std::size_t from, std::size_t to) const {
    return (to - from) & (slots_.size() - 1);
  }
  [[nodiscard]] std::size_t find(std::uint64_t key) const {
    std::size_t i = home(key);
    while (slots_[i] != key && slots_[i] != empty) i = next(i);
    return i;
  }

  std::vector<std::uint64_t> slots_;
  unsigned shift_;
};

/// 0 .. n - 1 in random order (Fisher and Yates).
std::vector<Index> random_order(Index n, RandomStream& stream) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
  return order;
}

enum class Sides { one, two };

/// The key of an edge: in a graph that is not bipartite its ends have no order.
std::uint64_t key_of(Edge edge, Sides sides) {
  if (sides == Sides::one && edge.from > edge.to) std::swap(edge.from, edge.to);
  return (static_cast<std::uint64_t>(edge.from) << 32U) | static_cast<std::uint64_t>(edge.to);
}

void switch_edges(std::vector<Edge>& edges, Sides sides, RandomStream& stream) {
  if (edges.size() < 2) return;
  EdgeSet present(edges.size());
  for (const Edge& edge : edges) present.insert(key_of(edge, sides));

  const std::size_t tries = 10 * edges.size() + 100;
  for (std::size_t attempt = 0; attempt < tries; ++attempt) {
    Edge& first = edges[stream.below(edges.size())];
    Edge& second = edges[stream.below(edges.size())];
    // With one side of nodes, a-b with d-c is the other way to pair the four ends.
    const bool turned = sides == Sides::one && stream.below(2) == 1;
    const Edge other = turned ? Edge{second.to, second.from} : second;
    const Edge new_first{first.from, other.to};
    const Edge new_second{other.from, first.to};
    if (sides == Sides::one &&
        (new_first.from == new_first.to || new_second.from == new_second.to)) {
      continue;
    }
    // Switching two edges that share an end gives the same edges, which is detected here too.
    const std::uint64_t first_key = key_of(new_first, sides);
    const std::uint64_t second_key = key_of(new_second, sides);
    if (present.contains(first_key) || present.contains(second_key)) continue;

    present.erase(key_of(first, sides));
    present.erase(key_of(second, sides));
    present.insert(first_key);
    present.insert(second_key);
    first = new_first;
    second = new_second;
  }
}

}  // namespace

std::vector<Edge> random_regular_edges(Index n, Index degree, RandomStream& stream) {
  const std::vector<Index> node = random_order(n, stream);
  std::vector<Edge> edges;
  edges.reserve(static_cast<std::size_t>(n) * static_cast<std::size_t>(degree) / 2);
  const auto link = [&](Index i, Index step) {
    const auto j = static_cast<std::size_t>((std::int64_t{i} + step) % n);
    edges.push_back({node[static_cast<std::size_t>(i)], node[j]});
  };
  for (Index step = 1; step <= degree / 2; ++step) {
    for (Index i = 0; i < n; ++i) link(i, step);
  }
  if (degree % 2 == 1) {  // n is even: opposite nodes
    for (Index i = 0; i < n / 2; ++i) link(i, n / 2);
  }
  switch_edges(edges, Sides::one, stream);
  return edges;
}

std::vector<Edge> random_biregular_edges(Index n, Index degree, RandomStream& stream) {
  const std::vector<Index> left = random_order(n, stream);
  const std::vector<Index> right = random_order(n, stream);
  std::vector<Edge> edges;
  edges.reserve(static_cast<std::size_t>(n) * static_cast<std::size_t>(degree));
  for (Index step = 0; step < degree; ++step) {
    for (Index i = 0; i < n; ++i) {
      const auto j = static_cast<std::size_t>((std::int64_t{i} + step) % n);
      edges.push_back({left[static_cast<std::size_t>(i)], right[j]});
    }
  }
  switch_edges(edges, Sides::two, stream);
  return edges;
}

}  // namespace repsc
