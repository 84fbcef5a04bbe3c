// repsc path: clusters at several ranks of R and strengths of a soft constraint, refined or not:
// the trade-off of cut and balance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>

#include "baselines.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "inputs.hpp"
#include "interrupts.hpp"
#include "repsc/cluster.hpp"
#include "repsc/io.hpp"
#include "repsc/refine.hpp"
#include "repsc/report.hpp"
#include "solver_options.hpp"

namespace repsc::cli {
namespace {

struct Options : ClusterRequest {
  PathPoints points;
  Index min_cluster_size = 1;
  CLI::Option* size_flag = nullptr;
  std::string csv;
};

// Lists are written by hand: one this long is a mistake, such as a range without a step.
constexpr std::size_t most_points = 10000;

Index parse_count(const char* flag, std::string_view text, std::string_view part) {
  Index number = 0;
  const bool digits =
      !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  if (!digits || !CLI::detail::lexical_cast(std::string(text), number) || number < 1) {
    refuse_value(flag, std::string(text),
                 fmt::format("a whole number of at least 1 (in '{}')", part));
  }
  return number;
}

/// "5", "10-20" or "10-100:10".
void add_ranks(std::string_view part, std::vector<Index>& ranks) {
  const auto dash = part.find('-');
  const auto colon = part.find(':');
  if (dash == std::string_view::npos) {
    ranks.push_back(parse_count("--ranks", part, part));
    return;
  }
  const Index first = parse_count("--ranks", part.substr(0, dash), part);
  const Index last = parse_count(
      "--ranks", part.substr(dash + 1, colon == part.npos ? part.npos : colon - dash - 1), part);
  const Index step = colon == part.npos ? 1 : parse_count("--ranks", part.substr(colon + 1), part);
  if (first > last)
    refuse("--ranks", fmt::format("the range '{}' must not begin above its end", part));
  for (std::int64_t rank = first; rank <= last && ranks.size() <= most_points; rank += step) {
    ranks.push_back(static_cast<Index>(rank));
  }
}

/// The values of a comma-separated list, sorted, without duplicates.
template <typename Value>
std::vector<Value> parse_list(const char* flag, std::string_view text,
                              void (*add)(std::string_view, std::vector<Value>&)) {
  std::vector<Value> values;
  for (;;) {
    const auto comma = text.find(',');
    add(text.substr(0, comma), values);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  if (values.size() > most_points) {
    refuse(flag, fmt::format("more than {} {}; check the step of the ranges (see --help)",
                             grouped(most_points), flag + 2));
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// "0.5", "0.01..100" (one per decade) or "0.01..100:9" (nine of equal ratio).
void add_strengths(std::string_view part, std::vector<double>& strengths) {
  const auto dots = part.find("..");
  if (dots == std::string_view::npos) {
    strengths.push_back(parse_strength("--strengths", std::string(part)));
    return;
  }
  const auto colon = part.find(':');
  const double first = parse_strength("--strengths", std::string(part.substr(0, dots)));
  const double last = parse_strength(
      "--strengths",
      std::string(part.substr(dots + 2, colon == part.npos ? part.npos : colon - dots - 2)));
  if (!(first > 0 && first < last)) {
    refuse("--strengths", fmt::format("the range '{}' must rise and begin above 0", part));
  }
  const double decades = std::log10(last / first);
  const Index count = colon == part.npos ? static_cast<Index>(std::lround(decades)) + 1
                                         : parse_count("--strengths", part.substr(colon + 1), part);
  if (count < 2) refuse("--strengths", fmt::format("'{}' has fewer than two values", part));
  for (Index i = 0; i < count && strengths.size() <= most_points; ++i) {
    // Four digits: 0.3162, not 0.31622776601683794.
    const double exact = first * std::pow(10, decades * i / (count - 1));
    strengths.push_back(std::stod(fmt::format("{:.4g}", exact)));
  }
}

void add_mu(std::string_view part, std::vector<double>& mus) {
  double mu = 0;
  if (!CLI::detail::lexical_cast(std::string(part), mu) || !(mu >= 0) || !std::isfinite(mu)) {
    refuse("--refine", fmt::format("'{}' is not a number from 0", part));
  }
  mus.push_back(mu);
}

/// Marks the Pareto fronts of the method's cut and the balance.
void mark_fronts(PathReport& report, CutKind kind) {
  std::vector<TradeOff> average;
  std::vector<TradeOff> minimum;
  for (const Metrics& metrics : report.metrics) {
    const double cut = kind == CutKind::normalized ? metrics.normalized_cut : metrics.ratio_cut;
    average.push_back({cut, metrics.average_balance});
    minimum.push_back({cut, metrics.minimum_balance});
  }
  report.average_front = pareto_front(average);
  report.minimum_front = pareto_front(minimum);
}

std::string front_of(const PathReport& report, std::size_t i) {
  if (report.average_front[i]) return report.minimum_front[i] ? "both" : "average";
  return report.minimum_front[i] ? "minimum" : "-";
}

/// Of the values that only baselines give.
std::string shown(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "-";
}

std::string table_of(const PathReport& report, const std::optional<Baselines>& baselines) {
  TextTable table({"constraint", "ratio cut", "normalized cut", "average balance",
                   "minimum balance", "structure", "fairness", "seconds", "front"});
  for (std::size_t i = 0; i < report.metrics.size(); ++i) {
    const PathStep& step = report.path.steps[i];
    const Metrics& metrics = report.metrics[i];
    std::optional<double> structure;
    std::optional<double> fairness;
    if (baselines) {
      structure = baselines->structure_kept(metrics.normalized_cut);
      fairness = baselines->fairness_gained(metrics.average_balance);
    }
    table.add({step_name(step) + (step.clustering.converged ? "" : " *"),
               fmt::format("{:.6g}", metrics.ratio_cut),
               fmt::format("{:.6g}", metrics.normalized_cut),
               fmt::format("{:.4f}", metrics.average_balance),
               fmt::format("{:.4f}", metrics.minimum_balance), shown(structure), shown(fairness),
               fmt::format("{:.3f}", seconds_of(step)), front_of(report, i)});
  }
  return table.text();
}

/// The JSON comes last, so that its seconds include the other files.
void write_results(const Options& options, const NodeNames& names, const PathReport& report,
                   const Stopwatch& total, RunFacts& facts) {
  const Stopwatch writing;
  if (!options.labels.empty()) {
    write_text_file(options.labels, path_labels_csv(report.path, names));
  }
  if (!options.csv.empty()) write_text_file(options.csv, path_csv(report, facts.baselines));
  const bool stdout_taken = options.labels == "-" || options.csv == "-" || options.json == "-";
  if (!stdout_taken) write_text_file("-", table_of(report, facts.baselines));
  facts.write_seconds = writing.seconds();
  facts.total_seconds = total.seconds();
  if (!options.json.empty()) write_text_file(options.json, path_json(report, facts));
}

std::size_t num_points(const PathPoints& points) {
  return (points.ranks.size() + points.strengths.size()) * (1 + points.mus.size());
}

/// The path, as far as it got before the deadline or an interrupt. A point that is finished can be
/// written, so from the first one on Ctrl-C no longer ends the tool at once.
RankPath computed_path(Pipeline& pipeline, const Options& options, const Deadline& deadline,
                       Console& console) {
  ClusterOptions how = options.cluster;
  how.deadline = deadline;
  how.deadline.cancelled = &interrupted();
  if (options.min_cluster_size > 1) {
    how.refinement = RefineOptions{.min_cluster_size = options.min_cluster_size};
  }
  how.progress = [show = console.progress()](const Progress& progress) {
    if (progress.stage == "path") finish_on_interrupt();
    if (show) show(progress);
  };
  return path(pipeline, options.num_clusters, options.points, how);
}

int report_interrupt(const Options& options, const PathReport& report, Console& console) {
  console.warn("interrupted: {} of {} are written", report.path.steps.size(),
               counted(static_cast<std::int64_t>(num_points(options.points)), "point"));
  return exit_interrupted;
}

int report_convergence(const Options& options, const RankPath& path, Console& console) {
  std::string steps;
  for (const PathStep& step : path.steps) {
    if (step.clustering.converged) continue;
    steps += (steps.empty() ? "" : ", ") + step_name(step);
  }
  if (steps.empty()) return exit_fine;
  console.warn(
      "not converged at {}: residual above --tol {:.1e}; raise --max-iterations or --tol "
      "(results are written)",
      steps,
      tolerance_for(static_cast<Index>(path.steps.front().clustering.labels.size()),
                    options.cluster));
  return exit_not_converged;
}

int run_path(const Options& options) {
  const Stopwatch total;
  const Deadline deadline = Deadline::after(options.time_limit);
  Console console(options.common);
  auto [inputs, facts] = load_run(options.input, {options.labels, options.json, options.csv},
                                  options.cluster.seed, total, console);
  report_components(inputs, console);
  Pipeline pipeline(cluster_input_of(inputs));
  PathReport report{computed_path(pipeline, options, deadline, console), {}, {}, {}};
  facts.interrupted = interrupted();
  console.clear_progress();
  console.report_stage("decomposition", report.path.decomposition_seconds);
  const Stopwatch evaluation;
  for (const PathStep& step : report.path.steps) {
    console.report_stage(step_name(step), seconds_of(step));
    report.metrics.push_back(measure(inputs, step.clustering));
  }
  if (options.baselines && !facts.interrupted) {
    facts.baselines = baselines_of(
        pipeline, options.num_clusters,
        {.seed = options.cluster.seed, .progress = console.progress(), .deadline = deadline},
        console);
  }
  const Method method = report.path.steps.front().clustering.method;
  mark_fronts(report, cut_of(method));
  facts.evaluate_seconds = evaluation.seconds();
  facts.total_seconds = total.seconds();
  facts.peak_memory_bytes = peak_memory_bytes();
  console.note_at_end("{}: {} and {} at {}; {:.2f} s, of which {:.2f} s for the decomposition of R",
                      name(method), counted(inputs.similarity.num_nodes(), "node"),
                      counted(inputs.similarity.num_edges(), "edge"),
                      counted(static_cast<std::int64_t>(report.metrics.size()), "point"),
                      facts.total_seconds, report.path.decomposition_seconds);
  write_results(options, inputs.similarity.names(), report, total, facts);
  if (facts.interrupted) return report_interrupt(options, report, console);
  if (report.path.out_of_time) {
    report_time_limit(*options.time_limit, console);
    return exit_fine;
  }
  return report_convergence(options, report.path, console);
}

void add_path_options(CLI::App& command, Options& options) {
  add_clusters_option(command, options.num_clusters);
  command
      .add_option_function<std::string>(
          "--ranks",
          [&options](const std::string& text) {
            options.points.ranks = parse_list<Index>("--ranks", text, add_ranks);
          },
          "ranks of R, from 1 to N - K: numbers and ranges with a step, 1,2,5,10-100:10")
      ->type_name("LIST");
  command
      .add_option_function<std::string>(
          "--strengths",
          [&options](const std::string& text) {
            options.points.strengths = parse_list<double>("--strengths", text, add_strengths);
          },
          "strengths of the soft constraint, from 0: numbers and ranges of equal ratio, "
          "0,0.1..1000:9 (nine values; without :9 one per decade)")
      ->type_name("LIST");
  command
      .add_option_function<std::string>(
          "--refine",
          [&options](const std::string& text) {
            options.points.mus = parse_list<double>("--refine", text, add_mu);
          },
          "also refine the labels of each point at each of these values of mu (see repsc refine)")
      ->type_name("LIST");
  options.size_flag = command
                          .add_option("--min-cluster-size", options.min_cluster_size,
                                      "--refine: minimum number of nodes in a refined cluster")
                          ->capture_default_str()
                          ->check(at_least(1));
  add_embedding_rows_option(command, options.cluster);
  add_automatic_choice(command, "--method", options.cluster.method,
                       method_choices({Method::urepsc, Method::nrepsc}),
                       "unnormalized (urepsc) or normalized (nrepsc); auto: nrepsc");
  add_solver_options(command, options.cluster);
  add_baselines_option(command, options.baselines);
  add_time_limit_option(command, options.time_limit);
  add_input_options(command, options.input);
  command
      .add_option("-o,--output", options.labels,
                  "labels of all points, a CSV node,rank_1,...,strength_0.1,...")
      ->type_name("FILE|-");
  command.add_option("--json", options.json, "write the JSON report of each point")
      ->type_name("FILE|-");
  command
      .add_option("--csv", options.csv, "write the table, with residuals and eigenvalues, as CSV")
      ->type_name("FILE|-");
}

constexpr const char* examples = R"(Examples:
  repsc path G.mtx R.mtx -k 5 --ranks 1,2,5,10-100:10 --strengths 0,0.1..1000:9
  repsc path G.mtx R.mtx -k 5 --ranks 5-50:5 --method urepsc -o by_rank.csv
  repsc path G.mtx R.mtx -k 5 --strengths 0.01..100 --csv path.csv --json p.json
  repsc path G.mtx R.mtx -k 5 --strengths 0,1,10 --refine 0.5,1,2,4
  repsc path G.mtx --groups groups.csv -k 5 --strengths 0.1..10 --refine 0.1,1

R is decomposed once, for the largest rank, and each point starts from the
eigenvectors of the one before. The table goes to standard output unless a file
does; * marks a point that did not converge. `front` marks the points that no
other beats in cut and average balance, cut and minimum balance, or both; the
cut is the ratio cut for urepsc, the normalized cut for nrepsc. Ctrl-C writes
the points that are finished, marked in the JSON, and ends with exit code 130.)";

}  // namespace

void add_path_command(CLI::App& tool, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = tool.add_subcommand("path", "cluster at several ranks of R and strengths");
  add_graph_arguments(*command, options->input);
  add_path_options(*command, *options);
  add_common_options(*command, options->common);
  command->footer(examples);
  command->callback([options, &run] {
    if (options->points.ranks.empty() && options->points.strengths.empty()) {
      refuse("--ranks", "no point was given; give --ranks or --strengths");
    }
    if (options->size_flag->count() > 0 && options->points.mus.empty()) {
      refuse("--min-cluster-size", "it needs --refine, which moves nodes between clusters");
    }
    const InputOptions& input = options->input;
    require_one_representation(input);
    require_one_stream({input.similarity, input.representation, input.groups}, "standard input");
    require_one_stream({options->labels, options->json, options->csv}, "standard output");
    run = [options] { return run_path(*options); };
  });
}

}  // namespace repsc::cli
