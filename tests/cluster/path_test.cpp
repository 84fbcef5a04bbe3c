// A path over ranks: every step is what a single call gives, and what the paper's formula says.
#include <gtest/gtest.h>

#include <atomic>

#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "repsc/models.hpp"
#include "support/paper.hpp"
#include "support/samples.hpp"
#include "support/solvers.hpp"

namespace repsc {
namespace {

using Dense = Eigen::MatrixXd;

std::vector<Index> ranks_of(const RankPath& path) {
  std::vector<Index> ranks;
  for (const PathStep& step : path.steps) ranks.push_back(step.rank);
  return ranks;
}

class EverySolverOfAPath : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Solvers, EverySolverOfAPath, testing::Values("auto", "lapack", "lanczos"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(EverySolverOfAPath, gives_the_papers_formula_at_every_rank) {
  const Index N = 150;
  const int K = 3;
  const Matrix A = samples::random_dense(samples::shuffled_labels(N, K, 1), 0.1, 0.2, 2);
  const Matrix R = samples::random_representation(N, 0.2, 7);
  for (const Method method : {Method::urepsc, Method::nrepsc}) {
    const ClusterOptions options{
        .method = method, .solver = named_solver(GetParam()), .tolerance = 1e-9};
    const RankPath found = path(samples::from_dense(A), samples::from_dense(R), K,
                                {1, 2, 15, 16, 40, 75, N - K}, options);
    for (const PathStep& point : found.steps) {
      const Index rank = point.rank;
      const Clustering& step = point.clustering;
      SCOPED_TRACE(name(method) + " at rank " + std::to_string(rank));
      const Dense C = paper::best_approximation(R, rank) * paper::centering(N);
      const paper::Answer expected = method == Method::urepsc
                                         ? paper::constrained(A, C, K)
                                         : paper::constrained_normalized(A, C, K);
      ASSERT_TRUE(step.converged) << step.residual;
      EXPECT_LT((step.eigenvalues - expected.values).cwiseAbs().maxCoeff(),
                1e-7 * expected.largest);
      if (expected.gap > 1e-3 * expected.largest) {
        EXPECT_LT(paper::subspace_distance(step.embedding, expected.embedding), 1e-3);
      }
      EXPECT_EQ(step.constraint_rank, rank);
      EXPECT_LT(step.constraint_residual, 1e-8);
      EXPECT_EQ(step.method, method);
    }
  }
}

TEST(Path, gives_at_every_rank_what_a_single_call_gives) {
  const Index N = 1100;  // the iterative decomposition and eigensolver
  const int K = 3;
  const Labels truth = equal_clusters(N, K);
  Labels groups(static_cast<std::size_t>(N));
  for (Index i = 0; i < N; ++i) groups[static_cast<std::size_t>(i)] = i % 4;
  const Graph R = sample_planted_partition(groups, 0.8, 0.2, 2, SelfLoops::add);
  const Graph G = sample_rpp(R, truth, {.p = 0.9, .q = 0.3, .r = 0.3, .s = 0.1}, 3);
  for (const Method method : {Method::urepsc, Method::nrepsc}) {
    const RankPath found = path(G, R, K, {4, 12, 30}, {.method = method, .tolerance = 1e-9});
    for (const PathStep& point : found.steps) {
      const Index rank = point.rank;
      const Clustering& step = point.clustering;
      SCOPED_TRACE(name(method) + " at rank " + std::to_string(rank));
      const Clustering single =
          cluster(G, R, K, {.method = method, .rank = Rank::of(rank), .tolerance = 1e-9});
      EXPECT_LT((step.eigenvalues - single.eigenvalues).norm(),
                1e-6 * (1 + single.eigenvalues.norm()));
      EXPECT_LT(paper::subspace_distance(step.embedding, single.embedding), 1e-4);
      EXPECT_EQ(step.constraint_rank, single.constraint_rank);
      EXPECT_EQ(accuracy(step.labels, single.labels), 1);
      EXPECT_GT(accuracy(step.labels, truth), 0.95);
    }
  }
}

TEST(Path, gives_at_every_strength_what_a_single_call_gives) {
  const Index N = 700;  // the iterative eigensolver
  const Graph R =
      sample_planted_partition(samples::shuffled_labels(N, 4, 1), 0.5, 0.1, 2, SelfLoops::add);
  const Graph G = sample_rpp(R, equal_clusters(N, 3), {.p = 0.6, .q = 0.3, .r = 0.3, .s = 0.1}, 3);
  for (const Method method : {Method::urepsc, Method::nrepsc}) {
    const RankPath found = path(G, R, 3, PathPoints{.ranks = {5}, .strengths = {10, 0, 0.5, 10}},
                                {.method = method, .tolerance = 1e-9});
    ASSERT_EQ(found.steps.size(), 4U);
    EXPECT_EQ(found.steps[0].rank, 5);
    EXPECT_FALSE(found.steps[0].clustering.strength);
    const std::vector<double> strengths{0, 0.5, 10};
    for (std::size_t i = 0; i < 3; ++i) {
      const Clustering& step = found.steps[i + 1].clustering;
      EXPECT_EQ(found.steps[i + 1].rank, 0);
      ASSERT_EQ(step.strength, strengths[i]);
      const Clustering single = cluster(G, R, 3,
                                        {.method = method,
                                         .constraint = ConstraintKind::soft,
                                         .strength = strengths[i],
                                         .tolerance = 1e-9});
      EXPECT_LT((step.eigenvalues - single.eigenvalues).norm(),
                1e-6 * (1 + single.eigenvalues.norm()));
      EXPECT_LT(paper::subspace_distance(step.embedding, single.embedding), 1e-4);
      EXPECT_NEAR(step.constraint_residual, single.constraint_residual, 1e-6);
      EXPECT_EQ(accuracy(step.labels, single.labels), 1);
    }
  }
}

TEST(Path, takes_ranks_in_any_order_and_each_once) {
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(60, 2, 1), 0.2, 0.2, 2));
  const Graph R = samples::from_dense(samples::random_representation(60, 0.3, 3));
  EXPECT_EQ(ranks_of(path(G, R, 2, {9, 1, 5, 9, 1})), (std::vector<Index>{1, 5, 9}));
  EXPECT_EQ(path(G, R, 2, {3}).steps.front().clustering.method, Method::nrepsc);
}

TEST(Path, starts_each_step_from_the_last) {
  // G of three components: their indicator vectors stay the lowest as long as they stay allowed.
  const Matrix A = samples::repeated_components(200, 3, 0.1, 1);
  Labels groups(600);
  for (std::size_t i = 0; i < 600; ++i) groups[i] = static_cast<Label>(i % 200 % 5);
  const Matrix R = samples::block_representation(groups);
  const RankPath found = path(samples::from_dense(A), samples::from_dense(R), 3, {3, 4, 5},
                              {.solver = solver::Lanczos{}});
  ASSERT_EQ(found.steps.size(), 3U);
  EXPECT_LT(found.steps[1].clustering.iterations, found.steps[0].clustering.iterations);
  EXPECT_LT(found.steps[2].clustering.iterations, found.steps[0].clustering.iterations);
}

TEST(Path, refuses_what_it_cannot_do_with_the_numbers) {
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(30, 2, 1), 0.3, 0.2, 2));
  const Graph R = samples::from_dense(samples::random_representation(30, 0.3, 3));
  const auto message = [&](const std::vector<Index>& ranks, const ClusterOptions& options) {
    try {
      (void)path(G, R, 2, ranks, options);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(message({5, 29}, {}).find("29"), std::string::npos);
  EXPECT_NE(message({5, 29}, {}).find("N - K = 28"), std::string::npos);
  EXPECT_NE(message({0, 5}, {}).find("ranks = 0"), std::string::npos);
  EXPECT_NE(message({-4, 29}, {}).find("-4"), std::string::npos);
  EXPECT_NE(message({}, {}).find("ranks"), std::string::npos);
  EXPECT_NE(message({2}, {.method = Method::nfairsc}).find("nfairsc"), std::string::npos);
  EXPECT_NE(message({20}, {.memory_limit = 1000}).find("memory_limit"), std::string::npos);
  EXPECT_EQ(message({1, 28}, {}), "accepted");
  EXPECT_THROW((void)path(G, R, 2, PathPoints{.ranks = {}, .strengths = {1, -2}}), InvalidInput);
}

TEST(Path, gives_the_same_bits_on_any_number_of_threads) {
  const Labels truth = equal_clusters(700, 3);
  const Graph R =
      sample_planted_partition(samples::shuffled_labels(700, 4, 1), 0.5, 0.1, 2, SelfLoops::add);
  const Graph G = sample_rpp(R, truth, {.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1}, 3);
  const auto run = [&](int threads) {
    set_num_threads(threads);
    RankPath found = path(G, R, 3, {2, 30, 60}, {.seed = 5});
    set_num_threads({});
    return found;
  };
  const RankPath one = run(1);
  const RankPath two = run(2);
  for (std::size_t i = 0; i < one.steps.size(); ++i) {
    EXPECT_EQ(one.steps[i].clustering.labels, two.steps[i].clustering.labels);
    EXPECT_EQ(one.steps[i].clustering.embedding, two.steps[i].clustering.embedding);
    EXPECT_EQ(one.steps[i].clustering.eigenvalues, two.steps[i].clustering.eigenvalues);
  }
}

TEST(Path, has_its_first_point_whatever_the_deadline) {
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(60, 2, 1), 0.2, 0.2, 2));
  const Graph R = samples::from_dense(samples::random_representation(60, 0.3, 3));
  const PathPoints points{.ranks = {3, 5}, .strengths = {1, 2}, .mus = {1}};
  const RankPath ended = path(G, R, 2, points, {.deadline = Deadline::after(1e-9)});
  EXPECT_TRUE(ended.out_of_time);
  ASSERT_EQ(ended.steps.size(), 1U);
  EXPECT_EQ(ended.steps[0].rank, 3);
  EXPECT_EQ(ended.steps[0].clustering.labels.size(), 60U);
  const RankPath whole = path(G, R, 2, points, {.deadline = Deadline::after(1000)});
  EXPECT_FALSE(whole.out_of_time);
  EXPECT_EQ(whole.steps.size(), 8U);

  // Cancelled once the second point is there: that one is kept.
  std::atomic<bool> cancelled = false;
  const auto cancel = [&](const Progress& progress) {
    if (progress.stage == "path" && progress.done == 2) cancelled = true;
  };
  const RankPath stopped =
      path(G, R, 2, points, {.progress = cancel, .deadline = {.at = {}, .cancelled = &cancelled}});
  EXPECT_TRUE(stopped.out_of_time);
  EXPECT_EQ(stopped.steps.size(), 2U);
  EXPECT_EQ(stopped.steps[1].clustering.labels, whole.steps[1].clustering.labels);
}

}  // namespace
}  // namespace repsc
