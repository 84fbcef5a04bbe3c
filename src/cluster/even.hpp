// Rounding an embedding to clusters that have equal shares of every group.
#pragma once

#include "repsc/core.hpp"

namespace repsc {

/// Labels near the given ones, in K clusters of which each has n_g / K members of every set g of
/// n_g nodes, rounded down or up; sizes differ by little. Each node goes to the nearest mean that
/// has room; those for whom the second nearest is worst choose first. Means and labels are found in
/// turns, as in k-means.
///
/// Plain clusters of sparse graphs are a few nodes each and one with all others. Balance then is 0,
/// and no sequence of moves of single nodes leads to clusters that are fair and keep structure.
[[nodiscard]] Labels even_labels(const Matrix& points, const Labels& labels, const Labels& sets,
                                 int num_clusters);

}  // namespace repsc
