// Refinement on spread rows: trials and objectives against the definitions with dense matrices, no
// single move left that helps, and the same labels wherever the rows are.
#include "distributed/refine.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "distributed/clusters.hpp"
#include "distributed/ranks.hpp"
#include "repsc/metrics.hpp"
#include "support/dense_scale.hpp"
#include "support/samples.hpp"

namespace repsc::tests {
namespace {

constexpr Index N = 120;
constexpr int K = 3;

/// Weighted G with three clusters; R is a graph, or four groups across the clusters.
struct Sample {
  bool by_groups;
  std::optional<Exchange> exchange;
  Labels truth = samples::shuffled_labels(N, K, 1);
  Labels groups = samples::shuffled_labels(N, 4, 2);
  Matrix A = samples::random_dense(truth, 0.05, 0.4, 3, true);
  Matrix R = by_groups ? Matrix(samples::block_representation(groups))
                       : Matrix(samples::quotient_representation(N, 10, 0.3, 4));
  DistributedProblem problem =
      distribute(ranks(),
                 by_groups ? ClusterInput{samples::from_dense(A), std::nullopt, groups}
                           : ClusterInput{samples::from_dense(A), samples::from_dense(R)},
                 false, exchange);

  [[nodiscard]] const SpreadRows& rows() const { return *problem.rows; }
  [[nodiscard]] double cut(const Labels& labels, CutKind kind) const {
    return dense_cut(A, labels, K, kind == CutKind::normalized);
  }
  [[nodiscard]] double objective(const Labels& labels, CutKind kind, double mu) const {
    const double scale =
        (K - 1) / 2.0 * (kind == CutKind::normalized ? 1 : A.rowwise().sum().mean());
    return cut(labels, kind) / scale - mu * dense_balance(R, labels, K);
  }
};

/// The mean over the nodes of -sum_k max(0, alpha max_l c_il - c_ik) / |N_R(i)|, 0 for those with
/// fewer representatives than clusters.
double dense_smooth_score(const Matrix& R, const Labels& labels) {
  double sum = 0;
  for (Index i = 0; i < N; ++i) {
    Vector counts = Vector::Zero(K);
    for (Index j = 0; j < N; ++j) {
      if (R(i, j) != 0) counts[labels[static_cast<std::size_t>(j)]] += 1;
    }
    if (counts.sum() < K) continue;
    const Vector missing = smooth_alpha * counts.maxCoeff() - counts.array();
    sum -= missing.cwiseMax(0).sum() / counts.sum();
  }
  return sum / N;
}

Labels random_start(std::uint64_t seed) {
  RandomStream random(seed);
  Labels labels(N);
  for (Label& label : labels) label = static_cast<Label>(random.below(K));
  return labels;
}

class EveryRepresentation : public testing::TestWithParam<std::tuple<bool, Exchange>> {
 protected:
  Sample sample{.by_groups = std::get<0>(GetParam()), .exchange = std::get<1>(GetParam())};

