// The functions of librepsc_cuda.so on the host: the same kernels, whose threads run one after the
// other. For tests where there is no device.
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "cuda/device/functions.hpp"

namespace repsc::device {
namespace {

class Twin {
 public:
  explicit Twin(int number) {
    if (number != 0) throw std::runtime_error("there is one device, number 0");
  }
  static std::int32_t count_devices() { return 1; }
  struct Selection {};
  [[nodiscard]] static Selection select() { return {}; }
  static void facts(repsc_cuda_facts& result) {
    result = {};
    write_message("host twin of the kernels", result.name, sizeof(result.name));
    result.memory_bytes = std::int64_t{1} << 40;
    result.free_bytes = result.memory_bytes;
  }

  static void* allocate(std::int64_t bytes) {
    constexpr std::size_t line = 256;
    const std::size_t size = (static_cast<std::size_t>(bytes) + line - 1) / line * line;
    void* const data = std::aligned_alloc(line, size);
    if (data == nullptr) throw std::runtime_error("out of memory");
    std::memset(data, 0x7f, size);  // nobody may rely on zeros
    return data;
  }
  static void release(void* data) noexcept { std::free(data); }
  static void upload(void* to, const void* from, std::int64_t bytes) { copy(to, from, bytes); }
  static void download(void* to, const void* from, std::int64_t bytes) { copy(to, from, bytes); }
  static void clear(void* data, std::int64_t bytes) {
    if (bytes > 0) std::memset(data, 0, static_cast<std::size_t>(bytes));
  }

  // Nothing goes on beside the caller.
  static void wait() {}
  static void wait_for_readers(int) {}
  static void note_readers(int) {}
  static void upload_beside_kernels(void* to, const void* from, std::int64_t bytes) {
    copy(to, from, bytes);
  }

  template <typename Kernel>
  static void run(const Kernel& kernel) {
    const auto shared = std::make_unique<typename Kernel::Shared>();
    for (std::int64_t block = 0; block < kernel.num_blocks(); ++block) {
      std::memset(static_cast<void*>(shared.get()), 0x7f, sizeof(*shared));
      for (int thread = 0; thread < block_threads; ++thread) kernel.first(block, thread, *shared);
      for (int thread = 0; thread < block_threads; ++thread) kernel.second(block, thread, *shared);
      if constexpr (HasThirdStep<Kernel>) {
        for (int thread = 0; thread < block_threads; ++thread) kernel.third(block, thread, *shared);
      }
    }
  }
  template <typename Body>
  static void each(std::int64_t count, const Body& body) {
    for (std::int64_t at = 0; at < count; ++at) body(at);
  }

  static void eigen(double* S, std::int64_t n, double* values) {
    const Eigen::SelfAdjointEigenSolver<Square> found(square(S, n));
    square(S, n) = found.eigenvectors().transpose();
    Eigen::Map<Eigen::VectorXd>(values, n) = found.eigenvalues();
  }
  static void gram(const repsc_cuda_block& A, double* G) {
    square(G, A.columns).triangularView<Eigen::Lower>() = block(A).transpose() * block(A);
  }
  static bool cholesky(double* G, std::int64_t n) {
    const Eigen::LLT<Square> factor(square(G, n));
    square(G, n).triangularView<Eigen::Lower>() = Square(factor.matrixL());
    return factor.info() == Eigen::Success;
  }
  static void divide_by_factor(const repsc_cuda_block& A, const double* L) {
    const Eigen::Map<const Square> factor(L, A.columns, A.columns);
    factor.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(block(A));
  }
  static void remove(const repsc_cuda_block& Q, const repsc_cuda_block& X, double* products) {
    Eigen::Map<Square> inner(products, Q.columns, X.columns);
    inner = block(Q).transpose() * block(X);
    block(X) -= block(Q) * inner;
  }

 private:
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Block = Eigen::Map<Square, 0, Eigen::OuterStride<>>;

  static Eigen::Map<Square> square(double* S, std::int64_t n) { return {S, n, n}; }
  static Block block(const repsc_cuda_block& A) {
    return Block(static_cast<double*>(A.data), A.rows, A.columns, Eigen::OuterStride<>(A.stride));
  }
  static void copy(void* to, const void* from, std::int64_t bytes) {
    if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
};

}  // namespace
}  // namespace repsc::device

extern "C" [[gnu::visibility("default")]] const repsc_cuda_functions* repsc_cuda(void) {
  return repsc::device::functions<repsc::device::Twin>();
}
