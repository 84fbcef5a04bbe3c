// The kernels: what one thread of a device does. Compiled by nvcc for devices, and by any compiler
// for the host twin (twin.cpp), which runs the same threads one after the other and is what tests
// see where there is no device. Here is what all of them share.
//
// A kernel that adds up over rows works on blocks of threads in steps: first() of all threads, then
// second() of all threads, and third() if it has one, with memory that they share. Which thread
// adds which rows depends on the shape alone, and there are no atomic sums of floating-point
// numbers: the same input gives the same bytes.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/random.hpp"
#include "cuda/interface.h"

namespace repsc::device {

constexpr int block_threads = 256;
constexpr int tile = 8;  ///< columns at once: 8 floats are 32 bytes, the unit of memory traffic
constexpr int row_lanes = block_threads / tile;

template <typename Kernel>
concept HasThirdStep = requires(const Kernel& kernel, typename Kernel::Shared& shared) {
  kernel.third(std::int64_t{0}, 0, shared);
};

/// A block of known precision.
template <typename Scalar>
struct Rows {
  Scalar* data;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t stride;

  REPSC_HOST_DEVICE Scalar* row(std::int64_t i) const { return data + i * stride; }
};

/// Numbers that are read at once, up to sixteen bytes.
template <typename Scalar, int Count = 16 / static_cast<int>(sizeof(Scalar))>
struct alignas(Count * sizeof(Scalar)) Piece {
  static constexpr int size = Count;
  Scalar value[size];
};

/// Row and column of an element. Divisions of 32 bits take a fraction of the time of longer ones.
struct Element {
  std::int64_t row;
  std::int64_t column;
};
REPSC_HOST_DEVICE inline Element element(std::int64_t at, std::int64_t columns) {
  if (at <= UINT32_MAX) {
    const auto short_at = static_cast<std::uint32_t>(at);
    const auto short_columns = static_cast<std::uint32_t>(columns);
    return {short_at / short_columns, short_at % short_columns};
  }
  return {at / columns, at % columns};
}

// std::popcount() and its like compile for devices, and give nothing there (nvcc 13).

REPSC_HOST_DEVICE inline int count_bits(std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
  return __popcll(bits);
#else
  return std::popcount(bits);
#endif
}
/// The position of the lowest bit of a number above 0.
REPSC_HOST_DEVICE inline int lowest_bit(std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
  return __ffsll(static_cast<long long>(bits)) - 1;
#else
  return std::countr_zero(bits);
#endif
}

/// a * b, rounded before anything is added to it, as on the CPU: nvcc would round a product and the
/// sum that it goes into together.
REPSC_HOST_DEVICE inline double product(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

/// A number that is read once: it should not drive out of the cache what is read again.
template <typename T>
REPSC_HOST_DEVICE inline T read_once(const T* from) {
#if defined(__CUDA_ARCH__)
  return __ldcs(from);
#else
  return *from;
#endif
}

/// Whether rows can be read in pieces from column `first` on.
template <typename Scalar>
REPSC_HOST_DEVICE inline bool in_pieces(const Rows<Scalar>& X, std::int64_t first) {
  constexpr std::int64_t size = Piece<Scalar>::size;
  return X.stride % size == 0 && first % size == 0 &&
         reinterpret_cast<std::uintptr_t>(X.data) % 16 == 0;
}

/// Up to `Width` numbers of a row; zeros after `count` of them.
template <typename Scalar, int Width>
REPSC_HOST_DEVICE inline void read_tile(const Scalar* from, int count, bool pieces,
                                        Scalar (&to)[Width]) {
  constexpr int size = Piece<Scalar>::size;
  if (pieces && count == Width) {
    for (int p = 0; p < Width / size; ++p) {
      const Piece<Scalar> piece = reinterpret_cast<const Piece<Scalar>*>(from)[p];
      for (int k = 0; k < size; ++k) to[p * size + k] = piece.value[k];
    }
    return;
  }
  for (int c = 0; c < Width; ++c) to[c] = c < count ? from[c] : Scalar(0);
}

REPSC_HOST_DEVICE inline int columns_of_tile(std::int64_t columns, std::int64_t first,
                                             int width = tile) {
  return columns - first < width ? static_cast<int>(columns - first) : width;
}

/// body(width), the narrowest tile for so many columns.
template <typename Body>
void with_width(std::int64_t columns, const Body& body) {
  constexpr int half = tile / 2;
  if (columns <= half) return body(std::integral_constant<int, half>());
  body(std::integral_constant<int, tile>());
}

/// A range of rows that one block of threads works on.
struct Chunks {
  std::int64_t rows;
  std::int64_t size;  ///< rows of a chunk

  [[nodiscard]] std::int64_t count() const { return (rows + size - 1) / size; }
  REPSC_HOST_DEVICE std::int64_t begin(std::int64_t chunk) const { return chunk * size; }
  REPSC_HOST_DEVICE std::int64_t end(std::int64_t chunk) const {
    return (chunk + 1) * size < rows ? (chunk + 1) * size : rows;
  }
};

struct Plus {
  template <typename T>
  REPSC_HOST_DEVICE T operator()(T a, T b) const {
    return a + b;
  }
};
struct Larger {
  template <typename T>
  REPSC_HOST_DEVICE T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};

/// Sums of what each thread has, in two steps after the one that fills `own`.
template <int Count>
struct ThreadSums {
  static constexpr int parts = 16;
  static_assert(Count * parts <= block_threads);
  double own[Count][block_threads];
  double part[Count][parts];

  REPSC_HOST_DEVICE void add_parts(int thread) {
    if (thread >= Count * parts) return;
    const int which = thread / parts;
    double sum = 0;
    for (int k = thread % parts; k < block_threads; k += parts) sum += own[which][k];
    part[which][thread % parts] = sum;
  }
  [[nodiscard]] REPSC_HOST_DEVICE double total(int which) const {
    double sum = 0;
    for (int k = 0; k < parts; ++k) sum += part[which][k];
    return sum;
  }
};

/// result[k] = partial[0 * outputs + k] + partial[1 * outputs + k] + ..., in a fixed order.
template <typename T, typename Operation>
struct Combine {
  struct Shared {
    T value[block_threads];
  };
  const T* partial;
  std::int64_t count;
  std::int64_t outputs;
  T* result;

  [[nodiscard]] std::int64_t num_blocks() const { return outputs; }
  REPSC_HOST_DEVICE void first(std::int64_t output, int thread, Shared& shared) const {
    T value = 0;
    for (std::int64_t k = thread; k < count; k += block_threads)
      value = Operation{}(value, partial[k * outputs + output]);
    shared.value[thread] = value;
  }
  REPSC_HOST_DEVICE void second(std::int64_t output, int thread, Shared& shared) const {
    if (thread > 0) return;
    T value = 0;
    for (int k = 0; k < block_threads; ++k) value = Operation{}(value, shared.value[k]);
    result[output] = value;
  }
};

}  // namespace repsc::device
