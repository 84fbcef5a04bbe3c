// repsc certify: how far labels from any tool can be from optimal, given how fair they are.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "certificates.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "repsc/io.hpp"
#include "repsc/report.hpp"
#include "solver_options.hpp"

namespace repsc::cli {
namespace {

struct Options {
  LabelledInput input;
  CommonOptions common;
  CertifyOptions certify;
  std::optional<double> time_limit = {};  ///< seconds
  std::string json;
};

std::string table_of(const Certificate& certificate, const Metrics& metrics, Index num_nodes) {
  TextTable table({});
  const auto add = [&](const std::string& what, double value) {
    if (!std::isnan(value)) table.add({what, fmt::format("{:.6g}", value)});
  };
  const bool normalized = certificate.cut_kind == CutKind::normalized;
  table.add({"nodes", grouped(num_nodes)});
  table.add({"clusters", fmt::format("{}", metrics.cluster_sizes.size())});
  add("average balance", metrics.average_balance);
  add("deviation", certificate.deviation);
  add(normalized ? "normalized cut" : "ratio cut", certificate.cut);
  add("lower bound", certificate.lower_bound);
  table.add({"gap", gap_in_words(certificate)});
  add("strength", certificate.strength);
  add("plain cut", certificate.plain_cut.value_or(NAN));
  if (certificate.price_of_fairness_at_least) {
    table.add({"price of fairness",
               fmt::format("at least {:.3g} %", 100 * *certificate.price_of_fairness_at_least)});
  }
  table.add({"verified", certificate.verified ? "yes" : "no"});
  return table.text();
}

int run_certify(const Options& options) {
  const Stopwatch total;
  CertifyOptions how = options.certify;
  how.deadline = Deadline::after(options.time_limit);
  Console console(options.common);
  auto [inputs, facts] = load_run(options.input, {options.json}, how.seed, total, console);
  const NamedLabels labels = load_labels(options.input.labels, inputs, options.input, console);
  const int K = static_cast<int>(labels.values.size());
  facts.load_seconds = total.seconds();  // with the labels
  facts.certificate = certified(inputs, labels.labels, K, how, console);
  const Certificate& certificate = *facts.certificate;
  const Stopwatch evaluation;
  const Metrics metrics = measure(inputs, labels.labels, K);
  facts.evaluate_seconds = evaluation.seconds();
  facts.total_seconds = total.seconds();
  facts.peak_memory_bytes = peak_memory_bytes();
  if (!options.json.empty()) {
    write_text_file(options.json, certificate_json(metrics, labels.values, facts));
  }
  if (options.json != "-") {
    write_text_file("-", table_of(certificate, metrics, inputs.similarity.num_nodes()));
  }
  if (!certificate.verified) console.note_at_end("not verified: {}", certificate.reason);
  if (certificate.out_of_time) report_time_limit(*options.time_limit, console);
  return exit_fine;
}

double parse_number(const std::string& flag, const std::string& text, double low, double high,
                    const std::string& expected) {
  double value = 0;
  if (!CLI::detail::lexical_cast(text, value) || !(value > low && value < high)) {
    refuse_value(flag, text, expected);
  }
  return value;
}

void add_search_options(CLI::App& command, Options& options) {
  CertifyOptions& how = options.certify;
  add_choice<CutKind>(command, "--cut", how.cut,
                      {{"ratio", CutKind::ratio}, {"normalized", CutKind::normalized}},
                      "the cut to bound");
  command
      .add_option_function<std::string>(
          "--tol",
          [&how](const std::string& text) {
            how.tolerance = parse_number("--tol", text, 0, 1, "a number above 0 and below 1");
          },
          "precision of the bound, relative to it; a lower one makes the bound weaker, never wrong")
      ->type_name("FLOAT")
      ->default_str(fmt::format("{}", how.tolerance));
  command
      .add_option_function<std::string>(
          "--plain-cut",
          [&how](const std::string& text) {
            how.plain_cut = parse_number("--plain-cut", text, 0, INFINITY, "a number above 0");
          },
          "cut of plain clustering, for the price of fairness (default: nsc, or usc with --cut "
          "ratio, runs with the same seed)")
      ->type_name("FLOAT");
  command.add_flag_callback(
      "--no-verify", [&how] { how.verify = false; },
      "do not count eigenvalues by a factorization; the bound then holds if the eigensolver missed "
      "none");
  add_seed_option(command, how.seed);
  add_memory_limit_option(command, how.memory_limit);
  add_time_limit_option(command, options.time_limit);
}

constexpr const char* examples = R"(Examples:
  repsc certify G.mtx R.mtx labels.csv
  repsc certify G.mtx R.mtx labels.csv --cut ratio --json certificate.json
  repsc certify G.mtx labels.csv --groups groups.csv
  repsc certify G.mtx labels.csv
  repsc cluster G.mtx R.mtx -k 5 --certify -o labels.csv

Proves a lower bound of the cut of all clusters, as many as the labels have,
that deviate at most as much from the representation constraint as the labels
do. The gap says how much of the cut of the labels could be saved at most:
  gap = cut / lower bound - 1.
The price of fairness compares the lower bound with the cut of plain
clustering. Verified: a factorization has confirmed that the eigensolver missed
no eigenvalue. Without R and --groups the bound holds for all clusters.)";

}  // namespace

void add_certify_command(CLI::App& tool, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      tool.add_subcommand("certify", "prove a lower bound of the cut of fair clusters");
  add_labelled_arguments(*command, options->input, "labels");
  add_search_options(*command, *options);
  add_input_options(*command, options->input);
  command->add_option("--json", options->json, "write the certificate and the metrics as JSON")
      ->type_name("FILE|-");
  add_common_options(*command, options->common);
  command->footer(examples);
  command->callback([options, &run] {
    settle_files(options->input);
    refuse_two_representations(options->input);
    run = [options] { return run_certify(*options); };
  });
}

}  // namespace repsc::cli
