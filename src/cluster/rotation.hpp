// Rounding an embedding by rotating it: if the columns span the indicators of K clusters, some
// rotation turns every row onto an axis, and the axis is its cluster.
#pragma once

#include <vector>

#include "repsc/core.hpp"

namespace repsc {

/// Labels of two rotations of `rows`, N x K of full rank: the one that turns K rows that are far
/// from one another onto the axes (Damle, Minden and Ying 2019), and the one nearest to indicators,
/// which alternates between labels and rotation, starting from the first (Yu and Shi 2003). A label
/// can have no node.
[[nodiscard]] std::vector<Labels> labels_by_rotation(const Matrix& rows);

}  // namespace repsc
