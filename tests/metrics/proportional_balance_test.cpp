// Proportional balance, and both balances by weights, against the definitions with dense matrices.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "random_case.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

double count(const Matrix& R, const Labels& labels, Label k, Eigen::Index i, Counting counting) {
  double sum = 0;
  for (Eigen::Index j = 0; j < R.cols(); ++j) {
    if (labels[static_cast<std::size_t>(j)] != k || R(i, j) == 0) continue;
    sum += counting == Counting::links ? 1 : R(i, j);
  }
  return sum;
}

// min over k, l of (counts[k] / sizes[k]) / (counts[l] / sizes[l]) with 0/0 = 1; a size of 0 leaves
// the cluster out.
double smallest_ratio(const std::vector<double>& counts, const std::vector<double>& sizes) {
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < counts.size(); ++k) {
    for (std::size_t l = 0; l < counts.size(); ++l) {
      if (sizes[k] == 0 || sizes[l] == 0) continue;
      const double above = counts[k] / sizes[k];
      const double below = counts[l] / sizes[l];
      smallest = std::min(smallest, above == 0 && below == 0 ? 1 : above / below);
    }
  }
  return smallest;
}

void expect_definitions(const Matrix& R, const Labels& labels, int K) {
  const Graph graph = samples::from_dense(R);
  const std::vector<double> sizes = sizes_of(labels, K);
  const std::vector<double> ones(sizes.size(), 1.0);
  const Matrix weights = representative_weights(graph, labels, K);
  for (const Counting counting : {Counting::links, Counting::weights}) {
    const Vector rho = balance(graph, labels, K, counting);
    const Vector proportional = proportional_balance(graph, labels, K, counting);
    for (Eigen::Index i = 0; i < R.rows(); ++i) {
      std::vector<double> counts;
      for (Label k = 0; k < K; ++k) counts.push_back(count(R, labels, k, i, counting));
      RC_ASSERT(std::abs(rho[i] - smallest_ratio(counts, ones)) < 1e-14);
      RC_ASSERT(std::abs(proportional[i] - smallest_ratio(counts, sizes)) < 1e-14);
      if (counting == Counting::links) continue;
      for (Label k = 0; k < K; ++k) {
        RC_ASSERT(std::abs(weights(i, k) - counts[static_cast<std::size_t>(k)]) < 1e-14);
      }
    }
    const Metrics metrics =
        evaluate(samples::from_dense(Matrix::Zero(R.rows(), R.cols())), graph, labels, K, counting);
    RC_ASSERT(std::abs(metrics.average_proportional_balance - proportional.mean()) < 1e-14);
    RC_ASSERT(metrics.minimum_proportional_balance == proportional.minCoeff());
    RC_ASSERT(std::abs(metrics.average_balance - rho.mean()) < 1e-14);
    RC_ASSERT(metrics.minimum_balance == rho.minCoeff());
    RC_ASSERT(metrics.counting == counting);
  }
}

TEST(ProportionalBalance, is_the_smallest_ratio_of_counts_over_sizes) {
  for (const bool weighted : {false, true}) {
    EXPECT_TRUE(rc::check("random graphs and labels", [weighted] {
      const RandomCase c = random_case(weighted, *rc::gen::arbitrary<std::uint64_t>());
      expect_definitions(c.R, c.labels, c.K);
      Labels each(c.labels.size());
      std::iota(each.begin(), each.end(), 0);
      expect_definitions(c.R, each, c.N);  // K = N
      expect_definitions(c.R, Labels(c.labels.size(), 0), 1);
      expect_definitions(Matrix::Zero(c.N, c.N), c.labels, c.K);  // nobody has representatives
      // A dense R: rows that reach every cluster are common.
      expect_definitions(c.R + 0.5 * Matrix::Ones(c.N, c.N), c.labels, c.K);
    }));
  }
}

TEST(ProportionalBalance, of_groups_is_that_of_the_explicit_block_matrix) {
  EXPECT_TRUE(rc::check("random groups and labels", [] {
    const RandomCase c = random_case(false, *rc::gen::arbitrary<std::uint64_t>(), 20);
    const Graph R = samples::from_dense(samples::block_representation(c.groups));
    for (const Counting counting : {Counting::links, Counting::weights}) {
      RC_ASSERT(proportional_balance(Representation(c.groups), c.labels, c.K, counting) ==
                proportional_balance(R, c.labels, c.K, counting));
    }
  }));
}

TEST(ProportionalBalance, is_1_where_clusters_of_unequal_size_satisfy_the_constraint) {
  // Groups of 3 and 6, clusters of 3 and 6: balance punishes the sizes, the constraint does not.
  const Representation groups(Labels{0, 0, 0, 1, 1, 1, 1, 1, 1});
  const Labels labels{0, 1, 1, 0, 0, 1, 1, 1, 1};
  ASSERT_EQ(constraint_residual(groups, labels, 2), 0);
  EXPECT_EQ(balance(groups, labels, 2), Vector::Constant(9, 0.5));
  EXPECT_EQ(proportional_balance(groups, labels, 2), Vector::Ones(9));
  // An empty cluster has nobody to be represented by, and is left out; it makes rho_i 0.
  EXPECT_EQ(balance(groups, labels, 3), Vector::Zero(9));
  EXPECT_EQ(proportional_balance(groups, labels, 3), Vector::Ones(9));
}

TEST(WeightedBalance, counts_each_representative_by_its_weight) {
  const Matrix R{{1, 3, 0}, {3, 1, 0.5}, {0, 0.5, 2}};
  const Labels labels{0, 1, 1};
  const Graph graph = samples::from_dense(R);
  EXPECT_EQ(balance(graph, labels, 2), (Vector{{1, 0.5, 0}}));
  const Vector by_weight = balance(graph, labels, 2, Counting::weights);
  EXPECT_DOUBLE_EQ(by_weight[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(by_weight[1], 1.5 / 3);
  EXPECT_EQ(by_weight[2], 0);
  EXPECT_DOUBLE_EQ(proportional_balance(graph, labels, 2, Counting::weights)[1], 0.75 / 3);
}

TEST(WeightedBalance, is_a_number_for_weights_of_any_size) {
  for (const double unit : {5e-324, 1e-300, 1e300, 1.7e308}) {
    const Graph R = samples::from_dense(unit * Matrix::Ones(6, 6));
    const Labels labels{0, 0, 1, 1, 1, 1};
    EXPECT_EQ(balance(R, labels, 2, Counting::weights), Vector::Constant(6, 0.5)) << unit;
    EXPECT_EQ(proportional_balance(R, labels, 2, Counting::weights), Vector::Ones(6)) << unit;
  }
  // One row of tiny weights beside rows of huge ones: each row has a unit of its own.
  Matrix mixed = Matrix::Zero(4, 4);
  mixed(0, 0) = mixed(0, 1) = mixed(1, 0) = 1e-300;
  mixed(2, 3) = mixed(3, 2) = 1e300;
  const Vector found = balance(samples::from_dense(mixed), {0, 1, 0, 1}, 2, Counting::weights);
  EXPECT_EQ(found, (Vector{{1, 0, 0, 0}}));
  mixed(0, 2) = mixed(2, 0) = 1e300;  // 1e-300 against 1e300 is 0 in double precision
  EXPECT_EQ(balance(samples::from_dense(mixed), {0, 1, 0, 1}, 2, Counting::weights)[0], 0);
}

}  // namespace
}  // namespace repsc
