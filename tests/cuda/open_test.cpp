// Devices that are opened: how much of their memory may be used, and that they are closed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "support/device.hpp"

namespace repsc {
namespace {

TEST(OpenDevice, leaves_to_others_the_memory_that_they_use) {
  static repsc_cuda_functions table = *repsc_cuda();
  table.facts = [](repsc_cuda_context*, repsc_cuda_facts* facts) {
    *facts = {.name = "busy", .memory_bytes = 1000, .free_bytes = 600};
    return 0;
  };
  const char* const given = std::getenv("REPSC_CUDA_MEMORY");
  const std::string before = given == nullptr ? "" : given;
  ::unsetenv("REPSC_CUDA_MEMORY");
  const CudaDevice busy(table, 0);
  EXPECT_EQ(busy.memory_bytes(), 600);
  EXPECT_EQ(room_for_graph(busy, 100), 380);  // 80 % of that
  ::setenv("REPSC_CUDA_MEMORY", "500", 1);
  EXPECT_EQ(CudaDevice(table, 0).memory_bytes(), 500);
  ::setenv("REPSC_CUDA_MEMORY", "800", 1);
  EXPECT_EQ(CudaDevice(table, 0).memory_bytes(), 600);
  ::unsetenv("REPSC_CUDA_MEMORY");
  if (given != nullptr) ::setenv("REPSC_CUDA_MEMORY", before.c_str(), 1);
}

TEST(OpenDevice, is_closed_if_it_cannot_say_what_it_is) {
  static repsc_cuda_functions table = *repsc_cuda();
  static int closed = 0;
  table.facts = [](repsc_cuda_context*, repsc_cuda_facts*) { return 1; };
  table.close = [](repsc_cuda_context* context) {
    ++closed;
    repsc_cuda()->close(context);
  };
  EXPECT_THROW(CudaDevice(table, 0), DeviceFailure);
  EXPECT_EQ(closed, 1);
}

}  // namespace
}  // namespace repsc
