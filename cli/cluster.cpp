// repsc cluster: labels for the nodes of a graph.
#include <fmt/format.h>

#include <memory>

#include "baselines.hpp"
#include "certificates.hpp"
#include "choose_k.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "inputs.hpp"
#include "pages.hpp"
#include "refine_options.hpp"
#include "repsc/cluster.hpp"
#include "repsc/io.hpp"
#include "repsc/report.hpp"
#include "solver_options.hpp"
#include "target_options.hpp"
#include "wording.hpp"

namespace repsc::cli {
namespace {

struct Options : ClusterRequest {
  RefineOptions refinement;
  RefineFlags refine_flags;
  Targets targets;
  bool explain_plan = false;
  bool certify = false;
  std::string embedding;
  PageRequest page;
};

std::optional<Rank> parse_rank(const std::string& text) {
  if (text == "auto") return std::nullopt;
  if (text == "exact") return Rank::exact();
  Index rank = 0;
  if (!CLI::detail::lexical_cast(text, rank) || rank < 1) {
    refuse_value("--rank", text, "exact, auto or a whole number of at least 1");
  }
  return Rank::of(rank);
}

// Checks that need no file. The library decides which options fit together.
void check(Options& options) {
  const InputOptions& input = options.input;
  const InputKinds given{.representation = !input.representation.empty(),
                         .groups = !input.groups.empty()};
  const RefineFlags& flags = options.refine_flags;
  if (any(options.targets)) {
    if (flags.mu->count() > 0)
      refuse("--mu", "it cannot be given with a target; the search chooses it");
    if (options.explain_plan)
      refuse("--explain-plan", "it cannot be given with a target, whose search has no plan");
    (void)choose_target_cut(given, options.cluster);
  } else {
    if (flags.mu->count() > 0 || flags.min_cluster_size->count() > 0) {
      options.cluster.refinement = options.refinement;
    }
    (void)choose_method(given, options.cluster);
  }
  require_one_stream({input.similarity, input.representation, input.groups}, "standard input");
  require_one_stream({options.labels, options.json, options.embedding, options.page.file},
                     "standard output");
  if (!options.page.file.empty() && !given.representation && !given.groups) {
    refuse("--report", "it needs R or --groups, because representation is what it reports");
  }
  const bool stdout_taken = options.json == "-" || options.embedding == "-";
  if (options.labels.empty() && !stdout_taken) options.labels = "-";
}

/// Searches for a clustering that meets the targets. The clustering is returned, everything else is
/// stored in the facts.
Clustering run_targets(const Inputs& inputs, const Options& options,
                       const ClusterOptions& cluster_options, RunFacts& facts, Console& console) {
  const NodeNames& names = inputs.similarity.names();
  if (options.targets.average_balance) {
    report_limit(*options.targets.average_balance,
                 average_balance_limit(inputs.representatives(), options.num_clusters), console);
  }
  if (options.targets.individual_balance) {
    const double alpha = *options.targets.individual_balance;
    report_unreachable(unreachable_nodes(inputs.representatives(), options.num_clusters, alpha),
                       alpha, options.num_clusters, names, console);
  }
  facts.target = {
      options.targets,
      cluster_to_target(inputs.similarity, inputs.representatives(), options.num_clusters,
                        {.targets = options.targets,
                         .cluster = cluster_options,
                         .min_cluster_size = options.refinement.min_cluster_size}),
      names};
  return std::move(facts.target->result.clustering);
}

/// The baselines, computed by a device while the CPU refines.
Pipeline::Meanwhile baselines_meanwhile(Pipeline& pipeline, int num_clusters,
                                        const ClusterOptions& options,
                                        std::optional<FoundBaselines>& found) {
  return [&pipeline, num_clusters, options, &found](const std::stop_token& stop) {
    ClusterOptions how = options;
    how.progress = [&stop](const Progress&) {
      struct Stopped {};
      if (stop.stop_requested()) throw Stopped();
    };
    found = found_baselines(pipeline, num_clusters, how);
  };
}

Clustering run_plan(const Inputs& inputs, Pipeline& pipeline, const Plan& chosen,
                    const Pipeline::Meanwhile& meanwhile, RunFacts& facts, Console& console) {
  for (const std::string& option : chosen.ignored) {
    console.note_at_end("{} ignores {}", name(chosen.method), flag_of(option));
  }
  Clustering result = pipeline.run(chosen, meanwhile);
  if (result.refinement) {
    const Stopwatch evaluation;
    facts.refinement = {.refinement = *result.refinement,
                        .cut = chosen.cut,
                        .min_cluster_size = chosen.refine.min_cluster_size,
                        .start = measure(inputs, result.before_refinement, result.num_clusters,
                                         Counting::links, device_of_name(result.device)),
                        .seconds = result.seconds.refine};
    facts.evaluate_seconds = evaluation.seconds();
  }
  return result;
}

/// `known`: the baselines, if they have been computed already.
void place_result(const Inputs& inputs, Pipeline& pipeline, const ClusterOptions& options,
                  const std::optional<FoundBaselines>& known, Clustering& result,
                  Console& console) {
  const auto found =
      report(known ? *known : found_baselines(pipeline, result.num_clusters, options), console);
  if (!found) return;
  std::optional<Representation> representatives;
  if (inputs.representation || inputs.groups) representatives = inputs.representatives();
  place(inputs.similarity, representatives, *found, result);
}

std::string sizes_in_words(const std::vector<Index>& sizes) {
  constexpr std::size_t shown = 10;
  std::string text;
  for (std::size_t k = 0; k < std::min(sizes.size(), shown); ++k) {
    text += (k == 0 ? "" : " ") + fmt::format("{}", sizes[k]);
  }
  return sizes.size() <= shown ? text : text + fmt::format(" ... ({} in all)", sizes.size());
}

void summarize(const Inputs& inputs, const Clustering& result, const Metrics& metrics,
               const RunFacts& facts, Console& console) {
  const auto line = [&](const char* what, const std::string& value) {
    console.note_at_end("  {:<21} {}", what, value);
  };
  console.note_at_end("{}: {} and {} in {} clusters", name(result.method),
                      counted(inputs.similarity.num_nodes(), "node"),
                      counted(inputs.similarity.num_edges(), "edge"), result.num_clusters);
  line("cluster sizes", sizes_in_words(metrics.cluster_sizes));
  line("ratio cut", fmt::format("{:.6g}", metrics.ratio_cut));
  line("normalized cut", fmt::format("{:.6g}", metrics.normalized_cut));
  if (inputs.representation || inputs.groups) {
    line("balance", fmt::format("average {:.4f}, minimum {:.4f}", metrics.average_balance,
                                metrics.minimum_balance));
    line("proportional balance",
         fmt::format("average {:.4f}, minimum {:.4f}", metrics.average_proportional_balance,
                     metrics.minimum_proportional_balance));
  }
  if (result.baselines) {
    line("structure", placement(*result.baselines, metrics));
    line("compare", in_words(*result.baselines));
  }
  if (result.search) {
    line("found from",
         fmt::format("{}, the best of {} candidates", result.search->start, result.search->tried));
  }
  if (result.strength) {
    line("constraint", fmt::format("soft, strength {}, residual {:.2g}", *result.strength,
                                   result.constraint_residual));
  } else if (result.constraint_rank > 0) {
    line("constraint", fmt::format("rank {}, residual {:.1e}", result.constraint_rank,
                                   result.constraint_residual));
  }
  line("eigenvalues", fmt::format("{:.4g} to {:.4g}", result.eigenvalues.minCoeff(),
                                  result.eigenvalues.maxCoeff()));
  if (result.device != "cpu") line("device", result.device);
  line("solver", solver_outcome(result));
  line("seconds", fmt::format("{:.2f} ({:.2f} to load)", facts.total_seconds, facts.load_seconds));
}

/// The JSON comes last, so that its seconds include the other files.
void write_results(const Options& options, const Inputs& inputs, const Clustering& result,
                   const Metrics& metrics, const Stopwatch& total, RunFacts& facts) {
  const Stopwatch writing;
  const NodeNames& names = inputs.similarity.names();
  if (!options.embedding.empty()) {
    write_text_file(options.embedding, embedding_csv(result.embedding, names));
  }
  if (!options.labels.empty()) write_labels(result.labels, names, options.labels);
  facts.write_seconds = writing.seconds();
  facts.total_seconds = total.seconds();
  if (!options.json.empty()) write_text_file(options.json, cluster_json(result, metrics, facts));
}

int run_cluster(Options options) {
  const Stopwatch total;
  const Deadline deadline = Deadline::after(options.time_limit);
  Console console(options.common);
  auto [inputs, facts] =
      load_run(options.input, {options.labels, options.json, options.embedding, options.page.file},
               options.cluster.seed, total, console);
  ClusterOptions cluster_options = options.cluster;
  cluster_options.progress = console.progress();
  cluster_options.deadline = deadline;
  if (options.num_clusters == automatic_clusters) {
    options.num_clusters = chosen_clusters(inputs, cluster_options, facts, console);
  }
  Pipeline pipeline(cluster_input_of(inputs));
  Clustering result;
  std::vector<Decision> decisions;
  std::optional<FoundBaselines> known_baselines;
  if (any(options.targets)) {
    result = run_targets(inputs, options, cluster_options, facts, console);
  } else {
    cluster_options.keep_embedding = !options.embedding.empty();
    const Plan chosen = plan(pipeline.input(), options.num_clusters, cluster_options);
    if (options.explain_plan) {
      write_text_file("-", describe(chosen));
      return exit_fine;
    }
    decisions = chosen.decisions;
    Pipeline::Meanwhile meanwhile;
    if (options.baselines)
      meanwhile =
          baselines_meanwhile(pipeline, options.num_clusters, cluster_options, known_baselines);
    result = run_plan(inputs, pipeline, chosen, meanwhile, facts, console);
  }
  console.clear_progress();
  console.report_stage("constraint", result.seconds.constraint);
  console.report_stage("eigen", result.seconds.eigen);
  console.report_stage("kmeans", result.seconds.kmeans);
  if (result.seconds.refine > 0) console.report_stage("refine", result.seconds.refine);
  const Stopwatch evaluation;
  const Metrics metrics = measure(inputs, result);
  if (options.baselines && !result.baselines) {
    place_result(inputs, pipeline, cluster_options, known_baselines, result, console);
  }
  facts.evaluate_seconds += evaluation.seconds();
  if (options.certify) {
    facts.certificate = certified(inputs, result.labels, result.num_clusters,
                                  certify_options(result, cluster_options), console);
  }
  facts.total_seconds = total.seconds();
  facts.peak_memory_bytes = peak_memory_bytes();
  summarize(inputs, result, metrics, facts, console);
  if (facts.refinement) summarize_refinement(*facts.refinement, metrics, console);
  if (facts.target) summarize_target(*facts.target, console);
  if (facts.certificate) summarize_certificate(*facts.certificate, console);
  write_results(options, inputs, result, metrics, total, facts);
  if (!options.page.file.empty()) {
    write_cluster_page(inputs, options.input, result, decisions, facts, options.page, console);
  }
  for (const Warning& warning : result.warnings) console.warn("{}", in_words(warning));
  const bool out_of_time = result.out_of_time ||
                           (facts.target && facts.target->result.out_of_time) ||
                           (facts.certificate && facts.certificate->out_of_time);
  if (out_of_time) report_time_limit(*options.time_limit, console);
  if (facts.target && !facts.target->result.met) {
    console.warn("{}", missed(*facts.target));
    return exit_target_missed;
  }
  if (result.search && !result.search->met) {
    console.warn("{} was not reached: structure {}",
                 options.cluster.fairness ? "--fairness" : "--keep-structure",
                 placement(*result.baselines, metrics));
    return exit_target_missed;
  }
  if (result.converged || out_of_time) return exit_fine;
  console.warn(
      "not converged: residual {:.1e} after {} iterations, above --tol {:.1e}; raise "
      "--max-iterations or --tol (results are written)",
      result.residual, result.iterations,
      tolerance_for(static_cast<Index>(result.labels.size()), options.cluster));
  return exit_not_converged;
}

void add_method_options(CLI::App& command, Options& options) {
  ClusterOptions& cluster = options.cluster;
  add_automatic_clusters_option(command, options.num_clusters);
  add_automatic_choice(
      command, "--method", cluster.method, method_choices(all_methods()),
      "clustering method; auto: with R or groups the fair bargain, the best compromise between the "
      "structure of plain clustering and the fairness of drawing lots (docs/methods.md); with G "
      "alone nsc, the better of both scalings of the rows, with moves that lower the cut; "
      "--explain-plan shows what will run");
  command
      .add_option_function<std::string>(
          "--rank", [&cluster](const std::string& text) { cluster.rank = parse_rank(text); },
          "urepsc, nrepsc: exact uses R itself, a number its best approximation of that rank; "
          "auto: exact if that is possible and cheap, else a soft constraint, or with "
          "--constraint hard rank N/10 (at most 128 above 5000 nodes)")
      ->type_name("exact|INT|auto")
      ->default_str("auto");
  add_automatic_choice<ConstraintKind>(
      command, "--constraint", cluster.constraint,
      {{"hard", ConstraintKind::hard}, {"soft", ConstraintKind::soft}},
      "urepsc, nrepsc: the embedding satisfies the constraint (hard, as in the paper), or "
      "deviations from R are penalized (soft); auto: hard with --rank, or if the exact constraint "
      "is possible and cheap; else soft");
  command
      .add_option_function<std::string>(
          "--strength",
          [&options](const std::string& text) {
            options.cluster.strength = parse_strength("--strength", text);
          },
          "strength of the soft constraint: 0 is plain clustering, at 1 R has the same weight as "
          "G, large values approach the exact constraint; implies --constraint soft")
      ->type_name("LAMBDA")
      ->default_str("1");
  add_embedding_rows_option(command, cluster);
  command
      .add_option_function<int>(
          "--num-groups", [&cluster](int count) { cluster.num_groups = count; },
          "ufairsc, nfairsc: number of groups to find by clustering R (default: K)")
      ->check(at_least(2));
}

void add_goals(CLI::App& command, ClusterOptions& cluster) {
  const auto number = [&](const char* flag, std::optional<double>& value, const char* help) {
    command
        .add_option_function<double>(
            flag, [&value](double given) { value = given; }, help)
        ->type_name("FLOAT");
  };
  number(
      "--keep-structure", cluster.keep_structure,
      "with --method auto: keep at least this share of the structure of plain clustering (1: all "
      "of it, 0: as little as lots), and be as fair as possible");
  number("--fairness", cluster.fairness,
         "with --method auto: gain at least this much fairness (0: as plain clustering, 1: as fair "
         "as lots, or as the exact constraint), and keep as much structure as possible");
}

void add_refinement(CLI::App& command, Options& options) {
  const auto set = [&options](bool refine) {
    return [&options, refine] { options.cluster.refine = refine; };
  };
  CLI::Option* const yes = command.add_flag_callback(
      "--refine", set(true),
      "refine the labels: move and swap nodes to lower the cut and raise the balance (needs R or "
      "--groups; ratio cut for unnormalized methods, else normalized cut); default: with --method "
      "auto");
  command
      .add_flag_callback("--no-refine", set(false),
                         "keep the labels of k-means, also with --method auto")
      ->excludes(yes);
  options.refine_flags = add_refine_options(command, options.refinement);
  add_goals(command, options.cluster);
  add_target_options(command, options.targets);
  command.add_flag(
      "--certify", options.certify,
      "prove a lower bound of the cut of all clusters that are as fair (`repsc certify` "
      "does so for labels from any tool)");
  command.add_flag("--explain-plan", options.explain_plan,
                   "print which method, constraint, solver and refinement would run and why, then "
                   "stop");
}

void add_output_options(CLI::App& command, Options& options) {
  command
      .add_option("-o,--output", options.labels,
                  "write the labels, a CSV node,cluster (default: standard output)")
      ->type_name("FILE|-");
  command
      .add_option("--json", options.json, "write a report: the method that ran, metrics and times")
      ->type_name("FILE|-");
  command
      .add_option("--report", options.page.file,
                  "write a page about the clusters for people (`repsc report` does so for labels "
                  "from any tool)")
      ->type_name("FILE");
  add_page_options(command, options.page);
  command
      .add_option("--embedding", options.embedding, "write the rows that k-means clustered, a CSV")
      ->type_name("FILE|-");
}

constexpr const char* examples = R"(Examples:
  repsc cluster G.mtx -k 5 > labels.csv
  repsc cluster G.mtx R.mtx -k 5 -o labels.csv --json result.json
  repsc cluster G.mtx R.mtx -k 5 --method urepsc --rank 100 -o labels.csv
  repsc cluster G.mtx R.mtx -k 5 --constraint soft --strength 3 -o labels.csv
  repsc cluster G.mtx R.mtx -k 5 --method nfairsc --num-groups 4 --json -
  repsc cluster G.mtx --groups groups.csv -k 5 -o labels.csv
  repsc cluster G.mtx --groups groups.csv:group -k 5 --refine -o labels.csv
  repsc cluster G.mtx R.mtx -k 5 --refine --mu 4 -o labels.csv
  repsc cluster G.mtx R.mtx -k 5 --keep-structure 0.8 -o labels.csv
  repsc cluster G.mtx R.mtx -k 5 --target-balance 0.7 -o labels.csv
  repsc cluster G.mtx R.mtx -k 5 --target-individual 0.5 --max-cut-increase 10%
  repsc cluster G.mtx R.mtx -k 5 --restarts 100000 --time-limit 60 -o labels.csv
  repsc cluster G.mtx R.mtx -k 5 --certify --json result.json -o labels.csv
  repsc cluster G.mtx R.mtx -k 5 --report report.html -o labels.csv
  repsc cluster G.mtx R.mtx -k 5 --explain-plan

Graphs are edge lists (u v or u v w), MatrixMarket .mtx, METIS .graph, SciPy
.npz or .rgraph; all but the last two may be .gz. If both R and --groups are
given, ufairsc and nfairsc use the groups and all other methods use R; the
balance is always that of R. -k auto takes the number of clusters that `repsc
choose-k` recommends, and ends with exit code 3 if there is no clear one.)";

}  // namespace

void add_cluster_command(CLI::App& tool, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = tool.add_subcommand("cluster", "split a graph into fair clusters");
  add_graph_arguments(*command, options->input);
  add_method_options(*command, *options);
  add_refinement(*command, *options);
  add_solver_options(*command, options->cluster);
  add_baselines_option(*command, options->baselines);
  add_time_limit_option(*command, options->time_limit);
  add_input_options(*command, options->input);
  add_output_options(*command, *options);
  add_common_options(*command, options->common);
  command->footer(examples);
  command->callback([options, &run] {
    check(*options);
    run = [options] { return run_cluster(*options); };
  });
}

}  // namespace repsc::cli
