// Where the system has no other thread, graphs are sent by the thread that needs them.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <cerrno>

#include "support/device.hpp"

namespace {

bool no_threads = false;

}  // namespace

// In place of that of the C library, which is called unless a test says otherwise.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*start)(void*), void* argument) {
  if (no_threads) return EAGAIN;
  static const auto create =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return create(thread, attributes, start, argument);
}

namespace repsc {
namespace {

using samples::device;

class DeviceGraphsWithoutThreads : public testing::Test {
 protected:
  void SetUp() override {
    (void)device();  // which may need threads
    no_threads = true;
    EXPECT_THROW(std::async(std::launch::async, [] {}), std::system_error);
  }
  void TearDown() override { no_threads = false; }
};

TEST_F(DeviceGraphsWithoutThreads, are_shared_nevertheless) {
  const std::vector<Offset> offsets{0, 1, 2};
  const std::vector<Index> neighbors{1, 0};
  const HostGraph graph{offsets, neighbors, {}};
  for (int again = 0; again < 2; ++again) {
    const DeviceUpload upload(device(), graph);
    const auto copy = device()->uploaded(graph);
    ASSERT_NE(copy, nullptr);
    EXPECT_EQ(copy->view().entries, 2);
  }
  EXPECT_EQ(device()->uploaded(graph), nullptr);
}

// Rows are looked at in parts of 2^23.
TEST_F(DeviceGraphsWithoutThreads, have_the_same_long_rows) {
  if (!samples::is_twin()) GTEST_SKIP() << "copies of this size need threads";
  constexpr Index rows = (1 << 23) + 2;
  constexpr Offset entries = REPSC_CUDA_LONG_ROW + 1;
  std::vector<Offset> offsets(rows + 1, entries);  // those of row 5
  std::fill_n(offsets.begin(), 6, 0);
  offsets.back() += entries;  // and of the last one
  const std::vector<Index> neighbors(static_cast<std::size_t>(2 * entries), 0);
  const DeviceGraph graph(*device(), {offsets, neighbors, {}});
  ASSERT_EQ(graph.view().num_long_rows, 2);
  std::vector<Index> found(2);
  device()->call(&repsc_cuda_functions::download, found.data(), graph.view().long_rows,
                 std::int64_t{2 * sizeof(Index)});
  EXPECT_EQ(found, (std::vector<Index>{5, rows - 1}));
}

}  // namespace
}  // namespace repsc
