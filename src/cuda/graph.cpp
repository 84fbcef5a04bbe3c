// Copies of graphs and matrices in the memory of a device.
#include "cuda/device.hpp"

namespace repsc {

DeviceGraph::DeviceGraph(const CudaDevice& device, std::span<const Offset> offsets,
                         std::span<const Index> neighbors, std::span<const double> weights)
    : rows_(static_cast<Index>(offsets.size() - 1)),
      entries_(static_cast<Offset>(neighbors.size())),
      offsets_(device, offsets),
      neighbors_(device, neighbors) {
  if (!weights.empty()) weights_ = DeviceArray<double>(device, weights);
  std::vector<Index> long_rows;
  for (Index i = 0; i < rows_; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Offset entries = offsets[at + 1] - offsets[at];
    most_entries_ = std::max(most_entries_, entries);
    if (entries > REPSC_CUDA_LONG_ROW) long_rows.push_back(i);
  }
  num_long_rows_ = static_cast<std::int64_t>(long_rows.size());
  long_rows_ = DeviceArray<Index>(device, std::span<const Index>(long_rows));
}

repsc_cuda_graph DeviceGraph::view() const {
  return {rows_,           entries_,          offsets_.data(), neighbors_.data(),
          weights_.data(), long_rows_.data(), num_long_rows_};
}

DeviceBlock<double> on_device(const CudaDevice& device, const Matrix& X) {
  auto result = DeviceBlock<double>::packed(device, static_cast<Index>(X.rows()),
                                            static_cast<Index>(X.cols()));
  const repsc_cuda_block all = result;
  device.call(&repsc_cuda_functions::upload, all.data, X.data(),
              static_cast<std::int64_t>(X.size()) * std::int64_t{sizeof(double)});
  return result;
}

}  // namespace repsc
