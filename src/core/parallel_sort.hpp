// Sorting ranges on all threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/parallel.hpp"

namespace repsc {

/// Sorts items[first[s], first[s + 1]) for every s. `less` must order the items of a range
/// strictly, so that there is one result, whatever the threads do.
template <typename T, typename Position, typename Less>
void parallel_sort(std::span<T> items, std::span<const Position> first, const Less& less) {
  struct Run {
    std::size_t begin;
    std::size_t end;
    std::size_t range;
  };
  constexpr std::size_t longest = std::size_t{1} << 15U;
  constexpr std::int64_t at_once = 64;
  const auto at = [&](std::size_t k) { return items.begin() + static_cast<std::ptrdiff_t>(k); };

  std::vector<Run> runs;
  for (std::size_t range = 0; range + 1 < first.size(); ++range) {
    const auto end = static_cast<std::size_t>(first[range + 1]);
    for (auto begin = static_cast<std::size_t>(first[range]); begin < end; begin += longest)
      runs.push_back({begin, std::min(end, begin + longest), range});
  }
  parallel_ranges(std::ssize(runs), runs.size() > 1024 ? at_once : 1,
                  [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t k = begin; k < end; ++k) {
                      const Run& run = runs[static_cast<std::size_t>(k)];
                      std::sort(at(run.begin), at(run.end), less);
                    }
                  });
  // Neighbours of a range are merged, two and two.
  for (bool merged = true; std::exchange(merged, false);) {
    std::vector<Run> longer;
    std::vector<std::size_t> middles;  // where the second run begins; the end if there is none
    for (std::size_t k = 0; k < runs.size(); ++k) {
      Run run = runs[k];
      const std::size_t middle = run.end;
      if (k + 1 < runs.size() && runs[k + 1].range == run.range) {
        run.end = runs[++k].end;
        merged = true;
      }
      longer.push_back(run);
      middles.push_back(middle);
    }
    if (!merged) return;
    parallel_chunks(std::ssize(longer), [&](std::int64_t k) {
      const Run& run = longer[static_cast<std::size_t>(k)];
      const std::size_t middle = middles[static_cast<std::size_t>(k)];
      if (middle < run.end) std::inplace_merge(at(run.begin), at(middle), at(run.end), less);
    });
    runs = std::move(longer);
  }
}

}  // namespace repsc
