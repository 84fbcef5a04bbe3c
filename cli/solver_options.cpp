// Options that `cluster` and `path` share.
#include "solver_options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "options.hpp"

namespace repsc::cli {
namespace {

std::optional<double> parse_tolerance(const std::string& text) {
  if (text == "auto") return std::nullopt;
  double tolerance = 0;
  if (!CLI::detail::lexical_cast(text, tolerance) || !(tolerance > 0 && tolerance < 1)) {
    refuse_value("--tol", text, "auto or a number above 0 and below 1");
  }
  return tolerance;
}

std::optional<DeviceChoice> parse_device(const std::string& text) {
  try {
    return device_by_name(text);
  } catch (const InvalidOptions&) {
    refuse_value("--device", text, "auto, cpu, cuda or cuda:N");
  }
}

std::optional<double> parse_tau(const std::string& text) {
  if (text == "auto") return std::nullopt;
  double tau = 0;
  if (!CLI::detail::lexical_cast(text, tau) || !(tau >= 0) || !std::isfinite(tau)) {
    refuse_value("--regularize", text, "auto or a number of at least 0");
  }
  return tau;
}

/// "4G", "512M", "1.5g", "100000": bytes, or 1024, 1024^2, ... of them.
std::int64_t parse_bytes(const std::string& text) {
  constexpr std::string_view units = "KMGT";
  std::string number = text;
  double factor = 1;
  if (!number.empty()) {
    const auto unit = units.find(static_cast<char>(std::toupper(number.back())));
    if (unit != std::string_view::npos) {
      factor = std::pow(1024.0, static_cast<double>(unit + 1));
      number.pop_back();
    }
  }
  const bool plain = !number.empty() && number.find_first_not_of("0123456789.") == number.npos;
  double bytes = 0;
  if (!plain || !CLI::detail::lexical_cast(number, bytes) || bytes * factor < 1 ||
      bytes * factor > 9e18) {
    refuse_value("--memory-limit", text, "a size such as 4G, 512M or a number of bytes");
  }
  return static_cast<std::int64_t>(bytes * factor);
}

}  // namespace

std::string solver_outcome(const Clustering& result) {
  return fmt::format("{}, residual {:.1e}, {}", result.solver, result.residual,
                     result.settled             ? "labels settled"
                     : !result.clusters_visible ? "labels do not settle"
                     : result.converged         ? "converged"
                                                : "not converged");
}

void add_clusters_option(CLI::App& command, int& num_clusters) {
  command.add_option("-k,--clusters", num_clusters, "number of clusters, at least 2")
      ->required()
      ->check(at_least(2));
}

void add_embedding_rows_option(CLI::App& command, ClusterOptions& options) {
  add_automatic_choice<EmbeddingRows>(
      command, "--embedding-rows", options.embedding_rows,
      {{"plain", EmbeddingRows::plain}, {"unit", EmbeddingRows::unit}},
      "rows that k-means clusters: unchanged (plain) or scaled to length 1 (unit); auto: unit for "
      "nsc and soft constraints, plain otherwise");
}

Choices<Method> method_choices(const std::vector<Method>& methods) {
  Choices<Method> choices;
  for (const Method method : methods) choices.emplace_back(name(method), method);
  return choices;
}

double parse_strength(const std::string& flag, const std::string& text) {
  double strength = 0;
  if (!CLI::detail::lexical_cast(text, strength) || !(strength >= 0) || !std::isfinite(strength)) {
    refuse_value(flag, text, "a number of at least 0");
  }
  return strength;
}

void add_solver_options(CLI::App& command, ClusterOptions& options) {
  Choices<Solver> solvers;
  for (const Solver& solver : available_solvers()) solvers.emplace_back(name(solver), solver);
  add_automatic_choice(
      command, "--solver", options.solver, solvers,
      "eigensolver: dense (lapack), iterative (lanczos) or by sparse factors (cholesky); auto: "
      "chosen by size");
  command
      .add_option_function<std::string>(
          "--device", [&options](const std::string& text) { options.device = parse_device(text); },
          "where eigenvectors and k-means are computed: cpu, or a CUDA device (docs/gpu.md); auto: "
          "on a CUDA device if there is one, and G has at least 50 million entries or R is "
          "decomposed as a dense matrix of at least 3000 rows")
      ->type_name("auto|cpu|cuda[:N]")
      ->default_str("auto");
  command
      .add_option_function<std::string>(
          "--tol",
          [&options](const std::string& text) { options.tolerance = parse_tolerance(text); },
          "largest residual of an eigenvector, relative to the Laplacian; auto: 1e-8 up to 2000 "
          "nodes; for larger graphs, until the labels have settled")
      ->type_name("FLOAT|auto")
      ->default_str("auto");
  command
      .add_option_function<std::string>(
          "--regularize",
          [&options](const std::string& text) { options.regularization = parse_tau(text); },
          "normalized methods: add an edge of weight TAU/N between every pair of nodes; auto: the "
          "average degree of G")
      ->type_name("TAU|auto");
  command
      .add_option("--max-iterations", options.max_iterations,
                  "maximum number of products with a block of vectors")
      ->capture_default_str()
      ->check(at_least(1));
  command.add_option("--restarts", options.kmeans_restarts, "runs of k-means; the best is kept")
      ->capture_default_str()
      ->check(at_least(1));
  add_seed_option(command, options.seed);
  add_memory_limit_option(command, options.memory_limit);
}

void add_memory_limit_option(CLI::App& command, std::optional<std::int64_t>& bytes) {
  command
      .add_option_function<std::string>(
          "--memory-limit", [&bytes](const std::string& text) { bytes = parse_bytes(text); },
          "refuse a constraint that needs more memory, such as 4G (default: 80 % of the free "
          "memory)")
      ->type_name("SIZE");
}

}  // namespace repsc::cli
