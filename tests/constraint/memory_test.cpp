// Estimates of memory against what the work asks for.
#include <gtest/gtest.h>

#include "constraint/heap_peak.hpp"
#include "repsc/constraint.hpp"
#include "support/memory.hpp"

namespace repsc {
namespace {

/// A ring in which each node is linked to the next few: sparse, and made quickly.
Graph ring(Index N) {
  std::vector<Edge> edges;
  for (Index i = 0; i < N; ++i) {
    for (const Index step : {1, 2, 5}) edges.push_back({i, (i + step * (1 + i % 3)) % N});
  }
  return build_graph(NodeNames(N, 0), std::move(edges), {}, SelfLoops::add).graph;
}

void expect_estimate(double estimate, const std::function<void()>& work) {
  if (REPSC_MEMORY_IS_INSTRUMENTED) GTEST_SKIP() << "sanitizers use memory of their own";
  const auto measured = static_cast<double>(heap_peak(work));
  EXPECT_LT(measured, 1.2 * estimate) << measured / estimate;
  EXPECT_GT(measured, 0.6 * estimate) << measured / estimate;
}

TEST(DecompositionBytes, are_what_the_dense_way_takes) {
  const Graph R = ring(1300);
  for (const Index count : {200, 700, 1300}) {
    SCOPED_TRACE(count);
    expect_estimate(static_cast<double>(decomposition_bytes(1300, count)),
                    [&] { (void)decompose(R, count); });
  }
}

TEST(DecompositionBytes, are_what_the_iterative_way_takes) {
  const Graph R = ring(20000);
  expect_estimate(static_cast<double>(decomposition_bytes(20000, 100)), [&] {
    (void)decompose(R, 100, {.max_iterations = 30});  // past the first restart
  });
}

TEST(RankConstraintBytes, are_what_the_weighted_constraint_takes) {
  const Graph R = ring(1000);
  expect_estimate(static_cast<double>(rank_constraint_bytes(1000, 900, true)), [&] {
    RepresentationSpectrum found = decompose(R, 900);
    const Vector weights = Vector::Constant(1000, 0.5);
    (void)rank_constraint(std::make_shared<const RepresentationSpectrum>(std::move(found)), 900,
                          weights);
  });
}

TEST(MemoryLimit, refuses_a_decomposition_that_needs_more_in_words) {
  const Graph R = ring(3000);
  try {
    (void)decompose(R, 1500, {.memory_limit = 100 << 20});
    FAIL() << "a limit of 100 MiB was ignored";
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    for (const char* part :
         {"3000 nodes", "rank 1500", "156.0 MiB", "100.0 MiB", "rank", "groups", "memory_limit"})
      EXPECT_NE(message.find(part), std::string::npos) << part << " is not in " << message;
  }
  EXPECT_NO_THROW((void)decompose(R, 5, {.max_iterations = 3, .memory_limit = 100 << 20}));
}

}  // namespace
}  // namespace repsc
