// Sums over groups of nodes on a device, for any number of groups.
#pragma once

#include <optional>

#include "cuda/device.hpp"

namespace repsc {

/// F, one row per node and one column per group: node i has factors[i] in the column groups[i].
///
/// Kernels add up to REPSC_CUDA_MOST_GROUPS groups in one pass over the rows. More are added as
/// products with F', a sparse matrix whose rows are the groups, those of many nodes in parts.
class DeviceGroups {
 public:
  /// `groups` are in [0, count); without `factors` all are 1.
  DeviceGroups(const CudaDevice& device, std::span<const Label> groups, Index count,
               std::span<const double> factors);

  /// F'X, added in double precision.
  [[nodiscard]] Matrix sums(const repsc_cuda_block& X) const;
  /// X -= F b.
  void subtract(const repsc_cuda_block& X, const Matrix& b) const;

 private:
  [[nodiscard]] repsc_cuda_groups view() const { return {labels_.data(), count_, factors_.data()}; }
  [[nodiscard]] Matrix many_sums(const repsc_cuda_block& X) const;
  /// F' by the nodes of each part.
  void make_parts(std::span<const Label> groups, std::span<const double> factors);

  const CudaDevice& device_;
  Index count_;
  DeviceArray<Label> labels_;
  DeviceArray<double> factors_;  ///< null: all 1
  // For many groups only.
  std::vector<Label> group_of_part_;
  std::optional<DeviceGraph> parts_;
  DeviceArray<double> zeros_;  ///< one per part
};

}  // namespace repsc
