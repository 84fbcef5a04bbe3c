// A device, and what lies in its memory: arrays, blocks of vectors, graphs.
#pragma once

#include <future>
#include <limits>
#include <mutex>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda/interface.h"
#include "repsc/cuda.hpp"

namespace repsc {

class DeviceGraph;

/// A graph in the memory of the host, by its finished CSR arrays; unweighted: no weights.
struct HostGraph {
  std::span<const Offset> offsets;
  std::span<const Index> neighbors;
  std::span<const double> weights;
  const ArraysOnDevice* on_device = nullptr;  ///< where it lies, too
};

/// A device that was opened ran out of memory or failed.
class DeviceFailure : public MemoryLimitExceeded {
 public:
  using MemoryLimitExceeded::MemoryLimitExceeded;
};

class CudaDevice {
 public:
  /// Throws InvalidInput if the device cannot be opened.
  CudaDevice(const repsc_cuda_functions& functions, int number);
  ~CudaDevice() = default;
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// That may be used: what was free when it was opened, or less if the user says so.
  [[nodiscard]] std::int64_t memory_bytes() const { return memory_bytes_; }
  /// Held by a caller for as long as it uses the device.
  [[nodiscard]] std::unique_lock<std::mutex> use() { return std::unique_lock(in_use_); }

  /// Calls a function of the table with the context. Throws DeviceFailure if it fails.
  template <typename... Parameters, typename... Arguments>
  void call(std::int32_t (*repsc_cuda_functions::*function)(repsc_cuda_context*, Parameters...),
            Arguments&&... arguments) const {
    if ((functions_.*function)(context_.get(), std::forward<Arguments>(arguments)...) != 0) fail();
  }
  [[nodiscard]] void* allocate(std::int64_t bytes) const;
  void release(void* data) const noexcept { functions_.release(context_.get(), data); }

  /// The copy of a graph that an upload (below) has made or is making; null if there is none. Waits
  /// for it, so that the caller may not be using the device.
  [[nodiscard]] std::shared_ptr<const DeviceGraph> uploaded(const HostGraph& graph);

 private:
  friend class DeviceUpload;
  [[noreturn]] void fail() const;

  const repsc_cuda_functions& functions_;
  std::unique_ptr<repsc_cuda_context, void (*)(repsc_cuda_context*)> context_;
  int number_;
  std::string name_;
  std::int64_t memory_bytes_ = 0;
  std::mutex in_use_;
  std::mutex sharing_;  ///< guards what follows
  HostGraph shared_;    ///< the graph of an upload; without neighbours: there is none
  std::shared_future<std::shared_ptr<const DeviceGraph>> upload_;
};

/// Memory of a device, not initialized.
template <typename T>
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(const CudaDevice& device, std::size_t size)
      : device_(&device),
        data_(static_cast<T*>(device.allocate(static_cast<std::int64_t>(size * sizeof(T))))) {}
  /// A copy of an array of the host.
  DeviceArray(const CudaDevice& device, std::span<const T> from)
      : DeviceArray(device, from.size()) {
    device.call(&repsc_cuda_functions::upload, data_, from.data(),
                static_cast<std::int64_t>(from.size_bytes()));
  }
  ~DeviceArray() { reset(); }
  DeviceArray(DeviceArray&& other) noexcept
      : device_(other.device_), data_(std::exchange(other.data_, nullptr)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    if (this == &other) return *this;
    reset();
    device_ = other.device_;
    data_ = std::exchange(other.data_, nullptr);
    return *this;
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  [[nodiscard]] T* data() const { return data_; }

 private:
  void reset() {
    if (data_ != nullptr) device_->release(data_);
  }

  const CudaDevice* device_ = nullptr;
  T* data_ = nullptr;
};

/// Vectors side by side, one row per node; what Matrix is on the host.
template <typename Value>
class DeviceBlock {
 public:
  using Scalar = Value;

  DeviceBlock() = default;
  DeviceBlock(const CudaDevice& device, Index rows, Index cols)
      : DeviceBlock(device, rows, cols, aligned(cols)) {}
  /// Rows without gaps, as those of a Matrix.
  static DeviceBlock packed(const CudaDevice& device, Index rows, Index cols) {
    return DeviceBlock(device, rows, cols, cols);
  }

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return cols_; }
  [[nodiscard]] repsc_cuda_block columns(Index first, Index count) const {
    return {memory_.data() + first, rows_, count, stride_, sizeof(Scalar)};
  }
  // Implicit, as a Matrix is a view of all its columns.
  operator repsc_cuda_block() const { return columns(0, cols_); }  // NOLINT(google-explicit-*)

