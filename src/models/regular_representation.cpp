// R of Assumption 4.1: K x K random regular blocks.
//
//   n = N/K  nodes of a cluster            m = d/K  links of a node to each cluster
//
// The block of a cluster with itself is a random (m - 1)-regular graph and the self-loops; the
// block of two clusters is a random bipartite m-regular graph. Rows of the result have the same
// length and clusters are ranges of nodes, so each block can write its entries in place.
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "models/checks.hpp"
#include "models/edge_switching.hpp"
#include "repsc/models.hpp"

namespace repsc {
namespace {

// "regular" in ASCII: another family of streams than the other samplers', so that R and G from the
// same seed are independent.
constexpr std::uint64_t regular_streams = 0x726567756c6172;

struct Shape {
  Index n = 0;
  Index m = 0;
  Index degree = 0;

  /// For blocks that are more than half full the complement is drawn: each block has exactly one
  /// complement, and switches in a nearly full block would hardly ever succeed.
  [[nodiscard]] bool drawn_by_gaps() const { return m > n - m; }
  [[nodiscard]] Index row_length() const { return drawn_by_gaps() ? n - m : m; }

  /// The position of the m entries of node i of cluster `from` in cluster `to`.
  [[nodiscard]] std::size_t entries_of(Index i, Label from, Label to) const {
    const std::size_t row = static_cast<std::size_t>(from) * n + static_cast<std::size_t>(i);
    return row * static_cast<std::size_t>(degree) + static_cast<std::size_t>(to) * m;
  }
};

void require_feasible(Index num_nodes, int num_clusters, Index degree) {
  const Index N = num_nodes;
  const Index K = num_clusters;
  require_clusters(N, K);
  require_option(N % K == 0, "num_clusters", K, "it must divide the number of nodes, ", N,
                 ", because Assumption 4.1 needs clusters of equal size");
  require_option(degree >= K && degree <= N, "degree", degree,
                 "it must be from the number of clusters, ", K, ", to the number of nodes, ", N);
  require_option(degree % K == 0, "degree", degree, "it must be a multiple of the ", K,
                 " clusters, so that a node can have equally many neighbours in each");
  const Index n = N / K;
  const Index m = degree / K;
  require_storable(static_cast<double>(N) * degree / 2);
  if (n % 2 == 0 || m % 2 == 1) return;
  const auto use_degree = [](Index value) {
    return Remedy{Remedy::Action::use, "degree", std::to_string(value)};
  };
  std::vector<Remedy> remedies{advice("make the number of nodes per cluster even"),
                               use_degree(degree - K)};
  if (m < n) remedies.push_back(use_degree(degree + K));
  throw InvalidInput(Fault{.what = joined("no graph has ", n, " nodes (a cluster) that all have ",
                                          m - 1, " neighbours besides themselves: both are odd"),
                           .option = "degree",
                           .value = std::to_string(degree),
                           .remedies = std::move(remedies)});
}

/// Writes the entries of cluster `from` in cluster `to`, sorted; `links` are pairs of numbers
/// within the clusters, row_length() for each first number.
void write_block(const std::vector<Edge>& links, const Shape& shape, Label from, Label to,
                 std::vector<Index>& neighbors) {
  const auto length = static_cast<std::size_t>(shape.row_length());
  std::vector<Index> rows(static_cast<std::size_t>(shape.n) * length);
  std::vector<std::size_t> filled(static_cast<std::size_t>(shape.n), 0);
  for (const Edge& link : links) {
    const auto i = static_cast<std::size_t>(link.from);
    rows[i * length + filled[i]++] = link.to;
  }
  const Index first = to * shape.n;
  for (Index i = 0; i < shape.n; ++i) {
    const std::span row(rows.data() + static_cast<std::size_t>(i) * length, length);
    std::sort(row.begin(), row.end());
    auto out = neighbors.begin() + static_cast<std::ptrdiff_t>(shape.entries_of(i, from, to));
    if (!shape.drawn_by_gaps()) {
      std::transform(row.begin(), row.end(), out, [&](Index j) { return first + j; });
      continue;
    }
    auto gap = row.begin();
    for (Index j = 0; j < shape.n; ++j) {
      if (gap != row.end() && *gap == j) {
        ++gap;
      } else {
        *out++ = first + j;
      }
    }
  }
}

std::vector<Edge> reversed(std::vector<Edge> edges) {
  for (Edge& edge : edges) std::swap(edge.from, edge.to);
  return edges;
}

void sample_within(const Shape& shape, Label cluster, RandomStream& stream,
                   std::vector<Index>& neighbors) {
  // A self-loop always belongs to the block, never to its complement.
  const bool gaps = shape.drawn_by_gaps();
  std::vector<Edge> links =
      random_regular_edges(shape.n, gaps ? shape.row_length() : shape.row_length() - 1, stream);
  const std::vector<Edge> back = reversed(links);
  links.insert(links.end(), back.begin(), back.end());
  for (Index i = 0; i < (gaps ? 0 : shape.n); ++i) links.push_back({i, i});
  write_block(links, shape, cluster, cluster, neighbors);
}

void sample_between(const Shape& shape, Label a, Label b, RandomStream& stream,
                    std::vector<Index>& neighbors) {
  const std::vector<Edge> links = random_biregular_edges(shape.n, shape.row_length(), stream);
  write_block(links, shape, a, b, neighbors);
  write_block(reversed(links), shape, b, a, neighbors);
}

}  // namespace

Graph sample_regular_representation(Index num_nodes, int num_clusters, Index degree,
                                    std::uint64_t seed) {
  require_feasible(num_nodes, num_clusters, degree);
  const Shape shape{num_nodes / num_clusters, degree / num_clusters, degree};

  std::vector<Offset> offsets(static_cast<std::size_t>(num_nodes) + 1);
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<Offset>(i) * degree;
  std::vector<Index> neighbors(static_cast<std::size_t>(offsets.back()));

  parallel_chunks(std::int64_t{num_clusters} * num_clusters, [&](std::int64_t block) {
    const auto a = static_cast<Label>(block / num_clusters);
    const auto b = static_cast<Label>(block % num_clusters);
    if (a > b) return;
    RandomStream stream(seed ^ regular_streams, static_cast<std::uint64_t>(block));
    if (a == b) {
      sample_within(shape, a, stream, neighbors);
    } else {
      sample_between(shape, a, b, stream, neighbors);
    }
  });
  return {std::move(offsets), std::move(neighbors), {}, NodeNames(num_nodes, 1)};
}

}  // namespace repsc
