// The input of `cluster`, `path`, `refine` and `evaluate`.
#include "inputs.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace repsc::cli {
namespace {

std::string shown(const std::string& path) { return path == "-" ? "standard input" : path; }

void drop_isolated(Inputs& inputs, Console& console) {
  const std::vector<Index> isolated = isolated_nodes(inputs.similarity);
  if (isolated.empty()) return;
  const Index num_nodes = inputs.similarity.num_nodes();
  require_option(static_cast<Index>(isolated.size()) < num_nodes, "isolated", "drop", "all ",
                 num_nodes,
                 " nodes of the similarity graph are isolated, so no node would be left");
  std::string first;
  for (std::size_t i = 0; i < std::min<std::size_t>(isolated.size(), 3); ++i) {
    first += (i == 0 ? "" : ", ") + inputs.similarity.names()[isolated[i]];
  }
  console.note_at_end("dropped {} isolated in the similarity graph: {}{}",
                      counted(static_cast<std::int64_t>(isolated.size()), "node"), first,
                      isolated.size() > 3 ? ", ..." : "");
  // An isolated node has no neighbours, so dropping it isolates no other node.
  std::vector<bool> keep(static_cast<std::size_t>(num_nodes), true);
  for (const Index node : isolated) keep[static_cast<std::size_t>(node)] = false;
  inputs.similarity = induced_subgraph(inputs.similarity, keep);
  if (inputs.representation) {
    inputs.representation = induced_subgraph(*inputs.representation, keep);
  }
  inputs.dropped_nodes = static_cast<Index>(isolated.size());
  inputs.facts.nodes_dropped += inputs.dropped_nodes;
}

const char* name_of(GraphFormat format) {
  switch (format) {
    case GraphFormat::matrix_market:
      return "MatrixMarket";
    case GraphFormat::metis:
      return "METIS";
    case GraphFormat::npz:
      return "SciPy npz";
    case GraphFormat::rgraph:
      return "rgraph";
    case GraphFormat::edge_list:
      break;
  }
  return "edge list";
}

void report_header(const std::string& path, const std::string& header, Console& console) {
  if (!header.empty()) console.note_at_end("{}: skipped the header '{}'", shown(path), header);
}

void match(Inputs& inputs, const InputOptions& options, Console& console) {
  if (!inputs.representation) return;
  const Index before = inputs.similarity.num_nodes();
  const Index others = inputs.representation->num_nodes();
  const NodeOverlap nodes =
      options.nodes == NodeMatch::strict || options.nodes == NodeMatch::rows
          ? NodeOverlap{}
          : overlap(inputs.similarity.names(), inputs.representation->names());
  MatchedGraphs matched =
      match_graphs(inputs.similarity, *inputs.representation, options.nodes, options.self_loops);
  inputs.similarity = std::move(matched.similarity);
  inputs.representation = std::move(matched.representation);
  const Index after = inputs.similarity.num_nodes();
  inputs.facts.only_in_similarity = nodes.only_first;
  inputs.facts.only_in_representation = nodes.only_second;
  if (options.nodes == NodeMatch::intersection) {
    inputs.facts.nodes_dropped += nodes.only_first + nodes.only_second;
    if (nodes.counted_differently) {
      console.note_at_end(
          "note: one graph counts its nodes from 0, the other from 1; if both have the same nodes, "
          "use --nodes rows");
    }
  }
  if (after != before || after != others) {
    console.note_at_end(
        "matched by name: {} nodes ({} in the similarity graph, {} in the representation "
        "graph)",
        grouped(after), grouped(before), grouped(others));
  }
}

void load_groups(Inputs& inputs, const InputOptions& options, Console& console) {
  const auto [file, column] = split_column(options.groups);
  LabelOptions label_options{.column = options.group_column.empty() ? column : options.group_column,
                             .node_column = options.node_column,
                             .rows = options.nodes == NodeMatch::rows,
                             .graph = &inputs.similarity};
  // Rows of a table count all nodes, also those that were dropped.
  if (options.node_column == "row" && inputs.facts.nodes_dropped > 0) {
    throw InvalidInput(Fault{.what = "nodes were dropped, so that rows no longer say which node "
                                     "they are about",
                             .option = "node_column",
                             .value = "row",
                             .remedies = {advice("add a column of ids to the table")},
                             .where = file});
  }
  inputs.groups = load_labels(file, inputs.similarity.names(), console, label_options);
  inputs.facts.groups = {.file = file,
                         .column = label_options.column,
                         .header = inputs.groups->header,
                         .other_nodes = inputs.groups->other_nodes};
}

// Counts what is left.
void count_components(Inputs& inputs, Console& console) {
  const Labels components = connected_components(inputs.similarity);
  InputFacts& facts = inputs.facts;
  facts.components =
      components.empty() ? 0 : 1 + *std::max_element(components.begin(), components.end());
  facts.isolated_nodes = static_cast<Index>(isolated_nodes(inputs.similarity).size());
  if (facts.isolated_nodes == 0) return;
  console.note_at_end("similarity graph: {}", counted(facts.isolated_nodes, "isolated node"));
}

void note_storage(const Graph& graph, const GraphFileFacts& facts, Console& console) {
  if (!graph.packed() && !graph.streamed()) return;
  console.note_at_end("{}: its neighbours stay {}{}", facts.file,
                      graph.packed() ? "packed" : "in the file",
                      graph.streamed() ? ", read again in every pass" : "");
}

/// Throws InvalidInput if the option `storage` would be for nothing.
void require_rgraph_file(const InputOptions& options) {
  const auto is_rgraph = [&](const std::string& path) {
    if (path.empty()) return false;
    const GraphFormat format =
        options.format ? *options.format : format_of_path(split_column(path).file);
    return format == GraphFormat::rgraph;
  };
  if (is_rgraph(options.similarity) || is_rgraph(options.representation)) return;
  throw InvalidInput(Fault{.what = "no graph comes from an .rgraph file",
                           .option = "storage",
                           .remedies = {{Remedy::Action::leave_out, "storage"},
                                        advice("convert the graph to .rgraph first")}});
}

}  // namespace

