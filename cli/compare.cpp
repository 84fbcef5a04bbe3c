// repsc compare: who gains and who loses between two clusterings, and what it costs.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "pages.hpp"
#include "repsc/audit.hpp"
#include "repsc/report.hpp"

namespace repsc::cli {
namespace {

struct Options {
  InputOptions input;
  CommonOptions common;
  std::vector<std::string> files;  ///< G [R] LABELS_A LABELS_B, as given
  std::string before;
  std::string after;
  PageRequest page;
  std::string json;
};

std::string table_of(const Comparison& found) {
  TextTable table({"", "A", "B", "B - A"});
  const auto add = [&](const char* what, double a, double b) {
    table.add(
        {what, fmt::format("{:.4f}", a), fmt::format("{:.4f}", b), fmt::format("{:+.4f}", b - a)});
  };
  const Metrics& a = found.before;
  const Metrics& b = found.after;
  table.add({"clusters", fmt::format("{}", a.cluster_sizes.size()),
             fmt::format("{}", b.cluster_sizes.size()), ""});
  add("normalized cut", a.normalized_cut, b.normalized_cut);
  add("ratio cut", a.ratio_cut, b.ratio_cut);
  add("average balance", a.average_balance, b.average_balance);
  add("minimum balance", a.minimum_balance, b.minimum_balance);
  add("proportional balance", a.average_proportional_balance, b.average_proportional_balance);
  return table.text();
}

std::string groups_of(const Comparison& found, const std::vector<std::string>& names) {
  if (found.groups.empty()) return "";
  TextTable table({"group", "nodes", "average balance in A", "in B", "B - A"});
  for (const Comparison::OfGroup& group : found.groups) {
    table.add({names[static_cast<std::size_t>(group.number)], grouped(group.num_nodes),
               fmt::format("{:.4f}", group.before), fmt::format("{:.4f}", group.after),
               fmt::format("{:+.4f}", group.after - group.before)});
  }
  return "\n" + table.text();
}

std::string changes_in_words(const Comparison& found, Index num_nodes) {
  const Index same = num_nodes - found.num_gained - found.num_lost;
  return fmt::format(
      "From A to B the balance of {} nodes rises (by {:.3f} on average), that of {} falls (by "
      "{:.3f}"
      " on average), and that of {} stays. The adjusted Rand index of the labels is {:.3f}.",
      grouped(found.num_gained), found.mean_gain, grouped(found.num_lost), found.mean_loss,
      grouped(same), found.agreement);
}

std::string listed(const char* title, const std::vector<Comparison::Change>& changes,
                   const NodeNames& names) {
  constexpr std::size_t shown = 10;
  if (changes.empty()) return "";
  TextTable table({title, "A", "B", "B - A"});
  for (std::size_t i = 0; i < std::min(shown, changes.size()); ++i) {
    const Comparison::Change& each = changes[i];
    table.add({names[each.node], fmt::format("{:.3f}", each.before),
               fmt::format("{:.3f}", each.after),
               fmt::format("{:+.3f}", each.after - each.before)});
  }
  return "\n" + table.text();
}

void write_comparison_page(const Options& options, const Inputs& inputs, const NamedLabels& a,
                           const NamedLabels& b, double read_seconds, Console& console) {
  if (a.values.size() != b.values.size()) {
    throw InvalidInput(Fault{
        .what = fmt::format("{} has {} clusters and {} has {}; a page shows clusterings with the "
                            "same number of clusters",
                            options.before, a.values.size(), options.after, b.values.size()),
        .remedies = {advice("write one page for each with `repsc report`")}});
  }
  PageOrigin origin{
      .title = fmt::format("Two clusterings of {}", shown_file(inputs.facts.similarity.file)),
      .files = {page_file("labels A", options.before), page_file("labels B", options.after)},
      .method = "labels from two files",
      .seconds = {{"read", read_seconds}},
      .cluster_names = a.values == b.values ? a.values : std::vector<std::string>()};
  write_page(inputs, options.input,
             {{"A", fmt::format("labels from {}", shown_file(options.before)), a.labels},
              {"B", fmt::format("labels from {}", shown_file(options.after)), b.labels}},
             static_cast<int>(a.values.size()), options.page, std::move(origin), {}, {}, console);
}

int run_compare(const Options& options) {
  const Stopwatch watch;
  Console console(options.common);
  require_writable(options.json);
  require_writable(options.page.file);
  const Inputs inputs = load_inputs(options.input, console);
  const NamedLabels a = load_labels(options.before, inputs, options.input, console);
  const NamedLabels b = load_labels(options.after, inputs, options.input, console);
  std::optional<Labels> groups;
  if (inputs.groups) groups = inputs.groups->labels;
  const NodeNames& names = inputs.similarity.names();
  const double read_seconds = watch.seconds();
  const Comparison found = compare(inputs.similarity, inputs.representatives(), a.labels,
                                   static_cast<int>(a.values.size()), b.labels,
                                   static_cast<int>(b.values.size()), groups);
  const std::vector<std::string> group_names =
      inputs.groups ? inputs.groups->values : std::vector<std::string>{};
  if (!options.page.file.empty()) {
    write_comparison_page(options, inputs, a, b, read_seconds, console);
  }
  if (!options.json.empty()) {
    write_text_file(options.json, comparison_json(found, names, group_names));
  }
  if (options.json == "-") return exit_fine;
  std::string text = table_of(found) + "\n" + wrapped(changes_in_words(found, names.size())) + "\n";
  text += listed("largest losses", found.losers, names);
  text += listed("largest gains", found.gainers, names);
  text += groups_of(found, group_names);
  write_text_file("-", text);
  return exit_fine;
}

void settle(Options& options) {
  const std::size_t count = options.files.size();
  const bool by_groups = !options.input.groups.empty();
  if (count != 4 && !(count == 3 && by_groups)) {
    refuse("compare", "it needs G, R, LABELS_A and LABELS_B; or --groups instead of R");
  }
  options.input.similarity = options.files[0];
  if (count == 4) options.input.representation = options.files[1];
  options.before = options.files[count - 2];
  options.after = options.files[count - 1];
}

constexpr const char* examples = R"(Examples:
  repsc compare G.mtx R.mtx labels.csv truth.csv
  repsc compare G.mtx R.mtx labels.csv truth.csv --report report.html
  repsc compare G.mtx labels.csv truth.csv --groups groups.csv --json compare.json

The measures of both clusterings, how many nodes gain and lose balance from A to
B, and who loses and gains most.)";

}  // namespace

void add_compare_command(CLI::App& tool, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = tool.add_subcommand("compare", "compare two clusterings node by node");
  command
      ->add_option(
          "files", options->files,
          "similarity graph, representation graph (may be left out with --groups), and two "
          "files of labels")
      ->type_name("G [R] LABELS_A LABELS_B")
      ->required();
  command->add_option("--report", options->page.file, "write a page with both clusterings")
      ->type_name("FILE");
  add_threshold_option(*command, options->page.how.threshold);
  command->add_flag("--names", options->page.names, "show the names of nodes on the page");
  add_input_options(*command, options->input);
  command->add_option("--json", options->json, "write the comparison as JSON")->type_name("FILE|-");
  add_common_options(*command, options->common);
  command->footer(examples);
  command->callback([options, &run] {
    settle(*options);
    const InputOptions& input = options->input;
    if (options->page.file.empty() && (options->page.how.threshold || options->page.names)) {
      refuse(options->page.names ? "--names" : "--threshold", "it needs --report");
    }
    require_one_stream(
        {input.similarity, input.representation, options->before, options->after, input.groups},
        "standard input");
    require_one_stream({options->page.file, options->json}, "standard output");
    run = [options] { return run_compare(*options); };
  });
}

}  // namespace repsc::cli
