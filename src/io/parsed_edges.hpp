// Edges of a part of a file, between parsing it and storing them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/parallel.hpp"
#include "graph/edge_store.hpp"
#include "graph/names.hpp"
#include "io/plain_lines.hpp"

namespace repsc {

struct ParsedEdges {
  std::vector<Edge> edges;      ///< -1 - i in place of a node: new_names.names[i]
  std::vector<double> weights;  ///< as long as `edges`, or empty without a third column
  NewNames new_names;
  std::size_t bytes = 0;  ///< of the lines parsed, comments and empty lines among them
  std::int64_t lines = 0;

  void clear() {
    edges.clear();
    weights.clear();
    new_names.clear();
  }
};

/// Edges that are parsed before their nodes are found.
constexpr std::size_t edges_at_once = 256;

/// Parses the plain lines at the front of a text. add_edges(nodes) adds edges to `part`, from the
/// first node to the second, from the third to the fourth, ...
template <typename AddEdges>
void parse_plain_lines(std::string_view text, const PlainLineStyle& style, ParsedEdges& part,
                       const AddEdges& add_edges) {
  part.clear();
  PlainLineParser lines(text, style);
  std::array<NodeText, 2 * edges_at_once> nodes;
  std::array<double, edges_at_once> weights;
  for (std::size_t count = edges_at_once; count == edges_at_once;) {
    count = lines.next(nodes.data(), weights.data(), edges_at_once);
    add_edges(std::span<const NodeText>(nodes.data(), 2 * count));
    if (style.weights)
      part.weights.insert(part.weights.end(), weights.data(), weights.data() + count);
  }
  part.bytes = lines.bytes();
  part.lines = lines.lines();
}

inline void store_edges(const ParsedEdges& part, EdgeStore& store) {
  for (std::size_t i = 0; i < part.edges.size(); ++i) {
    if (part.weights.empty()) {
      store.add(part.edges[i].from, part.edges[i].to);
    } else {
      store.add(part.edges[i].from, part.edges[i].to, part.weights[i]);
    }
  }
}

/// Adds the edges of all parts in their order, after finish(part) for each, on all threads.
template <typename Finish>
void store_edges(std::span<ParsedEdges> parts, EdgeStore& store, const Finish& finish) {
  if (parts.size() == 1) {
    finish(parts.front());
    store_edges(parts.front(), store);
    return;
  }
  constexpr std::size_t at_once = 4;  // fewer and larger parts of the store
  std::vector<EdgeStore> stores((parts.size() + at_once - 1) / at_once);
  parallel_chunks(static_cast<std::int64_t>(stores.size()), [&](std::int64_t chunk) {
    const std::size_t first = static_cast<std::size_t>(chunk) * at_once;
    for (std::size_t i = first; i < std::min(first + at_once, parts.size()); ++i) {
      finish(parts[i]);
      store_edges(parts[i], stores[static_cast<std::size_t>(chunk)]);
    }
  });
  for (EdgeStore& part : stores) store.append(std::move(part));
}

}  // namespace repsc
