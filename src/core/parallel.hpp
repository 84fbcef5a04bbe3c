// Parallel loops whose results do not depend on the number of threads: work is cut into chunks of
// a fixed size, and what chunks produce is combined in the order of their numbers.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

#include "repsc/core.hpp"

namespace repsc {

/// Calls task(context) on this thread and on up to `threads` - 1 others, and returns when all have
/// returned; a task may not throw. Threads that are still asleep when the work is done are not
/// waited for. Runs on this thread alone if called within a task, or while another caller uses the
/// pool.
void run_on_threads(int threads, void (*task)(void*), void* context);

/// The same for a callable.
template <typename Task>
void run_on_threads(int threads, Task& task) {
  run_on_threads(
      threads, [](void* context) { (*static_cast<Task*>(context))(); }, &task);
}

[[nodiscard]] inline int threads_for(std::int64_t num_chunks) {
  return static_cast<int>(
      std::min<std::int64_t>(num_threads(), std::max<std::int64_t>(num_chunks, 1)));
}

/// Calls body(chunk) for chunk = 0 .. num_chunks - 1, in any order, on num_threads() threads. The
/// first exception (by chunk number) is rethrown here.
template <typename Body>
void parallel_chunks(std::int64_t num_chunks, const Body& body) {
  const int threads = threads_for(num_chunks);
  if (threads <= 1) {
    for (std::int64_t chunk = 0; chunk < num_chunks; ++chunk) body(chunk);
    return;
  }
  std::atomic<std::int64_t> next = 0;
  std::mutex failing;
  std::exception_ptr failure;
  std::int64_t failed_chunk = num_chunks;
  auto task = [&] {
    for (std::int64_t chunk = next++; chunk < num_chunks; chunk = next++) {
      try {
        body(chunk);
      } catch (...) {
        const std::lock_guard lock(failing);
        if (chunk < failed_chunk) {
          failed_chunk = chunk;
          failure = std::current_exception();
        }
      }
    }
  };
  run_on_threads(threads, task);
  if (failure) std::rethrow_exception(failure);
}

/// Calls work(i) for i = 0 .. count - 1, in any order and on num_threads() threads, and then(i)
/// after it, in the order of i and one at a time. The first exception (by i) is rethrown here, and
/// then(i) is not called for later i.
template <typename Work, typename Then>
void parallel_in_order(std::int64_t count, const Work& work, const Then& then) {
  std::atomic<std::int64_t> next = 0;
  std::mutex taking;
  std::condition_variable turned;
  std::int64_t turn = 0;
  std::exception_ptr failure;
  auto task = [&] {
    for (std::int64_t i = next++; i < count; i = next++) {
      std::exception_ptr own;
      try {
        work(i);
      } catch (...) {
        own = std::current_exception();
      }
      std::unique_lock lock(taking);
      turned.wait(lock, [&] { return turn == i; });
      if (!failure) failure = own;
      try {
        if (!failure) then(i);
      } catch (...) {
        failure = std::current_exception();
      }
      ++turn;
      turned.notify_all();
    }
  };
  run_on_threads(threads_for(count), task);
  if (failure) std::rethrow_exception(failure);
}

/// Rows that a thread takes at once where each costs little.
inline constexpr std::int64_t row_grain = 4096;

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
