// Of OpenBLAS; weak, so that programs without it link as well.
#include "core/memory.hpp"
#include "repsc/core.hpp"

extern "C" {
[[gnu::weak]] void openblas_set_num_threads(int count);
[[gnu::weak]] int blas_thread_shutdown_();  // exported, though in no header
}

namespace repsc {

void end_blas_threads() {
  if (openblas_set_num_threads == nullptr || blas_thread_shutdown_ == nullptr) return;
  // A thread of OpenBLAS that finds no memory for its buffer never ends.
  if (address_space_may_run_out()) return;
  openblas_set_num_threads(1);
  blas_thread_shutdown_();
}

}  // namespace repsc
