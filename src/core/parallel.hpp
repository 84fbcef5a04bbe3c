// Parallel loops whose results do not depend on the number of threads: work is cut into chunks of
// a fixed size, and what chunks produce is combined in the order of their numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <vector>

#include "repsc/core.hpp"

namespace repsc {

/// Calls body(chunk) for chunk = 0 .. num_chunks - 1, in any order, on num_threads() threads. The
/// first exception (by chunk number) is rethrown here.
template <typename Body>
void parallel_chunks(std::int64_t num_chunks, const Body& body) {
  const auto threads = static_cast<int>(
      std::min<std::int64_t>(num_threads(), std::max<std::int64_t>(num_chunks, 1)));
  if (threads <= 1) {
    for (std::int64_t chunk = 0; chunk < num_chunks; ++chunk) body(chunk);
    return;
  }
  std::exception_ptr failure;
  std::int64_t failed_chunk = num_chunks;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::int64_t chunk = 0; chunk < num_chunks; ++chunk) {
    try {
      body(chunk);
    } catch (...) {
#pragma omp critical(repsc_parallel_failure)
      if (chunk < failed_chunk) {
        failed_chunk = chunk;
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

/// Calls work(i) for i = 0 .. count - 1, in any order and on num_threads() threads, and then(i)
/// after it, in the order of i and one at a time. The first exception (by i) is rethrown here, and
/// no then(i) is called behind it.
template <typename Work, typename Then>
void parallel_in_order(std::int64_t count, const Work& work, const Then& then) {
  const auto threads =
      static_cast<int>(std::min<std::int64_t>(num_threads(), std::max<std::int64_t>(count, 1)));
  std::exception_ptr failure;
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(threads)
  for (std::int64_t i = 0; i < count; ++i) {
    std::exception_ptr own;
    try {
      work(i);
    } catch (...) {
      own = std::current_exception();
    }
#pragma omp ordered
    {
      if (!failure) failure = own;
      try {
        if (!failure) then(i);
      } catch (...) {
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

/// Calls body(begin, end) over [0, count) in ranges of `grain`.
template <typename Body>
void parallel_ranges(std::int64_t count, std::int64_t grain, const Body& body) {
  parallel_chunks((count + grain - 1) / grain, [&](std::int64_t chunk) {
    body(chunk * grain, std::min(count, (chunk + 1) * grain));
  });
}

/// Sum of body(begin, end) over [0, count) in ranges of `grain`, added in order. The value type
/// needs operator+=.
template <typename Value, typename Body>
Value parallel_sum(std::int64_t count, std::int64_t grain, Value zero, const Body& body) {
  std::vector<Value> parts(static_cast<std::size_t>((count + grain - 1) / grain), zero);
  parallel_ranges(count, grain, [&](std::int64_t begin, std::int64_t end) {
    parts[static_cast<std::size_t>(begin / grain)] = body(begin, end);
  });
  Value total = std::move(zero);
  for (const Value& part : parts) total += part;
  return total;
}

}  // namespace repsc
