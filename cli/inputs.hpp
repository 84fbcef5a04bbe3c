// The input of `cluster`, `path`, `refine` and `evaluate`: G, and R or groups, on the same nodes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "console.hpp"
#include "options.hpp"
#include "repsc/io.hpp"
#include "repsc/metrics.hpp"
#include "repsc/report.hpp"

namespace repsc::cli {

struct InputOptions {
  std::string similarity;                  ///< G
  std::string representation;              ///< R; "": none
  std::string groups;                      ///< a table node,group, or FILE:column; "": none
  std::string group_column;                ///< "": the only one, or that of FILE:column
  std::string node_column;                 ///< of tables: the column of the nodes, or "row"
  std::optional<GraphFormat> format = {};  ///< none: by the ending
  SelfLoops self_loops = SelfLoops::add;   ///< of R
  NodeMatch nodes = NodeMatch::strict;
  bool drop_isolated = false;
  bool trusted = false;                      ///< of .rgraph files: see ReadOptions
  std::optional<GraphStorage> storage = {};  ///< the same
  bool notes_storage = true;                 ///< false: the rows are only passed on
  bool counts_components = true;             ///< false: another process does
};

/// A file, and the column that is named behind it: FILE:column.
struct FileColumn {
  std::string file;
  std::string column;
};
/// The whole text is the file if there is a file of that name.
[[nodiscard]] FileColumn split_column(const std::string& text);

/// --groups, --group-column, --id, --nodes, --self-loops, --isolated, --format, --trusted. The
/// files themselves are positional.
void add_reading_options(CLI::App& command, InputOptions& options);
/// The same and --graph-storage.
void add_input_options(CLI::App& command, InputOptions& options);
/// G and R, which may be left out.
void add_graph_arguments(CLI::App& command, InputOptions& options);

/// G, R and labels, of which R may be left out.
struct LabelledInput : InputOptions {
  std::vector<std::string> files;  ///< G [R] LABELS, as given
  std::string labels;
};
/// `what` says what the labels are for.
void add_labelled_arguments(CLI::App& command, LabelledInput& options, const std::string& what);
/// Sorts the files out once all options are known. Of them, of --groups and of the `other` files
/// that the command reads only one can be standard input.
void settle_files(LabelledInput& options, const std::string& other = "");

/// Refuses an input with both R and groups.
void refuse_two_representations(const InputOptions& options);
/// The same, and an input with neither.
void require_one_representation(const InputOptions& options);

struct Inputs {
  Graph similarity;
  std::optional<Graph> representation;  ///< the nodes of `similarity`, in the same order
  std::optional<NamedLabels> groups;
  Index dropped_nodes = 0;
  InputFacts facts;

  /// R if it was given, else the groups; one of them must be there.
  [[nodiscard]] Representation representatives() const;
};

/// Reads and matches the graphs, drops isolated nodes, and reports the changes.
[[nodiscard]] Inputs load_inputs(const InputOptions& options, Console& console);

/// Says how many components the similarity graph has, if there are several; `cluster` warns of
/// them.
void report_components(const Inputs& inputs, Console& console);

/// The inputs of a run, and the facts that are known once they are loaded.
struct LoadedRun {
  Inputs inputs;
  RunFacts facts;
};

/// Checks that the outputs can be written, then loads the inputs. `watch` runs since the start.
[[nodiscard]] LoadedRun load_run(const InputOptions& options,
                                 const std::vector<std::string>& outputs, std::uint64_t seed,
                                 const Stopwatch& watch, Console& console);

/// The metrics of labels. Balance is that of R if it is given, else that of groups, else none;
/// group balance is that of groups, also if R is given. `device`: of evaluate().
[[nodiscard]] Metrics measure(const Inputs& inputs, const Labels& labels, int num_clusters,
                              Counting counting = Counting::links,
                              const std::shared_ptr<CudaDevice>& device = nullptr);
/// The metrics of a clustering, computed on the device of its eigenvectors.
[[nodiscard]] Metrics measure(const Inputs& inputs, const Clustering& found);

/// A graph, and the facts about its file.
struct LoadedGraph {
  Graph graph;
  GraphFileFacts facts;
};

/// read_graph(), with the column of weights that FILE:column names, reporting the changes that
/// reading made, and where the rows of a mapped file stay.
[[nodiscard]] LoadedGraph load_graph_file(const std::string& path, ReadOptions options,
                                          Console& console, bool notes_storage = true);
/// The graph alone.
[[nodiscard]] Graph load_graph(const std::string& path, ReadOptions options, Console& console);

/// read_labels() of FILE or FILE:column, reporting the header and how many lines were for other
/// nodes.
[[nodiscard]] NamedLabels load_labels(const std::string& path, const NodeNames& names,
                                      Console& console, LabelOptions options = {});
/// The same for the similarity graph of the inputs: labels and truths.
[[nodiscard]] NamedLabels load_labels(const std::string& path, const Inputs& inputs,
                                      const InputOptions& options, Console& console);

/// Throws IoError before the run starts if the result could not be written. "" and "-" are always
/// accepted.
void require_writable(const std::string& path);

/// Reports wrong usage if "-" is given for two inputs, or for two outputs.
void require_one_stream(const std::vector<std::string>& paths, const char* stream);

}  // namespace repsc::cli
