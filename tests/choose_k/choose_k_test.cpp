// What is recommended: the planted K, and none for graphs without clusters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "choose_k/shapes.hpp"
#include "repsc/choose_k.hpp"
#include "repsc/models.hpp"

namespace repsc {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(ChooseK, finds_planted_clusters) {
  for (const int K : {2, 3, 5, 8}) {
    for (const Index N : {240, 600}) {
      // Average degree 20, and clusters twice above the limit of detection.
      const double degree = 20.0 / N;
      const double excess = 2.2 * std::sqrt(20.0) / N;
      const Graph G = sample_planted_partition(equal_clusters(N, K), degree + excess * (K - 1),
                                               degree - excess, 3);
      const ClusterCount found = choose_k({G}, {.to = 12});
      EXPECT_EQ(found.recommended, K) << "N = " << N << ": " << found.reason;
      EXPECT_THAT(found.candidates, testing::Contains(K));
      EXPECT_EQ(found.candidates.front(), K);
    }
  }
}

TEST(ChooseK, finds_clusters_of_several_sizes) {
  Labels sizes(300, 0);
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = i < 50 ? 0 : i < 150 ? 1 : 2;
  const Graph G = sample_planted_partition(sizes, 0.25, 0.02, 4);
  EXPECT_EQ(choose_k({G}).recommended, 3);
}

TEST(ChooseK, finds_the_clusters_behind_groups_that_dominate_the_graph) {
  constexpr Index N = 600;
  const Labels clusters = equal_clusters(N, 2);
  Labels groups(N);
  for (Index i = 0; i < N; ++i) groups[static_cast<std::size_t>(i)] = i % 5;
  const Graph G = sample_rpp_groups(groups, clusters, {.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1}, 6);
  EXPECT_EQ(choose_k({G, std::nullopt, groups}, {.to = 10}).recommended, 2);
  EXPECT_NE(choose_k({G}, {.to = 10}).recommended, 2) << "four more dimensions are the groups'";
}

TEST(ChooseK, finds_the_clusters_behind_an_R_that_is_no_union_of_groups) {
  constexpr Index N = 720;  // three clusters; four schools and six ages, as in the demo
  constexpr Index K = 3;
  std::vector<Edge> same;
  for (Index i = 0; i < N; ++i) {
    for (Index j = 0; j <= i; ++j) {
      if (i % 4 == j % 4 || i / 4 % 6 == j / 4 % 6) same.push_back({i, j});
    }
  }
  const Graph R = build_graph(NodeNames(N, 1), same, {}, SelfLoops::add).graph;
  const Graph G = sample_rpp(R, equal_clusters(N, K), {.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1}, 1);
  EXPECT_EQ(choose_k({G, R}, {.to = 10}).recommended, K);
  EXPECT_NE(choose_k({G}, {.to = 10}).recommended, K);
}

TEST(ChooseK, says_that_there_is_none_in_graphs_without_clusters) {
  const std::vector<std::pair<std::string, Graph>> none{
      {"complete", shapes::complete(60)},    {"star", shapes::star(80)},
      {"path", shapes::path(200)},           {"cycle", shapes::path(150, true)},
      {"grid", shapes::grid(20, 14, false)}, {"torus", shapes::grid(16, 16, true)},
      {"torus", shapes::grid(40, 10, true)}, {"path of 5", shapes::path(5)},
      {"complete of 5", shapes::complete(5)}};
  for (const auto& [what, G] : none) {
    const ClusterCount found = choose_k({G});
    EXPECT_EQ(found.recommended, std::nullopt) << what << ": " << found.reason;
    EXPECT_THAT(found.reason, StartsWith("no clear K: ")) << what;
    for (const KRow& row : found.rows) {
      EXPECT_FALSE(row.clear);
      EXPECT_TRUE(std::isfinite(row.plain.z)) << what;
      EXPECT_TRUE(std::isfinite(row.plain.gap_ratio)) << what;
    }
  }
}

TEST(ChooseK, says_that_there_is_none_in_random_graphs) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Graph G = sample_planted_partition(Labels(200, 0), 0.08, 0.08, seed);
    const ClusterCount found = choose_k({G});
    EXPECT_EQ(found.recommended, std::nullopt) << found.reason;
  }
}

TEST(ChooseK, counts_components) {
  for (const bool linked : {false, true}) {
    const ClusterCount found = choose_k({shapes::cliques(6, 10, linked)});
    EXPECT_EQ(found.recommended, 6) << found.reason;
    EXPECT_EQ(found.num_components, linked ? 1 : 6);
    EXPECT_EQ(found.reason.find("6 connected components") == std::string::npos, linked);
  }
  const ClusterCount many = choose_k({shapes::cliques(12, 6, false)}, {.to = 5});
  EXPECT_EQ(many.recommended, std::nullopt);
  EXPECT_THAT(many.reason, HasSubstr("12 connected components, more than the largest K"));
}

