// The functions of librepsc_cuda.so on a CUDA device.
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cstring>
#include <memory>
#include <thread>

#include "cuda/device/functions.hpp"
#include "cuda/device/libraries.hpp"

namespace repsc::device {
namespace {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // it would be reported again
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

/// What CUDA made, destroyed with its owner, also where a constructor fails half way.
template <auto destroy>
struct DestroyedBy {
  template <typename T>
  void operator()(T* made) const {
    destroy(made);
  }
};
using Stream = std::unique_ptr<CUstream_st, DestroyedBy<cudaStreamDestroy>>;
using Event = std::unique_ptr<CUevent_st, DestroyedBy<cudaEventDestroy>>;
using PageLocked = std::unique_ptr<void, DestroyedBy<cudaFreeHost>>;

Stream new_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
  return Stream(stream);
}
Event new_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "an event");
  return Event(event);
}
PageLocked new_page_locked(std::int64_t bytes) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, static_cast<std::size_t>(bytes), cudaHostAllocDefault),
        "page-locked memory");
  return PageLocked(memory);
}

/// The context that the driver has for the calling thread. Other libraries of the process, such as
/// CuPy, take the device of this context for the one that was selected. It is the driver's and not
/// the number of a device, since selecting a device that nobody uses yet would open it.
class DriverContext {
 public:
  DriverContext() {
    int count = 0;  // cudart loads the driver to find it, and initializes it
    if (cudaGetDeviceCount(&count) != cudaSuccess) return;
    void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (driver == nullptr) return;
    get_ = reinterpret_cast<int (*)(void**)>(dlsym(driver, "cuCtxGetCurrent"));
    set_ = reinterpret_cast<int (*)(void*)>(dlsym(driver, "cuCtxSetCurrent"));
  }
  /// False if it is not known.
  bool get(void*& context) const {
    return get_ != nullptr && set_ != nullptr && get_(&context) == 0;
  }
  void set(void* context) const { set_(context); }

 private:
  int (*get_)(void**) = nullptr;
  int (*set_)(void*) = nullptr;
};

/// Selects a device for the calling thread; afterwards the thread has what it had before.
class Selection {
 public:
  explicit Selection(int number) : known_(driver().get(before_)) {
    check(cudaSetDevice(number), "selecting the device");
  }
  ~Selection() {
    if (known_) driver().set(before_);
  }
  Selection(const Selection&) = delete;
  Selection& operator=(const Selection&) = delete;

 private:
  static const DriverContext& driver() {
    static const DriverContext driver;
    return driver;
  }

  void* before_ = nullptr;
  bool known_;
};

template <typename Kernel>
__global__ void __launch_bounds__(block_threads) run_kernel(const Kernel kernel) {
  __shared__ typename Kernel::Shared shared;
  kernel.first(blockIdx.x, static_cast<int>(threadIdx.x), shared);
  __syncthreads();
  kernel.second(blockIdx.x, static_cast<int>(threadIdx.x), shared);
  if constexpr (HasThirdStep<Kernel>) {
    __syncthreads();
    kernel.third(blockIdx.x, static_cast<int>(threadIdx.x), shared);
  }
}

template <typename Body>
__global__ void __launch_bounds__(block_threads) run_each(std::int64_t count, const Body body) {
  const std::int64_t at = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at < count) body(at);
}

/// Copies between the device and memory of the host that is not page-locked: several threads, each
/// with two page-locked buffers, so that copying within the host and over the bus overlap.
class Lanes {
 public:
  Lanes() : buffers_(new_page_locked(lanes * 2 * buffer_bytes)) {
    for (Stream& stream : streams_) stream = new_stream();
    for (Event& event : events_) event = new_event();
  }

  void upload(int device, char* to, const char* from, std::int64_t bytes) {
    run(device, bytes, [&](int lane, int half, std::int64_t at, std::int64_t size) {
      check(cudaEventSynchronize(event(lane, half)), "an upload");
      std::memcpy(buffer(lane, half), from + at, static_cast<std::size_t>(size));
      check(cudaMemcpyAsync(to + at, buffer(lane, half), static_cast<std::size_t>(size),
                            cudaMemcpyHostToDevice, stream(lane)),
            "an upload");
      check(cudaEventRecord(event(lane, half), stream(lane)), "an upload");
    });
  }
  void download(int device, char* to, const char* from, std::int64_t bytes) {
    struct Waiting {
      std::int64_t at = 0;
      std::int64_t size = 0;
    };
    std::vector<Waiting> waiting(2 * lanes);
    const auto land = [&](int lane, int half) {
      Waiting& one = waiting[static_cast<std::size_t>(2 * lane + half)];
      check(cudaEventSynchronize(event(lane, half)), "a download");
      std::memcpy(to + one.at, buffer(lane, half), static_cast<std::size_t>(one.size));
      one.size = 0;
    };
    run(
        device, bytes,
        [&](int lane, int half, std::int64_t at, std::int64_t size) {
          land(lane, half);
          check(cudaMemcpyAsync(buffer(lane, half), from + at, static_cast<std::size_t>(size),
                                cudaMemcpyDeviceToHost, stream(lane)),
                "a download");
          check(cudaEventRecord(event(lane, half), stream(lane)), "a download");
          waiting[static_cast<std::size_t>(2 * lane + half)] = {at, size};
        },
        [&](int lane) {
          land(lane, 0);
          land(lane, 1);
        });
  }

