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

/// Some neighbours of a row: the parent of the row, and the highest of their parents, get the
/// lowest of all as their own. Rows of one large component can be left out, as every entry is in
/// two rows (Sutton, Ben-Nun and Barak 2018, "Optimizing parallel graph connectivity computation
/// via subgraph sampling"): most entries are never looked at.
struct HookComponents {
  static constexpr int slots = 8;
  repsc_cuda_graph graph;
  std::int64_t most;   ///< entries of a row that are looked at
  std::int64_t large;  ///< a node whose component is left out; -1: none
  std::int32_t* parent;
  std::int32_t* changed;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const std::int64_t row = at / slots;
    const std::int32_t own = parent[row];
    if (large >= 0 && own == parent[large]) return;
    std::int32_t lowest = own;
    std::int32_t highest = own;
    const std::int64_t begin = graph.offsets[row];
    const std::int64_t entries = graph.offsets[row + 1] - begin;
    const std::int64_t end = begin + (entries < most ? entries : most);
    for (std::int64_t e = begin + at % slots; e < end; e += slots) {
      const std::int32_t other = parent[read_once(graph.neighbors + e)];
      lowest = other < lowest ? other : lowest;
      highest = other > highest ? other : highest;
    }
    if (lowest == highest) return;
    lower(parent + highest, lowest);
    lower(parent + own, lowest);
    lower(parent + row, lowest);
    *changed = 1;
  }
};

/// The parents of nodes at equal distances.
struct PickParents {
  const std::int32_t* parent;
  std::int64_t distance;
  std::int32_t* picked;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const { picked[at] = parent[at * distance]; }
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
