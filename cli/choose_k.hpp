// The number of clusters, if it is left to the tool.
#pragma once

#include <CLI/CLI.hpp>

#include "console.hpp"
#include "inputs.hpp"
#include "repsc/cluster.hpp"

namespace repsc::cli {

/// What `-k auto` sets.
inline constexpr int automatic_clusters = 0;

/// -k, a number or auto.
void add_automatic_clusters_option(CLI::App& command, int& num_clusters);

/// The number that choose_k() recommends, which is reported and kept in the facts. Throws
/// InvalidInput, with the best candidates, if there is none.
[[nodiscard]] int chosen_clusters(const Inputs& inputs, const ClusterOptions& options,
                                  RunFacts& facts, Console& console);

}  // namespace repsc::cli
