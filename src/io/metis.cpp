// METIS graph files (METIS manual 5.1, section 4.1): `n m [fmt [ncon]]`, then one line per node
// with its neighbours. Nodes are named 1, 2, ... A file in which an edge appears in only one of its
// two rows is refused as damaged. METIS has no self-loops; here a self-loop appears once in its row
// and counts as one edge.
#include <fmt/format.h>

#include "core/text.hpp"
#include "graph/build.hpp"
#include "io/formats.hpp"
#include "io/lines.hpp"
#include "io/text_writer.hpp"

namespace repsc {
namespace {

// The row of a node with many neighbours is one line, so lines may be long. Memory grows only with
// the actual length.
constexpr std::size_t longest_line = std::size_t{1} << 30U;

struct Header {
  std::uint64_t num_nodes = 0;
  std::uint64_t num_edges = 0;
  bool edge_weights = false;
  std::uint64_t numbers_to_skip = 0;  // a node's size and weights
};

// Blank lines are rows of nodes without neighbours, so only comments are skipped.
std::optional<std::string_view> next_row(LineReader& lines) {
  while (const auto line = lines.next()) {
    if (!line->starts_with('%')) return line;
  }
  return std::nullopt;
}

Header read_header(LineReader& lines) {
  std::optional<std::string_view> line = next_row(lines);
  while (line && trimmed(*line).empty()) line = next_row(lines);
  if (!line) lines.fail_file("no edges found");
  std::string_view rest = *line;
  const auto nodes = parse_count(next_field(rest));
  const auto edges = parse_count(next_field(rest));
  const std::string_view format = next_field(rest);
  const std::string_view constraints = next_field(rest);
  if (!nodes || !edges || !trimmed(rest).empty()) {
    lines.fail("expected a METIS header `nodes edges [format [weights]]` but found " +
               in_quotes(*line));
  }
  require_countable(*nodes, lines.where(lines.number()));
  if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos) {
    lines.fail("METIS format " + in_quotes(format) + " but it must be up to three digits 0 or 1");
  }
  const auto flag = [&](std::size_t from_right) {
    return format.size() > from_right && format[format.size() - 1 - from_right] == '1';
  };
  Header header{*nodes, *edges, flag(0), flag(2) ? 1U : 0U};
  if (flag(1)) {
    const auto count =
        constraints.empty() ? std::optional<std::uint64_t>(1) : parse_count(constraints);
    if (!count || *count > 1000) {
      lines.fail("number of node weights " + in_quotes(constraints) +
                 " but it must be between 0 and 1000");
    }
    header.numbers_to_skip += *count;
  }
  return header;
}

void read_row(std::string_view row, Index node, const Header& header, EdgeStore& edges,
              const LineReader& lines) {
  for (std::uint64_t i = 0; i < header.numbers_to_skip; ++i) {
    const std::string_view field = next_field(row);
    if (!parse_number(field)) {
      lines.fail(fmt::format("expected {} numbers for the size and weights of node {} but found {}",
                             header.numbers_to_skip, node + 1, in_quotes(field)));
    }
  }
  for (;;) {
    const std::string_view field = next_field(row);
    if (field.empty()) return;
    const auto number = parse_count(field);
    if (!number || *number < 1 || *number > header.num_nodes) {
      lines.fail(fmt::format("neighbour {} of node {} but nodes are numbered from 1 to {}",
                             in_quotes(field), node + 1, header.num_nodes));
    }
    const auto neighbor = static_cast<Index>(*number - 1);
    if (!header.edge_weights) {
      edges.add(node, neighbor);
      continue;
    }
    const std::string_view weight = next_field(row);
    if (weight.empty()) lines.fail(fmt::format("neighbour {} has no weight", in_quotes(field)));
    edges.add(node, neighbor, lines.weight(weight));
  }
}

void check_count(const Header& header, const EdgeStore& edges, const LineReader& lines) {
  std::uint64_t twice = 0;
  edges.visit([&](Index from, Index to, double) { twice += from == to ? 2 : 1; });
  if (twice % 2 == 0 && twice / 2 == header.num_edges) return;
  lines.fail_file(
      fmt::format("the header states {} edges but the rows have {} entries (each edge has two)",
                  header.num_edges, edges.size()));
}

}  // namespace

BuiltGraph read_metis(const std::string& path, const ReadOptions& options) {
  LineReader lines(path, options.progress, longest_line);
  const Header header = read_header(lines);
  EdgeStore edges(sort_on_disk(options));
  std::uint64_t node = 0;
  while (const auto row = next_row(lines)) {
    if (node == header.num_nodes) {
      if (trimmed(*row).empty()) continue;
      lines.fail(fmt::format("more than the {} nodes that the header states", header.num_nodes));
    }
    read_row(*row, static_cast<Index>(node++), header, edges, lines);
  }
  if (node < header.num_nodes) {
    lines.fail_file(
        fmt::format("the header states {} nodes but the file has {} rows (is it truncated?)",
                    header.num_nodes, node));
  }
  check_count(header, edges, lines);
  Assembled result = assemble(NodeNames(static_cast<Index>(header.num_nodes), 1), std::move(edges),
                              options.self_loops, lines.name());
  if (const auto pair = result.one_sided) {
    lines.fail_file(fmt::format(
        "node {0} lists {1} but node {1} does not list {0} (an edge must appear in both rows)",
        pair->from + 1, pair->to + 1));
  }
  return std::move(result.built);
}

void write_metis(const Graph& graph, const std::string& path, const NamesMark& mark) {
  TextWriter out(path);
  if (mark.any()) out.print("{}{}\n", names_comment, mark.word());
  out.print("{} {}{}\n", graph.num_nodes(), graph.num_edges(), graph.weighted() ? " 001" : "");
  for (Index u = 0; u < graph.num_nodes(); ++u) {
    const auto row = graph.neighbors(u);
    const auto weights = graph.weights(u);
    for (std::size_t i = 0; i < row.size(); ++i) {
      out.print("{}{}", i == 0 ? "" : " ", row[i] + 1);
      if (!weights.empty()) out.print(" {}", weights[i]);
    }
    out.print("\n");
  }
  out.commit();
}

}  // namespace repsc
