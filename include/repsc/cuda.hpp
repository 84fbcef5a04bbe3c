// Work on a CUDA device: how one is named, and opening it. librepsc_cuda.so, which has the kernels,
// is loaded when a device is first asked for, so that the same build runs with and without one.
//
//   const auto device = repsc::open_cuda_device(0);
//   repsc::cluster(G, groups, 5, {.device = repsc::device_by_name("cuda")});
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "repsc/core.hpp"

namespace repsc {

/// Where eigenvectors and k-means are computed.
struct DeviceChoice {
  enum class Kind { cpu, cuda } kind = Kind::cpu;
  int number = 0;  ///< of the CUDA device, from 0

  bool operator==(const DeviceChoice&) const = default;
};

/// "auto" (none), "cpu", "cuda" (the first one) or "cuda:N". Throws InvalidOptions.
[[nodiscard]] std::optional<DeviceChoice> device_by_name(const std::string& text);

/// A device that is ready for use. The same one for all calls of a process; calls from several
/// threads wait for one another.
class CudaDevice;

/// Vectors or points that stay in the memory of a device from one step to the next.
class DeviceMatrix;

/// Arrays of a graph that its owner has in the memory of a device as well, with the same numbers:
/// work on that device reads them where they lie (Graph::also_on_device()).
struct ArraysOnDevice {
  int device = 0;  ///< its number
  const Index* neighbors = nullptr;
  const double* weights = nullptr;         ///< null: those of the host are copied, if there are any
  std::shared_ptr<const void> owner = {};  ///< keeps them alive
};

/// Throws InvalidInput that says what is missing: the library, the driver or the device.
[[nodiscard]] std::shared_ptr<CudaDevice> open_cuda_device(int number);

/// "cuda:0, NVIDIA H200"; "cpu" for none.
[[nodiscard]] std::string name(const std::shared_ptr<CudaDevice>& device);

/// Null where open_cuda_device() would say what is missing.
[[nodiscard]] std::shared_ptr<CudaDevice> cuda_device_if_any(int number);

/// Fills memory of the host with what lies at `from` in the memory of a device, by several threads
/// and page-locked buffers if there is much of it. False if no device can be used, or it fails.
[[nodiscard]] bool copy_from_device(int number, const void* from, std::span<std::byte> to);

/// The device of that name, such as Clustering::device. None for "cpu", and if it cannot be opened,
/// because the result with that name is from another machine, say.
[[nodiscard]] std::shared_ptr<CudaDevice> device_of_name(const std::string& name);

}  // namespace repsc