TEST(ChooseK, is_not_taken_in_by_a_tiny_component) {
  std::vector<Edge> edges{{200, 201}};
  const Graph random = sample_planted_partition(Labels(200, 0), 0.1, 0.1, 1);
  for (Index i = 0; i < 200; ++i) {
    for (const Index j : random.neighbors(i)) edges.push_back({i, j});
  }
  const ClusterCount found = choose_k({shapes::of_edges(202, edges)});
  EXPECT_EQ(found.recommended, std::nullopt);
  EXPECT_THAT(found.reason, HasSubstr("a cluster of 2 nodes"));
  EXPECT_THAT(found.reason, HasSubstr("2 connected components"));
}

TEST(ChooseK, clips_the_range) {
  const ClusterCount found = choose_k({shapes::cliques(2, 4, true)});
  ASSERT_EQ(found.rows.size(), 6U) << "2 to N - 1";
  EXPECT_EQ(found.rows.front().num_clusters, 2);
  EXPECT_EQ(found.rows.back().num_clusters, 7);
  EXPECT_EQ(found.recommended, 2);
  const ClusterCount above = choose_k({shapes::cliques(5, 8, true)}, {.from = 4, .to = 6});
  EXPECT_EQ(above.rows.front().num_clusters, 4);
  EXPECT_EQ(above.rows.size(), 3U);
  EXPECT_EQ(above.recommended, 5);
}

TEST(ChooseK, refuses_what_it_cannot_judge) {
  const Graph G = shapes::cliques(2, 4, true);
  EXPECT_THROW((void)choose_k({G}, {.from = 1}), InvalidInput);
  EXPECT_THROW((void)choose_k({G}, {.from = 8}), InvalidInput);
  EXPECT_THROW((void)choose_k({G}, {.from = 4, .to = 3}), InvalidInput);
  EXPECT_THROW((void)choose_k({shapes::path(3)}), InvalidInput);
  EXPECT_THROW((void)choose_k({shapes::of_edges(6, {{0, 1}, {1, 2}, {2, 3}})}), InvalidInput)
      << "isolated nodes";
  EXPECT_THROW((void)choose_k({G, shapes::path(5)}), InvalidInput) << "another number of nodes";
  EXPECT_THROW((void)choose_k({G, std::nullopt, Labels(5, 0)}), InvalidInput);
}

TEST(ChooseK, does_not_depend_on_threads_but_on_the_seed) {
  const Graph G = sample_planted_partition(equal_clusters(700, 4), 0.06, 0.02, 3);
  const auto run = [&](int threads, std::uint64_t seed) {
    set_num_threads(threads);
    ClusterCount found = choose_k({G}, {.to = 6, .seed = seed});
    set_num_threads(std::nullopt);
    return found;
  };
  const ClusterCount one = run(1, 7);
  const ClusterCount two = run(2, 7);
  const ClusterCount other = run(1, 8);
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    EXPECT_EQ(one.rows[i].plain.eigengap, two.rows[i].plain.eigengap);
    EXPECT_EQ(one.rows[i].plain.cut, two.rows[i].plain.cut);
    EXPECT_EQ(one.rows[i].plain.stability, two.rows[i].plain.stability);
    EXPECT_NE(one.rows[i].random.cut, other.rows[i].random.cut);
    EXPECT_NE(one.rows[i].plain.stability, other.rows[i].plain.stability);
  }
  EXPECT_EQ(one.reason, two.reason);
  EXPECT_EQ(one.recommended, 4);
}

TEST(ChooseK, does_not_depend_on_the_unit_of_weights) {
  const Graph G = sample_planted_partition(equal_clusters(200, 3), 0.3, 0.05, 3);
  for (const double unit : {1e-200, 1e150}) {
    std::vector<double> weights(static_cast<std::size_t>(G.num_entries()), unit);
    const Graph scaled({G.offsets().begin(), G.offsets().end()},
                       {G.neighbors().begin(), G.neighbors().end()}, weights, G.names());
    const ClusterCount found = choose_k({scaled}, {.to = 5});
    EXPECT_EQ(found.recommended, 3);
    EXPECT_TRUE(std::isfinite(found.rows[0].random.cut));
  }
}

TEST(ChooseK, ends_at_the_deadline_without_a_recommendation) {
  const std::atomic<bool> cancelled = true;
  ChooseKOptions options;
  options.deadline.cancelled = &cancelled;
  const ClusterCount found = choose_k({shapes::cliques(3, 10, true)}, options);
  EXPECT_TRUE(found.out_of_time);
  EXPECT_EQ(found.recommended, std::nullopt);
  EXPECT_TRUE(found.rows.empty());
  EXPECT_THAT(found.reason, HasSubstr("time limit"));
}

TEST(ChooseK, reports_its_progress) {
  std::vector<std::int64_t> done;
  ChooseKOptions options{.to = 5};
  options.progress = [&](const Progress& progress) {
    if (progress.stage == "clusters") done.push_back(progress.done);
  };
  (void)choose_k({shapes::cliques(3, 10, true)}, options);
  EXPECT_EQ(done, (std::vector<std::int64_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace repsc
