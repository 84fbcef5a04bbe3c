// Large arrays in pages of their own, which go back to the system as soon as they are not needed:
// malloc keeps freed memory once it has served larger blocks. New pages are zero, and are not
// touched before they are used, so that threads that fill an array in parts also share the cost of
// its pages.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace repsc {

/// Asks for large pages for memory that is about to be filled: a fraction of the faults, and arrays
/// that are read in random order are found faster. Does nothing for less than 32 MiB.
inline void ask_for_large_pages(void* data, std::size_t bytes) {
  constexpr std::size_t many_pages = std::size_t{1} << 25U;
  constexpr std::size_t large = std::size_t{1} << 21U;
  if (bytes < many_pages) return;
  // Whole large pages between the ends.
  const std::size_t before = (large - reinterpret_cast<std::uintptr_t>(data) % large) % large;
  ::madvise(static_cast<std::byte*>(data) + before, (bytes - before) / large * large,
            MADV_HUGEPAGE);
}

/// What the system should do with the pages that have some of these bytes of a mapped file. It may
/// refuse: advice changes no result.
inline void advise_pages(const void* begin, const void* end, int advice) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto* const last = static_cast<const std::byte*>(end);
  const auto* const first =
      static_cast<const std::byte*>(begin) - reinterpret_cast<std::uintptr_t>(begin) % page;
  if (first >= last) return;  // the system rounds the length up
  ::madvise(const_cast<std::byte*>(first), static_cast<std::size_t>(last - first), advice);
}

/// These bytes of a mapped file leave the memory of this process until they are used again.
inline void give_back_pages(std::span<const std::byte> bytes) {
  advise_pages(bytes.data(), bytes.data() + bytes.size(), MADV_DONTNEED);
}

template <typename Value>
class Pages {
  static_assert(std::is_trivial_v<Value>);

 public:
  Pages() = default;
  /// `count` zeros.
  explicit Pages(std::size_t count) : count_(count) {
    if (count == 0) return;
    void* const pages =
        ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    values_ = static_cast<Value*>(pages);
    ask_for_large_pages(pages, bytes());
  }
  ~Pages() {
    if (values_ != nullptr) ::munmap(values_, bytes());
  }
  Pages(Pages&& other) noexcept
      : values_(std::exchange(other.values_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  Pages& operator=(Pages&& other) noexcept {
    std::swap(values_, other.values_);
    std::swap(count_, other.count_);
    return *this;
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] Value* data() { return values_; }
  [[nodiscard]] const Value* data() const { return values_; }
  [[nodiscard]] Value& operator[](std::size_t i) { return values_[i]; }
  [[nodiscard]] const Value& operator[](std::size_t i) const { return values_[i]; }
  [[nodiscard]] std::span<const Value> values() const { return {values_, count_}; }

  /// Frees the whole pages within the values [first, last), which must not be used any more.
  void release(std::size_t first, std::size_t last) {
    const std::size_t page = page_bytes();
    const std::size_t begin = (first * sizeof(Value) + page - 1) / page * page;
    const std::size_t end = last * sizeof(Value) / page * page;
    if (begin < end)
      ::madvise(reinterpret_cast<char*>(values_) + begin, end - begin, MADV_DONTNEED);
  }

  /// Frees the pages behind the first `count` values.
  void shrink(std::size_t count) {
    const std::size_t page = page_bytes();
    const std::size_t keep = (count * sizeof(Value) + page - 1) / page * page;
    if (count == 0 || keep >= bytes()) return;
    ::munmap(reinterpret_cast<char*>(values_) + keep, bytes() - keep);
    count_ = keep / sizeof(Value);
  }

 private:
  static std::size_t page_bytes() {
    static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return bytes;
  }
  [[nodiscard]] std::size_t bytes() const { return count_ * sizeof(Value); }

  Value* values_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace repsc