 private:
  DeviceBlock(const CudaDevice& device, Index rows, Index cols, Index stride)
      : rows_(rows),
        cols_(cols),
        stride_(stride),
        memory_(device, static_cast<std::size_t>(rows) * static_cast<std::size_t>(stride)) {}
  /// Eight floats are a unit of memory traffic.
  static Index aligned(Index cols) {
    if (cols <= 2) return cols;
    return cols <= 4 ? 4 : (cols + 7) / 8 * 8;
  }

  Index rows_ = 0;
  Index cols_ = 0;
  Index stride_ = 0;
  DeviceArray<Scalar> memory_;
};

/// A block that outlives the use of the device that made it.
class DeviceMatrix {
 public:
  DeviceMatrix(std::shared_ptr<CudaDevice> device, DeviceBlock<double> values)
      : device_(std::move(device)), values_(std::move(values)) {}
  /// Nobody may be using the device in the same thread.
  ~DeviceMatrix() {
    const std::unique_lock in_use = device_->use();
    values_ = {};
  }
  DeviceMatrix(const DeviceMatrix&) = delete;
  DeviceMatrix& operator=(const DeviceMatrix&) = delete;

  [[nodiscard]] CudaDevice& device() const { return *device_; }
  [[nodiscard]] DeviceBlock<double>& values() { return values_; }
  [[nodiscard]] const DeviceBlock<double>& values() const { return values_; }

 private:
  std::shared_ptr<CudaDevice> device_;
  DeviceBlock<double> values_;
};

/// A graph in the memory of a device: a copy, except for arrays that lie there already. Where it
/// takes more than `room` bytes, the last rows stay in the memory of the host, and products copy
/// them panel by panel.
class DeviceGraph {
 public:
  static constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

  /// The arrays of the host, if it is streamed, and what is borrowed of `graph.on_device` must
  /// outlive this object.
  DeviceGraph(const CudaDevice& device, const HostGraph& graph, std::int64_t room = unlimited);

  [[nodiscard]] repsc_cuda_graph view() const;
  /// Whether products copy rows from the host.
  [[nodiscard]] bool streamed() const { return !panels_.empty(); }
  /// Of all rows.
  [[nodiscard]] Offset most_entries() const { return most_entries_; }

 private:
  void find_long_rows(const HostGraph& graph);
  /// Returns the entries that stay on the device.
  [[nodiscard]] std::size_t divide(const HostGraph& graph, std::int64_t room);

  Index rows_;
  Offset entries_;
  Offset most_entries_ = 0;
  std::vector<Index> host_long_rows_;
  std::vector<repsc_cuda_panel> panels_;  ///< none: all entries are on the device
  DeviceArray<Offset> offsets_;
  DeviceArray<Index> own_neighbors_;
  DeviceArray<double> own_weights_;
  DeviceArray<Index> long_rows_;
  const Index* neighbors_ = nullptr;  ///< our own, or borrowed
  const double* weights_ = nullptr;   ///< the same; null: all 1
};

/// Copies a graph to a device while other work goes on, for all who ask for it as long as this
/// object exists; so must the graph. One at a time: a second one does nothing.
class DeviceUpload {
 public:
  /// `room`: as for DeviceGraph.
  DeviceUpload(std::shared_ptr<CudaDevice> device, const HostGraph& graph,
               std::int64_t room = DeviceGraph::unlimited);
  ~DeviceUpload();
  DeviceUpload(const DeviceUpload&) = delete;
  DeviceUpload& operator=(const DeviceUpload&) = delete;

 private:
  std::shared_ptr<CudaDevice> device_;
  bool active_ = false;
};

/// About what Lanczos takes in the memory of a device for `count` eigenvectors, without the graph.
[[nodiscard]] double iteration_bytes(Index num_nodes, Index count);

/// Bytes that a graph may take on a device beside `others`.
[[nodiscard]] std::int64_t room_for_graph(const CudaDevice& device, double others);

/// What one of two graphs may take of that, by the bytes of their entries: all that the other one
/// leaves, or as large a part as the other one gets of its own.
[[nodiscard]] std::int64_t share_of_room(std::int64_t room, double own_bytes, double other_bytes);

/// The block on the host, in double precision.
[[nodiscard]] Matrix on_host(const CudaDevice& device, const repsc_cuda_block& X);

/// A block of doubles with the numbers of a matrix.
[[nodiscard]] DeviceBlock<double> on_device(const CudaDevice& device, const Matrix& X);

}  // namespace repsc
