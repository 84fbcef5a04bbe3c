// Two graphs matched by node name; induced subgraphs.
#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "graph/names.hpp"

namespace repsc {
namespace {

constexpr Index none = -1;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The graph whose node i is node sources[i] of `graph`, or a new node if that is `none`; a new
// node gets a self-loop with `loops`. Nodes that are not in `sources` are dropped.
Graph rearrange(const Graph& graph, const std::vector<Index>& sources, bool loops,
                NodeNames names) {
  std::vector<Index> targets(at(graph.num_nodes()), none);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] != none) targets[at(sources[i])] = static_cast<Index>(i);
  }
  std::vector<Offset> offsets{0};
  offsets.reserve(sources.size() + 1);
  for (const Index source : sources) {
    Offset size = source == none && loops ? 1 : 0;
    if (source != none) {
      for (const Index neighbor : graph.neighbors(source)) size += targets[at(neighbor)] != none;
    }
    offsets.push_back(offsets.back() + size);
  }
  std::vector<Index> neighbors;
  std::vector<double> weights;
  neighbors.reserve(static_cast<std::size_t>(offsets.back()));
  if (graph.weighted()) weights.reserve(neighbors.capacity());
  std::vector<std::pair<Index, double>> row;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    row.clear();
    if (sources[i] == none) {
      if (loops) row.emplace_back(static_cast<Index>(i), 1.0);
    } else {
      const auto old = graph.neighbors(sources[i]);
      const auto values = graph.weights(sources[i]);
      for (std::size_t j = 0; j < old.size(); ++j) {
        const Index target = targets[at(old[j])];
        if (target != none) row.emplace_back(target, values.empty() ? 1.0 : values[j]);
      }
    }
    std::sort(row.begin(), row.end());
    for (const auto& [neighbor, weight] : row) {
      neighbors.push_back(neighbor);
      if (graph.weighted()) weights.push_back(weight);
    }
  }
  return {std::move(offsets), std::move(neighbors), std::move(weights), std::move(names)};
}

std::string first_names(const NodeNames& names, const std::vector<Index>& nodes) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(nodes.size(), 3); ++i) {
    text += (i == 0 ? "" : ", ") + in_quotes(names[nodes[i]]);
  }
  return text + (nodes.size() > 3 ? ", ..." : "");
}

std::vector<Index> nodes_without(const NodeNames& names, const NodeNames& others) {
  std::vector<Index> result;
  for (Index node = 0; node < names.size(); ++node) {
    if (!others.find(names[node])) result.push_back(node);
  }
  return result;
}

void require_same_nodes(const NodeNames& G, const NodeNames& R) {
  std::string text;
  const auto say = [&](const NodeNames& names, const NodeNames& others, const char* which) {
    const std::vector<Index> nodes = nodes_without(names, others);
    if (nodes.empty()) return;
    text += fmt::format("{}{} of {} nodes only in the {} graph ({})", text.empty() ? "" : ", ",
                        nodes.size(), names.size(), which, first_names(names, nodes));
  };
  say(G, R, "similarity");
  say(R, G, "representation");
  if (!text.empty()) {
    throw InvalidInput(Fault{.what = "the graphs have different nodes: " + text,
                             .option = "nodes",
                             .value = "strict",
                             .remedies = {{Remedy::Action::use, "nodes", "intersection"},
                                          {Remedy::Action::use, "nodes", "union"}}});
  }
}

}  // namespace

MatchedGraphs match_graphs(const Graph& similarity, const Graph& representation, NodeMatch match,
                           SelfLoops self_loops) {
  const NodeNames& G = similarity.names();
  const NodeNames& R = representation.names();
  if (G == R) return {similarity, representation};
  if (match == NodeMatch::strict) require_same_nodes(G, R);

  std::vector<Index> in_G;
  std::vector<Index> in_R;
  for (Index node = 0; node < G.size(); ++node) {
    const std::optional<Index> other = R.find(G[node]);
    if (!other && match == NodeMatch::intersection) continue;
    in_G.push_back(node);
    in_R.push_back(other.value_or(none));
  }
  const auto first_name = [](const NodeNames& names) {
    return names.size() > 0 ? in_quotes(names[0]) : "nothing";
  };
  require_option(match != NodeMatch::intersection || !in_G.empty(), "nodes", "intersection",
                 "the graphs have no node in common: the similarity graph begins with ",
                 first_name(G), ", the representation graph with ", first_name(R));
  if (match == NodeMatch::united) {
    auto table = std::make_shared<NodeNames::Table>();
    for (Index node = 0; node < G.size(); ++node) table->insert(G[node]);
    for (const Index node : nodes_without(R, G)) {
      table->insert(R[node]);
      in_G.push_back(none);
      in_R.push_back(node);
    }
    table->shrink();
    const NodeNames names{std::shared_ptr<const NodeNames::Table>(std::move(table))};
    return {rearrange(similarity, in_G, false, names),
            rearrange(representation, in_R, self_loops == SelfLoops::add, names)};
  }
  const bool all = in_G.size() == static_cast<std::size_t>(G.size());
  const NodeNames names = all ? G : subset(G, in_G);
  return {all ? similarity : rearrange(similarity, in_G, false, names),
          rearrange(representation, in_R, false, names)};
}

Graph induced_subgraph(const Graph& graph, const std::vector<bool>& keep) {
  require(keep.size() == at(graph.num_nodes()), "keep: ", keep.size(), " values but ",
          graph.num_nodes(), " nodes");
  std::vector<Index> kept;
  for (Index node = 0; node < graph.num_nodes(); ++node) {
    if (keep[at(node)]) kept.push_back(node);
  }
  if (kept.size() == keep.size()) return graph;
  return rearrange(graph, kept, false, subset(graph.names(), kept));
}

}  // namespace repsc
