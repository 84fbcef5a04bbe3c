// The input of `cluster`, `path` and `evaluate`.
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
}

void match(Inputs& inputs, const InputOptions& options, Console& console) {
  if (!inputs.representation) return;
  const Index before = inputs.similarity.num_nodes();
  const Index others = inputs.representation->num_nodes();
  MatchedGraphs matched =
      match_graphs(inputs.similarity, *inputs.representation, options.nodes, options.self_loops);
  inputs.similarity = std::move(matched.similarity);
  inputs.representation = std::move(matched.representation);
  const Index after = inputs.similarity.num_nodes();
  if (after != before || after != others) {
    console.note_at_end(
        "matched by name: {} nodes ({} in the similarity graph, {} in the representation "
        "graph)",
        grouped(after), grouped(before), grouped(others));
  }
}

}  // namespace

void add_graph_arguments(CLI::App& command, InputOptions& options, bool needs_representation) {
  command.add_option("G", options.similarity, "similarity graph: the graph to cluster")
      ->required()
      ->type_name("FILE|-");
  command.add_option("R", options.representation, "representation graph")
      ->required(needs_representation)
      ->type_name("FILE|-");
}

void add_input_options(CLI::App& command, InputOptions& options) {
  command.add_option("--groups", options.groups, "protected groups: a CSV node,group")
      ->type_name("FILE");
  add_graph_options(command, options);
}

void add_graph_options(CLI::App& command, InputOptions& options) {
  add_choice<NodeMatch>(command, "--nodes", options.nodes,
                        {{"strict", NodeMatch::strict},
                         {"intersection", NodeMatch::intersection},
                         {"union", NodeMatch::united}},
                        "nodes that are only in G or only in R: an error (strict), dropped "
                        "(intersection), or added to the other graph (union)");
  add_choice(command, "--self-loops", options.self_loops, self_loop_choices(),
             "self-loops of R: add sets R_ii = 1 for every node");
  add_choice<bool>(command, "--isolated", options.drop_isolated, {{"error", false}, {"drop", true}},
                   "nodes without edges in G: an error for the normalized methods, or dropped");
  add_automatic_choice(command, "--format", options.format, format_choices(),
                       "format of the graph files; auto: chosen by the endings of their names");
}

Graph load_graph(const std::string& path, std::optional<GraphFormat> format, SelfLoops self_loops,
                 Console& console) {
  const Stopwatch watch;
  BuiltGraph built = read_graph(
      path, {.format = format, .self_loops = self_loops, .progress = console.progress()});
  console.clear_progress();
  const std::string changes = describe(built.changes);
  if (!changes.empty()) console.note_at_end("{}: {}", shown(path), changes);
  console.report_stage("read " + shown(path), watch.seconds());
  return std::move(built.graph);
}

NamedLabels load_labels(const std::string& path, const NodeNames& names, Console& console) {
  Offset ignored = 0;
  NamedLabels labels = read_labels(path, names, &ignored);
  if (ignored > 0) {
    console.note_at_end("{}: ignored {} for nodes that are not in the graph", shown(path),
                        counted(ignored, "line"));
  }
  return labels;
}

Inputs load_inputs(const InputOptions& options, Console& console) {
  Inputs inputs;
  inputs.similarity = load_graph(options.similarity, options.format, SelfLoops::drop, console);
  if (!options.representation.empty()) {
    inputs.representation =
        load_graph(options.representation, options.format, options.self_loops, console);
  }
  match(inputs, options, console);
  if (options.drop_isolated) drop_isolated(inputs, console);
  if (!options.groups.empty()) {
    inputs.groups = load_labels(options.groups, inputs.similarity.names(), console);
  }
  return inputs;
}

LoadedRun load_run(const InputOptions& options, const std::vector<std::string>& outputs,
                   std::uint64_t seed, const Stopwatch& watch, Console& console) {
  for (const std::string& path : outputs) require_writable(path);
  LoadedRun run{.inputs = load_inputs(options, console), .facts = {.seed = seed}};
  run.facts.dropped_nodes = run.inputs.dropped_nodes;
  run.facts.load_seconds = watch.seconds();
  return run;
}

Metrics measure(const Inputs& inputs, const Labels& labels, int num_clusters) {
  const Graph& G = inputs.similarity;
  if (inputs.representation) return evaluate(G, *inputs.representation, labels, num_clusters);
  return inputs.groups ? evaluate_groups(G, inputs.groups->labels, labels, num_clusters)
                       : evaluate(G, labels, num_clusters);
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
