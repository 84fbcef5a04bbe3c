// Reading and writing graphs: which format a file has, and what all formats check.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "io/formats.hpp"

namespace repsc {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

GraphFormat format_of(const std::string& path) {
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
  return GraphFormat::edge_list;
}

struct Files {
  BuiltGraph (*read)(const std::string& path, const ReadOptions& options);
  void (*write)(const Graph& graph, const std::string& path);
};

Files files_of(GraphFormat format) {
  switch (format) {
    case GraphFormat::matrix_market:
      return {[](const std::string& path, const ReadOptions& options) {
                return read_matrix_market(path, options);
              },
              write_matrix_market};
    case GraphFormat::metis:
      return {read_metis, write_metis};
    case GraphFormat::npz:
      return {read_npz, write_npz};
    case GraphFormat::edge_list:
      break;
  }
  return {[](const std::string& path, const ReadOptions& options) {
            return read_edge_list(path, options);
          },
          write_edge_list};
}

GraphFormat chosen(std::optional<GraphFormat> format, const std::string& path) {
  return format ? *format : format_of(path);
}

}  // namespace

void require_countable(std::uint64_t num_nodes, const std::string& where) {
  require_file(num_nodes > 0, where, "no edges found: the file has 0 nodes");
  require_file(num_nodes <= static_cast<std::uint64_t>(std::numeric_limits<Index>::max()), where,
               num_nodes, " nodes but at most ", std::numeric_limits<Index>::max(),
               " are possible");
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

BuiltGraph read_graph(const std::string& path, const ReadOptions& options) {
  return files_of(chosen(options.format, path)).read(path, options);
}

void write_graph(const Graph& graph, const std::string& path, std::optional<GraphFormat> format) {
  require_file(graph.num_nodes() > 0, path, "a graph without nodes cannot be written");
  files_of(chosen(format, path)).write(graph, path);
}

}  // namespace repsc
