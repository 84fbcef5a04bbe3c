// Parallel loops: every chunk once, the first failure, and sums that threads do not change.
#include "core/parallel.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>

namespace repsc {
namespace {

class AnyNumberOfThreads : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_num_threads(GetParam()); }
  void TearDown() override { set_num_threads({}); }
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

TEST_P(AnyNumberOfThreads, runs_short_loops_one_after_the_other) {
  std::atomic<int> visits = 0;
  for (int loop = 0; loop < 5000; ++loop) parallel_chunks(3, [&](std::int64_t) { ++visits; });
  EXPECT_EQ(visits, 15000);
}

TEST_P(AnyNumberOfThreads, runs_loops_within_loops_and_of_several_callers) {
  std::atomic<int> visits = 0;
  const auto loops = [&] {
    parallel_chunks(20, [&](std::int64_t) {
      EXPECT_EQ(num_threads(), 1);
      parallel_chunks(10, [&](std::int64_t) { ++visits; });
    });
  };
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) callers.emplace_back(loops);
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(visits, 800);
}

TEST_P(AnyNumberOfThreads, still_runs_in_a_process_that_a_fork_left_without_threads) {
  parallel_chunks(100, [](std::int64_t) {});
  const pid_t child = ::fork();
  if (child == 0) {
    std::atomic<int> visits = 0;
    parallel_chunks(100, [&](std::int64_t) { ++visits; });
    ::_exit(visits == 100 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_P(AnyNumberOfThreads, takes_in_order_what_it_works_on_in_any) {
  std::vector<int> worked(300, 0);
  std::vector<std::int64_t> taken;
  parallel_in_order(
      300, [&](std::int64_t i) { worked[static_cast<std::size_t>(i)] = 1; },
      [&](std::int64_t i) {
        EXPECT_EQ(worked[static_cast<std::size_t>(i)], 1);
        taken.push_back(i);
      });
  std::vector<std::int64_t> expected(300);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(taken, expected);
}

TEST_P(AnyNumberOfThreads, takes_nothing_behind_the_first_failure) {
  for (const bool of_work : {true, false}) {
    std::int64_t last = -1;
    const auto fail = [](std::int64_t i) {
      if (i % 50 == 13) throw InvalidInput("piece " + std::to_string(i));
    };
    try {
      parallel_in_order(
          200,
          [&](std::int64_t i) {
            if (of_work) fail(i);
          },
          [&](std::int64_t i) {
            if (!of_work) fail(i);
            last = i;
          });
      FAIL() << "no exception";
    } catch (const InvalidInput& error) {
      EXPECT_STREQ(error.what(), "piece 13");
    }
    EXPECT_EQ(last, 12);
  }
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
  set_num_threads({});
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
