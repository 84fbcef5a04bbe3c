// cluster --target-balance, --target-individual, --max-cut-increase: what is asked and what is
// told.
#pragma once

#include <CLI/CLI.hpp>

#include "console.hpp"
#include "repsc/report.hpp"

namespace repsc::cli {

void add_target_options(CLI::App& command, Targets& targets);

[[nodiscard]] inline bool any(const Targets& targets) {
  return targets.average_balance || targets.individual_balance || targets.max_cut_increase;
}

/// How many nodes no clustering can satisfy, which, and why: told before any computing.
void tell_unreachable(const std::vector<UnreachableNode>& nodes, double alpha, int num_clusters,
                      const NodeNames& names, Console& console);

void summarize_target(const TargetFacts& facts, Console& console);

/// Why a target that was missed counts as missed, in one line.
[[nodiscard]] std::string missed(const TargetFacts& facts);

}  // namespace repsc::cli
