// Warnings: what they say, and silence where there is nothing to say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "repsc/cluster.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> codes(const Clustering& found) {
  std::vector<std::string> all;
  for (const Warning& warning : found.warnings) all.push_back(warning.code);
  return all;
}

Matrix clear_clusters(Index N, int K) {
  return samples::random_dense(samples::shuffled_labels(N, K, 1), 0.05, 0.4, 2);
}

TEST(Warnings, are_none_for_clear_clusters) {
  const Graph G = samples::from_dense(clear_clusters(200, 4));
  const Graph R =
      samples::from_dense(samples::block_representation(samples::shuffled_labels(200, 3, 5)));
  for (const Method method : {Method::usc, Method::nsc}) {
    EXPECT_THAT(codes(cluster(G, 4, {.method = method})), IsEmpty()) << name(method);
  }
  for (const Method method : {Method::urepsc, Method::nrepsc}) {
    EXPECT_THAT(codes(cluster(G, R, 4, {.method = method, .rank = Rank::exact()})), IsEmpty())
        << name(method);
  }
}

TEST(Warnings, name_a_rank_above_that_of_R) {
  const Index N = 120;
  const Matrix block = samples::block_representation(samples::shuffled_labels(N, 5, 1));
  const Graph G = samples::from_dense(clear_clusters(N, 3));
  const Graph R = samples::from_dense(block);
  for (const Method method : {Method::urepsc, Method::nrepsc}) {
    const Clustering exact = cluster(G, R, 3, {.method = method, .rank = Rank::exact()});
    ASSERT_EQ(exact.constraint_rank, 4);
    for (const Index rank : {12, 60}) {
      const Clustering found = cluster(G, R, 3, {.method = method, .rank = Rank::of(rank)});
      EXPECT_EQ(found.constraint_rank, 4);
      EXPECT_LT((found.eigenvalues - exact.eigenvalues).norm(), 1e-8);
      EXPECT_THAT(codes(found), ElementsAre("rank_above_rank_of_representation"));
      EXPECT_TRUE(found.rank_unique);
    }
    const RankPath steps = path(G, R, 3, std::vector<Index>{5, 12, 60}, {.method = method});
    for (const PathStep& step : steps.steps) {
      EXPECT_EQ(step.clustering.constraint_rank, 4);
      EXPECT_LT((step.clustering.eigenvalues - exact.eigenvalues).norm(), 1e-7);
    }
    EXPECT_THAT(codes(steps.steps.front().clustering), IsEmpty());
    EXPECT_THAT(codes(steps.steps.back().clustering),
                ElementsAre("rank_above_rank_of_representation"));
  }
}

TEST(Warnings, name_a_rank_that_cuts_equal_eigenvalues) {
  const Index N = 120;
  const Graph G = samples::from_dense(clear_clusters(N, 3));
  const Graph R =
      samples::from_dense(samples::block_representation(samples::shuffled_labels(N, 5, 1)));
  const Clustering found = cluster(G, R, 3, {.method = Method::urepsc, .rank = Rank::of(3)});
  EXPECT_FALSE(found.rank_unique);
  EXPECT_THAT(codes(found), ElementsAre("rank_not_unique"));
  // The same approximation on a path.
  const RankPath steps =
      path(G, R, 3, std::vector<Index>{3, 5}, {.method = Method::urepsc, .tolerance = 1e-10});
  EXPECT_LT((steps.steps.front().clustering.eigenvalues - found.eigenvalues).norm(), 1e-7);
}

TEST(Warnings, name_components_and_small_clusters) {
  // A dense part, and three nodes that hang on it or are apart.
  const Index N = 403;
  Matrix A = Matrix::Zero(N, N);
  A.topLeftCorner(400, 400) = clear_clusters(400, 2);
  A(400, 401) = A(401, 400) = 1;
  A(402, 0) = A(0, 402) = 1;
  const Clustering found = cluster(samples::from_dense(A), 2, {.method = Method::usc});
  EXPECT_THAT(codes(found), Contains("several_components"));
  EXPECT_THAT(codes(found), Contains("small_clusters"));
  EXPECT_THAT(codes(found), Contains("localized_embedding"));
  const Clustering without =
      cluster(samples::from_dense(A.topLeftCorner(400, 400)), 2, {.method = Method::usc});
  EXPECT_THAT(codes(without), IsEmpty());
}

TEST(Warnings, count_refined_clusters_not_those_of_k_means) {
  const Index N = 403;
  Matrix A = Matrix::Zero(N, N);
  A.topLeftCorner(400, 400) = clear_clusters(400, 2);
  for (Index i = 400; i < N; ++i) A(i, 0) = A(0, i) = 1e-3;
  const Graph G = samples::from_dense(A);
  const Graph R =
      samples::from_dense(samples::block_representation(samples::shuffled_labels(N, 2, 3)));
  ClusterOptions options{.method = Method::urepsc, .strength = 0.0, .refine = false};
  EXPECT_THAT(codes(cluster(G, R, 2, options)), Contains("small_clusters"));
  options.refine = true;
  options.refinement = RefineOptions{.min_cluster_size = 50};
  EXPECT_THAT(codes(cluster(G, R, 2, options)), Not(Contains("small_clusters")));
}

TEST(Warnings, of_sizes_compare_with_the_average_for_many_clusters) {
  // 201 triangles: each cluster has a little less than 0.5 % of the nodes, as it must.
  const Index K = 201;
  Matrix A = Matrix::Zero(3 * K, 3 * K);
  for (Index k = 0; k < K; ++k) {
    for (Index i = 0; i < 3; ++i) {
      for (Index j = 0; j < 3; ++j) A(3 * k + i, 3 * k + j) = i != j;
    }
    const Index next = (3 * k + 3) % (3 * K);
    A(3 * k, next) = A(next, 3 * k) = 1e-3;
  }
  const Clustering found =
      cluster(samples::from_dense(A), K, {.method = Method::nsc, .kmeans_restarts = 1});
  EXPECT_THAT(codes(found), Not(Contains("small_clusters")));
}

/// A ring with chords: node i is linked to i + 1 and i + 7.
Graph chords(Index N) {
  std::vector<Edge> edges;
  edges.reserve(2 * static_cast<std::size_t>(N));
  for (Index i = 0; i < N; ++i) {
    edges.push_back({i, (i + 1) % N});
    edges.push_back({i, (i + 7) % N});
  }
  return build_graph(NodeNames(N, 0), edges, {}, SelfLoops::drop).graph;
}

TEST(AutomaticRank, is_checked_for_memory_and_convergence_as_a_rank_that_was_given) {
  const Graph G = chords(5200);
  const Graph R = with_self_loops(G, SelfLoops::add);
  for (const std::optional<Rank> rank : {std::optional<Rank>(), std::optional(Rank::of(128))}) {
    ClusterOptions options{.method = Method::nrepsc,
                           .rank = rank,
                           .constraint = ConstraintKind::hard,
                           .memory_limit = 1 << 20};
    EXPECT_THROW((void)cluster(G, R, 3, options), MemoryLimitExceeded);
    options.memory_limit.reset();
    options.max_iterations = 5;
    try {
      (void)cluster(G, R, 3, options);
      FAIL() << "a spectrum that did not converge was used";
    } catch (const InvalidInput& error) {
      EXPECT_THAT(error.fault().what, HasSubstr("did not converge"));
    }
  }
}

}  // namespace
}  // namespace repsc
