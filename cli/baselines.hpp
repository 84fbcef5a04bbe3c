// Plain clustering and lots, beside which the commands place their results.
#pragma once

#include <optional>
#include <string>

#include "console.hpp"
#include "inputs.hpp"
#include "repsc/cluster.hpp"

namespace repsc::cli {

/// --no-baselines, which clears `wanted`.
void add_baselines_option(CLI::App& command, bool& wanted);

/// The input as the library takes it.
[[nodiscard]] ClusterInput cluster_input_of(const Inputs& inputs);

struct FoundBaselines {
  std::optional<Baselines> baselines;
  std::string note;  ///< why there are none
};
/// The baselines of the pipeline.
[[nodiscard]] FoundBaselines found_baselines(Pipeline& pipeline, int num_clusters,
                                             const ClusterOptions& options);

/// The baselines, and the note on the console.
std::optional<Baselines> report(const FoundBaselines& found, Console& console);
/// Finds and reports them.
[[nodiscard]] std::optional<Baselines> baselines_of(Pipeline& pipeline, int num_clusters,
                                                    const ClusterOptions& options,
                                                    Console& console);

/// "structure kept 0.94, fairness gained 1.02": the place of a result on the scale.
[[nodiscard]] std::string placement(const Baselines& baselines, const Metrics& metrics);
/// "plain cut 1.28, balance 0.28; lots 1.51, 0.59".
[[nodiscard]] std::string in_words(const Baselines& baselines);

}  // namespace repsc::cli
