// What `cluster` and `path` share: input, solver, precision, seed, memory.
#pragma once

#include <CLI/CLI.hpp>

#include "inputs.hpp"
#include "options.hpp"
#include "repsc/cluster.hpp"

namespace repsc::cli {

/// What `cluster` and `path` are given alike.
struct ClusterRequest {
  InputOptions input;
  CommonOptions common;
  int num_clusters = 0;
  ClusterOptions cluster;
  std::optional<double> time_limit = {};  ///< seconds
  std::string labels;                     ///< the file of the labels; "": none, or standard output
  std::string json;
  bool baselines = true;
};

/// -k.
void add_clusters_option(CLI::App& command, int& num_clusters);

/// --solver, --tol, --max-iterations, --restarts, --seed, --memory-limit.
void add_solver_options(CLI::App& command, ClusterOptions& options);

/// --memory-limit.
void add_memory_limit_option(CLI::App& command, std::optional<std::int64_t>& bytes);

/// --embedding-rows.
void add_embedding_rows_option(CLI::App& command, ClusterOptions& options);

/// "lanczos, residual 3.1e-05, labels settled": which solver ran, and how it ended.
[[nodiscard]] std::string solver_outcome(const Clustering& result);

/// Parses a number of at least 0; reports wrong usage of `flag` otherwise.
[[nodiscard]] double parse_strength(const std::string& flag, const std::string& text);

/// The methods by their names.
[[nodiscard]] Choices<Method> method_choices(const std::vector<Method>& methods);

}  // namespace repsc::cli
