// Copies of graphs and matrices in the memory of a device.
#include <algorithm>

#include "core/pages.hpp"
#include "cuda/device.hpp"

namespace repsc {
namespace {

/// Two graphs can share neighbours and differ in weights. One that is on the host alone may not
/// use what another has borrowed, which nothing keeps alive for it.
bool same_arrays(const HostGraph& one, const HostGraph& other) {
  return one.neighbors.data() == other.neighbors.data() &&
         one.weights.data() == other.weights.data() && one.on_device == other.on_device;
}

constexpr double usable = 0.8;  // of the memory of a device

/// Entries that are copied at once: enough for the full speed of the bus, little beside a graph.
/// With fewer than the least of a large graph, starting the copies would take longer than the
/// copies.
constexpr std::int64_t most_at_once = std::int64_t{1} << 26;
constexpr std::int64_t least_at_once = std::int64_t{1} << 22;

/// Where the system has no other thread, whoever needs the result computes it.
constexpr std::launch in_a_thread_if_any = std::launch::async | std::launch::deferred;

}  // namespace

DeviceGraph::DeviceGraph(const CudaDevice& device, const HostGraph& graph, std::int64_t room)
    : rows_(static_cast<Index>(graph.offsets.size() - 1)),
      entries_(static_cast<Offset>(graph.neighbors.size())),
      offsets_(device, graph.offsets) {
  find_long_rows(graph);
  long_rows_ = DeviceArray<Index>(device, std::span<const Index>(host_long_rows_));
  if (graph.on_device != nullptr && graph.on_device->device == device.number()) {
    neighbors_ = graph.on_device->neighbors;
    if (!graph.weights.empty()) weights_ = graph.on_device->weights;
  }
  const bool borrowed = neighbors_ != nullptr;
  const std::size_t kept = borrowed ? graph.neighbors.size() : divide(graph, room);
  if (!borrowed) {
    own_neighbors_ = DeviceArray<Index>(device, graph.neighbors.first(kept));
    neighbors_ = own_neighbors_.data();
  }
  if (weights_ == nullptr && !graph.weights.empty()) {
    own_weights_ = DeviceArray<double>(device, graph.weights.first(kept));
    weights_ = own_weights_.data();
  }
}

// By threads of its own, as the threads of parallel loops are making the constraint at this time.
void DeviceGraph::find_long_rows(const HostGraph& graph) {
  constexpr Index part_rows = Index{1} << 23U;
  struct Part {
    Offset most = 0;
    std::vector<Index> rows;
  };
  const auto find = [&graph](Index begin, Index end) {
    Part part;
    for (Index i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Offset entries = graph.offsets[at + 1] - graph.offsets[at];
      part.most = std::max(part.most, entries);
      if (entries > REPSC_CUDA_LONG_ROW) part.rows.push_back(i);
    }
    return part;
  };
  std::vector<std::future<Part>> parts;
  for (std::int64_t begin = 0; begin < rows_; begin += part_rows) {
    const auto end = static_cast<Index>(std::min<std::int64_t>(rows_, begin + part_rows));
    const auto policy = rows_ > part_rows ? in_a_thread_if_any : std::launch::deferred;
    parts.push_back(std::async(policy, find, static_cast<Index>(begin), end));
  }
  for (std::future<Part>& future : parts) {
    const Part part = future.get();
    most_entries_ = std::max(most_entries_, part.most);
    host_long_rows_.insert(host_long_rows_.end(), part.rows.begin(), part.rows.end());
  }
}

std::size_t DeviceGraph::divide(const HostGraph& graph, std::int64_t room) {
  const std::int64_t entry_bytes = graph.weights.empty() ? 4 : 12;
  if (entries_ <= room / entry_bytes) return graph.neighbors.size();
  const std::int64_t fitting = std::max<std::int64_t>(room, 0) / entry_bytes;
  // Of two buffers; a row is never divided.
  const std::int64_t least = std::min(least_at_once, entries_ / 8 + 1);
  const std::int64_t at_once =
      std::max(std::clamp<std::int64_t>(fitting / 8, least, most_at_once), most_entries_);
  Offset most = std::max<Offset>(fitting - 2 * at_once, 0);
  Index row = 0;
  std::size_t kept = 0;
  while (row < rows_) {
    const auto begin = graph.offsets.begin() + row;
    const auto past = std::upper_bound(begin, graph.offsets.end(), *begin + most);
    const Index end = static_cast<Index>(past - graph.offsets.begin()) - 1;
    const Offset from = graph.offsets[static_cast<std::size_t>(row)];
    const Offset to = graph.offsets[static_cast<std::size_t>(end)];
    const auto place_of = [&](Index at) {
      return std::lower_bound(host_long_rows_.begin(), host_long_rows_.end(), at) -
             host_long_rows_.begin();
    };
    const bool first = row == 0 && panels_.empty();
    if (first) kept = static_cast<std::size_t>(to);
    panels_.push_back(
        {.first_row = row,
         .end_row = end,
         .first_entry = from,
         .end_entry = to,
         .first_long_row = place_of(row),
         .end_long_row = place_of(end),
         .host_neighbors = first ? nullptr : graph.neighbors.data() + from,
         .host_weights = first || graph.weights.empty() ? nullptr : graph.weights.data() + from});
    row = end;
    most = at_once;
  }
  return kept;
}

repsc_cuda_graph DeviceGraph::view() const {
  return {.rows = rows_,
          .entries = entries_,
          .offsets = offsets_.data(),
          .neighbors = neighbors_,
          .weights = weights_,
          .long_rows = long_rows_.data(),
          .num_long_rows = static_cast<std::int64_t>(host_long_rows_.size()),
          .host_panels = streamed() ? panels_.data() : nullptr,
          .num_panels = static_cast<std::int64_t>(panels_.size())};
}

double iteration_bytes(Index num_nodes, Index count) {
  const Index block = (count + 2) / 4 * 4;
  const Index basis = std::max<Index>(32, 2 * count + 4 * block) + 2 * block;
  return (4.0 * (basis + 4 * block) + 24.0 * count + 40) * num_nodes;
}

std::int64_t room_for_graph(const CudaDevice& device, double others) {
  const double left = usable * static_cast<double>(device.memory_bytes()) - others;
  return static_cast<std::int64_t>(std::max(left, 0.0));
}

std::int64_t share_of_room(std::int64_t room, double own_bytes, double other_bytes) {
  const auto all = static_cast<double>(room);
  const double share = own_bytes + other_bytes <= all ? all - other_bytes
                                                      : all * own_bytes / (own_bytes + other_bytes);
  return static_cast<std::int64_t>(share);
}

DeviceUpload::DeviceUpload(std::shared_ptr<CudaDevice> device, const HostGraph& graph,
                           std::int64_t room)
    : device_(std::move(device)) {
  const std::lock_guard lock(device_->sharing_);
  if (!device_->shared_.neighbors.empty() || graph.neighbors.empty()) return;
  device_->upload_ = std::async(in_a_thread_if_any, [device = device_.get(), graph, room] {
                       const std::unique_lock in_use = device->use();
                       return std::shared_ptr<const DeviceGraph>(
                           std::make_shared<DeviceGraph>(*device, graph, room));
                     }).share();
  device_->shared_ = graph;  // last, so that nothing is shared if there is no upload
  active_ = true;
}

DeviceUpload::~DeviceUpload() {
  if (!active_) return;
  device_->upload_.wait();
  const std::lock_guard lock(device_->sharing_);
  device_->shared_ = {};
  device_->upload_ = {};
}

std::shared_ptr<const DeviceGraph> CudaDevice::uploaded(const HostGraph& graph) {
  std::shared_future<std::shared_ptr<const DeviceGraph>> upload;
  {
    const std::lock_guard lock(sharing_);
    if (shared_.neighbors.empty() || !same_arrays(shared_, graph)) return nullptr;
    upload = upload_;
  }
  return upload.get();
}

Matrix on_host(const CudaDevice& device, const repsc_cuda_block& X) {
  const auto packed = DeviceBlock<double>::packed(device, static_cast<Index>(X.rows),
                                                  static_cast<Index>(X.columns));
  const repsc_cuda_block all = packed;
  device.call(&repsc_cuda_functions::copy, X, all);
  Matrix result(X.rows, X.columns);
  const std::size_t bytes = static_cast<std::size_t>(result.size()) * sizeof(double);
  ask_for_large_pages(result.data(), bytes);
  device.call(&repsc_cuda_functions::download, result.data(), all.data,
              static_cast<std::int64_t>(bytes));
  return result;
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
