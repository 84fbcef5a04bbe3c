// Copies of graphs and matrices in the memory of a device.
#include "cuda/device.hpp"

namespace repsc {

DeviceGraph::DeviceGraph(const CudaDevice& device, const HostGraph& graph)
    : rows_(static_cast<Index>(graph.offsets.size() - 1)),
      entries_(static_cast<Offset>(graph.neighbors.size())),
      offsets_(device, graph.offsets),
      neighbors_(device, graph.neighbors) {
  if (!graph.weights.empty()) weights_ = DeviceArray<double>(device, graph.weights);
  std::vector<Index> long_rows;
  for (Index i = 0; i < rows_; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Offset entries = graph.offsets[at + 1] - graph.offsets[at];
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

DeviceUpload::DeviceUpload(std::shared_ptr<CudaDevice> device, const HostGraph& graph)
    : device_(std::move(device)) {
  const std::lock_guard lock(device_->sharing_);
  if (device_->shared_ != nullptr || graph.neighbors.empty()) return;
  active_ = true;
  device_->shared_ = graph.neighbors.data();
  device_->upload_ =
      std::async(std::launch::async, [device = device_.get(), graph] {
        const std::unique_lock in_use = device->use();
        return std::shared_ptr<const DeviceGraph>(std::make_shared<DeviceGraph>(*device, graph));
      }).share();
}

DeviceUpload::~DeviceUpload() {
  if (!active_) return;
  device_->upload_.wait();
  const std::lock_guard lock(device_->sharing_);
  device_->shared_ = nullptr;
  device_->upload_ = {};
}

std::shared_ptr<const DeviceGraph> CudaDevice::uploaded(const HostGraph& graph) {
  std::shared_future<std::shared_ptr<const DeviceGraph>> upload;
  {
    const std::lock_guard lock(sharing_);
    if (shared_ == nullptr || shared_ != graph.neighbors.data()) return nullptr;
    upload = upload_;
  }
  return upload.get();
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
