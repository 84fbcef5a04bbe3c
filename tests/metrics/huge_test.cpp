// Measures of a graph with more than 2^32 stored entries, against formulas for a complete graph.
#include <gtest/gtest.h>

#include "repsc/metrics.hpp"
#include "support/huge_graph.hpp"
#include "support/memory.hpp"

namespace repsc {
namespace {

TEST(BeyondThirtyTwoBits, edges_within_clusters_are_those_of_the_formula) {
  if (REPSC_MEMORY_IS_INSTRUMENTED) GTEST_SKIP() << "takes minutes with sanitizers";
  const std::optional<Graph> graph = CompleteGraph::make();
  if (!graph) GTEST_SKIP() << "18 GB of addresses are not granted";
  const Index N = graph->num_nodes();
  Labels labels(static_cast<std::size_t>(N), 0);
  constexpr Index first = 20000;  // nodes of cluster 1
  for (Index i = 0; i < first; ++i) labels[static_cast<std::size_t>(i)] = 1;
  // Every node is linked to all N nodes, itself included: N^2 entries, of which |C|^2 are within C.
  const double a = first;
  const double b = N - first;
  const double all = static_cast<double>(N) * N;
  EXPECT_DOUBLE_EQ(internal_edge_share(*graph, labels, 2), (a * a + b * b) / all);
}

}  // namespace
}  // namespace repsc
