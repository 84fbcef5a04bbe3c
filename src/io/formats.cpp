// Reading and writing graphs: which format a file has, and what all formats check.
#include <fmt/format.h>

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "graph/rearrange.hpp"
#include "io/formats.hpp"
#include "io/lines.hpp"

namespace repsc {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Endings of other formats for graphs and tables: reading or writing an edge list under such a name
// is a mistake.
constexpr std::array<const char*, 26> not_supported = {
    ".gml", ".graphml", ".gexf", ".json", ".xml", ".net",  ".dot",     ".gv",    ".pajek",
    ".dl",  ".mat",     ".h5",   ".hdf5", ".pkl", ".xlsx", ".xls",     ".ods",   ".parquet",
    ".npy", ".rds",     ".rda",  ".zip",  ".bz2", ".xz",   ".feather", ".pickle"};

BuiltGraph read_with(GraphFormat format, const std::string& path, const ReadOptions& options) {
  switch (format) {
    case GraphFormat::matrix_market:
      return read_matrix_market(path, options);
    case GraphFormat::metis:
      return read_metis(path, options);
    case GraphFormat::npz:
      return read_npz(path, options);
    case GraphFormat::rgraph:
      return read_rgraph(path, options);
    case GraphFormat::edge_list:
      break;
  }
  return read_edge_list(path, options);
}

void write_with(GraphFormat format, const Graph& graph, const std::string& path,
                const NamesMark& mark) {
  switch (format) {
    case GraphFormat::matrix_market:
      return write_matrix_market(graph, path, mark);
    case GraphFormat::metis:
      return write_metis(graph, path, mark);
    case GraphFormat::npz:
      return write_npz(graph, path, mark);
    case GraphFormat::rgraph:
    case GraphFormat::edge_list:
      break;
  }
  write_edge_list(graph, path);
}

// Formats that have names for their nodes, so that there is no file of names beside them.
bool has_names(GraphFormat format) {
  return format == GraphFormat::edge_list || format == GraphFormat::rgraph;
}

// Files that can be opened twice and have others beside them: no pipe, no device.
bool is_regular(const std::string& path) {
  struct stat info {};
  return path != "-" && ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

// The same graph with other names, without copying its arrays.
Graph renamed(const Graph& graph, NodeNames names) {
  return {graph.offsets(), graph.neighbors(), graph.weights(), std::make_shared<Graph>(graph),
          std::move(names)};
}

GraphFormat chosen(std::optional<GraphFormat> format, const std::string& path) {
  return format ? *format : format_of_path(path);
}

}  // namespace

GraphFormat format_of_path(const std::string& path) {
  std::string name = lower_case(path);
  const bool compressed = name.ends_with(".gz");
  if (compressed) name.resize(name.size() - 3);
  if (name.ends_with(".mtx")) return GraphFormat::matrix_market;
  if (name.ends_with(".graph") || name.ends_with(".metis")) return GraphFormat::metis;
  if (name.ends_with(".npz")) {
    if (compressed) {
      throw InvalidInput(Fault{.what = "an .npz file is compressed already",
                               .remedies = {advice("use the ending .npz")},
                               .where = path});
    }
    return GraphFormat::npz;
  }
  if (name.ends_with(".rgraph")) {
    if (compressed) {
      throw InvalidInput(Fault{.what = "an .rgraph file is mapped into memory as it is",
                               .remedies = {advice("use the ending .rgraph; unpack the file if it "
                                                   "is compressed")},
                               .where = path});
    }
    return GraphFormat::rgraph;
  }
  for (const char* ending : not_supported) {
    if (!name.ends_with(ending)) continue;
    throw InvalidInput(Fault{
        .what = fmt::format("files that end in {} are not supported; supported are edge lists "
                            "(.txt, .csv, .tsv), MatrixMarket .mtx, METIS .graph, SciPy .npz and "
                            ".rgraph",
                            ending),
        .remedies = {advice("convert the file to one of these, for example with NetworkX, igraph "
                            "or Gephi")},
        .where = path});
  }
  return GraphFormat::edge_list;
}

void require_countable(std::uint64_t num_nodes, const std::string& where) {
  require_file(num_nodes > 0, where, "no edges found: the file has 0 nodes");
  require_file(num_nodes <= static_cast<std::uint64_t>(std::numeric_limits<Index>::max()), where,
               num_nodes, " nodes but at most ", std::numeric_limits<Index>::max(),
               " are possible");
}

std::optional<SortOnDisk> sort_on_disk(const ReadOptions& options) {
  if (!options.memory) return std::nullopt;
  constexpr std::int64_t least = std::int64_t{1} << 20U;
  require_option(*options.memory >= least, "memory", *options.memory,
                 "it is a number of bytes, at least 2^20");
  return SortOnDisk{*options.memory, options.scratch_folder};
}

void require_plausible_size(std::uint64_t num_nodes, Offset num_entries,
                            const std::string& source) {
  constexpr std::uint64_t always_fine = std::uint64_t{1} << 20U;
  constexpr std::uint64_t per_entry = 64;
  if (num_nodes <= always_fine + per_entry * static_cast<std::uint64_t>(num_entries)) return;
  throw InvalidInput(
      Fault{.what = joined(num_nodes, " nodes but only ", num_entries,
                           " entries, so nearly all nodes would be isolated"),
            .remedies = {advice("if that is intended, write the edges as an edge list, which names "
                                "only nodes that have edges")},
            .where = source});
}

NamesMark read_text_mark(const std::string& path) {
  constexpr int most_lines = 20;
  LineReader lines(path);
  for (int i = 0; i < most_lines; ++i) {
    const auto line = lines.next();
    if (!line || !line->starts_with('%')) break;
    if (!line->starts_with(names_comment)) continue;
    return NamesMark::of_word(std::string(line->substr(std::string_view(names_comment).size())));
  }
  return {};
}

BuiltGraph read_graph(const std::string& path, const ReadOptions& options) {
  const GraphFormat format = chosen(options.format, path);
  BuiltGraph built = read_with(format, path, options);
  if (has_names(format) || !is_regular(path)) return built;
  const NamesMark mark = format == GraphFormat::npz ? read_npz_mark(path) : read_text_mark(path);
  if (auto names = names_beside(path, mark, built.graph.num_nodes())) {
    built.graph = renamed(built.graph, std::move(*names));
  }
  return built;
}

void write_graph(const Graph& graph, const std::string& path, std::optional<GraphFormat> format,
                 Neighbors neighbors) {
  require_file(graph.num_nodes() > 0, path, "a graph without nodes cannot be written");
  const GraphFormat kind = chosen(format, path);
  require_option<InvalidOptions>(neighbors == Neighbors::plain || kind == GraphFormat::rgraph,
                                 "compress", "", "only an .rgraph file can be written so");
  if (kind == GraphFormat::rgraph) return write_rgraph(graph, path, neighbors);
  if (kind == GraphFormat::edge_list) return write_edge_list(graph, path);
  const NodeNames& names = graph.names();
  const Index own = kind == GraphFormat::npz ? 0 : 1;  // the number of the first row
  const std::optional<Index> first = numbered_from(names);
  struct stat info {};
  const bool beside = path != "-" && (::stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode));
  if (!first) {
    const NamesMark mark{.fingerprint = beside ? std::optional(fingerprint(names)) : std::nullopt};
    if (beside) write_names(names, path);
    return write_with(kind, graph, path, mark);
  }
  // Names that nobody gave are the row's numbers, in whatever format.
  const NamesMark mark{.first = *first == own || names.implied() ? std::nullopt : first};
  const std::vector<Index> order = order_by_number(names, *first);
  if (std::is_sorted(order.begin(), order.end())) {
    write_with(kind, graph, path, mark);
  } else {
    const NodeNames numbers(names.size(), *first);
    write_with(kind, rearranged(graph, order, false, numbers), path, mark);
  }
  if (beside) remove_names(path);
}

}  // namespace repsc