void add_graph_arguments(CLI::App& command, InputOptions& options) {
  command.add_option("G", options.similarity, "similarity graph: the graph to cluster")
      ->required()
      ->type_name("FILE|-");
  command.add_option("R", options.representation, "representation graph")->type_name("FILE|-");
}

void add_labelled_arguments(CLI::App& command, LabelledInput& options, const std::string& what) {
  command
      .add_option("FILES", options.files,
                  "similarity graph, representation graph (it may be left out) and " + what +
                      ", a CSV node,cluster; - is standard input")
      ->required()
      ->expected(1, 3)
      ->option_text("G [R] LABELS");
}

void settle_files(LabelledInput& options, const std::string& other) {
  if (options.files.size() < 2) refuse("G [R] LABELS", "two or three files are needed");
  options.similarity = options.files.front();
  if (options.files.size() == 3) options.representation = options.files[1];
  options.labels = options.files.back();
  require_one_stream(
      {options.similarity, options.representation, options.labels, options.groups, other},
      "standard input");
}

void refuse_two_representations(const InputOptions& options) {
  if (!options.representation.empty() && !options.groups.empty()) {
    refuse("--groups", "it cannot be given with R; give one of the two");
  }
}

void require_one_representation(const InputOptions& options) {
  refuse_two_representations(options);
  if (options.representation.empty() && options.groups.empty()) {
    refuse("R", "it is missing; give a representation graph R or --groups, which define balance");
  }
}

void add_reading_options(CLI::App& command, InputOptions& options) {
  command
      .add_option("--groups", options.groups,
                  "protected groups: a table node,group, or FILE:column of a larger table")
      ->type_name("FILE[:COLUMN]");
  command.add_option("--group-column", options.group_column, "column of the groups in that table")
      ->type_name("COLUMN");
  command
      .add_option("--id", options.node_column,
                  "column that names the nodes in tables (default: the first); row: the table has "
                  "none, and its rows are the nodes of G in the order of their numbers")
      ->type_name("COLUMN|row");
  add_choice<NodeMatch>(command, "--nodes", options.nodes,
                        {{"strict", NodeMatch::strict},
                         {"intersection", NodeMatch::intersection},
                         {"union", NodeMatch::united},
                         {"rows", NodeMatch::rows}},
                        "nodes that are only in G or only in R: an error (strict), dropped "
                        "(intersection), or added to the other graph (union); rows: numbers from "
                        "0 in one file and from 1 in the other are the same nodes");
  add_choice(command, "--self-loops", options.self_loops, self_loop_choices(),
             "self-loops of R: add sets R_ii = 1 for every node");
  add_choice<bool>(command, "--isolated", options.drop_isolated, {{"error", false}, {"drop", true}},
                   "nodes without edges in G: an error for the normalized methods, or dropped");
  add_automatic_choice(command, "--format", options.format, format_choices(),
                       "format of the graph files; auto: chosen by the endings of their names");
  command.add_flag("--trusted", options.trusted,
                   "the .rgraph files were read before and have not changed: do not check them "
                   "again (a file that has changed can make the program crash)");
}

void add_input_options(CLI::App& command, InputOptions& options) {
  add_reading_options(command, options);
  add_automatic_choice<GraphStorage>(
      command, "--graph-storage", options.storage,
      {{"plain", GraphStorage::plain},
       {"packed", GraphStorage::packed},
       {"streamed", GraphStorage::streamed}},
      "neighbours of .rgraph files: plain numbers, packed as in a compressed file, or read from "
      "the file again in every pass (streamed); auto: by the free memory (results do not depend "
      "on it)");
}

FileColumn split_column(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  std::error_code ignored;
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size() ||
      std::filesystem::exists(text, ignored)) {
    return {text, ""};
  }
  return {text.substr(0, colon), text.substr(colon + 1)};
}

