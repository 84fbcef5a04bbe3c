// Refinement: never up, still at its optimum, near the optimum of brute force.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "refine/dense_objective.hpp"
#include "refine/search.hpp"
#include "repsc/metrics.hpp"
#include "repsc/models.hpp"
#include "repsc/refine.hpp"

namespace repsc {
namespace {

constexpr CutKind kinds[] = {CutKind::ratio, CutKind::normalized};

struct Planted {
  Graph similarity;
  Graph representation;
  Labels truth;
};

Planted planted(Index N, int K, std::uint64_t seed) {
  Labels groups(static_cast<std::size_t>(N));
  for (Index i = 0; i < N; ++i) groups[static_cast<std::size_t>(i)] = i % 5;
  Planted result;
  result.representation = sample_planted_partition(groups, 0.8, 0.2, seed, SelfLoops::add);
  result.truth = equal_clusters(N, K);
  result.similarity = sample_rpp(result.representation, result.truth,
                                 {.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1}, seed + 1);
  return result;
}

Labels random_start(Index N, int K, std::uint64_t seed) {
  RandomStream random(seed);
  Labels labels = random_labels(N, K, random);
  for (Label k = 0; k < K; ++k) labels[static_cast<std::size_t>(k)] = k;
  return labels;
}

TEST(Search, lowers_the_objective_with_every_descent_climb_and_annealing_and_keeps_its_books) {
  EXPECT_TRUE(rc::check("random graphs", [] {
    const DenseCase c = dense_case(true, *rc::gen::arbitrary<std::uint64_t>());
    for (const CutKind kind : kinds) {
      Partition P(c.similarity, c.representation, c.labels, c.K, kind);
      Search search(P, {1, 1.0 / c.N}, {.seed = 3});
      const auto exact = [&] {
        return dense_cut(c, P.labels(), kind) - dense_balances(c, P.labels()).mean();
      };
      double last = exact();
      RC_ASSERT(std::abs(search.objective() - last) < 1e-9);
      for (int round = 0; round < 5; ++round) {
        const bool changed = round % 2 == 0 ? search.descend()
                             : round == 1   ? search.climb()
                                            : search.anneal(500);
        const double now = exact();
        RC_ASSERT(std::abs(search.objective() - now) < 1e-9);
        RC_ASSERT((changed ? now < last : std::abs(now - last) < 1e-9));
        last = now;
      }
    }
  }));
}

TEST(Refine, never_ends_above_its_start_and_reports_what_the_metrics_say) {
  EXPECT_TRUE(rc::check("random graphs", [] {
    const DenseCase c =
        dense_case(*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<std::uint64_t>());
    const double mu = *rc::gen::element(0.0, 0.3, 1.0, 5.0);
    for (const CutKind kind : kinds) {
      const Refinement found =
          refine(c.similarity, c.representation, c.labels, c.K, {.mu = mu, .cut = kind});
      const Metrics metrics = evaluate(c.similarity, c.representation, found.labels, c.K);
      const double cut = kind == CutKind::ratio ? metrics.ratio_cut : metrics.normalized_cut;
      RC_ASSERT(std::abs(found.cut - cut) < 1e-9);
      RC_ASSERT(std::abs(found.average_balance - metrics.average_balance) < 1e-9);
      RC_ASSERT(std::abs(found.start_objective - dense_objective(c, c.labels, kind, mu)) < 1e-9);
      RC_ASSERT(std::abs(found.objective - dense_objective(c, found.labels, kind, mu)) < 1e-9);
      RC_ASSERT(found.objective <= found.start_objective + 1e-9);
      RC_ASSERT(found.local_optimum);
      for (const Index size : metrics.cluster_sizes) RC_ASSERT(size >= 1);
    }
  }));
}

TEST(Refine, changes_nothing_the_second_time) {
  EXPECT_TRUE(rc::check("random graphs", [] {
    const DenseCase c =
        dense_case(*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<std::uint64_t>(), 4, 30);
    for (const CutKind kind : kinds) {
      for (const bool ratio : {false, true}) {
        const RefineOptions options{.mu = 1.5, .maximize_ratio = ratio, .cut = kind};
        const Refinement once = refine(c.similarity, c.representation, c.labels, c.K, options);
        const Refinement twice = refine(c.similarity, c.representation, once.labels, c.K, options);
        RC_ASSERT(twice.labels == once.labels);
        RC_ASSERT(twice.objective == once.objective);
      }
    }
  }));
}

TEST(Refine, of_a_larger_graph_changes_nothing_the_second_time) {
  const Planted sample = planted(300, 3, 5);
  const Labels start = random_start(300, 3, 1);
  const Refinement once = refine(sample.similarity, sample.representation, start, 3, {.mu = 2});
  const Refinement twice =
      refine(sample.similarity, sample.representation, once.labels, 3, {.mu = 2});
  EXPECT_LT(once.objective, once.start_objective - 0.05);
  EXPECT_EQ(twice.labels, once.labels);
}

TEST(Refine, leaves_no_single_move_that_lowers_the_objective) {
  EXPECT_TRUE(rc::check("random graphs", [] {
    const DenseCase c = dense_case(false, *rc::gen::arbitrary<std::uint64_t>());
    for (const CutKind kind : kinds) {
      const Labels labels =
          refine(c.similarity, c.representation, c.labels, c.K, {.mu = 1.5, .cut = kind}).labels;
      const double reached = dense_objective(c, labels, kind, 1.5);
      for (std::size_t i = 0; i < labels.size(); ++i) {
        for (Label k = 0; k < c.K; ++k) {
          Labels moved = labels;
          moved[i] = k;
          if (std::count(moved.begin(), moved.end(), labels[i]) == 0) continue;
          RC_ASSERT(dense_objective(c, moved, kind, 1.5) > reached - 1e-9);
        }
      }
    }
  }));
}

TEST(Refine, never_beats_brute_force_and_mostly_reaches_it) {
  int cases = 0;
  int reached = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const DenseCase c = dense_case(seed % 2 == 1, seed, 5, 8, 3);
    for (const CutKind kind : kinds) {
      double best = std::numeric_limits<double>::infinity();
      for_every_labelling(c.N, c.K, [&](const Labels& labels) {
        best = std::min(best, dense_objective(c, labels, kind, 1.5));
      });
      const Refinement found =
          refine(c.similarity, c.representation, c.labels, c.K, {.mu = 1.5, .cut = kind});
      EXPECT_GT(found.objective, best - 1e-9) << "seed " << seed;
      ++cases;
      reached += found.objective < best + 1e-9 ? 1 : 0;
    }
  }
  EXPECT_GT(reached, cases * 3 / 4) << reached << " of " << cases;
}

TEST(Refine, for_the_largest_ratio_never_lowers_balance_per_cut) {
  EXPECT_TRUE(rc::check("random graphs", [] {
    const DenseCase c = dense_case(false, *rc::gen::arbitrary<std::uint64_t>());
    const double cut = dense_cut(c, c.labels, CutKind::ratio);
    const double balance = dense_balances(c, c.labels).mean();
    RC_PRE(cut > 0 && balance > 1e-3);
    const Refinement found = refine(c.similarity, c.representation, c.labels, c.K,
                                    {.maximize_ratio = true, .cut = CutKind::ratio});
    RC_ASSERT(found.average_balance * cut >= balance * found.cut - 1e-9);
  }));
}

TEST(Refine, is_the_same_on_any_number_of_threads) {
  const Planted sample = planted(400, 4, 9);
  const Labels start = random_start(400, 4, 2);
  std::vector<Refinement> found;
  for (const int threads : {1, 2, 5}) {
    set_num_threads(threads);
    found.push_back(refine(sample.similarity, sample.representation, start, 4, {.mu = 2}));
  }
  set_num_threads({});
  for (const Refinement& other : found) {
    EXPECT_EQ(other.labels, found.front().labels);
    EXPECT_EQ(other.objective, found.front().objective);
  }
}

TEST(Refine, keeps_every_cluster_at_its_least_size_and_fills_those_below) {
  EXPECT_TRUE(rc::check("random graphs", [] {
    const DenseCase c = dense_case(false, *rc::gen::arbitrary<std::uint64_t>());
    const auto least = static_cast<Index>(*rc::gen::inRange(1, c.N / c.K + 1));
    const double mu = *rc::gen::element(0.0, 2.0);
    const Refinement found = refine(c.similarity, c.representation, c.labels, c.K,
                                    {.mu = mu, .min_cluster_size = least});
    for (const Index size : cluster_sizes(found.labels, c.K)) RC_ASSERT(size >= least);
  }));
}

TEST(Refine, leaves_no_cluster_empty_even_where_an_empty_one_would_be_best) {
  // A triangle and mu = 0: the lower the fewer clusters.
  const Matrix A = Matrix::Ones(4, 4) - Matrix::Identity(4, 4);
  const Graph G = samples::from_dense(A);
  const Refinement found = refine(G, G, {0, 0, 1, 2}, 3, {.mu = 0, .cut = CutKind::ratio});
  for (const Index size : cluster_sizes(found.labels, 3)) EXPECT_GE(size, 1);
}

TEST(Refine, finds_two_triangles_from_a_bad_start) {
  Matrix A = Matrix::Zero(6, 6);
  for (const auto& [i, j] :
       std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}, {2, 3}}) {
    A(i, j) = A(j, i) = 1;
  }
  const Graph G = samples::from_dense(A);
  const Graph none = samples::from_dense(Matrix::Zero(6, 6));
  const Refinement found = refine(G, none, {0, 1, 0, 1, 0, 1}, 2, {.cut = CutKind::ratio});
  EXPECT_EQ(adjusted_rand_index(found.labels, {0, 0, 0, 1, 1, 1}), 1.0);
  EXPECT_EQ(found.average_balance, 1.0);  // 0/0 = 1
}

TEST(Refine, refuses_what_it_cannot_do) {
  const Graph G = samples::from_dense(Matrix::Ones(4, 4));
  const Graph small = samples::from_dense(Matrix::Ones(3, 3));
  EXPECT_THROW((void)refine(G, small, {0, 0, 1, 1}, 2), InvalidInput);
  EXPECT_THROW((void)refine(G, G, {0, 0, 1}, 2), InvalidInput);
  EXPECT_THROW((void)refine(G, G, {0, 0, 1, 2}, 2), InvalidInput);
  EXPECT_THROW((void)refine(G, G, {0, 0, 1, 1}, 2, {.mu = -1}), InvalidInput);
  EXPECT_THROW((void)refine(G, G, {0, 0, 1, 1}, 2, {.min_cluster_size = 3}), InvalidInput);
  EXPECT_THROW((void)refine(G, G, {0, 0, 1, 1}, 2, {.min_cluster_size = 0}), InvalidInput);
}

}  // namespace
}  // namespace repsc
