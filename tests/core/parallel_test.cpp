// Parallel loops: every chunk once, the first failure, and sums that threads do not change.
#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numeric>

namespace repsc {
namespace {

class AnyNumberOfThreads : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_num_threads(GetParam()); }
  void TearDown() override { set_num_threads(0); }
};
INSTANTIATE_TEST_SUITE_P(Threads, AnyNumberOfThreads, testing::Values(1, 2, 3, 8));

TEST_P(AnyNumberOfThreads, visits_every_chunk_once) {
  for (const int count : {0, 1, 2, 7, 1000}) {
    std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
    parallel_chunks(count, [&](std::int64_t chunk) { ++visits[static_cast<std::size_t>(chunk)]; });
    for (const auto& visit : visits) ASSERT_EQ(visit, 1);
  }
}

TEST_P(AnyNumberOfThreads, cuts_ranges_that_cover_all_and_never_overlap) {
  std::vector<std::atomic<int>> visits(1000);
  parallel_ranges(1000, 64, [&](std::int64_t begin, std::int64_t end) {
    EXPECT_EQ(begin % 64, 0);
    EXPECT_LE(end - begin, 64);
    for (std::int64_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
  });
  for (const auto& visit : visits) ASSERT_EQ(visit, 1);
}

TEST_P(AnyNumberOfThreads, rethrows_the_failure_of_the_lowest_chunk) {
  for (int round = 0; round < 20; ++round) {
    try {
      parallel_chunks(200, [](std::int64_t chunk) {
        if (chunk % 50 == 13) throw InvalidInput("chunk " + std::to_string(chunk));
      });
      FAIL() << "no exception";
    } catch (const InvalidInput& error) {
      EXPECT_STREQ(error.what(), "chunk 13");
    }
  }
}

TEST_P(AnyNumberOfThreads, sums_to_the_last_bit_what_one_thread_sums) {
  const auto part = [](std::int64_t begin, std::int64_t end) {
    double sum = 0;
    for (std::int64_t i = begin; i < end; ++i) sum += 1.0 / std::sqrt(static_cast<double>(i + 1));
    return sum;
  };
  const double found = parallel_sum(100000, 128, 0.0, part);
  set_num_threads(1);
  EXPECT_EQ(found, parallel_sum(100000, 128, 0.0, part));
  EXPECT_NEAR(found, 2 * std::sqrt(100000.0) - 1.4603545088, 2e-3);  // zeta(1/2)
}

TEST_P(AnyNumberOfThreads, runs_an_inner_loop_on_the_thread_it_is_on) {
  std::atomic<int> most_inner{0};
  parallel_chunks(2 * GetParam(), [&](std::int64_t) {
    parallel_chunks(4, [&](std::int64_t) {});
    if (GetParam() > 1) most_inner = std::max(most_inner.load(), num_threads());
  });
  EXPECT_LE(most_inner, 1);
}

TEST(NumThreads, is_what_was_asked_for_and_refuses_less_than_none) {
  set_num_threads(3);
  EXPECT_EQ(num_threads(), 3);
  EXPECT_THROW(set_num_threads(-1), InvalidInput);
  EXPECT_EQ(num_threads(), 3);
  set_num_threads(0);
  EXPECT_GE(num_threads(), 1);
}

TEST(Require, joins_its_parts_into_the_message) {
  EXPECT_NO_THROW(require(true, "never"));
  try {
    require(false, "clusters: ", 3, " but ", 2.5);
    FAIL() << "no exception";
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "clusters: 3 but 2.5");
  }
}

}  // namespace
}  // namespace repsc
