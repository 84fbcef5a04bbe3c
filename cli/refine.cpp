// repsc refine: lowers the cut and raises the balance of labels from any tool.
#include <fmt/format.h>

#include <memory>

#include "baselines.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "inputs.hpp"
#include "refine_options.hpp"
#include "repsc/io.hpp"
#include "repsc/report.hpp"

namespace repsc::cli {
namespace {

struct Options {
  LabelledInput input;  ///< with the labels to start from
  CommonOptions common;
  RefineOptions refine;
  std::optional<double> time_limit = {};  ///< seconds
  std::string labels;                     ///< "": standard output, unless the JSON goes there
  std::string json;
  bool baselines = true;
};

int run_refine(const Options& options) {
  const Stopwatch total;
  RefineOptions how = options.refine;
  how.deadline = Deadline::after(options.time_limit);
  Console console(options.common);
  auto [inputs, facts] =
      load_run(options.input, {options.labels, options.json}, options.refine.seed, total, console);
  report_components(inputs, console);
  const NodeNames& names = inputs.similarity.names();
  const NamedLabels start = load_labels(options.input.labels, inputs, options.input, console);
  const int K = static_cast<int>(start.values.size());
  if (K < 2) {
    throw InvalidInput(
        Fault{.what = "all nodes are in one cluster, but refinement needs at least two clusters",
              .where = options.input.labels});
  }
  facts.load_seconds = total.seconds();  // with the labels

  const RefinementFacts refinement =
      refined(inputs.similarity, inputs.representatives(), start.labels, K, how, console);
  const Labels& labels = refinement.refinement.labels;
  const Stopwatch evaluation;
  const Metrics metrics = measure(inputs, labels, K);
  if (options.baselines) {
    Pipeline pipeline(cluster_input_of(inputs));
    facts.baselines =
        baselines_of(pipeline, K, {.seed = how.seed, .progress = console.progress()}, console);
  }
  facts.evaluate_seconds = evaluation.seconds();
  facts.total_seconds = total.seconds();
  facts.peak_memory_bytes = peak_memory_bytes();
  summarize_refinement(refinement, metrics, console);
  if (facts.baselines) {
    console.note_at_end("structure {}; {}", placement(*facts.baselines, metrics),
                        in_words(*facts.baselines));
  }
  report_numbering(start.values, console);
  const Stopwatch writing;
  if (!options.labels.empty()) write_labels(labels, names, options.labels);
  facts.write_seconds = writing.seconds();
  facts.total_seconds = total.seconds();
  if (!options.json.empty()) {
    write_text_file(options.json, refinement_json(refinement, metrics, start.values, facts));
  }
  if (refinement.refinement.out_of_time) report_time_limit(*options.time_limit, console);
  return exit_fine;
}

constexpr const char* examples = R"(Examples:
  repsc refine G.mtx R.mtx labels.csv -o refined.csv
  repsc refine G.mtx R.mtx labels.csv --mu 4 --json result.json -o refined.csv
  repsc refine G.mtx R.mtx labels.csv --cut ratio --mu ratio > refined.csv
  repsc refine G.mtx labels.csv --groups groups.csv -o refined.csv
  repsc cluster G.mtx R.mtx -k 5 --refine -o labels.csv

Moves single nodes and swaps pairs as long as that lowers
  cut / (cut of a random labelling) - mu * average balance.
Random labels have ratio cut (K - 1) / 2 * mean degree and normalized cut
(K - 1) / 2, with the paper's factor 1/2, so mu is comparable between graphs.
A larger mu gives more balance. Refining again changes nothing.)";

}  // namespace

void add_refine_command(CLI::App& tool, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      tool.add_subcommand("refine", "improve cut and balance of labels from any tool");
  add_labelled_arguments(*command, options->input, "labels to start from");
  add_choice<CutKind>(*command, "--cut", options->refine.cut,
                      {{"ratio", CutKind::ratio}, {"normalized", CutKind::normalized}},
                      "the cut to lower");
  add_refine_options(*command, options->refine);
  add_seed_option(*command, options->refine.seed);
  add_baselines_option(*command, options->baselines);
  add_time_limit_option(*command, options->time_limit);
  add_input_options(*command, options->input);
  command
      ->add_option("-o,--output", options->labels,
                   "write the refined labels, a CSV node,cluster (default: standard output)")
      ->type_name("FILE|-");
  command->add_option("--json", options->json, "write the metrics and a summary of the refinement")
      ->type_name("FILE|-");
  add_common_options(*command, options->common);
  command->footer(examples);
  command->callback([options, &run] {
    settle_files(options->input);
    require_one_representation(options->input);
    require_one_stream({options->labels, options->json}, "standard output");
    if (options->labels.empty() && options->json != "-") options->labels = "-";
    run = [options] { return run_refine(*options); };
  });
}

}  // namespace repsc::cli
