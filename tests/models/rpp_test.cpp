// R-PP against its definition: exact distributions of small graphs, edge counts of large ones.
#include <rapidcheck.h>

#include <array>
#include <numeric>

#include "models/statistics.hpp"
#include "repsc/models.hpp"
#include "support/errors.hpp"

namespace repsc {
namespace {

constexpr RppProbabilities paper{.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1};

/// Definition 4.1.
double probability_of(bool same_cluster, bool linked, const RppProbabilities& probabilities) {
  if (linked) return same_cluster ? probabilities.p : probabilities.q;
  return same_cluster ? probabilities.r : probabilities.s;
}

/// R that links the nodes of a group, self-loops included.
Graph block_representation(const Labels& groups) {
  return sample_planted_partition(groups, 1, 0, 0, SelfLoops::add);
}

/// Pairs and edges in the four classes p, q, r, s.
struct ClassCounts {
  std::array<double, 4> pairs{};
  std::array<double, 4> edges{};
};

ClassCounts count_classes(const Graph& G, const Graph& R, const Labels& clusters) {
  ClassCounts counts;
  for (Index u = 0; u < G.num_nodes(); ++u) {
    for (Index v = u + 1; v < G.num_nodes(); ++v) {
      const bool same =
          clusters[static_cast<std::size_t>(u)] == clusters[static_cast<std::size_t>(v)];
      const std::size_t number = (R.has_edge(u, v) ? 0U : 2U) + (same ? 0U : 1U);
      ++counts.pairs[number];
      counts.edges[number] += G.has_edge(u, v);
    }
  }
  return counts;
}

void expect_binomial(const ClassCounts& counts, const RppProbabilities& probabilities) {
  const auto& [p, q, r, s] = probabilities;
  const std::array<double, 4> probability{p, q, r, s};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_GT(counts.pairs[i], 1000) << "class "
                                     << "pqrs"[i];
    EXPECT_LT(std::abs(binomial_z(counts.edges[i], counts.pairs[i], probability[i])), 4)
        << "class "
        << "pqrs"[i];
  }
}

template <typename LabelOf>
Labels labels_of(Index num_nodes, const LabelOf& label_of) {
  Labels labels;
  for (Index i = 0; i < num_nodes; ++i) labels.push_back(label_of(i));
  return labels;
}

TEST(Rpp, has_every_small_graph_with_its_exact_probability) {
  // A path 0 - 1 - 2 - 3 of representatives, clusters {0, 2} and {1, 3} plus one more link 0 - 2.
  const Graph R({0, 3, 6, 10, 12}, {0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 2, 3}, {}, NodeNames(4, 1));
  const Labels clusters{4, 1, 4, 1};
  const RppProbabilities probabilities{.p = 0.8, .q = 0.6, .r = 0.4, .s = 0.3};
  const double z = distribution_z(
      4, 20000,
      [&](Index i, Index j) {
        return probability_of(i % 2 == j % 2, R.has_edge(i, j), probabilities);
      },
      [&](std::uint64_t seed) { return sample_rpp(R, clusters, probabilities, seed); });
  EXPECT_LT(std::abs(z), 4);
}

TEST(RppGroups, has_every_small_graph_with_its_exact_probability) {
  const Labels groups{5, 0, 0, 5, 5};
  const Labels clusters{1, 1, 0, 0, 1};
  const RppProbabilities probabilities{.p = 0.7, .q = 0.6, .r = 0.4, .s = 0.3};
  const double z = distribution_z(
      5, 40000,
      [&](Index i, Index j) {
        const auto a = static_cast<std::size_t>(i);
        const auto b = static_cast<std::size_t>(j);
        return probability_of(clusters[a] == clusters[b], groups[a] == groups[b], probabilities);
      },
      [&](std::uint64_t seed) { return sample_rpp_groups(groups, clusters, probabilities, seed); });
  EXPECT_LT(std::abs(z), 4);
}

TEST(Rpp, has_binomial_edge_counts_in_all_four_classes_on_a_regular_representation) {
  const Index N = 1200;
  const Graph R = sample_regular_representation(N, 5, 40, 1);
  const Labels clusters = equal_clusters(N, 5);
  const Graph G = sample_rpp(R, clusters, paper, 2);
  expect_simple_symmetric(G, false);
  expect_binomial(count_classes(G, R, clusters), paper);
}

TEST(Rpp, has_binomial_edge_counts_when_clusters_are_scattered_and_R_is_dense) {
  const Labels clusters = labels_of(800, [](Index i) { return (i * 13) % 4; });
  const Labels groups = labels_of(800, [](Index i) { return (i / 7) % 5; });
  const Graph R = sample_planted_partition(groups, 0.8, 0.2, 3, SelfLoops::add);
  const Graph G = sample_rpp(R, clusters, paper, 3);
  expect_simple_symmetric(G, false);
  expect_binomial(count_classes(G, R, clusters), paper);
}

TEST(Rpp, is_not_the_planted_partition_of_the_same_seed) {
  // With no link in R, R-PP is a planted partition and draws in the same order. With the
  // same streams it would be the same graph as the planted partition of that seed.
  const Labels labels = equal_clusters(100, 2);
  Labels alone(100);
  std::iota(alone.begin(), alone.end(), 0);
  const RppProbabilities probabilities{0.3, 0.3, 0.3, 0.2};
  const Graph planted = sample_planted_partition(labels, 0.3, 0.2, 6);
  const Graph R = sample_planted_partition(labels, 0, 0, 6, SelfLoops::add);
  EXPECT_FALSE(same_entries(planted, sample_rpp(R, labels, probabilities, 6)));
  EXPECT_FALSE(same_entries(planted, sample_rpp_groups(alone, labels, probabilities, 6)));
}

TEST(RppGroups, has_the_edge_counts_of_rpp_on_the_block_representation) {
  const Labels groups = labels_of(900, [](Index i) { return (i * 11) % 7; });
  const Labels clusters = labels_of(900, [](Index i) { return (i / 5) % 3; });
  const Graph R = block_representation(groups);
  expect_binomial(count_classes(sample_rpp(R, clusters, paper, 5), R, clusters), paper);
  const Graph G = sample_rpp_groups(groups, clusters, paper, 5);
  expect_simple_symmetric(G, false);
  expect_binomial(count_classes(G, R, clusters), paper);
}

TEST(RppGroups, samples_many_groups_and_clusters_without_a_dense_R) {
  const Index N = 100000;
  const Labels clusters = equal_clusters(N, 300);
  const Labels groups = labels_of(N, [](Index i) { return i % 500; });
  const Graph G = sample_rpp_groups(groups, clusters, {.p = 1, .q = 2e-2, .r = 5e-3, .s = 5e-5}, 4);
  double same_group = 0;
  for (Index u = 0; u < N; ++u) {
    for (const Index v : G.neighbors(u)) same_group += v > u && u % 500 == v % 500;
  }
  // Clusters are shorter than 500 nodes, so that same-group pairs are all across clusters: q.
  EXPECT_LT(std::abs(binomial_z(same_group, 500 * (200 * 199 / 2), 2e-2)), 4);
}

TEST(Rpp, with_four_equal_probabilities_is_an_erdos_renyi_graph) {
  const Index N = 1000;
  const Labels clusters = equal_clusters(N, 4);
  const RppProbabilities equal{0.05, 0.05, 0.05, 0.05};
  const Graph R = sample_regular_representation(N, 4, 20, 9);
  const double pairs = N * (N - 1.0) / 2;
  for (const Graph& G : {sample_rpp(R, clusters, equal, 1),
                         sample_rpp_groups(equal_clusters(N, 10), clusters, equal, 1)}) {
    EXPECT_LT(std::abs(binomial_z(static_cast<double>(G.num_edges()), pairs, 0.05)), 4);
    double squares = 0;
    for (Index u = 0; u < N; ++u) {
      const double z = binomial_z(static_cast<double>(G.neighbors(u).size()), N - 1, 0.05);
      squares += z * z;
    }
    EXPECT_LT(std::abs(squares - N) / std::sqrt(2.0 * N), 4);
  }
}

TEST(Rpp, takes_probabilities_0_and_1_literally) {
  EXPECT_TRUE(rc::check("certain pairs right, graphs simple", [] {
    const auto size = *rc::gen::inRange<std::size_t>(0, 30);
    const auto labels = rc::gen::container<Labels>(size, rc::gen::inRange<Label>(0, 4));
    const Labels groups = *labels;
    const Labels clusters = *labels;
    auto values = *rc::gen::container<std::vector<int>>(4, rc::gen::inRange(0, 3));
    std::sort(values.rbegin(), values.rend());
    const RppProbabilities probabilities{values[0] / 2.0, values[1] / 2.0, values[2] / 2.0,
                                         values[3] / 2.0};
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const Graph R = block_representation(groups);
    for (const Graph& G : {sample_rpp(R, clusters, probabilities, seed),
                           sample_rpp_groups(groups, clusters, probabilities, seed)}) {
      expect_simple_symmetric(G, false);
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          const double probability =
              probability_of(clusters[i] == clusters[j], groups[i] == groups[j], probabilities);
          if (probability != 0.5) {
            RC_ASSERT(G.has_edge(static_cast<Index>(i), static_cast<Index>(j)) ==
                      (probability == 1));
          }
        }
      }
    }
  }));
}

