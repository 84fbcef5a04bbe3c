// Connected components.
#pragma once

#include "cuda/device/threads.hpp"

namespace repsc::device {

/// *at = min(*at, value), by any number of threads at once. The result does not depend on their
/// order.
REPSC_HOST_DEVICE inline void lower(std::int32_t* at, std::int32_t value) {
#if defined(__CUDA_ARCH__)
  atomicMin(at, value);
#else
  if (value < *at) *at = value;
#endif
}

REPSC_HOST_DEVICE inline void count_one(unsigned long long* at) {
#if defined(__CUDA_ARCH__)
  atomicAdd(at, 1ULL);
#else
  ++*at;
#endif
}

struct StartComponents {
  std::int32_t* parent;

  REPSC_HOST_DEVICE void operator()(std::int64_t i) const {
    parent[i] = static_cast<std::int32_t>(i);
  }
};

/// Some neighbours of a row: the parent of the row gets the lowest of their parents as its own.
struct HookComponents {
  static constexpr int slots = 8;
  repsc_cuda_graph graph;
  std::int64_t most;  ///< entries of a row that are looked at
  std::int32_t* parent;
  std::int32_t* changed;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const std::int64_t row = at / slots;
    const std::int32_t own = parent[row];
    std::int32_t lowest = own;
    const std::int64_t begin = graph.offsets[row];
    const std::int64_t entries = graph.offsets[row + 1] - begin;
    const std::int64_t end = begin + (entries < most ? entries : most);
    for (std::int64_t e = begin + at % slots; e < end; e += slots) {
      const std::int32_t other = parent[read_once(graph.neighbors + e)];
      lowest = other < lowest ? other : lowest;
    }
    if (lowest == own) return;
    lower(parent + own, lowest);
    lower(parent + row, lowest);
    *changed = 1;
  }
};

/// Every node's parent becomes the root above it. Parents only fall, so that this ends.
struct CompressComponents {
  std::int32_t* parent;

  REPSC_HOST_DEVICE void operator()(std::int64_t i) const {
    std::int32_t root = parent[i];
    while (parent[root] < root) root = parent[root];
    lower(parent + i, root);
  }
};

struct CountRoots {
  const std::int32_t* parent;
  unsigned long long* count;

  REPSC_HOST_DEVICE void operator()(std::int64_t i) const {
    if (parent[i] == i) count_one(count);
  }
};

}  // namespace repsc::device
