// What `refine` and `cluster --refine` ask of the library in the same words.
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
[[nodiscard]] RefinementFacts refined(const Graph& similarity, const Graph& representation,
                                      const Labels& labels, int num_clusters,
                                      const RefineOptions& options, Console& console);

/// The lines that tell what refinement did.
void summarize_refinement(const RefinementFacts& facts, const Metrics& metrics, Console& console);

/// Labels of a file are numbered in the results; says how where the file calls them something
/// else.
void tell_numbering(const std::vector<std::string>& names, Console& console);

}  // namespace repsc::cli
