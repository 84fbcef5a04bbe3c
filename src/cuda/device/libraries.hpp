// cuBLAS and cuSOLVER, loaded when a dense matrix first needs them, so that graphs can be clustered
// where the driver alone is installed. Their headers are not needed: enumerations and handles are
// declared here as the numbers and pointers that they are (cuBLAS 12 and 13, cuSOLVER 11 and 12).
//
// Both store matrices column by column. A matrix that is stored row by row is its transpose there,
// and its lower triangle the upper one.
#pragma once

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/interface.h"

namespace repsc::device {

/// A shared library of which one version is installed.
class LoadedLibrary {
 public:
  explicit LoadedLibrary(std::vector<std::string> names) : name_(names.front()) {
    for (const std::string& name : names) {
      if (library_ == nullptr) library_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    if (library_ == nullptr) {
      throw std::runtime_error(
          name_ +
          " could not be loaded, which dense matrices need on a device: " + std::string(dlerror()));
    }
  }

  template <typename Function>
  void find(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(dlsym(library_, name));
    if (function == nullptr) throw std::runtime_error(name_ + " has no function " + name);
  }

 private:
  std::string name_;
  void* library_ = nullptr;  ///< stays open: closing CUDA's libraries at exit is not safe
};

class DenseLibraries {
 public:
  explicit DenseLibraries(cudaStream_t stream)
      : stream_(stream),
        blas_({"libcublas.so.13", "libcublas.so.12", "libcublas.so"}),
        solver_({"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"}) {
    blas_.find(gemm_, "cublasDgemm_v2");
    blas_.find(syrk_, "cublasDsyrk_v2");
    blas_.find(trsm_, "cublasDtrsm_v2");
    solver_.find(eigen_room_, "cusolverDnXsyevd_bufferSize");
    solver_.find(eigen_, "cusolverDnXsyevd");
    solver_.find(cholesky_room_, "cusolverDnXpotrf_bufferSize");
    solver_.find(cholesky_, "cusolverDnXpotrf");
    int (*create_blas)(void**) = nullptr;
    int (*set_blas_stream)(void*, cudaStream_t) = nullptr;
    int (*create_solver)(void**) = nullptr;
    int (*set_solver_stream)(void*, cudaStream_t) = nullptr;
    int (*create_parameters)(void**) = nullptr;
    blas_.find(create_blas, "cublasCreate_v2");
    blas_.find(set_blas_stream, "cublasSetStream_v2");
    solver_.find(create_solver, "cusolverDnCreate");
    solver_.find(set_solver_stream, "cusolverDnSetStream");
    solver_.find(create_parameters, "cusolverDnCreateParams");
    check(create_blas(&blas_handle_), "cuBLAS");
    check(set_blas_stream(blas_handle_, stream), "cuBLAS");
    check(create_solver(&solver_handle_), "cuSOLVER");
    check(set_solver_stream(solver_handle_, stream), "cuSOLVER");
    check(create_parameters(&parameters_), "cuSOLVER");
  }

  /// The rows of S become eigenvectors; `values` is on the device, too.
  void eigen(double* S, std::int64_t n, double* values) const {
    std::size_t device_bytes = 0;
    std::size_t host_bytes = 0;
    check(eigen_room_(solver_handle_, parameters_, with_vectors, upper, n, doubles, S, n, doubles,
                      values, doubles, &device_bytes, &host_bytes),
          "cuSOLVER");
    const Room room(stream_, device_bytes, host_bytes);
    check(
        eigen_(solver_handle_, parameters_, with_vectors, upper, n, doubles, S, n, doubles, values,
               doubles, room.device, device_bytes, room.host.data(), host_bytes, room.info),
        "cuSOLVER");
    if (room.result() != 0) throw std::runtime_error("cuSOLVER found no eigenvectors");
  }
  void gram(const repsc_cuda_block& A, double* G) const {
    const double one = 1;
    const double zero = 0;
    check(syrk_(blas_handle_, upper, plain, int_of(A.columns), int_of(A.rows), &one, numbers(A),
                int_of(A.stride), &zero, G, int_of(A.columns)),
          "cuBLAS");
  }
  /// False if G is not positive definite.
  [[nodiscard]] bool cholesky(double* G, std::int64_t n) const {
    std::size_t device_bytes = 0;
    std::size_t host_bytes = 0;
    check(cholesky_room_(solver_handle_, parameters_, upper, n, doubles, G, n, doubles,
                         &device_bytes, &host_bytes),
          "cuSOLVER");
    const Room room(stream_, device_bytes, host_bytes);
    check(cholesky_(solver_handle_, parameters_, upper, n, doubles, G, n, doubles, room.device,
                    device_bytes, room.host.data(), host_bytes, room.info),
          "cuSOLVER");
    return room.result() == 0;
  }
  void divide_by_factor(const repsc_cuda_block& A, const double* L) const {
    const double one = 1;
    check(trsm_(blas_handle_, left, upper, transposed, any_diagonal, int_of(A.columns),
                int_of(A.rows), &one, L, int_of(A.columns), numbers(A), int_of(A.stride)),
          "cuBLAS");
  }
  /// `products`: room for Q'X.
  void remove(const repsc_cuda_block& Q, const repsc_cuda_block& X, double* products) const {
    const double one = 1;
    const double minus_one = -1;
    const double zero = 0;
    const int width = int_of(X.columns);
    const int rank = int_of(Q.columns);
    const int rows = int_of(X.rows);
    check(gemm_(blas_handle_, plain, transposed, width, rank, rows, &one, numbers(X),
                int_of(X.stride), numbers(Q), int_of(Q.stride), &zero, products, width),
          "cuBLAS");
    check(gemm_(blas_handle_, plain, plain, width, rows, rank, &minus_one, products, width,
                numbers(Q), int_of(Q.stride), &one, numbers(X), int_of(X.stride)),
          "cuBLAS");
  }

