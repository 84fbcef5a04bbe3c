// Accuracy against all permutations and the paper's M; the adjusted Rand index against its pairs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "metrics/matching.hpp"
#include "random_case.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

// M = min over permutations J of ||Theta - Theta_hat J||_0 / N, with K x K permutation matrices.
double misclustered_fraction(const Labels& labels, const Labels& truth, int K) {
  const auto N = static_cast<Eigen::Index>(labels.size());
  const auto indicator = [&](const Labels& of) {
    Matrix theta = Matrix::Zero(N, K);
    for (Eigen::Index i = 0; i < N; ++i) theta(i, of[static_cast<std::size_t>(i)]) = 1;
    return theta;
  };
  const Matrix theta = indicator(truth);
  const Matrix theta_hat = indicator(labels);
  std::vector<int> order(static_cast<std::size_t>(K));
  std::iota(order.begin(), order.end(), 0);
  double best = 2;
  do {
    Matrix J = Matrix::Zero(K, K);
    for (int k = 0; k < K; ++k) J(k, order[static_cast<std::size_t>(k)]) = 1;
    const auto different = ((theta - theta_hat * J).array() != 0).count();
    best = std::min(best, static_cast<double>(different) / static_cast<double>(N));
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(Accuracy, is_one_minus_half_the_misclustered_fraction_of_the_paper) {
  EXPECT_TRUE(rc::check("different numbers of clusters", [] {
    RandomStream random(*rc::gen::arbitrary<std::uint64_t>());
    const int N = 1 + static_cast<int>(random.below(30));
    const int K = 1 + static_cast<int>(random.below(5));
    const int K_true = 1 + static_cast<int>(random.below(5));
    const Labels labels = random_labels(N, K, random);
    const Labels truth = random_labels(N, K_true, random);
    const double M = misclustered_fraction(labels, truth, std::max(K, K_true));
    RC_ASSERT(std::abs(2 * (1 - accuracy(labels, truth)) - M) < 1e-14);
  }));
}

TEST(Accuracy, of_small_examples) {
  EXPECT_EQ(accuracy({0, 0, 1, 1}, {1, 1, 0, 0}), 1);
  EXPECT_EQ(accuracy({0, 0, 0, 0}, {0, 0, 1, 2}), 0.5);
  EXPECT_EQ(accuracy({0, 1, 2, 3}, {0, 0, 0, 0}), 0.25);
  EXPECT_EQ(accuracy({9, 9, 1'000'000'000}, {5, 5, 4}), 1);
  // Taking the largest entry of the table {3, 4; 0, 3} first would give 4 of 10.
  EXPECT_EQ(accuracy({0, 0, 0, 0, 0, 0, 0, 1, 1, 1}, {0, 0, 0, 1, 1, 1, 1, 1, 1, 1}), 0.6);
  EXPECT_EQ(accuracy({}, {}), 1);
}

TEST(Matching, is_the_best_of_all_permutations) {
  EXPECT_TRUE(rc::check("tables up to 6 x 6", [] {
    RandomStream random(*rc::gen::arbitrary<std::uint64_t>());
    CountMatrix table(1 + static_cast<int>(random.below(6)), 1 + static_cast<int>(random.below(6)));
    const std::uint64_t range = random.below(2) == 0 ? 4 : 1000;  // many ties, or few
    for (std::int32_t& value : table.reshaped()) value = static_cast<int>(random.below(range));
    const Eigen::Index n = std::max(table.rows(), table.cols());
    CountMatrix square = CountMatrix::Zero(n, n);
    square.topLeftCorner(table.rows(), table.cols()) = table;
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    std::int64_t best = 0;
    do {
      std::int64_t sum = 0;
      for (Eigen::Index i = 0; i < n; ++i) sum += square(i, order[static_cast<std::size_t>(i)]);
      best = std::max(best, sum);
    } while (std::next_permutation(order.begin(), order.end()));
    RC_ASSERT(largest_matching(table) == best);
  }));
}

TEST(Matching, finds_a_hidden_permutation_among_hundreds_of_clusters) {
  RandomStream random(1);
  const int n = 400;
  std::vector<int> hidden(n);
  std::iota(hidden.begin(), hidden.end(), 0);
  for (std::size_t i = hidden.size(); i-- > 1;) std::swap(hidden[i], hidden[random.below(i + 1)]);
  CountMatrix table(n, n);
  for (std::int32_t& value : table.reshaped()) value = static_cast<int>(random.below(50));
  // 60 in one place of each row and column beats every other choice, 49 at most.
  for (int i = 0; i < n; ++i) table(i, hidden[static_cast<std::size_t>(i)]) = 60;
  EXPECT_EQ(largest_matching(table), 60 * n);
}

// By its definition: pairs of nodes, one after the other.
double rand_index_of_pairs(const Labels& labels, const Labels& truth) {
  double both = 0, first = 0, second = 0, all = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool in_first = labels[i] == labels[j];
      const bool in_second = truth[i] == truth[j];
      both += in_first && in_second ? 1 : 0;
      first += in_first ? 1 : 0;
      second += in_second ? 1 : 0;
      all += 1;
    }
  }
  const double expected = first * second / all;
  return (both - expected) / ((first + second) / 2 - expected);
}

TEST(AdjustedRandIndex, is_its_definition_by_pairs) {
  EXPECT_TRUE(rc::check("random labels", [] {
    RandomStream random(*rc::gen::arbitrary<std::uint64_t>());
    const int N = 2 + static_cast<int>(random.below(30));
    const Labels labels = random_labels(N, 1 + static_cast<int>(random.below(5)), random);
    const Labels truth = random_labels(N, 2 + static_cast<int>(random.below(5)), random);
    const double expected = rand_index_of_pairs(labels, truth);
    const double found = adjusted_rand_index(labels, truth);
    if (std::isnan(expected)) {
      RC_ASSERT(found == 1);  // 0/0: both labellings are the same trivial one
    } else {
      RC_ASSERT(std::abs(found - expected) < 1e-12);
    }
  }));
}

TEST(AdjustedRandIndex, of_known_examples) {
  EXPECT_NEAR(adjusted_rand_index({0, 0, 1, 2}, {0, 0, 1, 1}), 4.0 / 7, 1e-15);
  EXPECT_EQ(adjusted_rand_index({0, 0, 1, 1}, {1, 1, 0, 0}), 1);
  EXPECT_EQ(adjusted_rand_index({0, 0, 0, 0}, {0, 1, 2, 3}), 0);
  EXPECT_EQ(adjusted_rand_index({0, 0, 0}, {4, 4, 4}), 1);
  EXPECT_EQ(adjusted_rand_index({0, 1, 2}, {2, 1, 0}), 1);
  EXPECT_EQ(adjusted_rand_index({}, {}), 1);
}

TEST(Agreement, needs_two_labelings_of_the_same_nodes) {
  EXPECT_THROW((void)accuracy({0, 1}, {0}), InvalidInput);
  EXPECT_THROW((void)accuracy({0, 1}, {0, -1}), InvalidInput);
  EXPECT_THROW((void)adjusted_rand_index({-3, 1}, {0, 1}), InvalidInput);
  Labels many(9000);
  std::iota(many.begin(), many.end(), 0);
  EXPECT_THAT(
      [&] { (void)accuracy(many, many); },
      testing::ThrowsMessage<InvalidInput>(testing::HasSubstr("9000 clusters against 9000")));
  EXPECT_EQ(adjusted_rand_index(many, many), 1);
}

}  // namespace
}  // namespace repsc
