// What every function of interface.h has at hand: the place where it computes, and memory for
// results in between.
//
// A place is a device (cuda.cu) or the host (twin.cpp). It has allocate(), release(), upload(),
// download() and clear(), run(kernel) for kernels of steps and each(count, body) for bodies
// that threads run on their own; wait() for all of them. They throw std::runtime_error, except for
// release(). The result of select() is held by the calling thread meanwhile.
#pragma once

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "cuda/device/threads.hpp"
#include "cuda/interface.h"

namespace repsc::device {

template <typename Place>
struct Context {
  explicit Context(int number) : place(number) {}
  ~Context() {
    for (Scratch& one : scratch) place.release(one.data);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Memory that is used again by the next call that asks for the same use.
  enum Use { partials, results, small, gathered, panels, num_uses };
  template <typename T>
  T* room(Use use, std::int64_t count) {
    Scratch& own = scratch[use];
    const std::int64_t bytes = std::max<std::int64_t>(count, 1) * std::int64_t{sizeof(T)};
    if (own.bytes < bytes) {
      place.release(own.data);
      own = {};
      own.data = place.allocate(bytes);
      own.bytes = bytes;
    }
    return static_cast<T*>(own.data);
  }

  struct Scratch {
    void* data = nullptr;
    std::int64_t bytes = 0;
  };
  Place place;
  std::string message;
  Scratch scratch[num_uses];
};

template <typename Scalar>
Rows<Scalar> rows_of(const repsc_cuda_block& X) {
  return {static_cast<Scalar*>(X.data), X.rows, X.columns, X.stride};
}

/// body(Scalar()) for the precision of a block.
template <typename Body>
void with_scalar(const repsc_cuda_block& X, const Body& body) {
  if (X.scalar_bytes == 4) return body(float());
  if (X.scalar_bytes == 8) return body(double());
  throw std::runtime_error("a block has neither floats nor doubles");
}

inline void require_same(const repsc_cuda_block& A, const repsc_cuda_block& B) {
  if (A.rows != B.rows || A.scalar_bytes != B.scalar_bytes)
    throw std::runtime_error("two blocks differ in rows or precision");
}

/// At most about `most` chunks, of at least 1024 rows.
inline Chunks chunks_of(std::int64_t rows, std::int64_t most = 4096) {
  return {rows, std::max<std::int64_t>(1024, (rows + most - 1) / std::max<std::int64_t>(most, 1))};
}

inline void write_message(const char* what, char* message, std::int64_t room) {
  if (room > 0) std::snprintf(message, static_cast<std::size_t>(room), "%s", what);
}

template <typename Place>
Context<Place>& own(repsc_cuda_context* context) {
  return *reinterpret_cast<Context<Place>*>(context);
}

/// 0, or 1 and the message of an exception.
template <typename Place, typename Body>
std::int32_t guarded(repsc_cuda_context* context, const Body& body) {
  try {
    [[maybe_unused]] const auto selected = own<Place>(context).place.select();
    body(own<Place>(context));
    return 0;
  } catch (const std::exception& failure) {
    own<Place>(context).message = failure.what();
    return 1;
  }
}

}  // namespace repsc::device
