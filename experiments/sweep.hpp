// Sweeps over the rank r and the number of groups P without true clusters: balance, cut and their
// ratio. Planted and real representation graphs share this.
#pragma once

#include <algorithm>
#include <vector>

#include "experiments/panel.hpp"

namespace repsc::experiments {

/// The grid of a sweep; without strengths there is no soft constraint, without values of mu no
/// refinement. For each K, ranks and groups end at N - K: those above are left out, and N - K - e
/// is added for every e of `ends` and `group_ends`.
struct SweepGrid {
  std::vector<int> clusters = {};
  std::vector<Index> ranks = {};
  std::vector<int> groups = {};
  std::vector<Index> ends = {};
  std::vector<Index> group_ends = {};
  std::vector<double> strengths = {};
  std::vector<double> mus = {};
  bool bargain = false;    ///< the library's default, which has no parameter
  bool normalized = true;  ///< false: the unnormalized family alone
};

/// Those of `values` below `last`, and last - e for every e of `ends`, ascending, each once.
template <typename Number>
[[nodiscard]] std::vector<Number> up_to_the_end(std::vector<Number> values, Number last,
                                                const std::vector<Index>& ends) {
  std::erase_if(values, [&](Number value) { return value > last; });
  for (const Index end : ends) {
    if (last - end > 1) values.push_back(static_cast<Number>(last - end));
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// RepSC at each rank, FairSC at each number of groups and, with the extensions, RepSC with a soft
/// constraint at each strength and, from strength 1, refined at each mu, for each K and both
/// families; beside them labels drawn by lot. The reading fairsc_by_nsc has NFairSC alone.
[[nodiscard]] std::vector<Setting> sweep_settings(const Setting& base, const SweepGrid& grid);

/// Strengths of the soft constraint, if the request includes it.
[[nodiscard]] std::vector<double> strengths_of(const Request& request);

/// Values of mu of the refinement, if the request includes it.
[[nodiscard]] std::vector<double> mus_of(const Request& request);

/// What panels and claims of a sweep say about it.
struct SweepNames {
  std::string experiment = {};
  std::string network = {};       ///< in titles
  std::string ratio[2] = {};      ///< the paper's figures: unnormalized, normalized
  std::string separated[2] = {};  ///< those with balance and cut apart
  std::string best_ratio = {};    ///< what the paper says of the ratio
  bool competitive = false;       ///< it says "competitive", not "higher"
  bool real_network = false;
};

struct Place {
  Index nodes;
  int clusters;
};
[[nodiscard]] std::vector<Place> places(const Summary& summary);
/// The curve of a method against rank or number of groups.
[[nodiscard]] std::vector<Point> points_at(const Summary& summary, Quantity quantity,
                                           bool normalized, const char* base, const Place& place);

/// A horizontal line across the panel: the mean of a method without a rank; of lots with its
/// spread.
void add_line(const Summary& summary, Quantity quantity, bool normalized, const Place& place,
              const char* base, Panel& panel);

/// For each N, K and family: balance per ratio cut, balance, ratio cut. A real network also has the
/// normalized cut in the normalized family, and, being small, a linear axis. With the extensions
/// the soft constraint and its refinement, which have no rank, are horizontal lines, and each N, K
/// and family has one more panel: balance against cut, all points of all methods, with each
/// method's Pareto front.
[[nodiscard]] std::vector<Panel> sweep_panels(const Summary& summary, const SweepNames& names);

/// Claims of the paper: RepSC's best ratio is above FairSC's; balance grows by a larger factor than
/// the cut in most cases; the rank trades one against the other. Ours: RepSC's best ratio is above
/// that of lots.
[[nodiscard]] std::vector<Claim> sweep_claims(const Summary& summary, const SweepNames& names);

}  // namespace repsc::experiments
