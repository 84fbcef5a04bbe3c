// Jobs: running, abandoned, cleaned up.
#include "interruptible.hpp"

#include <nanobind/stl/string.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace repsc::python {
namespace {

using namespace std::chrono_literals;

constexpr auto look_every = 50ms;
constexpr auto patience = 200ms;  // for work that has been told to stop

struct Stopped {};

struct Job {
  explicit Job(Work given) : work(std::move(given)) {}

  void run() {
    std::exception_ptr thrown;
    try {
      work([this](const Progress& progress) { report(progress); });
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    failure = thrown;
    done = true;
    changed.notify_all();
  }

  void report(const Progress& progress) {
    if (stop) throw Stopped();
    const std::lock_guard lock(mutex);
    latest = progress;
    stage = progress.stage;
    fresh = true;
  }

  /// Whether the work has ended within `time`.
  bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, time, [this] { return done; });
  }

  Work work;  // holds Python objects: released here or by clear_ended(), never by the thread
  std::atomic<bool> stop = false;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::exception_ptr failure;
  Progress latest;
  std::string stage;  // what latest.stage was
  bool fresh = false;
};

/// Jobs that are left to end by themselves. Never destroyed, as they may outlive everything.
class Abandoned {
 public:
  static Abandoned& jobs() {
    static auto* const jobs = new Abandoned;
    return *jobs;
  }

  void add(std::shared_ptr<Job> job) {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }

  /// Releases what ended jobs held, Python objects among it: the caller holds the GIL.
  void clear_ended() {
    const std::lock_guard lock(mutex_);
    const auto first =
        std::partition(jobs_.begin(), jobs_.end(), [](const auto& job) { return !job->wait(0ms); });
    std::for_each(first, jobs_.end(), [](const auto& job) { job->work = nullptr; });
    jobs_.erase(first, jobs_.end());
  }

  [[nodiscard]] bool any_running() {
    const std::lock_guard lock(mutex_);
    return std::any_of(jobs_.begin(), jobs_.end(), [](const auto& job) { return !job->wait(0ms); });
  }

 private:
  // At exit, the libraries that a running job uses are unloaded; the process ends before that.
  Abandoned() {
    on_exit(
        [](int status, void*) {
          if (!jobs().any_running()) return;
          std::fflush(nullptr);
          ::_exit(status);
        },
        nullptr);
  }

  std::mutex mutex_;
  std::vector<std::shared_ptr<Job>> jobs_;
};

void tell(Job& job, const nb::object& on_progress) {
  std::unique_lock lock(job.mutex);
  if (on_progress.is_none() || !std::exchange(job.fresh, false)) return;
  const Progress progress = job.latest;
  const std::string stage = job.stage;
  lock.unlock();
  on_progress(stage, progress.done, progress.total, progress.value);
}

/// Waits; throws what Python raises meanwhile: KeyboardInterrupt, or whatever on_progress does.
void attend(Job& job, const nb::object& on_progress) {
  for (;;) {
    bool ended = false;
    {
      const nb::gil_scoped_release release;
      ended = job.wait(look_every);
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    tell(job, on_progress);
    if (ended) return;
  }
}

}  // namespace

void run_interruptible(Work work, const nb::object& on_progress) {
  Abandoned::jobs().clear_ended();
  auto job = std::make_shared<Job>(std::move(work));
  std::thread thread([job] { job->run(); });
  try {
    attend(*job, on_progress);
  } catch (...) {
    job->stop = true;
    const bool ended = [&] {
      const nb::gil_scoped_release release;
      return job->wait(patience);
    }();
    if (ended) {
      thread.join();
    } else {
      thread.detach();
      Abandoned::jobs().add(std::move(job));
    }
    throw;
  }
  thread.join();
  if (job->failure) std::rethrow_exception(job->failure);
}

}  // namespace repsc::python