  /// Each move of an own node changes cut and score, the sum of `score` over the nodes, as they
  /// say.
  template <typename Cut, typename Score>
  void expect_exact_trials(const SpreadClusters& clusters, const Labels& labels, const Cut& cut,
                           const Score& score) const {
    EXPECT_NEAR(clusters.cut(), cut(labels), 1e-12);
    EXPECT_NEAR(clusters.average_score(), score(labels), 1e-12);
    Trial trial(K);
    for (Index i = 0; i < sample.rows().stored(); ++i) {
      clusters.try_moves(i, trial);
      Labels moved = labels;
      for (Label b = 0; b < K; ++b) {
        moved[static_cast<std::size_t>(sample.rows().begin() + i)] = b;
        const auto at = static_cast<std::size_t>(b);
        EXPECT_NEAR(trial.cut[at], cut(moved) - cut(labels), 1e-11);
        EXPECT_NEAR(trial.score[at], N * (score(moved) - score(labels)), 1e-9);
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(All, EveryRepresentation,
                         testing::Combine(testing::Bool(),
                                          testing::Values(Exchange::messages,
                                                          Exchange::shared_memory)));

TEST_P(EveryRepresentation, trials_of_moves_are_differences_of_the_definitions) {
  for (const CutKind kind : {CutKind::ratio, CutKind::normalized}) {
    const Labels labels = random_start(5);
    SpreadClusters clusters(sample.problem, K, kind);
    // What is left of other labels must not matter.
    clusters.assign(own_labels(sample.rows(), random_start(7)));
    clusters.assign(own_labels(sample.rows(), labels));
    expect_exact_trials(
        clusters, labels, [&](const Labels& at) { return sample.cut(at, kind); },
        [&](const Labels& at) { return dense_balance(sample.R, at, K); });
  }
}

TEST_P(EveryRepresentation, trials_by_the_smooth_score_are_differences_of_its_definition) {
  // Small sets of representatives, and labels that leave clusters out of them.
  if (!sample.by_groups) {
    sample.R.leftCols(N / 2) *= 0;
    sample.R.topRows(N / 2) *= 0;
    sample.R.diagonal().setOnes();
    sample.problem =
        distribute(ranks(), {samples::from_dense(sample.A), samples::from_dense(sample.R)}, false,
                   sample.exchange);
  }
  Labels labels = random_start(5);
  for (Index i = 0; i < N; i += 2) labels[static_cast<std::size_t>(i)] = 0;
  SpreadClusters clusters(sample.problem, K, CutKind::normalized);
  clusters.measure_by(smooth_alpha);
  clusters.assign(own_labels(sample.rows(), labels));
  EXPECT_LT(dense_smooth_score(sample.R, labels), -0.01);
  expect_exact_trials(
      clusters, labels, [&](const Labels& at) { return sample.cut(at, CutKind::normalized); },
      [&](const Labels& at) { return dense_smooth_score(sample.R, at); });
}

TEST_P(EveryRepresentation, ends_where_no_move_of_one_node_helps) {
  for (const CutKind kind : {CutKind::ratio, CutKind::normalized}) {
    for (const double mu : {0.0, 0.5, 4.0}) {
      const Labels start = random_start(11);
      const Refinement found = refine_spread(sample.problem, own_labels(sample.rows(), start), K,
                                             {.mu = mu, .cut = kind, .seed = 2});
      const Labels labels = all_labels(sample.rows(), found.labels);
      const double objective = sample.objective(labels, kind, mu);
      EXPECT_NEAR(found.objective, objective, 1e-11);
      EXPECT_NEAR(found.start_objective, sample.objective(start, kind, mu), 1e-11);
      EXPECT_NEAR(found.cut, sample.cut(labels, kind), 1e-11);
      EXPECT_NEAR(found.average_balance, dense_balance(sample.R, labels, K), 1e-12);
      EXPECT_LT(objective, found.start_objective);
      EXPECT_TRUE(found.local_optimum);
      std::vector<int> sizes(K, 0);
      for (const Label label : labels) ++sizes[static_cast<std::size_t>(label)];
      for (Index i = 0; i < N; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (sizes[static_cast<std::size_t>(labels[at])] == 1) continue;  // none becomes empty
        for (Label b = 0; b < K; ++b) {
          Labels moved = labels;
          moved[at] = b;
          EXPECT_GT(sample.objective(moved, kind, mu), objective - 1e-6) << i << " to " << b;
        }
      }
      const Refinement again =
          refine_spread(sample.problem, found.labels, K, {.mu = mu, .cut = kind, .seed = 2});
      EXPECT_EQ(again.labels, found.labels);
      EXPECT_EQ(again.moves, 0);
    }
  }
}

TEST(RefineSpread, finds_planted_clusters_from_nearly_right_labels) {
  const Sample sample{.by_groups = true, .exchange = Exchange::messages};
  Labels start = sample.truth;
  for (Index i = 0; i < N; i += 7) start[static_cast<std::size_t>(i)] = 0;
  const Refinement found =
      refine_spread(sample.problem, own_labels(sample.rows(), start), K, {.mu = 0});
  EXPECT_EQ(all_labels(sample.rows(), found.labels), sample.truth);
}

}  // namespace
}  // namespace repsc::tests
