// Random points, as rows of a matrix.
#pragma once

#include "core/random.hpp"
#include "repsc/core.hpp"

namespace repsc::samples {

/// Independent standard normal coordinates.
inline Matrix random_points(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  RandomStream random(seed);
  Matrix points(rows, columns);
  for (double& value : points.reshaped()) value = random.normal();
  return points;
}

}  // namespace repsc::samples
