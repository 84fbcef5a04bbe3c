// Dense constraints on a CUDA device: the decomposition of R by cuSOLVER, the Gram matrix of a
// rank constraint and its factor, and the basis that its projector removes.
#pragma once

#include "constraint/range_basis.hpp"
#include "cuda/device.hpp"
#include "linalg/largest_eigen.hpp"
#include "repsc/constraint.hpp"

namespace repsc {

class DeviceVectors {
 public:
  DeviceVectors(std::shared_ptr<CudaDevice> device, const Matrix& vectors);
  ~DeviceVectors();
  DeviceVectors(const DeviceVectors&) = delete;
  DeviceVectors& operator=(const DeviceVectors&) = delete;

  [[nodiscard]] CudaDevice& device() const { return *device_; }
  /// C = S J V of the first vectors V, as many as `sums` = V'1 has numbers.
  [[nodiscard]] DeviceBlock<double> centered(const Vector& sums, const Vector& scale) const;

 private:
  std::shared_ptr<CudaDevice> device_;
  DeviceBlock<double> vectors_;
};

// The caller uses the device (CudaDevice::use) for all that follows.

/// largest_of_all_eigen() of the adjacency matrix.
[[nodiscard]] LargestEigen largest_eigen_on_device(const CudaDevice& device, const Graph& R,
                                                   Index count, double equal);

/// The lower triangle of L on the device, LL' = C'C + factor uu'. Throws NumericalFailure if that
/// is not positive definite.
[[nodiscard]] DeviceArray<double> gram_factor(const CudaDevice& device,
                                              const DeviceBlock<double>& C, const Vector& u,
                                              double factor);

/// dense_range() of M.
[[nodiscard]] RangeBasis range_on_device(const CudaDevice& device, const Graph& M);

/// Q of the projector I - QQ', of a spectrum that is on a device.
[[nodiscard]] DeviceBlock<double> removed_basis(const SpectralComplement& kind);
/// The same for an exact constraint whose range has a basis (RangeBasis::basis()).
[[nodiscard]] DeviceBlock<double> removed_basis(const CudaDevice& device,
                                                const RangeComplement& kind);

}  // namespace repsc
