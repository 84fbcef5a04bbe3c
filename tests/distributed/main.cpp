// Runs every test on all ranks at once. Rank 0 prints as usual, the others only what fails.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "distributed/ranks.hpp"

namespace repsc::tests {
namespace {

const Communicator* all = nullptr;

class FailuresOnly : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %d: %s:%d: %s\n", all->rank(), result.file_name(),
                 result.line_number(), result.message());
  }
};

}  // namespace

const Communicator& ranks() { return *all; }

}  // namespace repsc::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int failed = 0;
  {
    const repsc::Communicator communicator(argc, argv);
    repsc::tests::all = &communicator;
    repsc::set_num_threads(1);  // the ranks share the cores, as those of repsc-mpi do
    if (!communicator.is_root()) {
      auto& listeners = testing::UnitTest::GetInstance()->listeners();
      delete listeners.Release(listeners.default_result_printer());
      listeners.Append(new repsc::tests::FailuresOnly);
    }
    failed = RUN_ALL_TESTS();
  }
  std::fflush(nullptr);
  std::_Exit(failed);
}
