// Lloyd's iteration on a CUDA device.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "kmeans/lloyd.hpp"
#include "repsc/cuda.hpp"

namespace repsc {

/// The most centers that a device takes.
inline constexpr int most_centers_on_device = 512;

/// The largest absolute value; infinity if one is not a finite number.
[[nodiscard]] double largest_on_device(const DeviceMatrix& points);

/// What lloyd() does without weights, with all distances computed in every iteration. Nothing if a
/// cluster loses all its points, which the host then sees to.
[[nodiscard]] std::optional<LloydResult> lloyd_on_device(const DeviceMatrix& points, Matrix centers,
                                                         int max_iterations, double tolerance,
                                                         const std::function<bool()>& between = {});

[[nodiscard]] Index rows_on_device(const DeviceMatrix& points);
[[nodiscard]] Matrix copied_to_host(const DeviceMatrix& points);

/// A copy of points for lloyd_on_device().
[[nodiscard]] std::shared_ptr<const DeviceMatrix> copied_to_device(
    std::shared_ptr<CudaDevice> device, const Matrix& points);

}  // namespace repsc
