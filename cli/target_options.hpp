// cluster --target-balance, --target-individual, --max-cut-increase: options and messages.
#pragma once

#include <CLI/CLI.hpp>

#include "console.hpp"
#include "repsc/report.hpp"

namespace repsc::cli {

void add_target_options(CLI::App& command, Targets& targets);

[[nodiscard]] inline bool any(const Targets& targets) {
  return targets.average_balance || targets.individual_balance || targets.max_cut_increase;
}

/// Reports, before the computation, which nodes cannot reach the target in any clustering, and why.
void report_unreachable(const std::vector<UnreachableNode>& nodes, double alpha, int num_clusters,
                        const NodeNames& names, Console& console);

/// Says, before the computation, that no clustering can have this average balance.
void report_limit(double average_balance, double limit, Console& console);

void summarize_target(const TargetFacts& facts, Console& console);

/// One line that says why the target was not met.
[[nodiscard]] std::string missed(const TargetFacts& facts);

}  // namespace repsc::cli
