// Sweeps over the rank R and the number of groups P where no truth is known: balance and cut, and
// their ratio. Planted and real representation graphs share this.
#pragma once

#include <vector>

#include "experiments/panel.hpp"

namespace repsc::experiments {

/// RepSC at each rank and FairSC at each number of groups, for each K and both families.
[[nodiscard]] std::vector<Setting> sweep_settings(const Setting& base,
                                                  const std::vector<int>& clusters,
                                                  const std::vector<Index>& ranks,
                                                  const std::vector<int>& groups);

/// Where the paper shows a panel: `ratio` and `separated` name figures.
struct SweepFigures {
  std::string ratio[2];  ///< unnormalized, normalized
  std::string separated[2];
};

/// For each N, K and family: balance per ratio cut, balance, ratio cut. A real network also has the
/// normalized cut in the normalized family, and, being small, a linear axis.
[[nodiscard]] std::vector<Panel> sweep_panels(const Summary& summary, const SweepFigures& figures,
                                              bool real_network);

/// RepSC's best ratio above FairSC's; balance bought at a smaller price in cut; trade-off along R.
[[nodiscard]] std::vector<Claim> sweep_claims(const Summary& summary,
                                              const std::string& experiment);

}  // namespace repsc::experiments
