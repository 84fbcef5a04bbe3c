// repsc choose-k: how many clusters?
#include "choose_k.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "baselines.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "options.hpp"
#include "repsc/choose_k.hpp"
#include "repsc/report.hpp"

namespace repsc::cli {
namespace {

struct Options {
  InputOptions input;
  CommonOptions common;
  ChooseKOptions choose;
  std::optional<double> time_limit = {};  ///< seconds
  std::string json;
};

std::string ratio_of(double ratio) {
  return ratio >= 1000 ? ">1000" : fmt::format("{:.2f}", ratio);
}

/// With R or groups the signs are those of the constrained spectrum, beside the plain gap.
std::string table_of(const ClusterCount& found) {
  const bool constrained = found.constraint != ConstraintSource::none;
  std::vector<std::string> header{"  K"};
  if (constrained) header.emplace_back("plain gap");
  for (const char* title : {"eigengap", "ratio", "cut", "lots", "z", "below", "stability"}) {
    header.emplace_back(title);
  }
  header.emplace_back("smallest");
  TextTable table(header);
  for (const KRow& row : found.rows) {
    const KSigns& signs = row.deciding();
    const bool chosen = found.recommended == row.num_clusters;
    std::vector<std::string> cells{fmt::format("{} {}", chosen ? '*' : ' ', row.num_clusters)};
    if (constrained) cells.push_back(fmt::format("{:.4f}", row.plain.eigengap));
    cells.push_back(fmt::format("{:.4f}", signs.eigengap));
    cells.push_back(ratio_of(signs.gap_ratio));
    cells.push_back(fmt::format("{:.4f}", signs.cut));
    cells.push_back(fmt::format("{:.4f}", row.random.cut));
    cells.push_back(fmt::format("{:.1f}", signs.z));
    cells.push_back(fmt::format("{:.0f}%", 100 * signs.share));
    cells.push_back(signs.stability ? fmt::format("{:.2f}", *signs.stability) : "-");
    cells.push_back(fmt::format("{}", signs.smallest_cluster));
    table.add(std::move(cells));
  }
  return table.text();
}

int run_choose_k(const Options& options) {
  const Stopwatch total;
  ChooseKOptions how = options.choose;
  how.deadline = Deadline::after(options.time_limit);
  Console console(options.common);
  auto [inputs, facts] =
      load_run(options.input, {options.json}, options.choose.seed, total, console);
  how.progress = console.progress();
  const ClusterCount found = choose_k(cluster_input_of(inputs), how);
  console.clear_progress();
  facts.total_seconds = total.seconds();
  if (!options.json.empty()) write_text_file(options.json, choose_k_json(found, facts));
  if (options.json != "-") {
    write_text_file("-", fmt::format("{}\n{}\n", table_of(found), wrapped(found.reason)));
  }
  if (found.out_of_time) report_time_limit(*options.time_limit, console);
  return exit_fine;
}

/// The inputs that the method uses.
ClusterInput used_input(const Inputs& inputs, const ClusterOptions& options) {
  ClusterInput input = cluster_input_of(inputs);
  if (!options.method) return input;
  if (is_plain(*options.method)) return {input.similarity};
  if (is_fair_to_groups(*options.method) && input.groups) input.representation.reset();
  return input;
}

constexpr const char* examples = R"(Examples:
  repsc choose-k G.mtx
  repsc choose-k G.mtx R.mtx --from 2 --to 12
  repsc choose-k G.mtx --groups groups.csv --json choice.json

For every K: the gap between eigenvalues K and K + 1 of the normalized
Laplacian, and its ratio to the largest later gap; the normalized cut of the
clusters, that of lots, their distance in spreads of lots (z) and in percent
(below); the stability, which is the mean adjusted Rand index with the labels
of perturbed graphs; and the nodes of the smallest cluster. With R or groups
these are those of the constrained spectrum. * marks the recommended K. It has
a ratio of at least 2.5, a stability of at least 0.4 (and 1.5 / ratio), a z of
at least 3, and no cluster below a tenth of the average size. docs/methods.md
gives the reasons.)";

}  // namespace

void add_automatic_clusters_option(CLI::App& command, int& num_clusters) {
  command
      .add_option_function<std::string>(
          "-k,--clusters",
          [&num_clusters](const std::string& text) {
            num_clusters = automatic_clusters;
            if (text == "auto") return;
            if (!CLI::detail::lexical_cast(text, num_clusters) || num_clusters < 2) {
              refuse_value("--clusters", text, "auto or a whole number of at least 2");
            }
          },
          "number of clusters, at least 2; auto: the one that choose-k recommends, if there is one")
      ->type_name("INT|auto")
      ->required();
}

int chosen_clusters(const Inputs& inputs, const ClusterOptions& options, RunFacts& facts,
                    Console& console) {
  ClusterCount found = choose_k(used_input(inputs, options), {.seed = options.seed,
                                                              .memory_limit = options.memory_limit,
                                                              .progress = options.progress,
                                                              .deadline = options.deadline});
  console.clear_progress();
  if (!found.recommended) {
    std::string what = found.reason;
    if (!found.candidates.empty()) {
      what += fmt::format("; the best candidates are {}", fmt::join(found.candidates, ", "));
    }
    throw InvalidInput(
        Fault{.what = std::move(what),
              .option = "num_clusters",
              .value = "auto",
              .remedies = {advice("see the table of `repsc choose-k` and give a number")}});
  }
  console.note("{}", found.reason);
  const int chosen = *found.recommended;
  facts.chosen_clusters = std::move(found);
  return chosen;
}

void add_choose_k_command(CLI::App& tool, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = tool.add_subcommand("choose-k", "find the number of clusters");
  add_graph_arguments(*command, options->input);
  command->add_option("--from", options->choose.from, "smallest number of clusters")
      ->capture_default_str()
      ->check(at_least(2));
  command->add_option("--to", options->choose.to, "largest number of clusters")
      ->capture_default_str()
      ->check(at_least(2));
  add_seed_option(*command, options->choose.seed);
  add_time_limit_option(*command, options->time_limit);
  add_input_options(*command, options->input);
  command->add_option("--json", options->json, "write the table and the recommendation as JSON")
      ->type_name("FILE|-");
  add_common_options(*command, options->common);
  command->footer(examples);
  command->callback([options, &run] {
    const InputOptions& input = options->input;
    if (options->choose.to < options->choose.from) {
      refuse("--to", "it must be at least --from");
    }
    require_one_stream({input.similarity, input.representation, input.groups}, "standard input");
    run = [options] { return run_choose_k(*options); };
  });
}

}  // namespace repsc::cli
