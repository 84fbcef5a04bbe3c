// repsc theory: the numbers of the paper's theorems for an R-PP model.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "exit_codes.hpp"
#include "options.hpp"
#include "repsc/io.hpp"
#include "repsc/report.hpp"
#include "repsc/theory.hpp"
#include "wording.hpp"

namespace repsc::cli {
namespace {

struct Options {
  CommonOptions common;
  RppModel model;
  std::string json;
};

struct Numbers {
  ExpectedEigenvalues expected;
  EigengapBounds unnormalized;
  EigengapBounds normalized;
};

std::string json_of(const RppModel& model, const Numbers& numbers) {
  const auto range = [](const EigengapBounds& bounds) {
    return nlohmann::ordered_json{{"lower", bounds.lower}, {"upper", bounds.upper}};
  };
  const nlohmann::ordered_json json{
      {"repsc", version},
      {"nodes", model.num_nodes},
      {"clusters", model.num_clusters},
      {"degree", model.degree},
      {"p", model.p},
      {"q", model.q},
      {"r", model.r},
      {"s", model.s},
      {"lambda_1", numbers.expected.lambda_1},
      {"lambda_2", numbers.expected.lambda_2},
      {"gamma",
       {{"unnormalized", range(numbers.unnormalized)}, {"normalized", range(numbers.normalized)}}}};
  return json.dump(2) + '\n';
}

std::string table_of(const Numbers& numbers) {
  const auto number = [](double value) { return fmt::format("{:.6g}", value); };
  const auto range = [&](const EigengapBounds& bounds) {
    return bounds.lower == bounds.upper ? number(bounds.lower)
                                        : number(bounds.lower) + " to " + number(bounds.upper);
  };
  TextTable table({"quantity", "value"});
  table.add({"lambda_1   expected degree + p", number(numbers.expected.lambda_1)});
  table.add({"lambda_2   of the clusters (Lemma D.2)", number(numbers.expected.lambda_2)});
  table.add({"gamma      eigengap of urepsc (Theorem 4.1)", range(numbers.unnormalized)});
  table.add({"gamma      eigengap of nrepsc (Theorem 4.2)", range(numbers.normalized)});
  return table.text();
}

int run_theory(const Options& options) {
  const Console console(options.common);
  const Numbers numbers = as_usage([&] {
    return Numbers{expected_eigenvalues(options.model), eigengap_bounds(options.model, false),
                   eigengap_bounds(options.model, true)};
  });
  if (!options.json.empty()) write_text_file(options.json, json_of(options.model, numbers));
  if (options.json != "-") write_text_file("-", table_of(numbers));
  return exit_fine;
}

}  // namespace

void add_theory_command(CLI::App& tool, Run& run) {
  auto options = std::make_shared<Options>();
  RppModel& model = options->model;
  CLI::App* command = tool.add_subcommand("theory", "eigenvalues and eigengaps of the R-PP model");
  command->add_option("-n,--nodes", model.num_nodes, "number of nodes")->required();
  command->add_option("-k,--clusters", model.num_clusters, "number of clusters")->required();
  command->add_option("-d,--degree", model.degree, "degree of R, self-loop included")->required();
  command->add_option("-p", model.p, "probability of an edge: same cluster, linked in R")
      ->required();
  command->add_option("-q", model.q, "probability of an edge: other cluster, linked in R")
      ->required();
  command->add_option("-r", model.r, "probability of an edge: same cluster, not linked in R")
      ->required();
  command->add_option("-s", model.s, "probability of an edge: other cluster, not linked in R")
      ->required();
  command->add_option("--json", options->json, "write the numbers as JSON")->type_name("FILE|-");
  add_common_options(*command, options->common);
  command->footer(
      "Example:\n"
      "  repsc theory -n 1200 -k 5 -d 40 -p 0.4 -q 0.3 -r 0.2 -s 0.1\n\n"
      "For R-PP under Assumption 4.1. Unless p - q = r - s, the eigengap depends on\nmore than the "
      "degree of R; the printed range contains it for every such R.");
  command->callback([options, &run] { run = [options] { return run_theory(*options); }; });
}

}  // namespace repsc::cli