 private:
  // Of cublas_api.h, cusolver_common.h and library_types.h.
  static constexpr int plain = 0;         // CUBLAS_OP_N
  static constexpr int transposed = 1;    // CUBLAS_OP_T
  static constexpr int upper = 1;         // CUBLAS_FILL_MODE_UPPER
  static constexpr int left = 0;          // CUBLAS_SIDE_LEFT
  static constexpr int any_diagonal = 0;  // CUBLAS_DIAG_NON_UNIT
  static constexpr int with_vectors = 1;  // CUSOLVER_EIG_MODE_VECTOR
  static constexpr int doubles = 1;       // CUDA_R_64F

  /// Memory of one call of cuSOLVER.
  struct Room {
    Room(cudaStream_t given, std::size_t device_bytes, std::size_t host_bytes)
        : host(host_bytes), stream(given) {
      const std::size_t bytes = (device_bytes + 255) / 256 * 256;
      if (cudaMallocAsync(&device, bytes + sizeof(int), stream) != cudaSuccess) {
        cudaGetLastError();
        throw std::runtime_error("the device has no room for " + std::to_string(bytes >> 20U) +
                                 " MiB more");
      }
      info = reinterpret_cast<int*>(static_cast<char*>(device) + bytes);
    }
    ~Room() { cudaFreeAsync(device, stream); }
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;

    [[nodiscard]] int result() const {
      int found = -1;
      if (cudaMemcpyAsync(&found, info, sizeof(found), cudaMemcpyDeviceToHost, stream) !=
              cudaSuccess ||
          cudaStreamSynchronize(stream) != cudaSuccess)
        throw std::runtime_error(std::string("cuSOLVER: ") +
                                 cudaGetErrorString(cudaGetLastError()));
      return found;
    }

    mutable std::vector<char> host;
    cudaStream_t stream;
    void* device = nullptr;
    int* info = nullptr;
  };

  static void check(int status, const char* library) {
    if (status != 0)
      throw std::runtime_error(std::string(library) + " reports error " + std::to_string(status));
  }
  static int int_of(std::int64_t number) {
    if (number > INT32_MAX) throw std::runtime_error("a dense matrix of more than 2^31 rows");
    return static_cast<int>(number);
  }
  static double* numbers(const repsc_cuda_block& A) { return static_cast<double*>(A.data); }

  cudaStream_t stream_;
  LoadedLibrary blas_;
  LoadedLibrary solver_;
  void* blas_handle_ = nullptr;
  void* solver_handle_ = nullptr;
  void* parameters_ = nullptr;
  int (*gemm_)(void*, int, int, int, int, int, const double*, const double*, int, const double*,
               int, const double*, double*, int) = nullptr;
  int (*syrk_)(void*, int, int, int, int, const double*, const double*, int, const double*, double*,
               int) = nullptr;
  int (*trsm_)(void*, int, int, int, int, int, int, const double*, const double*, int, double*,
               int) = nullptr;
  int (*eigen_room_)(void*, void*, int, int, std::int64_t, int, const void*, std::int64_t, int,
                     const void*, int, std::size_t*, std::size_t*) = nullptr;
  int (*eigen_)(void*, void*, int, int, std::int64_t, int, void*, std::int64_t, int, void*, int,
                void*, std::size_t, void*, std::size_t, int*) = nullptr;
  int (*cholesky_room_)(void*, void*, int, std::int64_t, int, const void*, std::int64_t, int,
                        std::size_t*, std::size_t*) = nullptr;
  int (*cholesky_)(void*, void*, int, std::int64_t, int, void*, std::int64_t, int, void*,
                   std::size_t, void*, std::size_t, int*) = nullptr;
};

}  // namespace repsc::device
