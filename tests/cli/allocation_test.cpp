// The tool where an allocation fails: exit code 3 and one line, or the same result as ever; no file
// that is half-written or left over.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cli/tool.hpp"
#include "support/memory.hpp"

namespace repsc::tests {
namespace {

using testing::AnyOf;

class FailingTool : public ToolTest {
 protected:
  /// The command for allocation 1, 2, ... in growing steps until it is none that the tool makes. On
  /// success its file `out` is as ever.
  void expect_clean_failures(const std::string& command) const {
    fine(command);
    const std::string whole = content("out");
    std::filesystem::remove(work() / "out");
    const std::vector<std::string> before = files();
    for (const char* const failing : {"", ",once"}) {
      int successes = 0;
      for (long number = 1; number < 3'000'000 && successes < 3; number += 1 + number / 3) {
        const Result result = shell(fmt::format("REPSC_FAIL_ALLOCATION={}{} repsc_failing_tool {}",
                                                number, failing, command));
        ASSERT_THAT(result.code, AnyOf(0, 3))
            << "allocation " << number << failing << ": " << result.err;
        if (result.code == 3) {
          EXPECT_EQ(lines_of(result.err).size(), 1U) << number << failing << ": " << result.err;
          successes = 0;
        } else {
          EXPECT_EQ(content("out"), whole) << number << failing;
          std::filesystem::remove(work() / "out");
          ++successes;
        }
        EXPECT_EQ(files(), before) << number << failing;
      }
    }
  }
};

TEST_F(FailingTool, ends_with_3_and_one_line) {
#if REPSC_MEMORY_IS_INSTRUMENTED
  GTEST_SKIP() << "sanitizers have an allocator of their own";
#endif
  generate_sample();
  expect_clean_failures(
      "cluster sample.similarity.mtx sample.representation.mtx -k 3 -o out --quiet");
  expect_clean_failures("graph convert sample.similarity.mtx out --to txt --quiet");
  expect_clean_failures("evaluate sample.similarity.mtx sample.truth.csv --json out --quiet");
}

}  // namespace
}  // namespace repsc::tests
