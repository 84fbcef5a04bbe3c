// The number of threads.
#include "core/parallel.hpp"

#include <omp.h>

#include <atomic>

namespace repsc {
namespace {
std::atomic<int> requested_threads{0};
}

void set_num_threads(int count) {
  require(count >= 0, "threads: ", count, " but it must be 0 (all cores) or more");
  requested_threads = count;
}

int num_threads() {
  if (omp_in_parallel() != 0) return 1;  // an outer loop has the cores already
  const int count = requested_threads;
  return count > 0 ? count : omp_get_num_procs();
}

}  // namespace repsc
