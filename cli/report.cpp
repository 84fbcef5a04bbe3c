// repsc report: one page about labels from any tool.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "options.hpp"
#include "pages.hpp"

namespace repsc::cli {
namespace {

struct Options {
  LabelledInput input;
  CommonOptions common;
  PageRequest page;
  std::uint64_t seed = 0;
};

int run_report(const Options& options) {
  const Stopwatch total;
  Console console(options.common);
  auto [inputs, facts] =
      load_run(options.input, {options.page.file, options.page.json}, options.seed, total, console);
  const std::string& file = options.input.labels;
  const NamedLabels labels = load_labels(file, inputs, options.input, console);
  PageOrigin origin{
      .title = fmt::format("Clusters of {}", shown_file(inputs.facts.similarity.file)),
      .files = {page_file("labels", file)},
      .method = "labels from a file",
      .seed = options.seed,
      .seconds = {{"read", total.seconds()}},
      .cluster_names = labels.values};
  write_page(inputs, options.input,
             {{"this result", fmt::format("labels from {}", shown_file(file)), labels.labels}},
             static_cast<int>(labels.values.size()), options.page, std::move(origin), {}, {},
             console);
  console.note("{} written", options.page.file);
  return exit_fine;
}

constexpr const char* examples = R"(Examples:
  repsc report G.mtx R.mtx labels.csv -o report.html
  repsc report G.mtx labels.csv --groups groups.csv -o report.html --names
  repsc report G.mtx R.mtx labels.csv -o report.html --json report.json
  repsc cluster G.mtx R.mtx -k 5 --report report.html

One file that opens in a browser without a network: a verdict in words, cut
against balance with plain clustering, lots and other clusters that were
possible, the clusters and groups, the people who are represented worst with
the step that would help them most, and where the numbers come from.
docs/report.md explains every part.)";

}  // namespace

void add_report_command(CLI::App& tool, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = tool.add_subcommand("report", "write a page about clusters for people");
  add_labelled_arguments(*command, options->input, "labels to report on");
  command->add_option("-o,--output", options->page.file, "the page")->type_name("FILE")->required();
  add_page_options(*command, options->page);
  add_seed_option(*command, options->seed);
  add_input_options(*command, options->input);
  command->add_option("--json", options->page.json, "write the data of the page as JSON")
      ->type_name("FILE|-");
  add_common_options(*command, options->common);
  command->footer(examples);
  command->callback([options, &run] {
    LabelledInput& input = options->input;
    settle_files(input);
    if (input.representation.empty() && input.groups.empty()) {
      refuse("report", "it needs R or --groups, because representation is what it reports");
    }
    require_one_stream({options->page.file, options->page.json}, "standard output");
    run = [options] { return run_report(*options); };
  });
}

}  // namespace repsc::cli