LoadedGraph load_graph_file(const std::string& path, ReadOptions options, Console& console,
                            bool notes_storage) {
  const Stopwatch watch;
  const auto [file, column] = split_column(path);
  options.progress = console.progress();
  options.weight_column = column;
  BuiltGraph built = read_graph(file, options);
  console.clear_progress();
  const std::string changes = describe(built.changes);
  if (!changes.empty()) console.note_at_end("{}: {}", shown(file), changes);
  console.report_stage("read " + shown(file), watch.seconds());
  GraphFileFacts facts{.file = shown(file),
                       .format = name_of(options.format ? *options.format : format_of_path(file)),
                       .nodes = built.graph.num_nodes(),
                       .edges = built.graph.num_edges(),
                       .weighted = built.graph.weighted(),
                       .changes = std::move(built.changes)};
  if (notes_storage) note_storage(built.graph, facts, console);
  return {std::move(built.graph), std::move(facts)};
}

Graph load_graph(const std::string& path, ReadOptions options, Console& console) {
  return load_graph_file(path, std::move(options), console).graph;
}

NamedLabels load_labels(const std::string& path, const NodeNames& names, Console& console,
                        LabelOptions options) {
  const auto [file, column] = split_column(path);
  if (options.column.empty()) options.column = column;
  NamedLabels labels = read_labels(file, names, options);
  report_header(file, labels.header, console);
  if (labels.other_nodes > 0) {
    console.note_at_end("{}: ignored {} for nodes that are not in the graph", shown(file),
                        counted(labels.other_nodes, "line"));
  }
  return labels;
}

NamedLabels load_labels(const std::string& path, const Inputs& inputs, const InputOptions& options,
                        Console& console) {
  return load_labels(path, inputs.similarity.names(), console,
                     {.node_column = options.node_column,
                      .rows = options.nodes == NodeMatch::rows,
                      .graph = &inputs.similarity});
}

void report_components(const Inputs& inputs, Console& console) {
  if (inputs.facts.components < 2) return;
  console.note_at_end("similarity graph: {}", counted(inputs.facts.components, "component"));
}

Inputs load_inputs(const InputOptions& options, Console& console) {
  Inputs inputs;
  if (options.storage) require_rgraph_file(options);
  ReadOptions reading{
      .format = options.format, .trusted = options.trusted, .storage = options.storage};
  auto [G, G_facts] = load_graph_file(options.similarity, reading, console, options.notes_storage);
  inputs.similarity = std::move(G);
  inputs.facts.similarity = std::move(G_facts);
  if (!options.representation.empty()) {
    reading.self_loops = options.self_loops;
    auto [R, R_facts] =
        load_graph_file(options.representation, reading, console, options.notes_storage);
    inputs.representation = std::move(R);
    inputs.facts.representation = std::move(R_facts);
  }
  match(inputs, options, console);
  if (options.drop_isolated) drop_isolated(inputs, console);
  if (!options.groups.empty()) load_groups(inputs, options, console);
  if (options.counts_components) count_components(inputs, console);
  return inputs;
}

LoadedRun load_run(const InputOptions& options, const std::vector<std::string>& outputs,
                   std::uint64_t seed, const Stopwatch& watch, Console& console) {
  for (const std::string& path : outputs) require_writable(path);
  LoadedRun run{.inputs = load_inputs(options, console), .facts = {.seed = seed}};
  run.facts.dropped_nodes = run.inputs.dropped_nodes;
  run.facts.input = run.inputs.facts;
  run.facts.load_seconds = watch.seconds();
  return run;
}

Representation Inputs::representatives() const {
  return representation ? Representation(*representation) : Representation(groups->labels);
}

Metrics measure(const Inputs& inputs, const Labels& labels, int num_clusters, Counting counting,
                const std::shared_ptr<CudaDevice>& device) {
  const Graph& G = inputs.similarity;
  if (!inputs.representation && !inputs.groups) return evaluate(G, labels, num_clusters, device);
  Metrics metrics = evaluate(G, inputs.representatives(), labels, num_clusters, counting, device);
  if (inputs.groups && !metrics.group_fairness) {
    metrics.group_fairness = group_fairness(inputs.groups->labels, labels, num_clusters);
  }
  return metrics;
}

Metrics measure(const Inputs& inputs, const Clustering& found) {
  return measure(inputs, found.labels, found.num_clusters, Counting::links,
                 device_of_name(found.device));
}

void require_writable(const std::string& path) {
  if (path.empty() || path == "-") return;
  const auto fail = [&](const std::string& why) { throw IoError(path + ": cannot write: " + why); };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail("it is a directory");
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  if (!std::filesystem::is_directory(folder, ignored))
    fail("there is no folder " + folder.string());
  // A device such as /dev/null may be writable although its folder is not.
  const bool device =
      std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
  if (::access(device ? path.c_str() : folder.c_str(), W_OK) != 0) fail(std::strerror(errno));
}

void require_one_stream(const std::vector<std::string>& paths, const char* stream) {
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    refuse("-", fmt::format("means {} and can be given only once", stream));
  }
}

}  // namespace repsc::cli
