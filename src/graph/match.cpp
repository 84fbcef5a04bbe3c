// Two graphs matched by node name; induced subgraphs.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/text.hpp"
#include "graph/at.hpp"
#include "graph/names.hpp"
#include "graph/rearrange.hpp"

namespace repsc {
namespace {

constexpr Index none = -1;

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
  // Common names are then a shift by one node, and the intersection would hide that.
  if (counted_differently(G, R)) {
    const bool zero = G.find("0").has_value();
    throw InvalidInput(Fault{
        .what = fmt::format("the similarity graph counts its nodes from {}, the representation "
                            "graph from {}, so equal numbers are different nodes",
                            zero ? 0 : 1, zero ? 1 : 0),
        .option = "nodes",
        .value = "strict",
        .remedies = {{Remedy::Action::use, "nodes", "rows"}, advice("renumber one of the files")}});
  }
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

// Node numbers from 0 or from 1: the first is the first, whatever its number.
MatchedGraphs match_rows(const Graph& similarity, const Graph& representation) {
  const auto first = [](const NodeNames& names, const char* which) {
    const auto number = numbered_from(names);
    require_option(number.has_value(), "nodes", "rows", "the nodes of the ", which,
                   " graph are not the numbers 0 to N-1 or 1 to N");
    return *number;
  };
  const NodeNames& G = similarity.names();
  const NodeNames& R = representation.names();
  const Index shift = first(R, "representation") - first(G, "similarity");
  require_option(G.size() == R.size(), "nodes", "rows", "the similarity graph has ", G.size(),
                 " nodes, the representation graph has ", R.size());
  std::vector<Index> sources;
  sources.reserve(at(G.size()));
  for (Index node = 0; node < G.size(); ++node) {
    std::int64_t number = 0;
    const std::string name = G[node];
    std::from_chars(name.data(), name.data() + name.size(), number);
    sources.push_back(R.find(std::to_string(number + shift)).value_or(none));
  }
  return {similarity, rearranged(representation, sources, false, G)};
}

}  // namespace

NodeOverlap overlap(const NodeNames& first, const NodeNames& second) {
  NodeOverlap result;
  result.only_first = static_cast<Index>(nodes_without(first, second).size());
  result.common = first.size() - result.only_first;
  result.only_second = second.size() - result.common;
  result.counted_differently = counted_differently(first, second);
  return result;
}

MatchedGraphs match_graphs(const Graph& similarity, const Graph& representation, NodeMatch match,
                           SelfLoops self_loops) {
  const NodeNames& G = similarity.names();
  const NodeNames& R = representation.names();
  if (G == R) return {similarity, representation};
  if (match == NodeMatch::rows) return match_rows(similarity, representation);
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
    const NodeNames names{std::shared_ptr<const NodeNames::Table>(std::move(table))};
    return {rearranged(similarity, in_G, false, names),
            rearranged(representation, in_R, self_loops == SelfLoops::add, names)};
  }
  const bool all = in_G.size() == static_cast<std::size_t>(G.size());
  const NodeNames names = all ? G : subset(G, in_G);
  return {all ? similarity : rearranged(similarity, in_G, false, names),
          rearranged(representation, in_R, false, names)};
}

Graph induced_subgraph(const Graph& graph, const std::vector<bool>& keep) {
  require(keep.size() == at(graph.num_nodes()), "keep: ", keep.size(), " values but ",
          graph.num_nodes(), " nodes");
  std::vector<Index> kept;
  for (Index node = 0; node < graph.num_nodes(); ++node) {
    if (keep[at(node)]) kept.push_back(node);
  }
  if (kept.size() == keep.size()) return graph;
  return rearranged(graph, kept, false, subset(graph.names(), kept));
}

}  // namespace repsc
