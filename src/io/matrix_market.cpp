// MatrixMarket coordinate files (https://math.nist.gov/MatrixMarket/formats.html): sparse matrices
// of pattern, real or integer values, general or symmetric. Nodes are named 1, 2, ...
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/text.hpp"
#include "graph/build.hpp"
#include "io/formats.hpp"
#include "io/lines.hpp"
#include "io/parsed_edges.hpp"
#include "io/text_writer.hpp"

namespace repsc {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Reads the first line; returns whether entries have a value.
bool read_banner(LineReader& lines) {
  const auto line = lines.next();
  if (!line || line->empty()) lines.fail_file("no edges found: the file is empty");
  std::string_view rest = *line;
  if (lower(next_field(rest)) != "%%matrixmarket") {
    lines.fail("expected a MatrixMarket header but found " + in_quotes(*line),
               {advice("read a plain list of edges as an edge list")});
  }
  const std::string object = lower(next_field(rest));
  const std::string layout = lower(next_field(rest));
  const std::string values = lower(next_field(rest));
  const std::string symmetry = lower(next_field(rest));
  if (object != "matrix")
    lines.fail("found a MatrixMarket " + in_quotes(object) + " but a matrix is needed");
  if (layout != "coordinate") {
    lines.fail("layout " + in_quotes(layout) + " but only coordinate (sparse) matrices are graphs");
  }
  if (values != "pattern" && values != "real" && values != "integer") {
    lines.fail("values " + in_quotes(values) + " but only pattern, real and integer are supported");
  }
  if (symmetry != "general" && symmetry != "symmetric") {
    lines.fail("symmetry " + in_quotes(symmetry) + " but only general and symmetric are supported");
  }
  return values != "pattern";
}

bool is_data(std::string_view text) { return !text.empty() && text.front() != '%'; }

std::optional<std::string_view> next_data_line(LineReader& lines) {
  while (const auto line = lines.next()) {
    const std::string_view text = trimmed(*line);
    if (is_data(text)) return text;
  }
  return std::nullopt;
}

struct Size {
  std::uint64_t num_nodes = 0;
  std::uint64_t num_entries = 0;
};

Size read_size(LineReader& lines) {
  const auto line = next_data_line(lines);
  if (!line) lines.fail_file("no edges found: the line `rows columns entries` is missing");
  std::string_view rest = *line;
  const auto rows = parse_count(next_field(rest));
  const auto columns = parse_count(next_field(rest));
  const auto entries = parse_count(next_field(rest));
  if (!rows || !columns || !entries || !trimmed(rest).empty()) {
    lines.fail("expected `rows columns entries` but found " + in_quotes(*line));
  }
  if (*rows != *columns) {
    lines.fail(
        fmt::format("{} rows and {} columns but a graph needs a square matrix", *rows, *columns));
  }
  require_countable(*rows, lines.where(lines.number()));
  return {*rows, *entries};
}

Index read_node(std::string_view& rest, const Size& size, const LineReader& lines) {
  const std::string_view field = next_field(rest);
  const auto number = parse_count(field);
  if (!number || *number < 1 || *number > size.num_nodes) {
    lines.fail(fmt::format("node {} but nodes are numbered from 1 to {}", in_quotes(field),
                           size.num_nodes));
  }
  return static_cast<Index>(*number - 1);
}

// The plain lines at the front of a text.
void parse_entries(std::string_view text, const PlainLineStyle& style, ParsedEdges& part) {
  parse_plain_lines(text, style, part, [&](std::span<const NodeText> nodes) {
    for (std::size_t i = 0; i < nodes.size(); i += 2) {
      part.edges.push_back(
          {static_cast<Index>(nodes[i].number - 1), static_cast<Index>(nodes[i + 1].number - 1)});
    }
  });
}

}  // namespace

BuiltGraph read_matrix_market(const std::string& path, const ReadOptions& options,
                              std::size_t chunk_bytes) {
  LineReader lines(path, options.progress);
  const bool values = read_banner(lines);
  const Size size = read_size(lines);
  constexpr std::uint64_t largest_plain = 999'999'999;
  const PlainLineStyle style{
      .weights = values,
      .smallest = 1,
      .largest = static_cast<std::uint32_t>(std::min(size.num_nodes, largest_plain)),
      .longest_line = lines.limit()};
  EdgeStore edges(sort_on_disk(options));
  std::uint64_t count = 0;
  const auto parse = [&](std::string_view text, ParsedEdges& part) {
    parse_entries(text, style, part);
  };
  const auto add_parts = [&](std::span<ParsedEdges> parts) {
    std::uint64_t entries = 0;
    for (const ParsedEdges& part : parts) entries += part.edges.size();
    if (entries > size.num_entries - count) return false;
    count += entries;
    store_edges(parts, edges, [](ParsedEdges&) {});
    return true;
  };
  const auto add_line = [&](std::string_view line) {
    const std::string_view text = trimmed(line);
    if (!is_data(text)) return;
    if (++count > size.num_entries) {
      lines.fail(fmt::format("more than the {} entries that the header states", size.num_entries));
    }
    std::string_view rest = text;
    const Index row = read_node(rest, size, lines);
    const Index column = read_node(rest, size, lines);
    if (values) {
      edges.add(row, column, lines.weight(next_field(rest)));
    } else {
      edges.add(row, column);
    }
    if (!trimmed(rest).empty()) lines.fail("more columns than expected in " + in_quotes(text));
  };
  read_plain_lines<ParsedEdges>(lines, chunk_bytes, parse, add_parts, add_line);
  if (count < size.num_entries) {
    lines.fail_file(
        fmt::format("the header states {} entries but the file has {} (is it truncated?)",
                    size.num_entries, count));
  }
  require_plausible_size(size.num_nodes, edges.size(), lines.name());
  return assemble(NodeNames(static_cast<Index>(size.num_nodes), 1), std::move(edges),
                  options.self_loops, lines.name())
      .built;
}

void write_matrix_market(const Graph& graph, const std::string& path, const NamesMark& mark) {
  TextWriter out(path);
  out.print("%%MatrixMarket matrix coordinate {} symmetric\n",
            graph.weighted() ? "real" : "pattern");
  if (mark.any()) out.print("{}{}\n", names_comment, mark.word());
  out.print("{} {} {}\n", graph.num_nodes(), graph.num_nodes(), graph.num_edges());
  for (Index u = 0; u < graph.num_nodes(); ++u) {  // the format stores the lower triangle
    const auto row = graph.neighbors(u);
    const auto weights = graph.weights(u);
    for (std::size_t i = 0; i < row.size() && row[i] <= u; ++i) {
      out.print("{} {}", u + 1, row[i] + 1);
      if (!weights.empty()) out.print(" {}", weights[i]);
      out.print("\n");
    }
  }
  out.commit();
}

}  // namespace repsc
