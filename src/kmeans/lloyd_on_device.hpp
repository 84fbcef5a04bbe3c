// Lloyd's iteration on a CUDA device.
#pragma once

#include <functional>
#include <optional>

#include "kmeans/lloyd.hpp"
#include "repsc/cuda.hpp"

namespace repsc {

/// The most centers that a device takes.
inline constexpr int most_centers_on_device = 512;

/// What lloyd() does without weights, with all distances computed in every iteration. Nothing if a
/// cluster loses all its points, which the host then sees to.
[[nodiscard]] std::optional<LloydResult> lloyd_on_device(CudaDevice& device, const Matrix& points,
                                                         Matrix centers, int max_iterations,
                                                         double tolerance,
                                                         const std::function<bool()>& between = {});

}  // namespace repsc
