// Graphs from the layers of a multiplex file: `layer u v [w]`, one line per arc.
//
//   W[u][v]  sum of the weights of the lines `u v` in one layer, without self-loops
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "core/parallel.hpp"
#include "core/text.hpp"
#include "graph/names.hpp"
#include "io/lines.hpp"
#include "repsc/representation.hpp"

namespace repsc {
namespace {

using Range = std::pair<Index, Index>;

std::string describe(const Range& range) {
  return range.first == range.second ? fmt::format("{}", range.first)
                                     : fmt::format("{}-{}", range.first, range.second);
}

std::optional<Index> parse_layer(std::string_view text) {
  const std::optional<std::uint64_t> value = parse_count(text);
  if (!value || *value > static_cast<std::uint64_t>(std::numeric_limits<Index>::max())) return {};
  return static_cast<Index>(*value);
}

[[noreturn]] void refuse_layers(const std::string& whole, const std::string& what) {
  throw InvalidInput(Fault{.what = what,
                           .option = "layers",
                           .value = whole,
                           .remedies = {advice("write 7 or 1-182, or several joined by commas")}});
}

Range parse_range(std::string_view text, const std::string& whole) {
  const std::size_t dash = text.find('-');
  const auto first = parse_layer(trimmed(text.substr(0, dash)));
  const auto last =
      dash == std::string_view::npos ? first : parse_layer(trimmed(text.substr(dash + 1)));
  if (!first || !last) {
    refuse_layers(whole, joined(in_quotes(trimmed(text)),
                                " is not a layer or a range of layers, numbered up to ",
                                std::numeric_limits<Index>::max()));
  }
  require_option(*first <= *last, "layers", whole, "the range ", describe({*first, *last}),
                 " ends before it begins");
  return {*first, *last};
}

struct Arc {
  Index layer;
  Index from;
  Index to;
  double weight;
};

// The nodes and layers of the whole file, and the arcs of the chosen layers.
struct Multiplex {
  std::shared_ptr<NodeNames::Table> names = std::make_shared<NodeNames::Table>();
  std::set<Index> layers;
  std::vector<Arc> arcs;
};

bool chosen(const MultiplexOptions& options, Index layer) {
  return options.layers.empty() ||
         std::any_of(options.layers.begin(), options.layers.end(), [&](const Range& range) {
           return range.first <= layer && layer <= range.second;
         });
}

// The fields of a line: `layer u v` and perhaps a weight, between blanks, tabs or commas.
std::vector<std::string_view> cut_line(std::string& line) {
  std::replace(line.begin(), line.end(), ',', ' ');
  std::vector<std::string_view> fields;
  std::string_view rest = line;
  for (auto field = next_field(rest); !field.empty(); field = next_field(rest)) {
    fields.push_back(field);
  }
  return fields;
}

Multiplex read_multiplex(const std::string& path, const MultiplexOptions& options) {
  Multiplex file;
  LineReader lines(path);
  std::string copy;
  bool first = true;
  while (const auto line = lines.next()) {
    copy = *line;
    const std::vector<std::string_view> fields = cut_line(copy);
    if (fields.empty() || fields[0].starts_with('#') || fields[0].starts_with('%')) continue;
    const std::optional<Index> layer = parse_layer(fields[0]);
    const bool header = first && !layer && !parse_number(fields[0]);
    first = false;
    if (header) continue;
    if (fields.size() != 3 && fields.size() != 4) {
      lines.fail(
          fmt::format("{} fields, but a line is `layer u v` or `layer u v w`", fields.size()));
    }
    if (!layer)
      lines.fail("layer " + in_quotes(fields[0]) + " is not a whole number of at least 0");
    const double weight = fields.size() == 4 ? lines.weight(fields[3]) : 1;
    const Index from = file.names->insert(fields[1]);
    const Index to = file.names->insert(fields[2]);
    file.layers.insert(*layer);
    // A weight of 0 only names the nodes, as in an edge list.
    if (weight > 0 && chosen(options, *layer)) file.arcs.push_back({*layer, from, to, weight});
  }
  if (file.layers.empty()) lines.fail_file("no line `layer u v`");
  return file;
}

void require_layers(const Multiplex& file, const MultiplexOptions& options,
                    const std::string& path) {
  const auto require_present = [&](bool present, const Range& range) {
    if (present) return;
    throw InvalidInput(Fault{
        .what =
            joined("layer ", describe(range), " is not in the file, which has ", file.layers.size(),
                   " layers from ", *file.layers.begin(), " to ", *file.layers.rbegin()),
        .option = "layers",
        .value = describe(range),
        .where = path});
  };
  for (const Range& range : options.layers) {
    for (const Index bound : {range.first, range.second}) {
      require_present(*file.layers.begin() <= bound && bound <= *file.layers.rbegin(),
                      {bound, bound});
    }
    const auto next = file.layers.lower_bound(range.first);
    require_present(next != file.layers.end() && *next <= range.second, range);
  }
}

// Nodes in order of their names: whole numbers by value, before words by their letters.
struct NameOrder {
  std::vector<Index> nodes;
  bool all_numbers = true;
};

NameOrder order_names(const NodeNames::Table& names) {
  NameOrder order;
  std::vector<std::optional<std::uint64_t>> numbers;
  for (Index node = 0; node < names.size(); ++node) {
    numbers.push_back(parse_count(names[node]));
    order.all_numbers = order.all_numbers && numbers.back().has_value();
    order.nodes.push_back(node);
  }
  std::sort(order.nodes.begin(), order.nodes.end(), [&](Index a, Index b) {
    const auto& x = numbers[static_cast<std::size_t>(a)];
    const auto& y = numbers[static_cast<std::size_t>(b)];
    const std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
    return std::tuple(!x, x.value_or(last), names[a]) < std::tuple(!y, y.value_or(last), names[b]);
  });
  return order;
}

std::vector<Index> inverse(const std::vector<Index>& order) {
  std::vector<Index> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[static_cast<std::size_t>(order[i])] = static_cast<Index>(i);
  }
  return place;
}

// Joins arcs of one layer with the same ends, by `join` of their weights, in the order they come.
template <typename Join>
void join_arcs(std::vector<Arc>& arcs, const Join& join) {
  std::stable_sort(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) {
    return std::tie(a.from, a.to) < std::tie(b.from, b.to);
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    if (kept > 0 && arcs[kept - 1].from == arcs[i].from && arcs[kept - 1].to == arcs[i].to) {
      arcs[kept - 1].weight = join(arcs[kept - 1].weight, arcs[i].weight);
    } else {
      arcs[kept++] = arcs[i];
    }
  }
  arcs.resize(kept);
}

// From W as arcs to volumes: an arc from u to v says how near v is to u.
void rank_by(Volume volume, std::vector<Arc>& arcs) {
  const std::size_t count = arcs.size();
  if (volume == Volume::sum || volume == Volume::larger) {
    for (std::size_t i = 0; i < count; ++i) {
      arcs.push_back({arcs[i].layer, arcs[i].to, arcs[i].from, arcs[i].weight});
    }
  } else if (volume == Volume::incoming) {
    for (Arc& arc : arcs) std::swap(arc.from, arc.to);
  }
  if (volume == Volume::larger) {
    join_arcs(arcs, [](double a, double b) { return std::max(a, b); });
  } else {
    join_arcs(arcs, std::plus<>());
  }
}

// The arcs from each node to its `nearest` partners in one layer.
std::vector<Edge> nearest_partners(std::vector<Arc> arcs, const MultiplexOptions& options,
                                   const std::vector<Index>& name_place) {
  join_arcs(arcs, std::plus<>());
  rank_by(options.volume, arcs);
  const auto nearer = [&](const Arc& a, const Arc& b) {
    return a.weight != b.weight ? a.weight > b.weight
                                : name_place[static_cast<std::size_t>(a.to)] <
                                      name_place[static_cast<std::size_t>(b.to)];
  };
  std::vector<Edge> edges;
  for (auto row = arcs.begin(); row != arcs.end();) {
    const auto end =
        std::find_if(row, arcs.end(), [&](const Arc& arc) { return arc.from != row->from; });
    const auto last = row + std::min<std::ptrdiff_t>(options.nearest, end - row);
    std::partial_sort(row, last, end, nearer);
    for (auto arc = row; arc != last; ++arc) edges.push_back({arc->from, arc->to});
    row = end;
  }
  return edges;
}

// The links of all chosen layers: each arc, or the nearest partners layer by layer. Self-loops of
// the data are not partners; build_graph() drops or keeps them.
std::vector<Edge> link_layers(std::vector<Arc> arcs, const MultiplexOptions& options,
                              const std::vector<Index>& name_place) {
  std::vector<Edge> edges;
  if (options.nearest == 0) {
    for (const Arc& arc : arcs) edges.push_back({arc.from, arc.to});
    return edges;
  }
  for (const Arc& arc : arcs) {
    if (arc.from == arc.to) edges.push_back({arc.from, arc.to});
  }
  std::erase_if(arcs, [](const Arc& arc) { return arc.from == arc.to; });
  std::stable_sort(arcs.begin(), arcs.end(),
                   [](const Arc& a, const Arc& b) { return a.layer < b.layer; });
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    if (i == 0 || arcs[i].layer != arcs[i - 1].layer) begins.push_back(i);
  }
  begins.push_back(arcs.size());

