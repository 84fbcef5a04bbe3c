// lightweight_coreset() of points that are in the memory of a device: only the sample comes back.
#pragma once

#include "kmeans/sample.hpp"
#include "repsc/cuda.hpp"

namespace repsc {

[[nodiscard]] WeightedRows coreset_on_device(const DeviceMatrix& points, std::int64_t size,
                                             std::uint64_t key);

}  // namespace repsc
