// Graphs that have no clusters, and graphs that plainly have.
#pragma once

#include <string>
#include <vector>

#include "repsc/graph.hpp"

namespace repsc::shapes {

inline Graph of_edges(Index num_nodes, std::vector<Edge> edges) {
  return build_graph(NodeNames(num_nodes, 1), std::move(edges), {}, SelfLoops::drop).graph;
}

inline Graph complete(Index N) {
  std::vector<Edge> edges;
  for (Index i = 0; i < N; ++i) {
    for (Index j = 0; j < i; ++j) edges.push_back({i, j});
  }
  return of_edges(N, std::move(edges));
}

inline Graph star(Index N) {
  std::vector<Edge> edges;
  for (Index i = 1; i < N; ++i) edges.push_back({0, i});
  return of_edges(N, std::move(edges));
}

inline Graph path(Index N, bool closed = false) {
  std::vector<Edge> edges;
  for (Index i = 1; i < N; ++i) edges.push_back({i - 1, i});
  if (closed) edges.push_back({N - 1, 0});
  return of_edges(N, std::move(edges));
}

/// Of a x b nodes; closed: a torus.
inline Graph grid(Index a, Index b, bool closed) {
  std::vector<Edge> edges;
  for (Index x = 0; x < a; ++x) {
    for (Index y = 0; y < b; ++y) {
      if (closed || x + 1 < a) edges.push_back({x * b + y, (x + 1) % a * b + y});
      if (closed || y + 1 < b) edges.push_back({x * b + y, x * b + (y + 1) % b});
    }
  }
  return of_edges(a * b, std::move(edges));
}

/// `count` cliques of `size` nodes; linked: each by one edge with the next.
inline Graph cliques(Index count, Index size, bool linked) {
  std::vector<Edge> edges;
  for (Index k = 0; k < count; ++k) {
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j < i; ++j) edges.push_back({k * size + i, k * size + j});
    }
    if (linked) edges.push_back({k * size, (k + 1) % count * size + 1});
  }
  return of_edges(count * size, std::move(edges));
}

}  // namespace repsc::shapes
