// repsc evaluate: cuts, fairness and accuracy of labels from any tool.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "baselines.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "inputs.hpp"
#include "refine_options.hpp"
#include "repsc/io.hpp"
#include "repsc/metrics.hpp"
#include "repsc/report.hpp"

namespace repsc::cli {
namespace {

struct Options {
  LabelledInput input;
  CommonOptions common;
  std::string truth;
  std::string per_node;
  bool weighted_balance = false;
  std::string json;
  bool baselines = true;

  [[nodiscard]] Counting counting() const {
    return weighted_balance ? Counting::weights : Counting::links;
  }
};

void check(Options& options) {
  LabelledInput& input = options.input;
  settle_files(input, options.truth);
  if (!options.per_node.empty() && input.groups.empty() && input.representation.empty()) {
    refuse("--per-node", "it needs R or --groups, because balance is defined by them");
  }
  if (options.weighted_balance && input.representation.empty()) {
    refuse("--weighted-balance", "it needs R, whose weights it counts; groups have none");
  }
  require_one_stream({options.json, options.per_node}, "standard output");
}

NodeBalances balances(const Inputs& inputs, const Labels& labels, int K, Counting counting) {
  const Representation R = inputs.representatives();
  NodeBalances nodes{.names = inputs.similarity.names(),
                     .labels = labels,
                     .balance = balance(R, labels, K, counting),
                     .proportional_balance = proportional_balance(R, labels, K, counting),
                     .counts = {}};
  if (inputs.representation) {
    nodes.counts = representative_counts(*inputs.representation, labels, K);
    if (counting == Counting::weights) {
      nodes.weights = representative_weights(*inputs.representation, labels, K);
    }
  } else {
    nodes.count_rows = inputs.groups->labels;
    const int num_groups = static_cast<int>(inputs.groups->values.size());
    nodes.counts = group_counts(nodes.count_rows, num_groups, labels, K);
  }
  return nodes;
}

std::string in_digits(double value) { return fmt::format("{:.6g}", value); }

/// The numbers that stand for all clusters.
std::string summary_of(const Evaluation& evaluation) {
  const Metrics& metrics = evaluation.metrics;
  TextTable table({});
  const auto add = [&](const char* what, double value) {
    if (!std::isnan(value)) table.add({what, in_digits(value)});
  };
  table.add({"nodes", grouped(evaluation.num_nodes)});
  table.add({"clusters", fmt::format("{}", evaluation.cluster_names.size())});
  add("ratio cut", metrics.ratio_cut);
  add("normalized cut", metrics.normalized_cut);
  if (metrics.counting == Counting::weights) table.add({"balance counts", "weights of R"});
  add("average balance", metrics.average_balance);
  add("minimum balance", metrics.minimum_balance);
  add("average proportional balance", metrics.average_proportional_balance);
  add("minimum proportional balance", metrics.minimum_proportional_balance);
  if (evaluation.baselines) {
    const Baselines& baselines = *evaluation.baselines;
    add("structure kept", baselines.structure_kept(metrics.normalized_cut));
    add("fairness gained", baselines.fairness_gained(metrics.average_balance));
    add("plain normalized cut", baselines.plain.cut);
    add("plain average balance", baselines.plain.average_balance);
    add("lots' normalized cut", baselines.random.cut);
    add("lots' average balance", baselines.random.average_balance);
  }
  add("constraint residual", metrics.constraint_residual);
  if (metrics.group_fairness) {
    const GroupFairness& groups = *metrics.group_fairness;
    add("average group balance", groups.average);
    add("minimum group balance", groups.minimum);
    add("  that of the whole graph", groups.best_possible);
    add("  average relative to it", groups.relative_average);
    add("  minimum relative to it", groups.relative_minimum);
    add("largest group deviation", groups.largest_deviation);
    add("  smallest share / overall one", groups.smallest_ratio);
    add("  largest share / overall one", groups.largest_ratio);
  }
  add("modularity", metrics.modularity);
  add("internal edge share", metrics.internal_edge_share);
  add("accuracy", evaluation.accuracy.value_or(NAN));
  add("adjusted Rand index", evaluation.adjusted_rand_index.value_or(NAN));
  return table.text();
}

std::string clusters_of(const Evaluation& evaluation) {
  const Metrics& metrics = evaluation.metrics;
  std::vector<std::string> header{"cluster", "nodes", "conductance", "internal share"};
  if (metrics.group_fairness) {
    header.insert(header.end(), {"group balance", "largest deviation"});
  }
  TextTable table(header);
  constexpr std::size_t shown = 20;
  const std::size_t count = evaluation.cluster_names.size();
  for (std::size_t k = 0; k < std::min(count, shown); ++k) {
    std::vector<std::string> row{evaluation.cluster_names[k], grouped(metrics.cluster_sizes[k]),
                                 in_digits(metrics.conductance[k]),
                                 in_digits(metrics.cluster_internal_shares[k])};
    if (metrics.group_fairness) {
      // Clusters have their names from the labels, so that none is empty.
      const ClusterFairness groups =
          metrics.group_fairness->clusters[k].value_or(ClusterFairness{});
      row.insert(row.end(), {in_digits(groups.balance), in_digits(groups.largest_deviation)});
    }
    table.add(std::move(row));
  }
  if (count > shown) {
    std::vector<std::string> rest(header.size());
    rest.front() = fmt::format("and {} more", count - shown);
    table.add(std::move(rest));
  }
  return table.text();
}

int run_evaluate(const Options& options) {
  Console console(options.common);
  require_writable(options.json);
  require_writable(options.per_node);
  const Inputs inputs = load_inputs(options.input, console);
  report_components(inputs, console);
  const NodeNames& names = inputs.similarity.names();
  const NamedLabels labels = load_labels(options.input.labels, inputs, options.input, console);
  const int K = static_cast<int>(labels.values.size());

  if (options.weighted_balance && !inputs.representation->weighted()) {
    console.note_at_end("R has no weights, so that counting weights is counting links");
  }
  Evaluation evaluation{.num_nodes = names.size(),
                        .cluster_names = labels.values,
                        .metrics = measure(inputs, labels.labels, K, options.counting()),
                        .accuracy = {},
                        .adjusted_rand_index = {},
                        .input = inputs.facts};
  if (options.baselines && !options.weighted_balance) {  // the scale is that of links
    Pipeline pipeline(cluster_input_of(inputs));
    evaluation.baselines = baselines_of(pipeline, K, {.progress = console.progress()}, console);
  }
  if (!options.truth.empty()) {
    const NamedLabels truth = load_labels(options.truth, inputs, options.input, console);
    evaluation.accuracy = accuracy(labels.labels, truth.labels);
    evaluation.adjusted_rand_index = adjusted_rand_index(labels.labels, truth.labels);
  }
  if (!options.per_node.empty()) {
    report_numbering(labels.values, console);
    write_text_file(options.per_node,
                    balances_csv(balances(inputs, labels.labels, K, options.counting())));
  }
  if (!options.json.empty()) write_text_file(options.json, evaluation_json(evaluation));
  if (options.json != "-" && options.per_node != "-") {
    write_text_file("-", summary_of(evaluation) + '\n' + clusters_of(evaluation));
  }
  return exit_fine;
}

constexpr const char* examples = R"(Examples:
  repsc evaluate G.mtx R.mtx labels.csv
  repsc evaluate G.mtx R.mtx labels.csv --truth truth.csv --json -
  repsc evaluate G.mtx R.mtx labels.csv --per-node balances.csv
  repsc evaluate G.mtx labels.csv --groups groups.csv
  repsc evaluate G.mtx R.mtx labels.csv --groups groups.csv --weighted-balance

Labels may be any words. Cuts carry the paper's factor 1/2. The balance of a
node is its smallest ratio of representatives in one cluster to those in
another, 0/0 being 1; every representative counts one, unless --weighted-balance
counts the weights of R. Proportional balance divides these counts by the sizes
of the clusters, as the constraint does. The constraint residual is 0 exactly if
the labels satisfy the representation constraint.

With R and --groups, balance is that of R. Group balance is a number for each
cluster: its smallest ratio of one group to another. Deviations are differences
between the share of a group in a cluster and its share overall. docs/methods.md
has the formulas.)";

}  // namespace

void add_evaluate_command(CLI::App& tool, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      tool.add_subcommand("evaluate", "measure cuts, fairness and accuracy of labels");
  add_labelled_arguments(*command, options->input, "labels");
  command
      ->add_option("--truth", options->truth, "true labels; adds accuracy and adjusted Rand index")
      ->type_name("FILE|-");
  add_input_options(*command, options->input);
  command
      ->add_option("--per-node", options->per_node,
                   "write the balance of each node and its representatives in each cluster, a CSV")
      ->type_name("FILE|-");
  command->add_flag("--weighted-balance", options->weighted_balance,
                    "balance: count the weights of R, not its links (default: links, as in the "
                    "paper)");
  command->add_option("--json", options->json, "write the metrics as JSON")->type_name("FILE|-");
  add_baselines_option(*command, options->baselines);
  add_common_options(*command, options->common);
  command->footer(examples);
  command->callback([options, &run] {
    check(*options);
    run = [options] { return run_evaluate(*options); };
  });
}

}  // namespace repsc::cli
