// repsc graph info: what is in a graph file, how two graphs match, and what R asks of a clustering.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "repsc/constraint.hpp"
#include "repsc/report.hpp"
#include "repsc/targets.hpp"

namespace repsc::cli {
namespace {

struct Options {
  CommonOptions common;
  std::vector<std::string> files;  ///< G [R]
  std::optional<GraphFormat> format = {};
  SelfLoops self_loops = SelfLoops::add;  ///< of R
  int num_clusters = 0;                   ///< 0: not given
  std::string json;
};

GraphInfo load_info(const std::string& path, const Options& options, SelfLoops self_loops,
                    Graph& graph, Console& console) {
  auto [loaded, facts] =
      load_graph_file(path, {.format = options.format, .self_loops = self_loops}, console);
  graph = std::move(loaded);
  return {std::move(facts), summarize(graph)};
}

/// What matters about R; its rank where that is cheap.
RepresentationInfo inspect(const Graph& R, int num_clusters) {
  constexpr Index small = 1000;
  RepresentationInfo info{.num_distinct_rows = distinct_rows(R), .num_clusters = num_clusters};
  const Labels groups = clique_groups(R);
  if (!groups.empty()) {
    info.num_groups = 1 + *std::max_element(groups.begin(), groups.end());
    info.rank = info.num_groups;
  } else if (R.num_nodes() <= small) {
    info.rank = decompose(R, R.num_nodes()).rank();
  }
  if (num_clusters > 0) info.reachable_balance = average_balance_limit(R, num_clusters);
  return info;
}

std::string weights_in_words(const GraphSummary& summary) {
  if (!summary.weighted) return "none (all 1)";
  return fmt::format("{:.6g} to {:.6g}", summary.smallest_weight, summary.largest_weight);
}

std::string names_in_words(const GraphSummary& summary) {
  if (!summary.numbered_from) return "names";
  return fmt::format("numbers {} to {}", *summary.numbered_from,
                     std::int64_t{*summary.numbered_from} + summary.nodes - 1);
}

std::string separator_in_words(char separator) {
  switch (separator) {
    case ',':
      return ", commas";
    case ';':
      return ", semicolons";
    case '\t':
      return ", tabs";
    case ' ':
      return ", blanks";
    default:
      return "";
  }
}

using Lines = std::vector<std::pair<std::string, std::string>>;

std::string text_of(const Lines& lines) {
  std::string text;
  for (const auto& line : lines) text += fmt::format("  {:<18} {}\n", line.first, line.second);
  return text;
}

std::string text_of(const GraphInfo& info) {
  const GraphSummary& summary = info.summary;
  const GraphChanges& changes = info.file.changes;
  Lines lines{{"format", info.file.format + separator_in_words(changes.separator)}};
  if (changes.header_skipped) lines.emplace_back("header", changes.header);
  if (!changes.columns_ignored.empty()) {
    lines.emplace_back("columns ignored", changes.columns_ignored);
  }
  lines.emplace_back("nodes", grouped(summary.nodes));
  lines.emplace_back("node names", names_in_words(summary));
  lines.emplace_back("edges", grouped(summary.edges));
  lines.emplace_back("weights", weights_in_words(summary));
  lines.emplace_back("degrees", fmt::format("{} to {}, mean {:.4g}", summary.smallest_degree,
                                            summary.largest_degree, summary.mean_degree));
  lines.emplace_back("components",
                     fmt::format("{}, the largest has {}", grouped(summary.components),
                                 counted(summary.largest_component, "node")));
  lines.emplace_back("isolated nodes", grouped(summary.isolated));
  lines.emplace_back("self-loops",
                     changes.self_loops_added > 0
                         ? fmt::format("{}, of which {} added", grouped(summary.self_loops),
                                       grouped(changes.self_loops_added))
                         : fmt::format("{}", grouped(summary.self_loops)));
  lines.emplace_back("duplicates merged", grouped(changes.duplicates_merged));
  lines.emplace_back("directions dropped", grouped(changes.directions_dropped));
  return info.file.file + '\n' + text_of(lines);
}

std::string text_of(const NodeOverlap& nodes) {
  if (nodes.counted_differently) {
    return "nodes of both\n  one graph counts from 0, the other from 1: use --nodes rows\n";
  }
  return "nodes of both\n" + text_of(Lines{{"in both", grouped(nodes.common)},
                                           {"only in G", grouped(nodes.only_first)},
                                           {"only in R", grouped(nodes.only_second)}});
}

std::string text_of(const RepresentationInfo& info, const GraphSummary& summary) {
  Lines lines{{"regular", summary.regular ? "yes" : "no"}};
  if (info.num_groups > 0) {
    lines.emplace_back("structure", fmt::format("{}, all nodes of a group linked",
                                                counted(info.num_groups, "group")));
  }
  lines.emplace_back("rank", info.rank ? grouped(*info.rank)
                                       : fmt::format("at most {} (different rows)",
                                                     grouped(info.num_distinct_rows)));
  if (info.reachable_balance) {
    lines.emplace_back("reachable balance",
                       fmt::format("{:.4f} on average with {} clusters", *info.reachable_balance,
                                   info.num_clusters));
  }
  return "R as a constraint\n" + text_of(lines);
}

int run_info(const Options& options) {
  Console console(options.common);
  require_writable(options.json);
  Graph G;
  const bool alone = options.files.size() == 1;
  const GraphInfo similarity = load_info(options.files.front(), options,
                                         alone ? SelfLoops::keep : SelfLoops::drop, G, console);
  std::string text = text_of(similarity);
  std::optional<GraphInfo> representation;
  std::optional<NodeOverlap> nodes;
  std::optional<RepresentationInfo> constraint;
  if (!alone) {
    Graph R;
    representation = load_info(options.files.back(), options, options.self_loops, R, console);
    nodes = overlap(G.names(), R.names());
    constraint = inspect(R, options.num_clusters);
    text += '\n' + text_of(*representation) + '\n' + text_of(*nodes) + '\n' +
            text_of(*constraint, representation->summary);
  } else if (options.num_clusters > 0) {
    const Graph R = with_self_loops(G, options.self_loops);
    constraint = inspect(R, options.num_clusters);
    text += '\n' + text_of(*constraint, summarize(R));
  }
  if (!options.json.empty()) {
    write_text_file(options.json, graph_info_json(similarity, representation, nodes, constraint));
  }
  if (options.json != "-") write_text_file("-", text);
  return exit_fine;
}

}  // namespace

void add_graph_info(CLI::App& graph, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      graph.add_subcommand("info", "describe a graph file, or how two of them match");
  command
      ->add_option("FILES", options->files,
                   "a graph; or a similarity and a representation graph; - is standard input")
      ->required()
      ->expected(1, 2)
      ->option_text("G [R]");
  command
      ->add_option("-k,--clusters", options->num_clusters,
                   "number of clusters: adds the average balance that R can reach; with one file, "
                   "that file is R")
      ->check(at_least(2));
  add_choice(*command, "--self-loops", options->self_loops, self_loop_choices(),
             "self-loops of R: add sets R_ii = 1 for every node");
  add_automatic_choice(*command, "--format", options->format, format_choices(),
                       "format of the graph files; auto: chosen by the endings of their names");
  command->add_option("--json", options->json, "write the same as JSON")->type_name("FILE|-");
  add_common_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  repsc graph info G.mtx\n"
      "  repsc graph info G.mtx R.mtx -k 5\n"
      "  repsc graph info G.mtx --json -\n\n"
      "The reachable balance is the mean over nodes of floor(r / K) / ceil(r / K), with\n"
      "r the number of representatives of the node: no clustering has a larger average\n"
      "balance. The rank of R is computed for groups and up to 1000 nodes; otherwise\n"
      "the number of different rows is an upper bound.");
  command->callback([options, &run] {
    require_one_stream(options->files, "standard input");
    run = [options] { return run_info(*options); };
  });
}

}  // namespace repsc::cli