 private:
  static constexpr int lanes = 8;
  static constexpr std::int64_t buffer_bytes = 4 << 20;

  [[nodiscard]] char* buffer(int lane, int half) const {
    return static_cast<char*>(buffers_.get()) + (2 * lane + half) * buffer_bytes;
  }
  [[nodiscard]] cudaStream_t stream(int lane) const { return streams_[lane].get(); }
  [[nodiscard]] cudaEvent_t event(int lane, int half) const {
    return events_[2 * lane + half].get();
  }

  template <typename Step>
  void run(int device, std::int64_t bytes, const Step& step) {
    run(device, bytes, step, [](int) {});
  }
  template <typename Step, typename Last>
  void run(int device, std::int64_t bytes, const Step& step, const Last& last) {
    std::string failures[lanes];
    std::vector<std::jthread> threads;  // if one cannot be started, the others are waited for
    for (int lane = 0; lane < lanes; ++lane) {
      threads.emplace_back([&, lane] {
        try {
          check(cudaSetDevice(device), "a copy");
          int half = 0;
          for (std::int64_t at = lane * buffer_bytes; at < bytes; at += lanes * buffer_bytes) {
            step(lane, half, at, std::min(buffer_bytes, bytes - at));
            half = 1 - half;
          }
          last(lane);
          check(cudaStreamSynchronize(stream(lane)), "a copy");
        } catch (const std::exception& failure) {
          failures[lane] = failure.what();
        }
      });
    }
    for (std::jthread& thread : threads) thread.join();
    for (const std::string& failure : failures) {
      if (!failure.empty()) throw std::runtime_error(failure);
    }
  }

  PageLocked buffers_;
  Stream streams_[lanes];
  Event events_[2 * lanes];
};

class Cuda {
 public:
  explicit Cuda(int number) : number_(number) {
    int count = count_devices();
    if (number < 0 || number >= count) {
      throw std::runtime_error("there is no device " + std::to_string(number) + ": " +
                               std::to_string(count) + " found, counted from 0");
    }
    const Selection selected(number);
    stream_ = new_stream();
    for (Event& event : readers_) event = new_event();
    small_ = new_page_locked(small_bytes);
    // Freed memory stays with the process, so that blocks cost nothing the second time.
    std::uint64_t keep = UINT64_MAX;
    check(cudaMemPoolSetAttribute(pool(), cudaMemPoolAttrReleaseThreshold, &keep),
          "the memory pool");
  }
  ~Cuda() { cudaStreamSynchronize(stream_.get()); }
  Cuda(const Cuda&) = delete;
  Cuda& operator=(const Cuda&) = delete;

  static std::int32_t count_devices() {
    int count = 0;
    check(cudaGetDeviceCount(&count), "looking for CUDA devices");
    return count;
  }
  /// The functions below need this device for the calling thread, as long as the result exists.
  [[nodiscard]] Selection select() const { return Selection(number_); }
  void facts(repsc_cuda_facts& result) const {
    cudaDeviceProp properties = {};
    check(cudaGetDeviceProperties(&properties, number_), "the device");
    std::size_t left = 0;
    std::size_t all = 0;
    check(cudaMemGetInfo(&left, &all), "the memory of the device");
    std::uint64_t reserved = 0;
    std::uint64_t used = 0;
    check(cudaMemPoolGetAttribute(pool(), cudaMemPoolAttrReservedMemCurrent, &reserved),
          "the memory pool");
    check(cudaMemPoolGetAttribute(pool(), cudaMemPoolAttrUsedMemCurrent, &used), "the memory pool");
    write_message(properties.name, result.name, sizeof(result.name));
    result.memory_bytes = static_cast<std::int64_t>(all);
    result.free_bytes = static_cast<std::int64_t>(left + (reserved - used));
  }

