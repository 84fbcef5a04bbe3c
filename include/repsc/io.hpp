// Files: graphs in five formats, tables of labels, and text written completely or not at all.
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

enum class GraphFormat { edge_list, matrix_market, metis, npz, rgraph };

/// The format of a file by its ending, which ".gz" may follow: an edge list if the ending is
/// unknown. Throws InvalidInput for the endings of other formats, such as .gml, .graphml, .gexf and
/// .json.
[[nodiscard]] GraphFormat format_of_path(const std::string& path);

/// How the neighbours of a graph from an .rgraph file are kept.
enum class GraphStorage {
  plain,     ///< numbers of 32 bits, where they are in the file; those of a compressed file are
             ///< unpacked into memory
  packed,    ///< as in a compressed file: a few rows at a time are unpacked where they are used
  streamed,  ///< as in the file, which may be larger than the memory: every pass over the rows
             ///< reads ahead, and releases what it has read
  in_place,  ///< where they are in the file: plain or packed, so that opening takes no memory
};

struct ReadOptions {
  /// None: by the ending, which ".gz" may follow; an edge list if the ending is unknown.
  std::optional<GraphFormat> format = {};
  SelfLoops self_loops = SelfLoops::drop;
  ProgressFn progress = {};
  /// Edge lists with a header: the column of the weights. Empty: by the usual names of columns.
  std::string weight_column = {};
  /// Where edges have to be put in order: about as many bytes of them are in memory at once, at
  /// least 2^20; the others are sorted on disk, and so is the graph, which is mapped from there.
  /// None: all are in memory. The result is the same.
  std::optional<std::int64_t> memory = {};
  /// The folder for that. The files have no name and vanish with the graph, or with the process.
  std::string scratch_folder = ".";
  /// .rgraph: the file was read completely before and has not changed since. Its neighbours,
  /// weights and their checksums are not looked at, so that opening takes no time; a file that
  /// breaks this promise can make the program crash.
  bool trusted = false;
  /// .rgraph: none: plain if that takes less than a quarter of the free memory; otherwise packed,
  /// and streamed if that takes more as well. Results do not depend on it.
  std::optional<GraphStorage> storage = {};
  /// Streamed: bytes that are asked for before they are used.
  std::int64_t read_ahead = std::int64_t{64} << 20U;
};

/// Reads an edge list (`u v` or `u v w`), MatrixMarket, METIS, SciPy .npz or .rgraph
/// (docs/rgraph.md); "-" is standard input. Nodes are named as in the edge list or .rgraph, 1, 2,
/// ... in MatrixMarket and METIS, 0, 1, ... in .npz, or as in the file of names beside the graph,
/// `G.mtx.names`. A graph from .rgraph views the file, which must not be changed meanwhile;
/// write_graph() replaces files and changes none.
/// Throws InvalidInput with the file and the line, IoError if the file cannot be opened. A
/// MatrixMarket or .npz file with more than 2^20 + 64 * entries nodes is refused, because each node
/// needs memory and only the header says that they exist. Memory stays below three times that of
/// the result.
[[nodiscard]] BuiltGraph read_graph(const std::string& path, const ReadOptions& options = {});

/// How an .rgraph file stores the neighbours of a node.
enum class Neighbors {
  plain,  ///< as numbers of 32 bits, which are used where they are in the file
  gaps,   ///< as differences in few bytes, which are unpacked where they are used
};

/// Writes in the format of the ending (".gz" compresses), completely or not at all; "-" writes an
/// edge list to standard output. An edge list names a node without edges as `u u 0`. The other
/// formats number rows: nodes that are named 0 to N-1 or 1 to N are written in the order of their
/// numbers, all others in their own order, and their names go to a file beside the graph,
/// `G.mtx.names` (not for standard output). An outdated file of names there is removed. Throws
/// InvalidInput if a name contains control characters. An .rgraph file stores nodes in their own
/// order, with their names.
void write_graph(const Graph& graph, const std::string& path,
                 std::optional<GraphFormat> format = {}, Neighbors neighbors = Neighbors::plain);

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