TEST(Rpp, is_the_same_on_any_number_of_threads) {
  const Labels clusters = equal_clusters(2000, 4);
  const Labels groups = equal_clusters(2000, 25);
  const Graph R = sample_regular_representation(2000, 4, 16, 1);
  set_num_threads(1);
  const Graph one = sample_rpp(R, clusters, paper, 2);
  const Graph one_of_groups = sample_rpp_groups(groups, clusters, paper, 2);
  for (const int threads : {2, 3}) {
    set_num_threads(threads);
    EXPECT_TRUE(same_entries(one, sample_rpp(R, clusters, paper, 2)));
    EXPECT_TRUE(same_entries(one_of_groups, sample_rpp_groups(groups, clusters, paper, 2)));
  }
  set_num_threads({});
  EXPECT_FALSE(same_entries(one, sample_rpp(R, clusters, paper, 3)));
}

TEST(Rpp, refuses_probabilities_out_of_order_and_labels_of_another_length) {
  const Graph R = sample_regular_representation(8, 2, 4, 1);
  const Labels clusters = equal_clusters(8, 2);
  const Fault fault = fault_of([&] { return sample_rpp(R, clusters, {0.3, 0.4, 0.2, 0.1}, 1); });
  EXPECT_EQ(fault.option, "q");
  EXPECT_EQ(fault.value, "0.4");
  EXPECT_THROW((void)sample_rpp(R, clusters, {0.4, 0.3, 0.2, -0.1}, 1), InvalidInput);
  EXPECT_THROW((void)sample_rpp(R, clusters, {1.4, 0.3, 0.2, 0.1}, 1), InvalidInput);
  EXPECT_THROW((void)sample_rpp(R, clusters, {0.4, NAN, 0.2, 0.1}, 1), InvalidInput);
  EXPECT_THROW((void)sample_rpp(R, {0, 1}, paper, 1), InvalidInput);
  EXPECT_THROW((void)sample_rpp_groups({0, 1}, {0, 1, 0}, paper, 1), InvalidInput);
  EXPECT_THROW((void)sample_rpp_groups({0, 1}, {0, -1}, paper, 1), InvalidInput);
  EXPECT_THROW((void)sample_rpp_groups({0, 1}, {0, 1}, {0.1, 0.2, 0, 0}, 1), InvalidInput);
}

}  // namespace
}  // namespace repsc
