// Planted partitions against exact distributions, binomial means and exact structure.
#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <limits>
#include <numeric>

#include "models/statistics.hpp"
#include "repsc/models.hpp"
#include "support/errors.hpp"

namespace repsc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Edges with both labels equal, and the others.
struct EdgeCounts {
  double within = 0;
  double across = 0;
};

EdgeCounts count_edges(const Graph& graph, const Labels& labels) {
  EdgeCounts counts;
  for (Index u = 0; u < graph.num_nodes(); ++u) {
    for (const Index v : graph.neighbors(u)) {
      if (v <= u) continue;
      const bool same = labels[static_cast<std::size_t>(u)] == labels[static_cast<std::size_t>(v)];
      ++(same ? counts.within : counts.across);
    }
  }
  return counts;
}

TEST(EqualClusters, are_ranges_whose_sizes_differ_by_at_most_one_larger_first) {
  EXPECT_THAT(equal_clusters(6, 3), ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(equal_clusters(8, 3), ElementsAre(0, 0, 0, 1, 1, 1, 2, 2));
  EXPECT_THAT(equal_clusters(2, 2), ElementsAre(0, 1));
}

TEST(EqualClusters, refuse_more_clusters_than_nodes_and_none) {
  EXPECT_THROW((void)equal_clusters(3, 4), InvalidInput);
  EXPECT_THROW((void)equal_clusters(3, 0), InvalidInput);
  EXPECT_THROW((void)equal_clusters(-3, 1), InvalidInput);
}

TEST(PlantedPartition, has_every_small_graph_with_its_exact_probability) {
  const Labels labels{7, 2, 7, 2};  // neither in order nor without gaps
  const double z = distribution_z(
      4, 20000, [&](Index i, Index j) { return i % 2 == j % 2 ? 0.6 : 0.35; },
      [&](std::uint64_t seed) { return sample_planted_partition(labels, 0.6, 0.35, seed); });
  EXPECT_LT(std::abs(z), 4);
}

TEST(PlantedPartition, has_binomial_edge_counts_within_and_across_shuffled_labels) {
  const Index N = 3000;
  Labels labels(N);
  for (Index i = 0; i < N; ++i) labels[static_cast<std::size_t>(i)] = (i * 7) % 5 == 0 ? 9 : i % 3;
  double same = 0;
  for (Index i = 0; i < N; ++i) {
    for (Index j = i + 1; j < N; ++j) {
      same += labels[static_cast<std::size_t>(i)] == labels[static_cast<std::size_t>(j)];
    }
  }
  const double all = N * (N - 1.0) / 2;
  const Graph graph = sample_planted_partition(labels, 0.03, 0.004, 11);
  expect_simple_symmetric(graph, false);
  const EdgeCounts counts = count_edges(graph, labels);
  EXPECT_LT(std::abs(binomial_z(counts.within, same, 0.03)), 4);
  EXPECT_LT(std::abs(binomial_z(counts.across, all - same, 0.004)), 4);
}

TEST(PlantedPartition, has_binomial_degrees) {
  // The sum of squared z of 2,000 degrees is close to chi-square with 2,000 degrees of freedom.
  const Index N = 2000;
  const Graph graph = sample_planted_partition(equal_clusters(N, 2), 0.1, 0.1, 3);
  double squares = 0;
  for (Index u = 0; u < N; ++u) {
    const double z = binomial_z(static_cast<double>(graph.neighbors(u).size()), N - 1, 0.1);
    EXPECT_LT(std::abs(z), 5.5) << "node " << u;
    squares += z * z;
  }
  EXPECT_LT(std::abs(squares - N) / std::sqrt(2.0 * N), 4);
}

TEST(PlantedPartition, takes_probabilities_0_and_1_literally) {
  const Labels labels{0, 1, 0, 1, 1};
  const Graph cliques = sample_planted_partition(labels, 1, 0, 5);
  const Graph bipartite = sample_planted_partition(labels, 0, 1, 5);
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 5; ++j) {
      const bool same = labels[static_cast<std::size_t>(i)] == labels[static_cast<std::size_t>(j)];
      EXPECT_EQ(cliques.has_edge(i, j), i != j && same);
      EXPECT_EQ(bipartite.has_edge(i, j), !same);
    }
  }
  EXPECT_EQ(sample_planted_partition(labels, 0, 0, 5).num_entries(), 0);
  EXPECT_EQ(sample_planted_partition(labels, 1, 1, 5).num_entries(), 20);
}

TEST(PlantedPartition, survives_probabilities_next_to_0_and_1) {
  const Labels labels = equal_clusters(200, 2);
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(sample_planted_partition(labels, tiny, 1e-300, 1).num_entries(), 0);
  EXPECT_EQ(sample_planted_partition(labels, std::nextafter(1.0, 0.0), 1, 1).num_entries(),
            200 * 199);
}

