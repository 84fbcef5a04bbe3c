// The device adds up distances and finds the rows at positions that the host draws.
#include "kmeans/sample_on_device.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "cuda/device.hpp"

namespace repsc {
namespace {

using Functions = repsc_cuda_functions;

Vector mean_on_device(const CudaDevice& device, const DeviceBlock<double>& X) {
  Vector sums(X.cols());
  device.call(&Functions::group_sums, repsc_cuda_groups{nullptr, 1, nullptr}, X, sums.data());
  return sums / static_cast<double>(X.rows());
}

}  // namespace

WeightedRows coreset_on_device(const DeviceMatrix& points, std::int64_t size,
                               RandomStream& random) {
  const CudaDevice& device = points.device();
  const DeviceBlock<double>& X = points.values();
  const std::unique_lock in_use = points.device().use();
  const Vector mean = mean_on_device(device, X);
  std::vector<double> squared(static_cast<std::size_t>((X.rows() + row_grain - 1) / row_grain));
  device.call(&Functions::squared_distances, X, mean.data(), row_grain, squared.data());
  const ShareEnds ends(std::move(squared), X.rows());

  // The block of each position, and how far in it.
  std::vector<double> positions = ends.positions(size, random);
  std::vector<std::int32_t> blocks(positions.size());
  for (std::size_t t = 0; t < positions.size(); ++t) {
    const auto after = std::upper_bound(ends.of_blocks.begin(), ends.of_blocks.end(), positions[t]);
    const auto block = std::min(after - ends.of_blocks.begin(), std::ssize(ends.of_blocks) - 1);
    blocks[t] = static_cast<std::int32_t>(block);
    if (block > 0) positions[t] -= ends.of_blocks[static_cast<std::size_t>(block - 1)];
  }
  const double per_row = 1 / static_cast<double>(X.rows());
  std::vector<Index> rows(positions.size());
  std::vector<double> squares(positions.size());
  device.call(&Functions::draw_rows, X, mean.data(), row_grain, per_row, ends.per_squared,
              blocks.data(), positions.data(), size, rows.data(), squares.data());

  // Positions are sorted, and so are rows: each one that is drawn several times counts once.
  WeightedRows sample;
  std::vector<Index> different;
  const double expected = static_cast<double>(size) / ends.total();  // draws per share
  for (std::size_t t = 0; t < rows.size();) {
    std::size_t next = t;
    while (next < rows.size() && rows[next] == rows[t]) ++next;
    different.push_back(rows[t]);
    const double share = per_row + squares[t] * ends.per_squared;
    sample.weights.push_back(static_cast<double>(next - t) / (expected * share));
    t = next;
  }
  sample.points.resize(static_cast<Eigen::Index>(different.size()), X.cols());
  device.call(&Functions::rows, X, different.data(), static_cast<std::int64_t>(different.size()),
              sample.points.data());
  return sample;
}

}  // namespace repsc
