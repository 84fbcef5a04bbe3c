// Finds the nodes of parsed lines: numbers in an array, names in the hash table.
#include "io/node_index.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "core/parallel.hpp"

namespace repsc {
namespace {

// The place of a name that is not known, as it is written to an edge.
Index add_new(const NodeText& node, const NodeNames::Table::Key& key, ParsedEdges& part) {
  std::vector<NewNames::Name>& names = part.new_names.names;
  names.push_back({node.text, node.length, node.number, key, -1});
  return -static_cast<Index>(names.size());
}

}  // namespace

NodeNames NodeIndex::take_names() {
  place_of_number_ = {};
  return NodeNames(std::shared_ptr<const NodeNames::Table>(std::move(names_)));
}

void NodeIndex::parse(std::string_view text, const PlainLineStyle& style, ParsedEdges& part) const {
  parse_plain_lines(text, style, part, [&](std::span<const NodeText> nodes) { find(nodes, part); });
  part.new_names.sort();
}

void NodeIndex::find(std::span<const NodeText> nodes, ParsedEdges& part) const {
  const std::size_t size = place_of_number_.size();
  if (std::any_of(nodes.begin(), nodes.end(),
                  [&](const NodeText& node) { return node.number >= size; })) {
    find_by_name(nodes, part);
    return;
  }
  const auto find_one = [&](const NodeText& node) {
    const Index found = place_of_number_[node.number] - 1;
    return found >= 0 ? found : add_new(node, NodeNames::Table::Key(node.view()), part);
  };
  for (std::size_t i = 0; i < nodes.size(); i += 2) {
    const Index from = find_one(nodes[i]);
    part.edges.push_back({from, find_one(nodes[i + 1])});
  }
}

void NodeIndex::find_by_name(std::span<const NodeText> nodes, ParsedEdges& part) const {
  std::array<NodeNames::Table::Key, 2 * edges_at_once> keys;
  std::array<Index, 2 * edges_at_once> found;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    keys[i] = NodeNames::Table::Key(nodes[i].view());
  }
  names_->find_usual(std::span(keys).first(nodes.size()), found.data());
  const auto find_one = [&](std::size_t i) {
    if (found[i] < 0) found[i] = names_->find(nodes[i].view(), keys[i]);
    return found[i] >= 0 ? found[i] : add_new(nodes[i], keys[i], part);
  };
  for (std::size_t i = 0; i < nodes.size(); i += 2) {
    const Index from = find_one(i);
    part.edges.push_back({from, find_one(i + 1)});
  }
}

void NodeIndex::store(std::span<ParsedEdges> parts, EdgeStore& edges, const std::string& source) {
  make_room(parts, edges.size());
  if (parts.size() == 1) {
    for (NewNames::Name& name : parts.front().new_names.names) {
      name.node = names_->insert(name.view(), source);
    }
  } else {
    std::vector<NewNames*> new_names;
    for (ParsedEdges& part : parts) new_names.push_back(&part.new_names);
    names_->insert_all(new_names, source);
  }
  store_edges(parts, edges, [&](ParsedEdges& part) { settle(part); });
}

// The array grows with the edges and with the numbers that it is needed for.
void NodeIndex::make_room(std::span<ParsedEdges> parts, Offset num_edges) {
  constexpr std::size_t always_small = std::size_t{1} << 20U;
  std::size_t limit = always_small + static_cast<std::size_t>(num_edges);
  for (const ParsedEdges& part : parts) limit += part.edges.size();
  std::vector<std::size_t> sizes(parts.size());
  parallel_chunks(static_cast<std::int64_t>(parts.size()), [&](std::int64_t part) {
    std::size_t& size = sizes[static_cast<std::size_t>(part)];
    for (const NewNames::Name& name : parts[static_cast<std::size_t>(part)].new_names.names) {
      if (name.number < limit) size = std::max(size, std::size_t{name.number} + 1);
    }
  });
  const std::size_t size = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  if (size <= place_of_number_.size()) return;
  Pages<Index> larger(std::min(limit, std::max(size, 2 * place_of_number_.size())));
  parallel_ranges(static_cast<std::int64_t>(place_of_number_.size()), 1 << 16,
                  [&](std::int64_t first, std::int64_t last) {
                    std::copy(place_of_number_.data() + first, place_of_number_.data() + last,
                              larger.data() + first);
                  });
  place_of_number_ = std::move(larger);
}

void NodeIndex::settle(ParsedEdges& part) {
  const std::vector<NewNames::Name>& names = part.new_names.names;
  if (names.empty()) return;
  for (const NewNames::Name& name : names) {
    if (name.number >= place_of_number_.size()) continue;
    // Other parts may write the same value.
    std::atomic_ref(place_of_number_[name.number]).store(name.node + 1, std::memory_order_relaxed);
  }
  const auto settled = [&](Index node) {
    return node >= 0 ? node : names[static_cast<std::size_t>(-1 - node)].node;
  };
  for (Edge& edge : part.edges) edge = {settled(edge.from), settled(edge.to)};
}

}  // namespace repsc
