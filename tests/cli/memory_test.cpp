// The tool where memory is scarce: whatever the limit, it ends soon, with its result or with one
// line that says what helps.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cli/tool.hpp"

namespace repsc::tests {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

class Memory : public ToolTest {
 protected:
  /// With so many megabytes of address space. Two threads of OpenBLAS, of which one starts with the
  /// program and asks for a buffer: on any machine the same. Code 124 or 137: it did not end.
  Result within(int megabytes, const std::string& arguments) const {
    return shell(
        fmt::format("ulimit -v {}; OPENBLAS_NUM_THREADS=2 timeout -k 5 30 repsc {} --threads 2",
                    megabytes * 1024, arguments));
  }

  /// The smallest limit under which the libraries are loaded: without them there is no tool that
  /// could say anything.
  int least_megabytes() const {
    for (int megabytes = 32; megabytes < 1024; megabytes += 4) {
      const Result result = within(megabytes, "evaluate --help");
      if (result.code == 0) return megabytes;
      if (result.code == 124) ADD_FAILURE() << "it does not end with " << megabytes << " MB";
      if (result.code == 124) return 0;
    }
    return 0;
  }
};

TEST_F(Memory, a_small_address_space_ends_the_tool_soon) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer reserves terabytes of address space";
#endif
  fine("generate planted -n 30000 -k 3 --within 0.0012 --across 0.00003 --seed 1 -o g --quiet");
  fine("generate rpp -n 600 -k 3 -d 9 -p 0.9 -q 0.5 -r 0.4 -s 0.05 --seed 1 -o s --quiet");
  const std::vector<std::string> before = files();
  const int least = least_megabytes();
  ASSERT_GT(least, 0);
  int refused = 0;
  int done = 0;
  for (const std::string& command :
       {std::string("cluster g.similarity.mtx -k 3 --seed 1"),
        std::string("cluster s.similarity.mtx s.representation.mtx -k 3 --solver lapack")}) {
    for (const int more : {0, 4, 8, 16, 32, 48, 64, 80, 96, 128, 160, 200, 400, 600, 800, 1000}) {
      const Result result =
          within(least + more, command + " -o labels.csv --json report.json --quiet");
      ASSERT_THAT(result.code, AnyOf(0, 3)) << least + more << " MB: " << command << "\n"
                                            << result.err;
      if (result.code == 0) {
        ++done;
        EXPECT_TRUE(exists("labels.csv") && exists("report.json"));
        std::filesystem::remove(work() / "labels.csv");
        std::filesystem::remove(work() / "report.json");
      } else {
        ++refused;
        EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
        EXPECT_THAT(result.err, HasSubstr("out of memory"));
        EXPECT_THAT(result.err, HasSubstr("ulimit -v"));
      }
      EXPECT_EQ(files(), before) << least + more << " MB";
    }
  }
  EXPECT_GT(refused, 2);
  EXPECT_GT(done, 2);
}

}  // namespace
}  // namespace repsc::tests
