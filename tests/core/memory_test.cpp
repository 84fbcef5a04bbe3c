// Free memory, read from files in the format of Linux.
#include "core/memory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "support/temporary_folder.hpp"

namespace repsc {
namespace {

class FreeMemory : public testing::Test {
 protected:
  void put(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = folder_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void put_meminfo() const {
    put("proc/meminfo", "MemTotal:  16000000 kB\nMemFree: 1 kB\nMemAvailable:    8000 kB\n");
  }
  [[nodiscard]] std::int64_t found() const { return free_memory_bytes(folder_ / ""); }
  TemporaryFolder folder_;
};

TEST_F(FreeMemory, is_what_the_system_calls_available) {
  put_meminfo();
  EXPECT_EQ(found(), 8000 * 1024);
}

TEST_F(FreeMemory, is_no_limit_where_nothing_is_known) {
  EXPECT_EQ(found(), std::numeric_limits<std::int64_t>::max());
}

TEST_F(FreeMemory, is_what_the_tightest_control_group_leaves) {
  put_meminfo();
  put("proc/self/cgroup", "0::/outer/inner\n");
  put("sys/fs/cgroup/outer/memory.max", "1000000\n");
  put("sys/fs/cgroup/outer/memory.current", "400000\n");
  put("sys/fs/cgroup/outer/memory.stat", "anon 5\ninactive_file 100000\n");
  put("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  EXPECT_EQ(found(), 1000000 - 400000 + 100000);
}

TEST_F(FreeMemory, is_what_a_group_of_the_first_version_leaves) {
  put_meminfo();
  put("proc/self/cgroup", "5:cpu:/\n4:memory:/box\n");
  put("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "3000000\n");
  put("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "1000000\n");
  EXPECT_EQ(found(), 2000000);
  put("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "9223372036854771712\n");  // none
  EXPECT_EQ(found(), 8000 * 1024);
}

TEST_F(FreeMemory, is_zero_and_not_less_where_a_group_is_full) {
  put("proc/self/cgroup", "0::/\n");
  put("sys/fs/cgroup/memory.max", "1000\n");
  put("sys/fs/cgroup/memory.current", "2000\n");
  EXPECT_EQ(found(), 0);
}

TEST(BytesInWords, uses_the_largest_unit_that_leaves_a_number_above_one) {
  EXPECT_EQ(bytes_in_words(1023), "1023 bytes");
  EXPECT_EQ(bytes_in_words(1536), "1.5 KiB");
  EXPECT_EQ(bytes_in_words(std::int64_t{24} * 20000 * 20000), "8.9 GiB");
}

}  // namespace
}  // namespace repsc
