// repsc evaluate: cuts, balance and accuracy of labels from any tool.
#include <fmt/format.h>

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
  std::string json;
  bool baselines = true;
};

void check(Options& options) {
  LabelledInput& input = options.input;
  settle_files(input);
  require_one_representation(input, false);
  if (!options.per_node.empty() && input.groups.empty() && input.representation.empty()) {
    refuse("--per-node", "it needs R or --groups, because balance is defined by them");
  }
  require_one_stream(
      {input.similarity, input.representation, input.labels, input.groups, options.truth},
      "standard input");
  require_one_stream({options.json, options.per_node}, "standard output");
}

NodeBalances balances(const Inputs& inputs, const Labels& labels, int K) {
  const NodeNames& names = inputs.similarity.names();
  if (inputs.representation) {
    return {names, labels, balance(*inputs.representation, labels, K),
            representative_counts(*inputs.representation, labels, K)};
  }
  const Labels& groups = inputs.groups->labels;
  const int num_groups = static_cast<int>(inputs.groups->values.size());
  return {names, labels, group_balance(groups, labels, K),
          group_counts(groups, num_groups, labels, K), groups};
}

std::string table_of(const Evaluation& evaluation) {
  const Metrics& metrics = evaluation.metrics;
  TextTable table({});
  const auto add = [&](const std::string& what, double value) {
    if (!std::isnan(value)) table.add({what, fmt::format("{:.6g}", value)});
  };
  table.add({"nodes", grouped(evaluation.num_nodes)});
  table.add({"clusters", fmt::format("{}", evaluation.cluster_names.size())});
  add("ratio cut", metrics.ratio_cut);
  add("normalized cut", metrics.normalized_cut);
  add("average balance", metrics.average_balance);
  add("minimum balance", metrics.minimum_balance);
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
  add("accuracy", evaluation.accuracy.value_or(NAN));
  add("adjusted Rand index", evaluation.adjusted_rand_index.value_or(NAN));

  TextTable clusters({"cluster", "nodes"});
  constexpr std::size_t shown = 20;
  const std::size_t count = evaluation.cluster_names.size();
  for (std::size_t k = 0; k < std::min(count, shown); ++k) {
    clusters.add({evaluation.cluster_names[k], grouped(metrics.cluster_sizes[k])});
  }
  if (count > shown) clusters.add({fmt::format("and {} more", count - shown), ""});
  return table.text() + '\n' + clusters.text();
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

  Evaluation evaluation{.num_nodes = names.size(),
                        .cluster_names = labels.values,
                        .metrics = measure(inputs, labels.labels, K),
                        .accuracy = {},
                        .adjusted_rand_index = {},
                        .input = inputs.facts};
  if (options.baselines) {
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
    write_text_file(options.per_node, balances_csv(balances(inputs, labels.labels, K)));
  }
  if (!options.json.empty()) write_text_file(options.json, evaluation_json(evaluation));
  if (options.json != "-" && options.per_node != "-") write_text_file("-", table_of(evaluation));
  return exit_fine;
}

constexpr const char* examples = R"(Examples:
  repsc evaluate G.mtx R.mtx labels.csv
  repsc evaluate G.mtx R.mtx labels.csv --truth truth.csv --json -
  repsc evaluate G.mtx R.mtx labels.csv --per-node balances.csv
  repsc evaluate G.mtx labels.csv --groups groups.csv

Labels may be any words. Cuts carry the paper's factor 1/2. The balance of a
node is its smallest ratio of representatives in one cluster to those in
another, 0/0 being 1. The constraint residual is 0 exactly if the labels satisfy
the representation constraint.)";

}  // namespace

void add_evaluate_command(CLI::App& tool, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      tool.add_subcommand("evaluate", "measure cuts, balance and accuracy of labels");
  add_labelled_arguments(*command, options->input, "labels");
  command
      ->add_option("--truth", options->truth, "true labels; adds accuracy and adjusted Rand index")
      ->type_name("FILE|-");
  add_input_options(*command, options->input);
  command
      ->add_option("--per-node", options->per_node,
                   "write the balance of each node and its representatives in each cluster, a CSV")
      ->type_name("FILE|-");
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
