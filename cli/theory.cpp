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
  TheoremParameters parameters;
  std::string json;
};

struct Numbers {
  ExpectedEigenvalues expected;
  EigengapBounds unnormalized;
  EigengapBounds normalized;
  Theorems theorems;
};

nlohmann::ordered_json json_of(const Theorems& theorems) {
  const UnnormalizedTheorem& first = theorems.unnormalized;
  const NormalizedTheorem& second = theorems.normalized;
  return {{"largest_C", theorems.largest_C},
          {"dense_enough", theorems.dense_enough},
          {"probability", theorems.probability},
          {"random_error", theorems.random_error},
          {"unnormalized",
           {{"gamma", first.gamma},
            {"largest_constant", first.largest_constant},
            {"bound", first.bound}}},
          {"normalized",
           {{"gamma", second.gamma},
            {"x", second.x},
            {"first_condition", second.first},
            {"first_condition_limit", second.first_limit},
            {"first_condition_holds", second.first_holds()},
            {"largest_constant", second.largest_constant},
            {"bound", second.bound}}}};
}

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
       {{"unnormalized", range(numbers.unnormalized)}, {"normalized", range(numbers.normalized)}}},
      {"theorems", json_of(numbers.theorems)}};
  return json.dump(2) + '\n';
}

/// What a bound means beside the error of random labels.
std::string judged(double bound, double random_error) {
  return fmt::format("{:.3g}{}", bound, bound < random_error ? "" : " (vacuous)");
}

/// The conditions and bounds, with the constants that the paper does not give as 1.
std::string table_of(const Theorems& theorems) {
  const UnnormalizedTheorem& first = theorems.unnormalized;
  const NormalizedTheorem& second = theorems.normalized;
  TextTable table({"condition or bound, for the smallest gamma", "value"});
  table.add({"p >= C ln N / N", fmt::format("C up to {:.4g}", theorems.largest_C)});
  table.add({"Theorem 4.1: gamma^2 >= const (2 + epsilon) p N K ln N",
             fmt::format("const up to {:.3g}", first.largest_constant)});
  table.add({"Theorem 4.1: M <= const times", judged(first.bound, theorems.random_error)});
  table.add({"Theorem 4.2: condition 1",
             fmt::format("{} ({:.3g}, at most {:.3g})", second.first_holds() ? "holds" : "fails",
                         second.first, second.first_limit)});
  table.add({"Theorem 4.2: condition 2", fmt::format("const_2 from {:.3g}", second.x)});
  table.add({"Theorem 4.2: condition 3",
             fmt::format("const_1 = const_3 below {:.3g}", second.largest_constant)});
  table.add({"Theorem 4.2: M <= const^2 times", judged(second.bound, theorems.random_error)});
  table.add({"M of random labels", fmt::format("{:.3g}", theorems.random_error)});
  table.add({"probability of the bounds", fmt::format("{:.4g}", theorems.probability)});
  return table.text();
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
  return table.text() + "\n" + table_of(numbers.theorems);
}

int run_theory(const Options& options) {
  const Console console(options.common);
  const Numbers numbers = as_usage([&] {
    return Numbers{expected_eigenvalues(options.model), eigengap_bounds(options.model, false),
                   eigengap_bounds(options.model, true),
                   theorems(options.model, options.parameters)};
  });
  if (!options.json.empty()) write_text_file(options.json, json_of(options.model, numbers));
  if (options.json != "-") write_text_file("-", table_of(numbers));
  return exit_fine;
}

}  // namespace

void add_theory_command(CLI::App& tool, Run& run) {
  auto options = std::make_shared<Options>();
  RppModel& model = options->model;
  CLI::App* command =
      tool.add_subcommand("theory", "eigenvalues, eigengaps, theorems of the R-PP model");
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
  command->add_option("-C", options->parameters.C, "of the condition p >= C ln N / N")
      ->capture_default_str();
  command
      ->add_option("--alpha", options->parameters.alpha,
                   "the bounds hold with probability 1 - 2 N^-alpha")
      ->capture_default_str();
  command
      ->add_option("--epsilon", options->parameters.epsilon, "k-means is (1 + epsilon)-approximate")
      ->capture_default_str();
  command->add_option("--json", options->json, "write the numbers as JSON")->type_name("FILE|-");
  add_common_options(*command, options->common);
  command->footer(
      "Example:\n"
      "  repsc theory -n 1200 -k 5 -d 40 -p 0.4 -q 0.3 -r 0.2 -s 0.1\n\n"
      "For R-PP under Assumption 4.1. Unless p - q = r - s, the eigengap depends on\nmore than the "
      "degree of R; the printed range contains it for every such R.\n\n"
      "The paper proves that the constants of Theorems 4.1 and 4.2 exist and does not\ngive them: "
      "conditions say for which constants they hold, and bounds are for\nconstants of 1. A bound "
      "of "
      "the misclustered fraction M is vacuous if random\nlabels satisfy it. docs/theory.md has "
      "examples.");
  command->callback([options, &run] { run = [options] { return run_theory(*options); }; });
}

}  // namespace repsc::cli
