// The number of threads, and the thread pool.
//
// Why not OpenMP: the threads of libgomp wait for one another by spinning, which made many short
// loops ten times slower on two cores that run other programs too (1000 nodes: 12 ms became 85 to
// 190 ms). A program cannot switch that off, and a second copy of libgomp in a Python process
// causes known problems.
#include "core/parallel.hpp"

#include <sched.h>

#include <chrono>
#include <exception>
#include <thread>

#include "core/quiet_thread.hpp"

namespace repsc {
namespace {

constexpr int all_cores = 0;
std::atomic<int> requested_threads{all_cores};

/// Whether this thread is running a task.
thread_local bool inside_task = false;

/// The cores that this process may use.
int num_cores() {
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(1, CPU_COUNT(&cores));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// Polls `ready` for 0.1 ms, within which the next loop usually starts or the last piece ends.
/// Waking up from sleep takes about as long.
template <typename Ready>
bool soon(const Ready& ready) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
  do {
    for (int look = 0; look < 64; ++look) {
      if (ready()) return true;
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

/// Threads that work on one job at a time. They are never joined: sleeping threads end with the
/// program.
class ThreadPool {
 public:
  void run(int threads, void (*task)(void*), void* context) {
    if (inside_task || threads <= 1) return task(context);
    const std::unique_lock owner(owned_, std::try_to_lock);
    if (!owner) return run_here(task, context);
    {
      const std::lock_guard lock(state_);
      grow(threads - 1);
      task_ = task;
      context_ = context;
      places_ = threads - 1;
    }
    called_.notify_all();
    run_here(task, context);
    std::unique_lock lock(state_);
    places_ = 0;  // threads that wake up now do not join this job
    if (working_ == 0) return;
    lock.unlock();
    if (soon([&] { return working_ == 0; })) return;
    lock.lock();
    finished_.wait(lock, [&] { return working_ == 0; });
  }

 private:
  static void run_here(void (*task)(void*), void* context) {
    inside_task = true;
    task(context);
    inside_task = false;
  }

  void grow(int size) {
    for (; size_ < size; ++size_) {
      std::thread thread =
          start_quietly([](void* self) { static_cast<ThreadPool*>(self)->serve(); }, this);
      if (!thread.joinable()) return;  // continue with fewer
      thread.detach();
    }
  }

  [[noreturn]] void serve() {
    inside_task = true;
    std::unique_lock lock(state_, std::defer_lock);
    for (;;) {
      const bool called = soon([&] { return places_ > 0; });
      lock.lock();
      if (!called) called_.wait(lock, [&] { return places_ > 0; });
      if (places_ > 0) {
        --places_;
        ++working_;
        const auto task = task_;
        void* const context = context_;
        lock.unlock();
        task(context);
        lock.lock();
        if (--working_ == 0) finished_.notify_all();
      }
      lock.unlock();
    }
  }

  std::mutex owned_;  ///< held by the caller whose job is running
  std::mutex state_;
  std::condition_variable called_;
  std::condition_variable finished_;
  int size_ = 0;  ///< threads
  void (*task_)(void*) = nullptr;
  void* context_ = nullptr;
  std::atomic<int> places_{0};   ///< number of threads that may still join the job
  std::atomic<int> working_{0};  ///< threads that have joined the job and are not done
};

/// Never destroyed, because its threads are never joined. A forked child has neither these threads
/// nor the locks in a defined state, so it starts with a new pool.
ThreadPool& thread_pool() {
  static std::atomic<ThreadPool*> present = [] {
    ::pthread_atfork(nullptr, nullptr, [] { present = new ThreadPool; });
    return new ThreadPool;
  }();
  return *present;
}

}  // namespace

void run_on_threads(int threads, void (*task)(void*), void* context) {
  thread_pool().run(threads, task, context);
}

void set_num_threads(std::optional<int> count) {
  require_option(!count || *count >= 1, "threads", count.value_or(0), "it must be at least 1");
  requested_threads = count.value_or(all_cores);
}

int num_threads() {
  if (inside_task) return 1;  // the outer loop uses all threads
  const int count = requested_threads;
  return count == all_cores ? num_cores() : count;
}

}  // namespace repsc
