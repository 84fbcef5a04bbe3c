// glibc lets a program define malloc and its kin; operator new, Eigen, LAPACKE, SuiteSparse, zlib
// and libzip all call them.
#include "allocation/failing_allocator.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <limits>

#include "support/memory.hpp"

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
std::atomic<std::int64_t> left{never};  // allocations until the one that fails
std::atomic<bool> lasting{false};
std::atomic<bool> failed{false};

}  // namespace

namespace repsc::tests {

void fail_allocation(std::int64_t number, Failing failing) {
  failed = false;
  lasting = failing == Failing::from_then_on;
  left = number;
}

bool stop_failing() {
  left = never;
  return failed;
}

}  // namespace repsc::tests

#if !REPSC_MEMORY_IS_INSTRUMENTED

namespace {

bool fails() {
  if (left == never) return false;
  const std::int64_t now = --left;
  if (now > 0 || (now < 0 && !lasting)) return false;
  failed = true;
  errno = ENOMEM;
  return true;
}

}  // namespace

extern "C" {

void __libc_free(void* block);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void* __libc_malloc(std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);

void free(void* block) { __libc_free(block); }

void* malloc(std::size_t size) { return fails() ? nullptr : __libc_malloc(size); }

void* realloc(void* block, std::size_t size) {
  return fails() ? nullptr : __libc_realloc(block, size);
}

void* calloc(std::size_t count, std::size_t size) {
  return fails() ? nullptr : __libc_calloc(count, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
  return fails() ? nullptr : __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  void* const found = memalign(alignment, size);
  if (found == nullptr) return ENOMEM;
  *block = found;
  return 0;
}

}  // extern "C"

#endif
