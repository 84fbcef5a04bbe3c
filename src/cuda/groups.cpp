#include "cuda/groups.hpp"

#include <algorithm>

namespace repsc {
namespace {

/// Nodes of a part: few beside those that all threads of a device add at once.
constexpr Offset most_in_part = 1 << 16;

}  // namespace

DeviceGroups::DeviceGroups(const CudaDevice& device, std::span<const Label> groups, Index count,
                           std::span<const double> factors)
    : device_(device), count_(count), labels_(device, groups) {
  if (!factors.empty()) factors_ = DeviceArray<double>(device, factors);
  if (count > REPSC_CUDA_MOST_GROUPS) make_parts(groups, factors);
}

void DeviceGroups::make_parts(std::span<const Label> groups, std::span<const double> factors) {
  std::vector<Offset> next(static_cast<std::size_t>(count_) + 1, 0);  // place of the next node
  for (const Label g : groups) ++next[static_cast<std::size_t>(g) + 1];
  std::vector<Offset> offsets{0};
  for (Label g = 0; g < count_; ++g) {
    const auto at = static_cast<std::size_t>(g);
    next[at + 1] += next[at];
    for (Offset begin = next[at]; begin < next[at + 1]; begin = offsets.back()) {
      group_of_part_.push_back(g);
      offsets.push_back(std::min(begin + most_in_part, next[at + 1]));
    }
  }
  std::vector<Index> nodes(groups.size());
  std::vector<double> weights(factors.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(groups[i])]++);
    nodes[place] = static_cast<Index>(i);
    if (!factors.empty()) weights[place] = factors[i];
  }
  parts_.emplace(device_, HostGraph{.offsets = offsets, .neighbors = nodes, .weights = weights});
  const std::vector<double> zeros(group_of_part_.size(), 0.0);
  zeros_ = DeviceArray<double>(device_, std::span<const double>(zeros));
}

Matrix DeviceGroups::sums(const repsc_cuda_block& X) const {
  if (parts_) return many_sums(X);
  Matrix result(count_, X.columns);
  device_.call(&repsc_cuda_functions::group_sums, view(), X, result.data());
  return result;
}

Matrix DeviceGroups::many_sums(const repsc_cuda_block& X) const {
  const auto rows = static_cast<Index>(X.rows);
  const auto cols = static_cast<Index>(X.columns);
  DeviceBlock<double> exact;
  repsc_cuda_block from = X;
  if (X.scalar_bytes != sizeof(double)) {
    exact = DeviceBlock<double>(device_, rows, cols);
    device_.call(&repsc_cuda_functions::copy, X, exact);
    from = exact;
  }
  // D X - A X with D = 0 and A = F'. There are no more parts than nodes; rows below are not used.
  const DeviceBlock<double> minus_sums(device_, rows, cols);
  device_.call(&repsc_cuda_functions::apply,
               repsc_cuda_laplacian{parts_->view(), nullptr, zeros_.data(), 0}, from, minus_sums);
  repsc_cuda_block of_parts = minus_sums;
  of_parts.rows = static_cast<std::int64_t>(group_of_part_.size());
  const Matrix found = on_host(device_, of_parts);
  Matrix result = Matrix::Zero(count_, cols);
  for (std::size_t part = 0; part < group_of_part_.size(); ++part)
    result.row(group_of_part_[part]) -= found.row(static_cast<Eigen::Index>(part));
  return result;
}

void DeviceGroups::subtract(const repsc_cuda_block& X, const Matrix& b) const {
  device_.call(&repsc_cuda_functions::subtract_groups, view(), X, b.data());
}

}  // namespace repsc
