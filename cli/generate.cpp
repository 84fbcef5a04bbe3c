// repsc generate: random graphs with known clusters, in files that `cluster` reads.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "repsc/models.hpp"
#include "repsc/representation.hpp"
#include "wording.hpp"

namespace repsc::cli {
namespace {

struct Options {
  CommonOptions common;
  std::string prefix;
  GraphFormat format = GraphFormat::matrix_market;
  std::uint64_t seed = 0;
  Index num_nodes = 0;
  int num_clusters = 0;
  double within = -1;  ///< negative: not given
  double across = -1;
  // regular, rpp
  Index degree = 0;
  // rpp
  RppProbabilities edges;
  std::string representation;
  std::string truth;
  int num_groups = 0;
  bool write_representation = false;
};

const char* ending(GraphFormat format) {
  switch (format) {
    case GraphFormat::edge_list:
      return "txt";
    case GraphFormat::metis:
      return "graph";
    case GraphFormat::npz:
      return "npz";
    case GraphFormat::rgraph:
      return "rgraph";
    default:
      return "mtx";
  }
}

// Files that number their nodes do so from 1, .npz from 0.
Index first_name(GraphFormat format) { return format == GraphFormat::npz ? 0 : 1; }

/// The same graph with other node names.
Graph renamed(const Graph& graph, const NodeNames& names) {
  return {graph.offsets(), graph.neighbors(), graph.weights(), std::make_shared<const Graph>(graph),
          names};
}

/// Writes PREFIX.<what>.<ending> and reports it. All files use the same node names.
class Files {
 public:
  Files(const Options& options, NodeNames names, Console& console)
      : options_(options), names_(std::move(names)), console_(console) {}

  void graph(const Graph& graph, const char* what) {
    const std::string path =
        fmt::format("{}.{}.{}", options_.prefix, what, ending(options_.format));
    write_graph(renamed(graph, names_), path, options_.format);
    console_.note_at_end("{}: {}, {}", path, counted(graph.num_nodes(), "node"),
                         counted(graph.num_edges(), "edge"));
  }
  void labels(const Labels& labels, const char* what, const char* column) {
    const std::string path = fmt::format("{}.{}.csv", options_.prefix, what);
    write_labels(labels, names_, path, column);
    const auto count = 1 + *std::max_element(labels.begin(), labels.end());
    console_.note_at_end("{}: {}", path, counted(count, column));
  }

