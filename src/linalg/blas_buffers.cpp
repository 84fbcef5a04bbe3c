// Tries whether the buffers can be mapped, and only then lets OpenBLAS map them.
#include "linalg/blas_buffers.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "core/memory.hpp"
#include "repsc/core.hpp"

// Exported by OpenBLAS, though in no header of it. A build that hides them leaves the pointers
// null.
extern "C" {
[[gnu::weak]] void* blas_memory_alloc(int kind);
[[gnu::weak]] void blas_memory_free(void* buffer);
}

namespace repsc {
namespace {

/// BUFFER_SIZE in OpenBLAS's common_*.h, and the largest of them for other processors.
#if defined(__aarch64__)
constexpr std::size_t buffer_bytes = std::size_t{32} << 20;
#elif defined(__x86_64__)
constexpr std::size_t buffer_bytes = std::size_t{128} << 20;
#else
constexpr std::size_t buffer_bytes = std::size_t{256} << 20;
#endif

/// OpenBLAS ends the program beyond a number of buffers that is set when it is built, 128 or more.
constexpr int most_buffers = 128;

bool can_map(std::size_t bytes) {
  void* const pages =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return false;
  ::munmap(pages, bytes);
  return true;
}

/// Whether OpenBLAS will get its buffers. Its own threads, which start with the program, may still
/// be asking for theirs. They take what the first look has given back, so the second one decides.
bool buffers_fit(int count) {
  const std::size_t bytes = static_cast<std::size_t>(count) * buffer_bytes;
  if (!can_map(bytes)) return false;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return can_map(bytes);
}

}  // namespace

void reserve_blas_buffers(int callers) {
  static const bool may_fail = address_space_may_run_out();
  static int reserved = 0;
  const int count = std::min(callers, most_buffers);
  if (!may_fail || count <= reserved) return;
  std::vector<void*> buffers(static_cast<std::size_t>(count));
  if (!buffers_fit(count)) {
    const auto bytes = static_cast<std::int64_t>(buffer_bytes) * count;
    throw MemoryLimitExceeded(Fault{
        .what = joined("out of memory: the address space has no room for the buffers of BLAS, ",
                       bytes_in_words(bytes), " for ", count, count == 1 ? " thread" : " threads"),
        .remedies = {{.action = Remedy::Action::lower, .option = "threads"},
                     advice("raise the limit of the address space (ulimit -v)")}});
  }
  if (blas_memory_alloc != nullptr && blas_memory_free != nullptr) {
    for (void*& buffer : buffers) buffer = blas_memory_alloc(0);
    for (void* buffer : buffers) blas_memory_free(buffer);
  }
  reserved = count;
}

}  // namespace repsc
