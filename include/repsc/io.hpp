// Files: graphs in four formats, tables of labels, and text written completely or not at all.
//
//   const repsc::BuiltGraph file = repsc::read_graph("friends.txt.gz");
//   file.graph.num_nodes();
//   std::cerr << describe(file.changes);   // "dropped 3 self-loops, merged 12 duplicates"
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repsc/graph.hpp"

namespace repsc {

enum class GraphFormat { edge_list, matrix_market, metis, npz };

struct ReadOptions {
  /// None: by the ending, which ".gz" may follow; an edge list if the ending is unknown.
  std::optional<GraphFormat> format = {};
  SelfLoops self_loops = SelfLoops::drop;
  ProgressFn progress = {};
};

/// Reads an edge list (`u v` or `u v w`), MatrixMarket, METIS or SciPy .npz; "-" is standard input.
/// Nodes are named as in the edge list, 1, 2, ... in MatrixMarket and METIS, 0, 1, ... in .npz.
/// Throws InvalidInput with the file and the line, IoError if the file cannot be opened. A
/// MatrixMarket or .npz file with more than 2^20 + 64 * entries nodes is refused, because each node
/// needs memory and only the header says that they exist. Memory stays below three times that of
/// the result.
[[nodiscard]] BuiltGraph read_graph(const std::string& path, const ReadOptions& options = {});

/// Writes in the format of the ending (".gz" compresses), completely or not at all; "-" writes an
/// edge list to standard output. An edge list names a node without edges as `u u 0`. Throws
/// InvalidInput if a name could not be read back (blanks, commas, '#' or '%' first). The other
/// formats store no names, only the order of the nodes.
void write_graph(const Graph& graph, const std::string& path,
                 std::optional<GraphFormat> format = {});

/// A column of labels with their words in the file.
struct NamedLabels {
  Labels labels;                    ///< per node of `names`, from 0
  std::vector<std::string> values;  ///< values[label]: the word in the file
};

/// Reads a table `node,value` (commas, semicolons, tabs or blanks, as in its first line; quotes as
/// in RFC 4180; a first line that is not about a node of `names` is a header) for exactly the nodes
/// of `names`. Values are numbered in order of their first use, or in ascending order if all are
/// whole numbers. Throws InvalidInput for a node without a line, or with two that differ; lines
/// about other nodes are counted in `*ignored`, if given.
[[nodiscard]] NamedLabels read_labels(const std::string& path, const NodeNames& names,
                                      Offset* ignored = nullptr);

/// Writes `node,<column>` and one line per node, completely or not at all; "-" is standard output.
void write_labels(const Labels& labels, const NodeNames& names, const std::string& path,
                  std::string_view column = "cluster");

/// The fields of one line of a CSV file with commas; quotes as in RFC 4180. Throws InvalidInput if
/// a quote is not closed.
[[nodiscard]] std::vector<std::string> csv_fields(std::string_view line);

/// Writes a file completely or not at all; "-" is standard output. Throws IoError that names the
/// file.
void write_text_file(const std::string& path, std::string_view text);

/// Removes the files that this process has begun and not yet moved into place. A signal handler may
/// call it.
void abandon_files() noexcept;

}  // namespace repsc
