// repsc cluster: labels for the nodes of a graph.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "inputs.hpp"
#include "refine_options.hpp"
#include "repsc/cluster.hpp"
#include "repsc/io.hpp"
#include "repsc/report.hpp"
#include "solver_options.hpp"
#include "target_options.hpp"

namespace repsc::cli {
namespace {

struct Options {
  InputOptions input;
  CommonOptions common;
  int num_clusters = 0;
  ClusterOptions cluster;
  bool strength_given = false;
  bool method_is_auto = false;
  RefineFlags refine_flags;
  Targets targets;
  std::string labels;  ///< "": standard output, unless another result goes there
  std::string json;
  std::string embedding;
};

bool is_fair_to_groups(Method method) {
  return method == Method::ufairsc || method == Method::nfairsc;
}

bool is_representation_aware(Method method) {
  return method == Method::urepsc || method == Method::nrepsc;
}

Rank parse_rank(const std::string& text) {
  if (text == "auto") return {};
  if (text == "exact") return Rank::exact();
  Index rank = 0;
  if (!CLI::detail::lexical_cast(text, rank) || rank < 1) {
    refuse("--rank", "'" + text + "' is neither exact, nor auto, nor a whole number from 1");
  }
  return Rank::of(rank);
}

// A strength stands for a soft constraint; a soft constraint has no rank, a hard one no strength.
void choose_constraint(Options& options) {
  ClusterOptions& cluster = options.cluster;
  const bool ranked = cluster.rank.kind != Rank::Kind::automatic;
  const bool soft = cluster.constraint == ConstraintKind::soft || options.strength_given;
  if (options.strength_given && cluster.constraint == ConstraintKind::hard) {
    refuse("--strength", "a hard constraint has no strength; use --constraint soft");
  }
  if (soft && ranked) {
    refuse("--rank", "a soft constraint takes R as it is; leave --rank or --strength out");
  }
  if (cluster.constraint != ConstraintKind::automatic || soft) {
    if (!is_representation_aware(cluster.method)) {
      refuse(options.strength_given ? "--strength" : "--constraint",
             "is for urepsc and nrepsc, not for " + name(cluster.method));
    }
  }
  if (soft) cluster.constraint = ConstraintKind::soft;
}

// --method auto: groups where only groups are given or asked for, else R where there is one.
Method chosen_method(const Options& options) {
  if (options.cluster.method != Method::automatic) return options.cluster.method;
  if (options.cluster.num_groups > 0) return Method::nfairsc;
  if (!options.input.representation.empty()) return Method::nrepsc;
  return options.input.groups.empty() ? Method::nsc : Method::nfairsc;
}

// With a target, what would choose start, rank and mu is found, and must not be given.
void check_targets(const Options& options) {
  if (!any(options.targets)) return;
  constexpr const char* target = "a target";
  if (options.input.representation.empty()) refuse(target, "needs a representation graph R");
  if (!options.input.groups.empty()) refuse("--groups", "cannot be given with a target");
  if (is_fair_to_groups(options.cluster.method)) {
    refuse("--method", name(options.cluster.method) + " cannot be given with a target");
  }
  if (options.cluster.rank.kind != Rank::Kind::automatic) {
    refuse("--rank", "is found where a target is given");
  }
  if (options.cluster.constraint != ConstraintKind::automatic) {
    refuse(options.strength_given ? "--strength" : "--constraint",
           "is found where a target is given");
  }
  if (options.cluster.refine != Refining::automatic) {
    refuse(options.cluster.refine == Refining::yes ? "--refine" : "--no-refine",
           "refinement is part of the search where a target is given");
  }
  if (options.refine_flags.mu->count() > 0) refuse("--mu", "is found where a target is given");
  if (options.targets.average_balance && options.targets.individual_balance) {
    refuse("--target-individual", "cannot be given with --target-balance");
  }
}

void check_refinement(const Options& options) {
  const bool refine = options.cluster.refine == Refining::yes;
  if (refine && options.input.representation.empty()) {
    refuse("--refine", "needs a representation graph R (repsc graph groups makes one from groups)");
  }
  if (!refine && !any(options.targets)) {
    for (const CLI::Option* flag : {options.refine_flags.mu, options.refine_flags.min_cluster_size})
      if (flag->count() > 0) refuse(flag->get_name(), "needs --refine or a target");
  }
}

// What can be told without looking at a file.
void check(Options& options) {
  const InputOptions& input = options.input;
  if (options.cluster.num_groups > 0 && input.representation.empty()) {
    refuse("--num-groups", "groups are found in R, and no R is given");
  }
  options.method_is_auto = options.cluster.method == Method::automatic;
  options.cluster.method = chosen_method(options);
  const Method method = options.cluster.method;
  if (is_representation_aware(method) && input.representation.empty()) {
    refuse("--method", name(method) + " needs a representation graph R");
  }
  if (is_fair_to_groups(method) && input.representation.empty() && input.groups.empty()) {
    refuse("--method", name(method) + " needs --groups, or R to find groups in");
  }
  choose_constraint(options);
  check_targets(options);
  check_refinement(options);
  require_one_stream({input.similarity, input.representation, input.groups}, "standard input");
  require_one_stream({options.labels, options.json, options.embedding}, "standard output");
  const bool stdout_taken = options.json == "-" || options.embedding == "-";
  if (options.labels.empty() && !stdout_taken) options.labels = "-";
}

void tell_what_plays_no_part(const Options& options, Console& console) {
  const Method method = options.cluster.method;
  if (!is_fair_to_groups(method) && options.cluster.num_groups > 0) {
    console.note_at_end("--num-groups plays no part in {}", name(method));
  }
  if (!is_fair_to_groups(method) && !options.input.groups.empty() &&
      !options.input.representation.empty()) {
    console.note_at_end("--groups plays no part in {} where R is given", name(method));
  }
  if (!is_representation_aware(method) && options.cluster.rank.kind != Rank::Kind::automatic) {
    console.note_at_end("--rank plays no part in {}", name(method));
  }
}

Clustering run_method(const Inputs& inputs, int num_clusters, const ClusterOptions& options) {
  if (is_fair_to_groups(options.method) && inputs.groups) {
    ClusterOptions unrefined = options;  // refinement needs R, which this overload does not see
    unrefined.refine = Refining::no;
    return cluster(inputs.similarity, inputs.groups->labels, num_clusters, unrefined);
  }
  return inputs.representation
             ? cluster(inputs.similarity, *inputs.representation, num_clusters, options)
             : cluster(inputs.similarity, num_clusters, options);
}

/// Finds what meets the targets; the clustering is handed over, the rest stays in the facts.
Clustering run_targets(const Inputs& inputs, const Options& options,
                       const ClusterOptions& cluster_options, RunFacts& facts, Console& console) {
  const NodeNames& names = inputs.similarity.names();
  if (options.targets.individual_balance) {
    const double alpha = *options.targets.individual_balance;
    tell_unreachable(unreachable_nodes(*inputs.representation, options.num_clusters, alpha), alpha,
                     options.num_clusters, names, console);
  }
  facts.target = {
      options.targets,
      cluster_to_target(inputs.similarity, *inputs.representation, options.num_clusters,
                        {.targets = options.targets,
                         .cluster = cluster_options,
                         .min_cluster_size = options.cluster.refinement.min_cluster_size}),
      names};
  return std::move(facts.target->result.clustering);
}

RefineOptions refine_options(const ClusterOptions& options) {
  RefineOptions how = options.refinement;
  how.cut = is_normalized(options.method) ? CutKind::normalized : CutKind::ratio;
  how.seed = options.seed;
  return how;
}

RefinementFacts refinement_facts(const Inputs& inputs, const Options& options,
                                 const Clustering& result) {
  return {.refinement = *result.refinement,
          .cut = is_normalized(result.method) ? CutKind::normalized : CutKind::ratio,
          .min_cluster_size = options.cluster.refinement.min_cluster_size,
          .start = evaluate(inputs.similarity, *inputs.representation, result.before_refinement,
                            result.num_clusters),
          .seconds = result.seconds.refine};
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
    console.note_at_end("  {:<16} {}", what, value);
  };
  console.note_at_end("{}: {} and {} in {} clusters", name(result.method),
                      counted(inputs.similarity.num_nodes(), "node"),
                      counted(inputs.similarity.num_edges(), "edge"), result.num_clusters);
  line("cluster sizes", sizes_in_words(metrics.cluster_sizes));
  line("ratio cut", fmt::format("{:.6g}", metrics.ratio_cut));
  line("normalized cut", fmt::format("{:.6g}", metrics.normalized_cut));
  if (inputs.representation || inputs.groups) {
    line("balance", fmt::format("{:.4f} on average, {:.4f} at least", metrics.average_balance,
                                metrics.minimum_balance));
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
  line("solver", fmt::format("{}, residual {:.1e}, {}", result.solver, result.residual,
                             result.settled     ? "labels settled"
                             : result.converged ? "converged"
                                                : "not converged"));
  line("seconds", fmt::format("{:.2f} ({:.2f} to load)", facts.total_seconds, facts.load_seconds));
}

void write_results(const Options& options, const Inputs& inputs, const Clustering& result,
                   const std::string& json) {
  const NodeNames& names = inputs.similarity.names();
  if (!options.embedding.empty()) {
    write_text_file(options.embedding, embedding_csv(result.embedding, names));
  }
  if (!options.json.empty()) write_text_file(options.json, json);
  if (!options.labels.empty()) write_labels(result.labels, names, options.labels);
}

int run_cluster(const Options& options) {
  const Stopwatch total;
  Console console(options.common);
  for (const auto& path : {options.labels, options.json, options.embedding}) require_writable(path);
  tell_what_plays_no_part(options, console);
  const Inputs inputs = load_inputs(options.input, console);
  RunFacts facts{.seed = options.cluster.seed, .dropped_nodes = inputs.dropped_nodes};
  facts.load_seconds = total.seconds();

  ClusterOptions cluster_options = options.cluster;
  // The library's own choice goes further than the method: it may refine.
  if (options.method_is_auto && options.cluster.method == Method::nrepsc) {
    cluster_options.method = Method::automatic;
  }
  cluster_options.progress = console.progress();
  Clustering result = any(options.targets)
                          ? run_targets(inputs, options, cluster_options, facts, console)
                          : run_method(inputs, options.num_clusters, cluster_options);
  console.clear_progress();
  console.stage_ended("constraint", result.seconds.constraint);
  console.stage_ended("eigen", result.seconds.eigen);
  console.stage_ended("kmeans", result.seconds.kmeans);

  if (result.refinement) {
    console.stage_ended("refine", result.seconds.refine);
    facts.refinement = refinement_facts(inputs, options, result);
  } else if (options.cluster.refine == Refining::yes) {  // of groups that were given
    facts.refinement = refined(inputs.similarity, *inputs.representation, result.labels,
                               result.num_clusters, refine_options(cluster_options), console);
    result.labels = facts.refinement->refinement.labels;
  }
  const Metrics metrics = measure(inputs, result.labels, result.num_clusters);
  facts.total_seconds = total.seconds();
  facts.peak_memory_bytes = peak_memory_bytes();
  summarize(inputs, result, metrics, facts, console);
  if (facts.refinement) summarize_refinement(*facts.refinement, metrics, console);
  if (facts.target) summarize_target(*facts.target, console);
  write_results(options, inputs, result, cluster_json(result, metrics, facts));
  if (facts.target && !facts.target->result.met) {
    console.warn("{}", missed(*facts.target));
    return exit_target_missed;
  }
  if (result.converged) return exit_fine;
  console.warn(
      "not converged: residual {:.1e} after {} iterations, above --tol {:.1e}; raise "
      "--max-iterations or --tol (results are written)",
      result.residual, result.iterations,
      tolerance_for(static_cast<Index>(result.labels.size()), options.cluster));
  return exit_not_converged;
}

void add_method_options(CLI::App& command, Options& options) {
  ClusterOptions& cluster = options.cluster;
  add_clusters_option(command, options.num_clusters);
  add_choice<Method>(
      command, "--method", cluster.method,
      {{"auto", Method::automatic},
       {"usc", Method::usc},
       {"nsc", Method::nsc},
       {"urepsc", Method::urepsc},
       {"nrepsc", Method::nrepsc},
       {"ufairsc", Method::ufairsc},
       {"nfairsc", Method::nfairsc}},
      "auto: nsc with G alone, nfairsc with groups, nrepsc with R (R met exactly where that is "
      "possible and cheap, else a soft constraint of strength 1 and refinement, which give the "
      "best balance for their cut on every network measured: docs/beyond.md; where R is met "
      "exactly by few dimensions, the better of the two)");
  command
      .add_option_function<std::string>(
          "--rank", [&cluster](const std::string& text) { cluster.rank = parse_rank(text); },
          "urepsc, nrepsc: R itself, or its best approximation of that rank; auto: R itself where "
          "possible and cheap, else as --constraint says; hard: rank N/10, at most 128 above 5000 "
          "nodes")
      ->type_name("exact|INT|auto")
      ->default_str("auto");
  add_choice<ConstraintKind>(command, "--constraint", cluster.constraint,
                             {{"auto", ConstraintKind::automatic},
                              {"hard", ConstraintKind::hard},
                              {"soft", ConstraintKind::soft}},
                             "urepsc, nrepsc: R is met (hard, the paper's) or what is off costs "
                             "(soft); auto: hard with a rank or where R is met at little cost");
  command
      .add_option_function<std::string>(
          "--strength",
          [&options](const std::string& text) {
            options.cluster.strength = parse_strength("--strength", text);
            options.strength_given = true;
          },
          "of the soft constraint: 0 is plain clustering, at 1 R weighs as much as G, large values "
          "lead to R met exactly")
      ->type_name("LAMBDA")
      ->default_str("1");
  add_embedding_rows_option(command, cluster);
  command
      .add_option("--num-groups", cluster.num_groups,
                  "ufairsc, nfairsc: groups to find in R by clustering it (default: K)")
      ->check(at_least(2));
}

void add_refinement(CLI::App& command, Options& options) {
  const auto set = [&options](Refining refine) {
    return [&options, refine] { options.cluster.refine = refine; };
  };
  CLI::Option* const yes = command.add_flag_callback(
      "--refine", set(Refining::yes),
      "then move nodes and swap pairs to lower cut and raise balance (needs R; ratio cut after "
      "unnormalized methods, else normalized cut); default: where --method auto says so");
  command
      .add_flag_callback("--no-refine", set(Refining::no),
                         "keep the labels of k-means, whatever --method auto says")
      ->excludes(yes);
  options.refine_flags = add_refine_options(command, options.cluster.refinement);
  add_target_options(command, options.targets);
}

void add_output_options(CLI::App& command, Options& options) {
  command
      .add_option("-o,--output", options.labels,
                  "labels, a CSV node,cluster (default: standard output)")
      ->type_name("FILE|-");
  command.add_option("--json", options.json, "what ran, metrics and timings")->type_name("FILE|-");
  command.add_option("--embedding", options.embedding, "the rows that k-means saw, a CSV")
      ->type_name("FILE|-");
}

constexpr const char* examples = R"(Examples:
  repsc cluster G.mtx -k 5 > labels.csv
  repsc cluster G.mtx R.mtx -k 5 -o labels.csv --json result.json
  repsc cluster G.mtx R.mtx -k 5 --method urepsc --rank 100 -o labels.csv
  repsc cluster G.mtx R.mtx -k 5 --constraint soft --strength 3 -o labels.csv
  repsc cluster G.mtx R.mtx -k 5 --method nfairsc --num-groups 4 --json -
  repsc cluster G.mtx --groups groups.csv -k 5 -o labels.csv
  repsc cluster G.mtx R.mtx -k 5 --refine --mu 4 -o labels.csv
  repsc cluster G.mtx R.mtx -k 5 --target-balance 0.7 -o labels.csv
  repsc cluster G.mtx R.mtx -k 5 --target-individual 0.5 --max-cut-increase 10%

Graphs are edge lists (u v or u v w), MatrixMarket .mtx, METIS .graph or SciPy
.npz; all but .npz may be .gz. With R and --groups both, ufairsc and nfairsc use
the groups, the others R; the balance is always that of R.)";

}  // namespace

void add_cluster_command(CLI::App& tool, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = tool.add_subcommand("cluster", "split a graph into clusters, fairly");
  add_graph_arguments(*command, options->input, false);
  add_method_options(*command, *options);
  add_refinement(*command, *options);
  add_solver_options(*command, options->cluster);
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
