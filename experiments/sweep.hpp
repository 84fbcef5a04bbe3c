// Sweeps over the rank r and the number of groups P without true clusters: balance, cut and their
// ratio. Planted and real representation graphs share this.
#pragma once

#include <vector>

#include "experiments/panel.hpp"

namespace repsc::experiments {

/// The grid of a sweep; without strengths there is no soft constraint, without values of mu no
/// refinement.
struct SweepGrid {
  std::vector<int> clusters = {};
  std::vector<Index> ranks = {};
  std::vector<int> groups = {};
  std::vector<double> strengths = {};
  std::vector<double> mus = {};
  bool bargain = false;  ///< the library's default, which has no parameter
};

/// RepSC at each rank, FairSC at each number of groups and, with the extensions, RepSC with a soft
/// constraint at each strength and, from strength 1, refined at each mu, for each K and both
/// families; beside them labels drawn by lot.
[[nodiscard]] std::vector<Setting> sweep_settings(const Setting& base, const SweepGrid& grid);

/// Strengths of the soft constraint, if the request includes it.
[[nodiscard]] std::vector<double> strengths_of(const Request& request);

/// Values of mu of the refinement, if the request includes it.
[[nodiscard]] std::vector<double> mus_of(const Request& request);

/// Where the paper shows a panel: `ratio` and `separated` name figures.
struct SweepFigures {
  std::string ratio[2];  ///< unnormalized, normalized
  std::string separated[2];
};

/// For each N, K and family: balance per ratio cut, balance, ratio cut. A real network also has the
/// normalized cut in the normalized family, and, being small, a linear axis. With the extensions
/// the soft constraint and its refinement, which have no rank, are horizontal lines, and each N, K
/// and family has one more panel: balance against cut, all points of all methods, with each
/// method's Pareto front.
[[nodiscard]] std::vector<Panel> sweep_panels(const Summary& summary, const SweepFigures& figures,
                                              bool real_network);

/// Claims: RepSC's best ratio is above FairSC's; balance grows by a larger factor than the cut;
/// both grow with r.
[[nodiscard]] std::vector<Claim> sweep_claims(const Summary& summary,
                                              const std::string& experiment);

}  // namespace repsc::experiments
