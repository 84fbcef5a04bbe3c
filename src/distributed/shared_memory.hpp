// Memory that all ranks see, where they run on one machine: rows of vectors are then read where
// they are, in place of being sent to each rank that needs them.
//
// MPI_Win_allocate_shared would do the same, but Open MPI 4.1 waits for ever where /dev/shm is too
// small, as it is in many containers. Here the ranks agree, and go back to messages.
#pragma once

#include <cstddef>
#include <utility>

#include "repsc/distributed.hpp"

namespace repsc {

class SharedMemory {
 public:
  SharedMemory() = default;  ///< none
  /// Called by every rank. None if ranks run on several machines or in containers that see
  /// different memory, or if there is too little of it.
  static SharedMemory among(const Communicator& ranks, std::size_t bytes);
  ~SharedMemory();
  SharedMemory(SharedMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  SharedMemory& operator=(SharedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  explicit operator bool() const { return data_ != nullptr; }
  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  SharedMemory(std::byte* data, std::size_t bytes) : data_(data), bytes_(bytes) {}

  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace repsc
