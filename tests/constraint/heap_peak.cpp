// Counts by standing in for malloc and its kin in this program and every library that it loads.
#include "constraint/heap_peak.hpp"

#include <malloc.h>

#include <atomic>
#include <cerrno>

#include "support/memory.hpp"

namespace {

std::atomic<std::ptrdiff_t> in_use{0};
std::atomic<std::ptrdiff_t> peak{0};

}  // namespace

namespace repsc {

std::ptrdiff_t heap_peak(const std::function<void()>& work) {
  const std::ptrdiff_t before = in_use;
  peak = before;
  work();
  return peak - before;
}

}  // namespace repsc

#if !REPSC_MEMORY_IS_INSTRUMENTED

namespace {

void* counted(void* block) {
  if (block == nullptr) return block;
  const std::ptrdiff_t now = in_use += static_cast<std::ptrdiff_t>(::malloc_usable_size(block));
  std::ptrdiff_t highest = peak;
  while (now > highest && !peak.compare_exchange_weak(highest, now)) {
  }
  return block;
}

void uncount(void* block) {
  if (block != nullptr) in_use -= static_cast<std::ptrdiff_t>(::malloc_usable_size(block));
}

}  // namespace

extern "C" {

// glibc's own, under the names that it keeps for programs that replace the others.
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) { return counted(__libc_malloc(size)); }

void* calloc(std::size_t count, std::size_t size) { return counted(__libc_calloc(count, size)); }

void* realloc(void* block, std::size_t size) {
  uncount(block);
  return counted(__libc_realloc(block, size));  // where it fails the count is off: so is the test
}

void* memalign(std::size_t alignment, std::size_t size) {
  return counted(__libc_memalign(alignment, size));
}

void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  *block = memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}

void free(void* block) {
  uncount(block);
  __libc_free(block);
}

}  // extern "C"

#endif
