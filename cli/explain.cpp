// repsc explain: one person's card on the terminal.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "repsc/audit.hpp"
#include "repsc/report.hpp"

namespace repsc::cli {
namespace {

struct Options {
  InputOptions input;
  CommonOptions common;
  std::vector<std::string> arguments;  ///< G [R] LABELS NODE..., as given
  std::string labels;
  std::vector<std::string> nodes;
  std::string json;
};

std::vector<Index> wanted(const Options& options, const NodeNames& names) {
  std::vector<Index> nodes;
  nodes.reserve(options.nodes.size());
  for (const std::string& name : options.nodes) {
    const std::optional<Index> node = names.find(name);
    if (!node) {
      throw InvalidInput(Fault{.what = fmt::format("no node '{}' in the similarity graph", name),
                               .where = options.input.similarity});
    }
    nodes.push_back(*node);
  }
  return nodes;
}

std::string step_in_words(const HelpfulStep& step, const NodeNames& names,
                          const std::vector<std::string>& clusters, double balance) {
  if (step.kind == HelpfulStep::Kind::none) {
    return "No single move or swap raises the balance.";
  }
  const std::string& from = clusters[static_cast<std::size_t>(step.from)];
  const std::string& to = clusters[static_cast<std::size_t>(step.to)];
  const std::string what =
      step.kind == HelpfulStep::Kind::move
          ? fmt::format("Moving node {} from cluster {} to cluster {}", names[step.node], from, to)
          : fmt::format("Swapping node {} of cluster {} with node {} of cluster {}",
                        names[step.node], from, names[step.other], to);
  return fmt::format(
      "{} would raise the balance from {:.3f} to {:.3f} and change the normalized "
      "cut by {:+.3g}.",
      what, balance, step.balance, step.cut_change);
}

std::string card(const Person& person, const NodeNames& names,
                 const std::vector<std::string>& clusters) {
  std::string text = fmt::format(
      "node {}, cluster {}: balance {:.3f} (at most {:.3f} with {} representative{}), {}\n",
      names[person.node], clusters[static_cast<std::size_t>(person.cluster)], person.balance,
      person.limit, person.num_representatives, person.num_representatives == 1 ? "" : "s",
      in_words(person.reason));
  TextTable table({"cluster", "representatives", "in proportion to its size"});
  for (std::size_t k = 0; k < clusters.size(); ++k) {
    table.add({clusters[k], fmt::format("{}", person.found[k]),
               fmt::format("{:.1f}", person.expected[k])});
  }
  return text + table.text() +
         wrapped(step_in_words(person.help, names, clusters, person.balance)) + "\n";
}

int run_explain(const Options& options) {
  Console console(options.common);
  require_writable(options.json);
  const Inputs inputs = load_inputs(options.input, console);
  const NamedLabels labels = load_labels(options.labels, inputs, options.input, console);
  const NodeNames& names = inputs.similarity.names();
  const std::vector<Person> people =
      explain(inputs.similarity, inputs.representatives(), labels.labels,
              static_cast<int>(labels.values.size()), wanted(options, names));
  if (!options.json.empty()) {
    write_text_file(options.json, people_json(people, names, labels.values));
  }
  if (options.json == "-") return exit_fine;
  std::string text;
  for (const Person& person : people) {
    if (!text.empty()) text += '\n';
    text += card(person, names, labels.values);
  }
  write_text_file("-", text);
  return exit_fine;
}

/// G [R] LABELS NODE...: R is given unless there are groups.
void settle(Options& options) {
  const std::size_t files = options.input.groups.empty() ? 3 : 2;
  if (options.arguments.size() <= files) {
    refuse("explain", files == 3 ? "it needs G, R, LABELS and a node; or --groups instead of R"
                                 : "it needs G, LABELS and a node");
  }
  options.input.similarity = options.arguments[0];
  if (files == 3) options.input.representation = options.arguments[1];
  options.labels = options.arguments[files - 1];
  options.nodes.assign(options.arguments.begin() + static_cast<std::ptrdiff_t>(files),
                       options.arguments.end());
}

constexpr const char* examples = R"(Examples:
  repsc explain G.mtx R.mtx labels.csv 17
  repsc explain G.mtx R.mtx labels.csv 17 18 --json -
  repsc explain G.mtx labels.csv 17 --groups groups.csv

For each node: its representatives in every cluster, and how many there would be
in proportion to the sizes of the clusters; why its balance is what it is; and of
all moves of one node and swaps of two the one that raises its balance most, of
several the one with the lowest cut.)";

}  // namespace

void add_explain_command(CLI::App& tool, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = tool.add_subcommand("explain", "show how single nodes are represented");
  command
      ->add_option("files", options->arguments,
                   "similarity graph, representation graph (unless --groups is given), labels, and "
                   "names of nodes")
      ->type_name("G [R] LABELS NODE...")
      ->required();
  add_input_options(*command, options->input);
  command->add_option("--json", options->json, "write the cards as JSON")->type_name("FILE|-");
  add_common_options(*command, options->common);
  command->footer(examples);
  command->callback([options, &run] {
    settle(*options);
    const InputOptions& input = options->input;
    require_one_stream({input.similarity, input.representation, options->labels, input.groups},
                       "standard input");
    run = [options] { return run_explain(*options); };
  });
}

}  // namespace repsc::cli