  void* allocate(std::int64_t bytes) const {
    void* data = nullptr;
    if (cudaMallocAsync(&data, static_cast<std::size_t>(bytes), stream_.get()) == cudaSuccess)
      return data;
    cudaGetLastError();
    std::size_t left = 0;
    std::size_t all = 0;
    cudaMemGetInfo(&left, &all);
    throw std::runtime_error("the device has no room for " + std::to_string(bytes >> 20) +
                             " MiB more: " + std::to_string(left >> 20) + " of " +
                             std::to_string(all >> 20) + " MiB are free");
  }
  /// A device on which this fails has failed before, and the next call says so.
  void release(void* data) const noexcept {
    if (data != nullptr && cudaFreeAsync(data, stream_.get()) != cudaSuccess) cudaGetLastError();
  }
  void upload(void* to, const void* from, std::int64_t bytes) {
    if (bytes <= 0) return;
    if (bytes >= large) {
      check(cudaStreamSynchronize(stream_.get()), "a kernel");
      return all_lanes().upload(number_, static_cast<char*>(to), static_cast<const char*>(from),
                                bytes);
    }
    check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice,
                          stream_.get()),
          "an upload");
  }
  void download(void* to, const void* from, std::int64_t bytes) {
    if (bytes <= 0) return;
    if (bytes >= large) {
      check(cudaStreamSynchronize(stream_.get()), "a kernel");
      return all_lanes().download(number_, static_cast<char*>(to), static_cast<const char*>(from),
                                  bytes);
    }
    void* const landing = bytes <= small_bytes ? small_.get() : to;
    check(cudaMemcpyAsync(landing, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost,
                          stream_.get()),
          "a download");
    check(cudaStreamSynchronize(stream_.get()), "a kernel");
    if (landing != to) std::memcpy(to, landing, static_cast<std::size_t>(bytes));
  }
  void wait() const { check(cudaStreamSynchronize(stream_.get()), "a kernel"); }
  /// For the kernels that were running when readers of this half were last noted.
  void wait_for_readers(int half) const {
    check(cudaEventSynchronize(readers_[half].get()), "a kernel");
  }
  void note_readers(int half) const {
    check(cudaEventRecord(readers_[half].get(), stream_.get()), "a kernel");
  }
  /// Without waiting for kernels, to memory that none of them uses.
  void upload_beside_kernels(void* to, const void* from, std::int64_t bytes) {
    all_lanes().upload(number_, static_cast<char*>(to), static_cast<const char*>(from), bytes);
  }
  void clear(void* data, std::int64_t bytes) const {
    check(cudaMemsetAsync(data, 0, static_cast<std::size_t>(bytes), stream_.get()),
          "clearing memory");
  }

  template <typename Kernel>
  void run(const Kernel& kernel) const {
    const std::int64_t blocks = kernel.num_blocks();
    if (blocks == 0) return;
    run_kernel<<<static_cast<unsigned>(blocks), block_threads, 0, stream_.get()>>>(kernel);
    check(cudaGetLastError(), "starting a kernel");
  }
  template <typename Body>
  void each(std::int64_t count, const Body& body) const {
    if (count == 0) return;
    // Few long bodies, such as streams of random numbers, are spread over all multiprocessors.
    constexpr std::int64_t few = 132 * block_threads;
    constexpr int warp = 32;
    const int threads = count < few ? warp : block_threads;
    const std::int64_t blocks = (count + threads - 1) / threads;
    run_each<<<static_cast<unsigned>(blocks), threads, 0, stream_.get()>>>(count, body);
    check(cudaGetLastError(), "starting a kernel");
  }

  void eigen(double* S, std::int64_t n, double* host_values) {
    const std::int64_t bytes = n * std::int64_t{sizeof(double)};
    auto* const values = static_cast<double*>(allocate(bytes));
    try {
      dense().eigen(S, n, values);
      download(host_values, values, bytes);
    } catch (...) {
      release(values);
      throw;
    }
    release(values);
  }
  void gram(const repsc_cuda_block& A, double* G) { dense().gram(A, G); }
  bool cholesky(double* G, std::int64_t n) { return dense().cholesky(G, n); }
  void divide_by_factor(const repsc_cuda_block& A, const double* L) {
    dense().divide_by_factor(A, L);
  }
  void remove(const repsc_cuda_block& Q, const repsc_cuda_block& X, double* products) {
    dense().remove(Q, X, products);
  }

 private:
  static constexpr std::int64_t large = 4 << 20;
  static constexpr std::int64_t small_bytes = 1 << 16;

  [[nodiscard]] cudaMemPool_t pool() const {
    cudaMemPool_t pool = nullptr;
    check(cudaDeviceGetDefaultMemPool(&pool, number_), "the memory pool");
    return pool;
  }
  Lanes& all_lanes() {
    if (lanes_ == nullptr) lanes_ = std::make_unique<Lanes>();
    return *lanes_;
  }

  DenseLibraries& dense() {
    if (dense_ == nullptr) dense_ = std::make_unique<DenseLibraries>(stream_.get());
    return *dense_;
  }

  int number_;
  Stream stream_;
  Event readers_[2];  ///< of the halves of a buffer
  PageLocked small_;  ///< for small results
  std::unique_ptr<Lanes> lanes_;
  std::unique_ptr<DenseLibraries> dense_;
};

}  // namespace
}  // namespace repsc::device

extern "C" [[gnu::visibility("default")]] const repsc_cuda_functions* repsc_cuda(void) {
  return repsc::device::functions<repsc::device::Cuda>();
}
