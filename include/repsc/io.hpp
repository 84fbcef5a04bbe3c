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

/// The format of a file by its ending, which ".gz" may follow: an edge list if the ending is
/// unknown. Throws InvalidInput for the endings of other formats, such as .gml, .graphml, .gexf and
/// .json.
[[nodiscard]] GraphFormat format_of_path(const std::string& path);

struct ReadOptions {
  /// None: by the ending, which ".gz" may follow; an edge list if the ending is unknown.
  std::optional<GraphFormat> format = {};
  SelfLoops self_loops = SelfLoops::drop;
  ProgressFn progress = {};
  /// Edge lists with a header: the column of the weights. Empty: by the usual names of columns.
  std::string weight_column = {};
};

/// Reads an edge list (`u v` or `u v w`), MatrixMarket, METIS or SciPy .npz; "-" is standard input.
/// Nodes are named as in the edge list, 1, 2, ... in MatrixMarket and METIS, 0, 1, ... in .npz, or
/// as in the file of names beside the graph, `G.mtx.names`.
/// Throws InvalidInput with the file and the line, IoError if the file cannot be opened. A
/// MatrixMarket or .npz file with more than 2^20 + 64 * entries nodes is refused, because each node
/// needs memory and only the header says that they exist. Memory stays below three times that of
/// the result.
[[nodiscard]] BuiltGraph read_graph(const std::string& path, const ReadOptions& options = {});

/// Writes in the format of the ending (".gz" compresses), completely or not at all; "-" writes an
/// edge list to standard output. An edge list names a node without edges as `u u 0`. The other
/// formats number rows: nodes that are named 0 to N-1 or 1 to N are written in the order of their
/// numbers, all others in their own order, and their names go to a file beside the graph,
/// `G.mtx.names` (not for standard output). An outdated file of names there is removed. Throws
/// InvalidInput if a name contains control characters.
void write_graph(const Graph& graph, const std::string& path,
                 std::optional<GraphFormat> format = {});

/// A column of labels with their words in the file.
struct NamedLabels {
  Labels labels;                    ///< per node of `names`, from 0
  std::vector<std::string> values;  ///< values[label]: the word in the file
  Offset other_nodes = 0;           ///< lines about nodes that are not in `names`
  std::string header = {};          ///< the line that was taken as a header; "": none
};

struct LabelOptions {
  std::string column = {};  ///< of the values; "": the only one besides the names of the nodes
  /// The column that names the nodes; "": the first. "row", where no column is called so: the
  /// table has no such column, and its rows are the nodes 0, 1, ... or 1, 2, ..., as in `names`.
  std::string node_column = {};
  /// Nodes are numbered from 0 or from 1 in the file and in `names`: the first is the first.
  bool rows = false;
  /// The graph of `names`: lets the error about nodes without a line say that all are isolated.
  const Graph* graph = nullptr;
};

/// Reads a table `node,value` for exactly the nodes of `names`. Separators, quotes and header are
/// recognized as for every table (docs/formats.md). Values are numbered in order of their first
/// use, or in ascending order if all are whole numbers. Throws InvalidInput for a node without a
/// line, or with two that differ; lines about other nodes are counted.
[[nodiscard]] NamedLabels read_labels(const std::string& path, const NodeNames& names,
                                      const LabelOptions& options = {});

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

/// The size of a file, and its SHA-256 in hexadecimal digits.
struct FileDigest {
  std::string sha256 = {};  ///< "" if the file cannot be read, as standard input
  std::int64_t bytes = 0;
};
[[nodiscard]] FileDigest digest_of_file(const std::string& path);

}  // namespace repsc