 private:
  const Options& options_;
  NodeNames names_;
  Console& console_;
};

NodeNames numbers(const Options& options, Index num_nodes) {
  return {num_nodes, first_name(options.format)};
}

int run_planted(const Options& options) {
  Console console(options.common);
  const Labels clusters = equal_clusters(options.num_nodes, options.num_clusters);
  const Graph G = sample_planted_partition(clusters, options.within, options.across, options.seed);
  Files files(options, numbers(options, options.num_nodes), console);
  files.graph(G, "similarity");
  files.labels(clusters, "truth", "cluster");
  return exit_fine;
}

int run_regular(const Options& options) {
  Console console(options.common);
  const Graph R = sample_regular_representation(options.num_nodes, options.num_clusters,
                                                options.degree, options.seed);
  Files files(options, numbers(options, options.num_nodes), console);
  files.graph(R, "representation");
  files.labels(equal_clusters(options.num_nodes, options.num_clusters), "truth", "cluster");
  return exit_fine;
}

/// The representation of R-PP: R, or groups whose R is not formed.
struct RppRepresentation {
  std::optional<Graph> representation;
  Labels groups;  ///< empty: none
  Labels clusters;
  NodeNames names;
};

RppRepresentation representation_from_file(const Options& options, Console& console) {
  RppRepresentation result;
  result.representation =
      load_graph(options.representation, {.self_loops = SelfLoops::add}, console);
  const NodeNames& given = result.representation->names();
  result.clusters = options.truth.empty() ? equal_clusters(given.size(), options.num_clusters)
                                          : load_labels(options.truth, given, console).labels;
  // Only an edge list stores names.
  result.names = options.format == GraphFormat::edge_list ? given : numbers(options, given.size());
  if (!(result.names == given)) {
    console.note_at_end(
        "nodes are renamed {}, {}, ... in the order of {} (--format txt keeps names)",
        result.names.first(), result.names.first() + 1, options.representation);
  }
  return result;
}

RppRepresentation representation_from_model(const Options& options) {
  RppRepresentation result;
  const Index N = options.num_nodes;
  result.clusters = equal_clusters(N, options.num_clusters);
  result.names = numbers(options, N);
  if (options.degree > 0) {
    result.representation =
        sample_regular_representation(N, options.num_clusters, options.degree, options.seed);
    return result;
  }
  for (Index i = 0; i < N; ++i) result.groups.push_back(i % options.num_groups);
  if (options.within >= 0) {
    result.representation = sample_planted_partition(result.groups, options.within, options.across,
                                                     options.seed, SelfLoops::add);
  }
  return result;
}

// If R is not sampled, the groups determine R; R is also written unless it is too large.
void write_group_representation(const Options& options, const Labels& groups, Files& files,
                                Console& console) {
  constexpr double cheap = 1e7;
  const auto N = static_cast<double>(groups.size());
  const double entries = N * N / options.num_groups;
  if (entries > cheap && !options.write_representation) {
    console.note_at_end(
        "{}.representation.{} is not written: it would have about {:.1e} entries, and --groups "
        "gives the same constraint (use --write-representation to write it)",
        options.prefix, ending(options.format), entries);
    return;
  }
  files.graph(representation_from_groups(groups, NodeNames(static_cast<Index>(groups.size()), 1)),
              "representation");
}

int run_rpp(const Options& options) {
  Console console(options.common);
  const RppRepresentation result = options.representation.empty()
                                       ? representation_from_model(options)
                                       : representation_from_file(options, console);
  const Graph G =
      result.representation
          ? sample_rpp(*result.representation, result.clusters, options.edges, options.seed)
          : sample_rpp_groups(result.groups, result.clusters, options.edges, options.seed);
  Files files(options, result.names, console);
  files.graph(G, "similarity");
  if (result.representation) {
    files.graph(*result.representation, "representation");
  } else {
    write_group_representation(options, result.groups, files, console);
  }
  files.labels(result.clusters, "truth", "cluster");
  if (!result.groups.empty()) files.labels(result.groups, "groups", "group");
  return exit_fine;
}

// R is given in exactly one of three ways.
void check_rpp(const Options& options) {
  const int ways = (options.representation.empty() ? 0 : 1) + (options.degree > 0 ? 1 : 0) +
                   (options.num_groups > 0 ? 1 : 0);
  if (ways != 1) {
    refuse("rpp", "R must be given by exactly one of --representation, -d and --num-groups");
  }
  const bool sampled_groups = options.within >= 0 || options.across >= 0;
  if (sampled_groups && (options.num_groups == 0 || options.within < 0 || options.across < 0)) {
    refuse("--within", "it needs --across and --num-groups");
  }
  const bool from_file = !options.representation.empty();
  if (!from_file && options.num_nodes == 0) refuse("-n", "the number of nodes is missing; give -n");
  if (from_file && options.num_nodes > 0)
    refuse("-n", "it cannot be given with --representation, which determines the nodes");
  if (!options.truth.empty() && (!from_file || options.num_clusters > 0)) {
    refuse("--truth", "it needs --representation and replaces -k");
  }
  if (options.truth.empty() && options.num_clusters == 0) {
    refuse("-k", "the number of clusters is missing; give -k or --truth");
  }
  if (options.num_groups > options.num_nodes) {
    refuse("--num-groups", fmt::format("{} groups cannot be made of {} nodes", options.num_groups,
                                       options.num_nodes));
  }
}

// No file is involved, so impossible parameters of a model are wrong usage.
int run_without_input(int (*run)(const Options&), const Options& options) {
  return as_usage([&] { return run(options); });
}

CLI::Option* add_num_nodes(CLI::App& command, Options& options) {
  return command.add_option("-n,--nodes", options.num_nodes, "number of nodes")->check(at_least(1));
}

CLI::Option* add_num_clusters(CLI::App& command, Options& options, const std::string& flag) {
  return command
      .add_option(flag, options.num_clusters, "number of clusters, of equal size (up to one node)")
      ->check(at_least(1));
}

CLI::Option* add_degree(CLI::App& command, Options& options, const std::string& description) {
  return command.add_option("-d,--degree", options.degree, description)->check(at_least(1));
}

void add_output(CLI::App& command, Options& options) {
  command.add_option("-o,--output", options.prefix, "prefix of the file names")
      ->required()
      ->type_name("PREFIX");
  add_choice(command, "--format", options.format, format_choices(), "format of the graph files");
  add_seed_option(command, options.seed);
  add_common_options(command, options.common);
}

void add_planted(CLI::App& generate, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = generate.add_subcommand("planted", "planted partition: G and its clusters");
  add_num_nodes(*command, *options)->required();
  add_num_clusters(*command, *options, "-k,-P,--clusters")->required();
  command->add_option("--within", options->within, "probability of an edge within a cluster")
      ->required()
      ->check(probability());
  command->add_option("--across", options->across, "probability of an edge between clusters")
      ->required()
      ->check(probability());
  add_output(*command, *options);
  command->footer(
      "Example:\n"
      "  repsc generate planted -n 1000 -k 4 --within 0.1 --across 0.01 -o plain\n\n"
      "Writes plain.similarity.mtx and plain.truth.csv.");
  command->callback(
      [options, &run] { run = [options] { return run_without_input(run_planted, *options); }; });
}

void add_regular(CLI::App& generate, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      generate.add_subcommand("regular", "R of Assumption 4.1: d/K links into every cluster");
  add_num_nodes(*command, *options)->required();
  add_num_clusters(*command, *options, "-k,--clusters")->required();
  add_degree(*command, *options, "degree, self-loop included; a multiple of K")->required();
  add_output(*command, *options);
  command->footer(
      "Example:\n"
      "  repsc generate regular -n 1000 -k 5 -d 40 -o regular\n\n"
      "Writes regular.representation.mtx and regular.truth.csv.");
  command->callback(
      [options, &run] { run = [options] { return run_without_input(run_regular, *options); }; });
}

void add_rpp_representation(CLI::App& command, Options& options) {
  command.add_option("--representation", options.representation, "read R from a file")
      ->type_name("FILE|-");
  command
      .add_option("--truth", options.truth,
                  "with --representation: the clusters of its nodes, in place of -k")
      ->type_name("FILE");
  add_degree(command, options, "R of Assumption 4.1 with this degree");
  command
      .add_option("-P,--num-groups", options.num_groups,
                  "R from P groups, node i in group i mod P: links all nodes of a group, or is "
                  "sampled with --within and --across")
      ->check(at_least(1));
  command.add_option("--within", options.within, "probability of a link of R within a group")
      ->check(probability());
  command.add_option("--across", options.across, "probability of a link of R between groups")
      ->check(probability());
  command.add_flag("--write-representation", options.write_representation,
                   "write R even if it is large");
}

void add_rpp(CLI::App& generate, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = generate.add_subcommand("rpp", "the paper's R-PP model: G on top of any R");
  add_num_nodes(*command, *options);
  add_num_clusters(*command, *options, "-k,--clusters");
  RppProbabilities& edges = options->edges;
  const auto add_edge = [&](const char* flag, double& value, const char* description) {
    command->add_option(flag, value, description)->required()->check(probability());
  };
  add_edge("-p", edges.p, "probability of an edge: same cluster, linked in R");
  add_edge("-q", edges.q, "probability of an edge: other cluster, linked in R");
  add_edge("-r", edges.r, "probability of an edge: same cluster, not linked in R");
  add_edge("-s", edges.s,
           "probability of an edge: other cluster, not linked in R; p >= q >= r >= s");
  add_rpp_representation(*command, *options);
  add_output(*command, *options);
  command->footer(
      "Examples:\n"
      "  repsc generate rpp -n 1200 -k 5 -d 40 -p 0.4 -q 0.3 -r 0.2 -s 0.1 -o regular\n"
      "  repsc generate rpp -n 2000 -k 5 -P 4 -p 0.12 -q 0.09 -r 0.06 -s 0.03 -o groups\n"
      "  repsc generate rpp -n 1000 -k 5 -P 4 --within 0.8 --across 0.2 \\\n"
      "      -p 0.4 -q 0.3 -r 0.2 -s 0.1 -o sampled\n"
      "  repsc generate rpp --representation R.mtx -k 5 \\\n"
      "      -p 0.4 -q 0.3 -r 0.2 -s 0.1 -o mine\n\n"
      "Writes PREFIX.similarity.*, PREFIX.representation.*, PREFIX.truth.csv and, if\n"
      "there are groups, PREFIX.groups.csv.");
  command->callback([options, &run] {
    check_rpp(*options);
    run = [options] {
      return options->representation.empty() ? run_without_input(run_rpp, *options)
                                             : run_rpp(*options);
    };
  });
}

}  // namespace

void add_generate_command(CLI::App& tool, Run& run) {
  CLI::App* generate = tool.add_subcommand("generate", "sample random graphs with known clusters");
  generate->require_subcommand(1);
  add_planted(*generate, run);
  add_regular(*generate, run);
  add_rpp(*generate, run);
  generate->footer(
      "Example:\n"
      "  repsc generate rpp -n 1200 -k 5 -d 40 -p 0.4 -q 0.3 -r 0.2 -s 0.1 -o toy\n"
      "  repsc cluster toy.similarity.mtx toy.representation.mtx -k 5 -o labels.csv\n"
      "  repsc evaluate toy.similarity.mtx toy.representation.mtx labels.csv \\\n"
      "      --truth toy.truth.csv");
}

}  // namespace repsc::cli