  std::vector<std::vector<Edge>> by_layer(begins.size() - 1);
  parallel_chunks(static_cast<std::int64_t>(by_layer.size()), [&](std::int64_t layer) {
    const auto at = [&](std::int64_t l) {
      return arcs.begin() + static_cast<std::ptrdiff_t>(begins[static_cast<std::size_t>(l)]);
    };
    by_layer[static_cast<std::size_t>(layer)] =
        nearest_partners({at(layer), at(layer + 1)}, options, name_place);
  });
  for (const auto& layer : by_layer) edges.insert(edges.end(), layer.begin(), layer.end());
  return edges;
}

}  // namespace

Graph graph_from_multiplex(const std::string& path, const MultiplexOptions& options) {
  require_option(options.nearest >= 0, "nearest", options.nearest,
                 "it must be 0 (all edges) or a number of partners");
  Multiplex file = read_multiplex(path, options);
  require_layers(file, options, path);

  const NameOrder order = order_names(*file.names);
  const std::vector<Index> name_place = inverse(order.nodes);
  std::vector<Edge> edges = link_layers(std::move(file.arcs), options, name_place);
  NodeNames names(file.names);
  if (order.all_numbers) {
    names = subset(names, order.nodes);
    for (Edge& edge : edges) {
      edge = {name_place[static_cast<std::size_t>(edge.from)],
              name_place[static_cast<std::size_t>(edge.to)]};
    }
  }
  return build_graph(std::move(names), std::move(edges), {}, options.self_loops).graph;
}

std::vector<Range> parse_layers(const std::string& text) {
  if (trimmed(text).empty()) refuse_layers(text, "no layer is given");
  std::vector<Range> ranges;
  std::string_view rest = text;
  for (;;) {
    const std::size_t comma = rest.find(',');
    ranges.push_back(parse_range(rest.substr(0, comma), text));
    if (comma == std::string_view::npos) return ranges;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace repsc
