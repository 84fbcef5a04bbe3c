// What the user of a result should know about it.
#pragma once

#include <iterator>

#include "cluster/steps.hpp"

namespace repsc {

/// A rank above that of R, or one for which R has several best approximations.
[[nodiscard]] std::vector<Warning> rank_warnings(Index asked, Index used, bool unique);

/// An eigenvector with a larger share of its square in three entries describes these nodes alone.
inline constexpr double most_in_three_nodes = 0.5;

/// Eigenvectors that describe a few nodes only.
[[nodiscard]] std::vector<Warning> localization_warnings(const Matrix& X, Method method);

/// The eigensolver stalled.
[[nodiscard]] Warning no_visible_clusters(const Clustering& found);
/// A device was asked for, and this solver ran on the CPU.
[[nodiscard]] Warning device_not_used(const std::string& solver);

/// A device was chosen automatically and failed.
[[nodiscard]] Warning device_failed(const std::string& what);

/// Clusters that hardly have nodes, by the sizes of all clusters.
[[nodiscard]] std::vector<Warning> size_warnings(const std::vector<Index>& sizes, Method method);

/// Clusters that are no better than lots.
[[nodiscard]] std::vector<Warning> lots_warnings(const Baselines& baselines, double cut);

/// A graph of several components.
[[nodiscard]] std::vector<Warning> component_warnings(Index num_components, int num_clusters,
                                                      Method method);

inline void append(std::vector<Warning> more, std::vector<Warning>& warnings) {
  warnings.insert(warnings.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

}  // namespace repsc