TEST(PlantedPartition, adds_self_loops_only_when_asked_and_names_nodes_from_1) {
  const Labels labels = equal_clusters(50, 5);
  const Graph with = sample_planted_partition(labels, 0.5, 0.1, 1, SelfLoops::add);
  expect_simple_symmetric(with, true);
  const Graph without = sample_planted_partition(labels, 0.5, 0.1, 1);
  EXPECT_EQ(with.num_entries(), without.num_entries() + 50);
  EXPECT_EQ(pair_bits(sample_planted_partition({0, 1, 0}, 0.5, 0.5, 4, SelfLoops::keep)),
            pair_bits(sample_planted_partition({0, 1, 0}, 0.5, 0.5, 4)));
  EXPECT_EQ(with.names()[0], "1");
}

TEST(PlantedPartition, takes_no_nodes_and_one_node) {
  EXPECT_EQ(sample_planted_partition({}, 0.5, 0.5, 1).num_nodes(), 0);
  EXPECT_EQ(sample_planted_partition({3}, 1, 1, 1).num_entries(), 0);
}

TEST(PlantedPartition, samples_a_hundred_thousand_nodes_in_any_number_of_threads_alike) {
  const Index N = 100000;
  const Labels labels = equal_clusters(N, 10);
  set_num_threads(1);
  const Graph one = sample_planted_partition(labels, 1e-3, 1.1e-4, 8);
  for (const int threads : {2, 3}) {
    set_num_threads(threads);
    EXPECT_TRUE(same_entries(one, sample_planted_partition(labels, 1e-3, 1.1e-4, 8)));
  }
  set_num_threads({});
  const double pairs = N * (N - 1.0) / 2;
  const double same = N * (N / 10 - 1.0) / 2;
  const EdgeCounts counts = count_edges(one, labels);
  EXPECT_LT(std::abs(binomial_z(counts.within, same, 1e-3)), 4);
  EXPECT_LT(std::abs(binomial_z(counts.across, pairs - same, 1.1e-4)), 4);
}

TEST(PlantedPartition, differs_from_seed_to_seed) {
  const Labels labels = equal_clusters(100, 2);
  EXPECT_FALSE(same_entries(sample_planted_partition(labels, 0.5, 0.2, 1),
                            sample_planted_partition(labels, 0.5, 0.2, 2)));
}

TEST(PlantedPartition, refuses_what_is_no_probability_no_label_or_too_large) {
  const Labels labels{0, 1};
  EXPECT_THROW((void)sample_planted_partition(labels, 1.5, 0, 1), InvalidInput);
  EXPECT_THROW((void)sample_planted_partition(labels, 0.5, -0.1, 1), InvalidInput);
  EXPECT_THROW((void)sample_planted_partition(labels, NAN, 0, 1), InvalidInput);
  EXPECT_THROW((void)sample_planted_partition({0, -1}, 0.5, 0.1, 1), InvalidInput);
  EXPECT_THAT(error_of([] { return sample_planted_partition(Labels(1000000, 0), 1, 0, 1); }),
              HasSubstr("5e+11 edges"));
  const Fault fault = fault_of([&] { return sample_planted_partition(labels, 0.5, 1.5, 1); });
  EXPECT_EQ(fault.option, "across");
  EXPECT_EQ(fault.value, "1.5");
  EXPECT_EQ(fault.what, "it must be from 0 to 1");
}

TEST(PlantedPartition, is_simple_and_symmetric_for_any_labels_and_probabilities) {
  EXPECT_TRUE(rc::check("simple, symmetric, certain pairs right", [] {
    const auto labels = *rc::gen::container<Labels>(rc::gen::inRange<Label>(0, 6));
    const double within = *rc::gen::inRange(0, 11) / 10.0;
    const double across = *rc::gen::inRange(0, 11) / 10.0;
    const bool loops = *rc::gen::arbitrary<bool>();
    const Graph graph =
        sample_planted_partition(labels, within, across, *rc::gen::arbitrary<std::uint64_t>(),
                                 loops ? SelfLoops::add : SelfLoops::drop);
    expect_simple_symmetric(graph, loops);
    for (Index i = 0; i < graph.num_nodes(); ++i) {
      for (Index j = 0; j < i; ++j) {
        const bool same =
            labels[static_cast<std::size_t>(i)] == labels[static_cast<std::size_t>(j)];
        const double probability = same ? within : across;
        if (probability == 0 || probability == 1) {
          RC_ASSERT(graph.has_edge(i, j) == (probability == 1));
        }
      }
    }
  }));
}

}  // namespace
}  // namespace repsc
