// The device adds up distances, draws rows, and sends those to the host.
#include "kmeans/sample_on_device.hpp"

#include <numeric>

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

WeightedRows coreset_on_device(const DeviceMatrix& points, std::int64_t size, std::uint64_t key) {
  const CudaDevice& device = points.device();
  const DeviceBlock<double>& X = points.values();
  const std::unique_lock in_use = points.device().use();
  const Vector mean = mean_on_device(device, X);
  const auto chunks = static_cast<std::size_t>((X.rows() + row_grain - 1) / row_grain);
  std::vector<double> squared(chunks);
  device.call(&Functions::squared_distances, X, mean.data(), row_grain, squared.data());
  const Expected expected(size, X.rows(), std::accumulate(squared.begin(), squared.end(), 0.0));

  const repsc_cuda_draws how{mean.data(), row_grain, expected.per_row, expected.per_squared, key};
  std::vector<std::int64_t> counts(chunks);
  device.call(&Functions::count_draws, X, how, counts.data());
  const auto count = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  WeightedRows sample;
  sample.stride = X.rows() / size;
  sample.rows.resize(static_cast<std::size_t>(count));
  sample.weights.resize(static_cast<std::size_t>(count));
  sample.points.resize(count, X.cols());
  device.call(&Functions::draw_rows, X, how, counts.data(), sample.rows.data(),
              sample.weights.data());
  device.call(&Functions::rows, X, sample.rows.data(), count, sample.points.data());
  return sample;
}

}  // namespace repsc
