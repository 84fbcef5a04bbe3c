// What is computed on the CPU after all, because a device failed.
#pragma once

#include "cluster/warnings.hpp"
#include "cuda/device.hpp"
#include "repsc/plan.hpp"

namespace repsc {

/// run(options). If a device fails that the library chose by itself, run() once more with options
/// that name the CPU; then warn(result, warning).
template <typename Run, typename Warn>
[[nodiscard]] auto falling_back_to_cpu(const ClusterOptions& options, const Run& run,
                                       const Warn& warn) {
  try {
    return run(options);
  } catch (const DeviceFailure& failure) {
    if (options.device) throw;  // requested
    ClusterOptions here = options;
    here.device = DeviceChoice{};
    auto result = run(here);
    warn(result, device_failed(failure.fault().what));
    return result;
  }
}

}  // namespace repsc
