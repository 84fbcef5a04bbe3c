// OpenBLAS without its own threads.
#include <gtest/gtest.h>

#include <filesystem>

#include "linalg/dense.hpp"
#include "repsc/core.hpp"

extern "C" {
[[gnu::weak]] int openblas_get_num_threads();
[[gnu::weak]] int openblas_get_parallel();
}

namespace repsc {
namespace {

std::ptrdiff_t num_threads_of_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

TEST(BlasThreads, end_once_and_for_all_and_products_stay_right) {
  constexpr int with_pthreads = 1;
  if (openblas_get_parallel == nullptr || openblas_get_parallel() != with_pthreads)
    GTEST_SKIP() << "this BLAS has no threads of its own";
  const Matrix A = Matrix::Random(3000, 9);
  const Matrix B = Matrix::Random(3000, 5);
  const std::ptrdiff_t of_blas = openblas_get_num_threads() - 1;
  const std::ptrdiff_t before = num_threads_of_process();
  end_blas_threads();
  EXPECT_EQ(num_threads_of_process(), before - of_blas);
  EXPECT_EQ(openblas_get_num_threads(), 1);
  end_blas_threads();
  EXPECT_EQ(num_threads_of_process(), before - of_blas);

  const Matrix product = transposed_product(A, B);
  EXPECT_LT((product - Matrix(A.transpose() * B)).norm(), 1e-12 * product.norm());
  EXPECT_EQ(openblas_get_num_threads(), 1);
}

}  // namespace
}  // namespace repsc
