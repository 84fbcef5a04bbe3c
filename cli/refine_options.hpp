// Options and output that `refine` and `cluster --refine` share.
#pragma once

#include <CLI/CLI.hpp>

#include "console.hpp"
#include "repsc/report.hpp"

namespace repsc::cli {

/// --mu, --min-cluster-size; returned so that a command can say what they need.
struct RefineFlags {
  CLI::Option* mu = nullptr;
  CLI::Option* min_cluster_size = nullptr;
};
RefineFlags add_refine_options(CLI::App& command, RefineOptions& options);

/// Refines and measures, with progress.
[[nodiscard]] RefinementFacts refined(const Graph& similarity, const Representation& representation,
                                      const Labels& labels, int num_clusters,
                                      const RefineOptions& options, Console& console);

/// Prints a summary of the refinement.
void summarize_refinement(const RefinementFacts& facts, const Metrics& metrics, Console& console);

/// Results number the clusters of a file. Prints the numbering if the file uses other names.
void report_numbering(const std::vector<std::string>& names, Console& console);

}  // namespace repsc::cli
