// repsc-mpi cluster: labels for the nodes of a graph, by several processes.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <optional>

#include "baselines.hpp"
#include "exit_codes.hpp"
#include "inputs.hpp"
#include "ranks.hpp"
#include "refine_options.hpp"
#include "repsc/io.hpp"
#include "solver_options.hpp"
#include "wording.hpp"

namespace repsc::cli {
namespace {

struct Options {
  InputOptions input;
  CommonOptions common;
  int num_clusters = 0;
  DistributedOptions cluster;
  std::string labels;
  std::string json;
};

/// Options of `repsc cluster` that are not offered here.
constexpr std::array serial_only{
    "--min-cluster-size", "--keep-structure", "--fairness",          "--certify",
    "--target-balance",   "--explain-plan",   "--target-individual", "--num-groups",
    "--max-cut-increase", "--regularize",     "--memory-limit",      "--time-limit",
    "--report",           "--embedding",      "--threshold",         "--names",
    "--no-path",          "--no-certificate", "--graph-storage",     "--device"};

bool is_serial_only(const std::string& flag) {
  return std::find(serial_only.begin(), serial_only.end(), flag) != serial_only.end();
}

/// Without the ways out that only the serial tool has.
Warning with_own_remedies(Warning warning) {
  std::erase_if(warning.remedies,
                [](const Remedy& remedy) { return is_serial_only(flag_of(remedy.option)); });
  return warning;
}

void set_rank(const std::string& text, DistributedOptions& options) {
  if (text == "auto") return;
  if (text == "exact") {
    options.rank = Rank::exact();
    return;
  }
  Index rank = 0;
  if (!CLI::detail::lexical_cast(text, rank) || rank < 1) {
    refuse_value("--rank", text, "exact, auto or a whole number of at least 1");
  }
  options.rank = Rank::of(rank);
}

void add_method_options(CLI::App& command, Options& options) {
  DistributedOptions& cluster = options.cluster;
  add_clusters_option(command, options.num_clusters);
  add_automatic_choice(
      command, "--method", cluster.method, method_choices(all_methods()),
      "clustering method; auto: nrepsc with R or groups, nsc with G alone. There is "
      "no search among candidates, as `repsc cluster` has it");
  command
      .add_option_function<std::string>(
          "--rank", [&cluster](const std::string& text) { set_rank(text, cluster); },
          "urepsc, nrepsc: exact uses R itself, which must be groups or a union of cliques; a "
          "number "
          "its best approximation of that rank; auto: exact for groups and cliques, else a soft "
          "constraint, or with --constraint hard rank N/10 (at most 128 above 5000 nodes)")
      ->type_name("exact|INT|auto")
      ->default_str("auto");
  add_automatic_choice<ConstraintKind>(
      command, "--constraint", cluster.constraint,
      {{"hard", ConstraintKind::hard}, {"soft", ConstraintKind::soft}},
      "urepsc, nrepsc: the embedding satisfies the constraint (hard), or deviations from R are "
      "penalized (soft)");
  command
      .add_option_function<std::string>(
          "--strength",
          [&cluster](const std::string& text) {
            cluster.strength = parse_strength("--strength", text);
          },
          "strength of the soft constraint; implies --constraint soft")
      ->type_name("LAMBDA")
      ->default_str("1");
  add_automatic_choice<EmbeddingRows>(
      command, "--embedding-rows", cluster.embedding_rows,
      {{"plain", EmbeddingRows::plain}, {"unit", EmbeddingRows::unit}},
      "rows that k-means clusters: unchanged (plain) or scaled to length 1 (unit); auto: unit for "
      "nsc and soft constraints, plain otherwise");
}

void add_spread_option(CLI::App& command, DistributedOptions& cluster) {
  add_choice<Offset>(
      command, "--spread", cluster.alone_up_to, {{"auto", cluster.alone_up_to}, {"always", 0}},
      "whether rows are spread over the processes; auto: not for graphs of up to 4 "
      "million entries (G and R together), which process 0 clusters as `repsc` does, "
      "in less time than messages take; with --solver or --exchange always");
}

void add_numerical_options(CLI::App& command, DistributedOptions& cluster) {
  add_automatic_choice<DistributedSolver>(
      command, "--solver", cluster.solver,
      {{"lapack", DistributedSolver::lapack},
       {"lanczos", DistributedSolver::lanczos},
       {"slepc", DistributedSolver::slepc}},
      "lapack (dense, up to 4000 nodes) and lanczos: the same bytes on any number of processes; "
      "slepc: SLEPc's Krylov-Schur, or what its own options say: -eps_type lobpcg -eps_ncv 60; "
      "auto: lapack or lanczos, by the size, and cholesky on rank 0 where a smaller graph is slow");
  command
      .add_option_function<double>(
          "--tol", [&cluster](double value) { cluster.tolerance = value; },
          "largest residual of an eigenvector, relative to the Laplacian (default: 1e-8 up to 2000 "
          "nodes; above, the iteration ends when the labels have settled, or at 1e-6)")
      ->check(CLI::Range(1e-15, 0.9))
      ->type_name("FLOAT");
  command
      .add_option("--max-iterations", cluster.max_iterations,
                  "maximum number of products with a block of vectors, or of restarts of SLEPc")
      ->capture_default_str()
      ->check(at_least(1));
  command.add_option("--restarts", cluster.kmeans_restarts, "runs of k-means; the best is kept")
      ->capture_default_str()
      ->check(at_least(1));
  add_automatic_choice<Exchange>(
      command, "--exchange", cluster.exchange,
      {{"messages", Exchange::messages}, {"shared", Exchange::shared_memory}},
      "how processes get the rows of vectors that others hold: by messages, or by reading memory "
      "that all of them share, on one machine; auto: shared where that is possible. Labels do not "
      "depend on it");
  add_spread_option(command, cluster);
  add_seed_option(command, cluster.seed);
  add_baselines_option(command, cluster.baselines);
}

void add_refinement_options(CLI::App& command, DistributedOptions& cluster) {
  CLI::Option* const yes = command.add_flag(
      "--refine", cluster.refine,
      "refine the labels: move nodes to lower the cut and raise the balance (needs R or --groups; "
      "ratio cut for unnormalized methods, else normalized cut)");
  command
      .add_flag_callback(
          "--no-refine", [] {}, "keep the labels of k-means (the default)")
      ->excludes(yes);
  command
      .add_option_function<double>(
          "--mu", [&cluster](double value) { cluster.mu = value; },
          "refinement: weight of one unit of average balance, relative to the cut of a random "
          "labelling")
      ->type_name("FLOAT")
      ->default_str(fmt::format("{}", default_mu));
}

void add_output_options(CLI::App& command, Options& options) {
  command
      .add_option(
          "-o,--output", options.labels,
          "write the labels, a CSV node,cluster; every process writes its part if all see the "
          "folder, else process 0 writes all (default: standard output)")
      ->type_name("FILE|-");
  command.add_option("--json", options.json, "write a report: metrics, times and what was sent")
      ->type_name("FILE|-");
}

void check(Options& options) {
  const InputOptions& input = options.input;
  (void)choose_distributed_method(
      {.representation = !input.representation.empty(), .groups = !input.groups.empty()},
      options.cluster);
  require_one_stream({input.similarity, input.representation, input.groups}, "standard input");
  require_one_stream({options.labels, options.json}, "standard output");
  if (options.labels.empty() && options.json != "-") options.labels = "-";
}

std::string traffic(const DistributedFacts& sent) {
  const std::string rows =
      sent.shared_memory
          ? "nothing: rows are in shared memory"
          : fmt::format("{:.3g} MB in {} messages", 1e-6 * static_cast<double>(sent.bytes_sent),
                        grouped(sent.messages));
  return fmt::format("{}; {} reductions", rows, grouped(sent.reductions));
}

void summarize(const DistributedClustering& found, const RunFacts& facts, Console& console) {
  const auto line = [&](const char* what, const std::string& value) {
    console.note_at_end("  {:<21} {}", what, value);
  };
  const Clustering& result = found.clustering;
  const Metrics& metrics = found.metrics;
  const DistributedFacts& sent = found.facts;
  console.note_at_end("{}: {} in {} clusters, by {}", name(result.method),
                      counted(sent.nodes, "node"), result.num_clusters,
                      sent.root_alone   ? "process 0 alone"
                      : sent.ranks == 1 ? "1 process"
                                        : fmt::format("{} processes", sent.ranks));
  line("normalized cut", fmt::format("{:.6g}", metrics.normalized_cut));
  line("ratio cut", fmt::format("{:.6g}", metrics.ratio_cut));
  if (metrics.average_balance == metrics.average_balance) {
    line("balance", fmt::format("average {:.4f}, minimum {:.4f}", metrics.average_balance,
                                metrics.minimum_balance));
  }
  if (result.baselines) {
    line("structure", placement(*result.baselines, metrics));
    line("compare", in_words(*result.baselines));
  }
  line("solver", solver_outcome(result));
  if (!sent.root_alone) line("sent", traffic(sent));
  line("seconds", fmt::format("{:.2f} ({:.2f} to load)", facts.total_seconds, facts.load_seconds));
}

/// Whether every rank can take its rows from the files: mapped, a graph costs no memory.
bool mapped(const InputOptions& input) {
  const auto is_mapped = [&](const std::string& path) {
    if (path.empty()) return true;
    const std::string file = split_column(path).file;
    return (input.format ? *input.format : format_of_path(file)) == GraphFormat::rgraph;
  };
  return is_mapped(input.similarity) && is_mapped(input.representation);
}

/// How rank 0 keeps the mapped files that it checks for all: larger ones leave its memory as they
/// are read.
GraphStorage storage_for_a_check(const InputOptions& input) {
  constexpr std::uintmax_t large = std::uintmax_t{64} << 20U;
  const auto is_large = [](const std::string& path) {
    std::error_code missing;  // which the reader reports
    const std::uintmax_t bytes = std::filesystem::file_size(split_column(path).file, missing);
    return !missing && bytes > large;
  };
  const bool large_files = is_large(input.similarity) || is_large(input.representation);
  return large_files ? GraphStorage::streamed : GraphStorage::in_place;
}

/// Whether the graphs are those of the mapped files, unchanged.
bool lies_in_files(const ClusterInput& input) {
  const auto in_file = [](const Graph& graph) { return graph.storage() != nullptr; };
  return in_file(input.similarity) && (!input.representation || in_file(*input.representation));
}

bool rank_0_says(const Communicator& ranks, bool yes) {
  char told = yes ? 1 : 0;
  ranks.broadcast(&told, 1);
  return told != 0;
}

int run_cluster(const Communicator& ranks, const Options& options) {
  const Stopwatch total;
  CommonOptions common = options.common;
  if (!ranks.is_root()) common = {.threads = common.threads, .quiet = true};
  common.tool = "repsc-mpi";
  Console console(common);
  LoadedRun loaded;
  ClusterInput input;
  const auto load = [&](const InputOptions& files) {
    std::vector<std::string> outputs;  // only rank 0 has to be able to write them
    if (ranks.is_root()) outputs = {options.labels, options.json};
    loaded = load_run(files, outputs, options.cluster.seed, total, console);
    input = cluster_input_of(loaded.inputs);
    loaded.inputs = {};  // the graphs go when they are distributed
  };
  DistributedOptions how = options.cluster;
  how.input_everywhere = mapped(options.input);
  on_root(ranks, [&] {
    InputOptions all = options.input;
    all.notes_storage = !how.input_everywhere;
    if (how.input_everywhere) all.storage = storage_for_a_check(all);
    load(all);
  });
  // Where rank 0 had to make another graph, with self-loops, say, it does so for all.
  how.input_everywhere = rank_0_says(ranks, how.input_everywhere && lies_in_files(input));
  if (how.input_everywhere && !ranks.is_root()) {
    InputOptions checked = options.input;
    checked.trusted = true;                    // rank 0 has read the files completely
    checked.storage = GraphStorage::in_place;  // a rank unpacks its own rows only
    checked.counts_components = false;
    checked.groups.clear();  // those of rank 0 count, and a pipe could be read only once
    load(checked);
  }
  how.progress = console.progress();
  DistributedClustering found =
      cluster_distributed(ranks, std::move(input), options.num_clusters, how);
  console.clear_progress();

  RunFacts& facts = loaded.facts;
  const Stopwatch writing;
  if (!options.labels.empty()) write_labels(ranks, found, options.labels);
  facts.write_seconds = writing.seconds();
  facts.evaluate_seconds = found.evaluate_seconds;
  facts.total_seconds = total.seconds();
  facts.peak_memory_bytes = peak_memory_bytes();
  facts.distributed = found.facts;
  if (const auto& refinement = found.clustering.refinement) {
    facts.refinement = {.refinement = *refinement,
                        .cut = cut_of(found.clustering.method),
                        .start = found.start,
                        .seconds = found.clustering.seconds.refine};
  }
  on_root(ranks, [&] {
    if (!options.json.empty()) {
      write_text_file(options.json, cluster_json(found.clustering, found.metrics, facts));
    }
    summarize(found, facts, console);
    if (facts.refinement) summarize_refinement(*facts.refinement, found.metrics, console);
    for (const Warning& warning : found.clustering.warnings) {
      console.warn("{}", in_words(with_own_remedies(warning)));
    }
    if (!found.clustering.converged) {
      console.warn(
          "not converged: residual {:.1e} after {} iterations; raise --max-iterations or "
          "--tol (results are written)",
          found.clustering.residual, found.clustering.iterations);
    }
  });
  return found.clustering.converged ? exit_fine : exit_not_converged;
}

constexpr const char* examples = R"(Examples:
  mpirun -n 4 repsc-mpi cluster G.mtx -k 5 -o labels.csv --json result.json
  mpirun -n 4 repsc-mpi cluster G.mtx --groups groups.csv -k 5 -o labels.csv
  mpirun -n 4 repsc-mpi cluster G.mtx --groups groups.csv -k 5 --refine --mu 1 -o labels.csv
  mpirun -n 4 repsc-mpi cluster G.mtx R.mtx -k 5 --strength 1 -o labels.csv
  mpirun -n 4 repsc-mpi cluster G.mtx R.mtx -k 5 --rank 50 -o labels.csv
  mpirun -n 4 repsc-mpi cluster G.mtx -k 5 --solver slepc -eps_type lobpcg

docs/distributed.md says when several processes pay, and has a script for
Slurm.)";

}  // namespace

void refuse_serial_options(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const std::string given = word.substr(0, word.find('='));
    if (!is_serial_only(given)) continue;
    throw CLI::ValidationError(given, "repsc-mpi does not offer it; `repsc`, on one machine, does");
  }
}

void add_distributed_cluster_command(CLI::App& tool, const Communicator& ranks,
                                     const std::string& slepc_options, Run& run) {
  auto options = std::make_shared<Options>();
  options->cluster.slepc_options = slepc_options;
  CLI::App* command = tool.add_subcommand("cluster", "split a graph into clusters");
  add_graph_arguments(*command, options->input);
  add_method_options(*command, *options);
  add_numerical_options(*command, options->cluster);
  add_refinement_options(*command, options->cluster);
  add_reading_options(*command, options->input);
  add_output_options(*command, *options);
  add_common_options(*command, options->common);
  command->footer(examples);
  command->callback([options, &ranks, &run] {
    check(*options);
    run = [options, &ranks] { return run_cluster(ranks, *options); };
  });
}

}  // namespace repsc::cli
