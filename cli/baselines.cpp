// The comparison with plain clustering and lots.
#include "baselines.hpp"

#include <fmt/format.h>

#include <cmath>

#include "wording.hpp"

namespace repsc::cli {

void add_baselines_option(CLI::App& command, bool& wanted) {
  command.add_flag_callback(
      "--no-baselines", [&wanted] { wanted = false; },
      "do not compare with plain clustering and with clusters drawn by lot, which takes about as "
      "long as plain clustering");
}

ClusterInput cluster_input_of(const Inputs& inputs) {
  ClusterInput input{inputs.similarity, inputs.representation};
  if (inputs.groups) input.groups = inputs.groups->labels;
  return input;
}

FoundBaselines found_baselines(Pipeline& pipeline, int num_clusters,
                               const ClusterOptions& options) {
  if (num_clusters < 2) return {};
  try {
    const std::optional<Baselines> found = baselines(pipeline, num_clusters, options);
    if (found) return {.baselines = found, .note = {}};
    return {.baselines = {},
            .note =
                "no baselines: plain normalized clustering needs a G without isolated nodes; "
                "use --isolated drop"};
  } catch (const InvalidInput& error) {  // the result itself is fine
    return {.baselines = {}, .note = fmt::format("no baselines: {}", in_words(error))};
  }
}

std::optional<Baselines> report(const FoundBaselines& found, Console& console) {
  console.clear_progress();
  if (!found.note.empty()) console.note_at_end("{}", found.note);
  return found.baselines;
}

std::optional<Baselines> baselines_of(Pipeline& pipeline, int num_clusters,
                                      const ClusterOptions& options, Console& console) {
  return report(found_baselines(pipeline, num_clusters, options), console);
}

std::string placement(const Baselines& baselines, const Metrics& metrics) {
  const double kept = baselines.structure_kept(metrics.normalized_cut);
  if (std::isnan(metrics.average_balance)) return fmt::format("{:.3f} kept", kept);
  return fmt::format("{:.3f} kept, fairness gained {:.3f}", kept,
                     baselines.fairness_gained(metrics.average_balance));
}

std::string in_words(const Baselines& baselines) {
  const auto point = [](double cut, double balance) {
    return std::isnan(balance) ? fmt::format("{:.4g}", cut)
                               : fmt::format("{:.4g}, balance {:.4f}", cut, balance);
  };
  const Lots& lots = baselines.random;
  return fmt::format("normalized cut of plain clustering {}; of lots {}",
                     point(baselines.plain.cut, baselines.plain.average_balance),
                     point(lots.cut, lots.average_balance));
}

}  // namespace repsc::cli
