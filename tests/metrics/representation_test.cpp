// Balance, counts and the constraint residual against the paper's formulas with dense matrices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "random_case.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

// Equation (3) by its two loops.
double rho(const Matrix& R, const Labels& labels, int K, Eigen::Index i) {
  const auto count = [&](int k) {
    double sum = 0;
    for (Eigen::Index j = 0; j < R.cols(); ++j) {
      if (R(i, j) != 0 && labels[static_cast<std::size_t>(j)] == k) sum += 1;
    }
    return sum;
  };
  double smallest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < K; ++k) {
    for (int l = 0; l < K; ++l) {
      const double ratio = count(k) == 0 && count(l) == 0 ? 1 : count(k) / count(l);
      smallest = std::min(smallest, ratio);
    }
  }
  return smallest;
}

double dense_residual(const Matrix& R, const Labels& labels, int K) {
  const Eigen::Index N = R.rows();
  const Matrix J = Matrix::Identity(N, N) - Matrix::Constant(N, N, 1.0 / static_cast<double>(N));
  return R.norm() == 0 ? 0 : (R * J * membership(labels, K)).norm() / R.norm();
}

TEST(Balance, is_equation_3_for_every_node) {
  for (const bool weighted : {false, true}) {
    EXPECT_TRUE(rc::check("random graphs and labels", [weighted] {
      const RandomCase c = random_case(weighted, *rc::gen::arbitrary<std::uint64_t>());
      const Vector found = balance(samples::from_dense(c.R), c.labels, c.K);
      const CountMatrix counts = representative_counts(samples::from_dense(c.R), c.labels, c.K);
      for (Eigen::Index i = 0; i < c.N; ++i) {
        RC_ASSERT(found[i] == rho(c.R, c.labels, c.K, i));
        for (Label k = 0; k < c.K; ++k) {
          int expected = 0;
          for (Eigen::Index j = 0; j < c.N; ++j) {
            expected += c.R(i, j) != 0 && c.labels[static_cast<std::size_t>(j)] == k ? 1 : 0;
          }
          RC_ASSERT(counts(i, k) == expected);
        }
      }
    }));
  }
}

// In the order in which threads add.
double mean_of_ranges(const Vector& x) {
  double sum = 0;
  for (Eigen::Index begin = 0; begin < x.size(); begin += 4096) {
    double part = 0;
    for (Eigen::Index i = begin; i < std::min(begin + 4096, x.size()); ++i) part += x[i];
    sum += part;
  }
  return sum / static_cast<double>(x.size());
}

// Up to 4096 cells evaluate() counts groups in a table; the other functions sort nodes by group.
TEST(Evaluate, gives_the_bytes_of_each_function_for_groups) {
  for (const int num_groups : {1, 5, 60, 700}) {
    RandomStream random(static_cast<std::uint64_t>(num_groups));
    constexpr int N = 150'000;
    constexpr int K = 7;
    const Labels labels = random_labels(N, K - 1, random);  // one cluster is empty
    const Labels groups = random_labels(N, num_groups, random);
    const Metrics found = evaluate_groups(
        Graph(std::vector<Offset>(N + 1, 0), {}, {}, NodeNames(N, 0)), groups, labels, K);
    EXPECT_EQ(found.constraint_residual, group_constraint_residual(groups, labels, K));
    const Vector rho = group_balance(groups, labels, K);
    const Vector proportional = proportional_balance(Representation(groups), labels, K);
    EXPECT_EQ(found.minimum_balance, rho.minCoeff());
    EXPECT_EQ(found.minimum_proportional_balance, proportional.minCoeff());
    EXPECT_EQ(found.average_balance, mean_of_ranges(rho));
    EXPECT_EQ(average_balance(Representation(groups), labels, K), mean_of_ranges(rho));
    EXPECT_EQ(found.average_proportional_balance, mean_of_ranges(proportional));
    ASSERT_TRUE(found.group_fairness);
    const GroupFairness fairness = group_fairness(groups, labels, K);
    EXPECT_EQ(found.group_fairness->average, fairness.average);
    EXPECT_EQ(found.group_fairness->largest_deviation, fairness.largest_deviation);
    EXPECT_EQ(found.group_fairness->smallest_ratio, fairness.smallest_ratio);
  }
}

TEST(ConstraintResidual, is_the_norm_of_RJH_over_that_of_R) {
  for (const bool weighted : {false, true}) {
    EXPECT_TRUE(rc::check("random graphs and labels", [weighted] {
      const RandomCase c = random_case(weighted, *rc::gen::arbitrary<std::uint64_t>());
      const double found = constraint_residual(samples::from_dense(c.R), c.labels, c.K);
      RC_ASSERT(std::abs(found - dense_residual(c.R, c.labels, c.K)) < 1e-12);
    }));
  }
}

TEST(ConstraintResidual, does_not_depend_on_the_unit_of_the_weights) {
  const RandomCase c = random_case(/*weighted=*/true, /*seed=*/2, /*most_nodes=*/40);
  const double expected = dense_residual(c.R, c.labels, c.K);
  ASSERT_GT(expected, 0.01);
  for (const double unit : {1e-300, 1e-200, 1.0, 1e200, 1e300}) {
    const Graph R = samples::from_dense(unit * c.R);
    EXPECT_NEAR(constraint_residual(R, c.labels, c.K), expected, 1e-12) << unit;
  }
  Matrix mixed = Matrix::Identity(4, 4);
  mixed(0, 0) = 1e300;
  mixed(0, 1) = mixed(1, 0) = mixed(0, 2) = mixed(2, 0) = 1e-300;
  // Only row 0 counts: (1/sqrt 2 - ...) with two clusters of two is ||e_0' J H|| = 1/2.
  EXPECT_NEAR(constraint_residual(samples::from_dense(mixed), {0, 1, 1, 0}, 2), 0.5, 1e-15);
}

TEST(Representation, of_groups_is_that_of_the_explicit_block_matrix) {
  EXPECT_TRUE(rc::check("random groups and labels", [] {
    const RandomCase c = random_case(false, *rc::gen::arbitrary<std::uint64_t>(), 20);
    const Graph R = samples::from_dense(samples::block_representation(c.groups));
    RC_ASSERT(group_balance(c.groups, c.labels, c.K) == balance(R, c.labels, c.K));
    RC_ASSERT(std::abs(group_constraint_residual(c.groups, c.labels, c.K) -
                       constraint_residual(R, c.labels, c.K)) < 1e-14);
    const int P = std::min(c.N, 4);
    if (*std::max_element(c.groups.begin(), c.groups.end()) >= P) return;
    const CountMatrix by_node = representative_counts(R, c.labels, c.K);
    const CountMatrix by_group = group_counts(c.groups, P, c.labels, c.K);
    RC_ASSERT(by_group.rows() == P);
    for (Eigen::Index i = 0; i < c.N; ++i) {
      const Label group = c.groups[static_cast<std::size_t>(i)];
      RC_ASSERT(by_group.row(group) == by_node.row(i));
    }
  }));
}

TEST(Representation, is_perfect_where_every_group_is_spread_in_proportion) {
  // Groups of 3 and 6; clusters of 3 and 6: each group has one third of its nodes in cluster 0.
  const Labels groups{0, 0, 0, 1, 1, 1, 1, 1, 1};
  const Labels labels{0, 1, 1, 0, 0, 1, 1, 1, 1};
  EXPECT_EQ(group_constraint_residual(groups, labels, 2), 0);
  const Graph R = samples::from_dense(samples::block_representation(groups));
  EXPECT_EQ(constraint_residual(R, labels, 2), 0);
  EXPECT_EQ(group_balance(groups, labels, 2), Vector::Constant(9, 0.5));
  // All of group 0 in cluster 0: no balance at all.
  const Labels split{0, 0, 0, 1, 1, 1, 1, 1, 1};
  EXPECT_EQ(balance(R, split, 2), Vector::Zero(9));
  EXPECT_GT(constraint_residual(R, split, 2), 0.1);
}

TEST(Representation, takes_any_numbers_for_groups_but_not_negative_ones) {
  const Labels labels{0, 1, 0, 1};
  const Labels far{7, 7, 2'000'000'000, 2'000'000'000};
  EXPECT_EQ(group_balance(far, labels, 2), Vector::Ones(4));
  EXPECT_EQ(group_constraint_residual(far, labels, 2), 0);
  EXPECT_THROW((void)group_balance({0, -1, 0, 0}, labels, 2), InvalidInput);
  EXPECT_THROW((void)group_constraint_residual({0, 0, 0}, labels, 2), InvalidInput);
  EXPECT_THROW((void)group_counts(far, 2, labels, 2), InvalidInput);
  const Graph R = samples::from_dense(Matrix::Identity(3, 3));
  EXPECT_THROW((void)balance(R, labels, 2), InvalidInput);
  EXPECT_THROW((void)constraint_residual(R, labels, 2), InvalidInput);
  EXPECT_THROW((void)representative_counts(R, {0, 1, 3}, 3), InvalidInput);
}

TEST(Evaluate, collects_every_metric) {
  const RandomCase c = random_case(true, 2, 60);
  ASSERT_GT(c.K, 1);
  const Graph A = samples::from_dense(c.A);
  const Graph R = samples::from_dense(c.R);
  const Metrics alone = evaluate(A, c.labels, c.K);
  EXPECT_EQ(alone.ratio_cut, ratio_cut(A, c.labels, c.K));
  EXPECT_EQ(alone.normalized_cut, normalized_cut(A, c.labels, c.K));
  EXPECT_EQ(alone.cluster_sizes, cluster_sizes(c.labels, c.K));
  EXPECT_TRUE(std::isnan(alone.average_balance));
  EXPECT_TRUE(std::isnan(alone.minimum_balance));
  EXPECT_TRUE(std::isnan(alone.constraint_residual));
  EXPECT_TRUE(std::isnan(alone.average_proportional_balance));
  EXPECT_TRUE(std::isnan(alone.minimum_proportional_balance));

  const Metrics both = evaluate(A, R, c.labels, c.K);
  EXPECT_EQ(both.ratio_cut, alone.ratio_cut);
  EXPECT_NEAR(both.average_balance, balance(R, c.labels, c.K).mean(), 1e-14);
  EXPECT_EQ(average_balance(R, c.labels, c.K), both.average_balance);
  EXPECT_EQ(both.minimum_balance, balance(R, c.labels, c.K).minCoeff());
  EXPECT_EQ(both.constraint_residual, constraint_residual(R, c.labels, c.K));

  const Metrics grouped = evaluate_groups(A, c.groups, c.labels, c.K);
  EXPECT_NEAR(grouped.average_balance, group_balance(c.groups, c.labels, c.K).mean(), 1e-14);
  EXPECT_EQ(grouped.minimum_balance, group_balance(c.groups, c.labels, c.K).minCoeff());
  EXPECT_EQ(grouped.constraint_residual, group_constraint_residual(c.groups, c.labels, c.K));
  EXPECT_THROW((void)evaluate(A, samples::from_dense(Matrix::Identity(2, 2)), c.labels, c.K),
               InvalidInput);
  EXPECT_THROW((void)average_balance(R, {0, 1}, 2), InvalidInput);
  EXPECT_TRUE(std::isnan(average_balance(Representation(Labels()), {}, 1)));
}

TEST(Evaluate, gives_the_same_bytes_on_any_number_of_threads) {
  // A ring in which everybody knows four nodes on either side, with uneven weights: several chunks.
  const Index N = 9000;
  std::vector<Edge> edges;
  std::vector<double> weights;
  RandomStream random(4);
  for (Index i = 0; i < N; ++i) {
    for (Index step = 1; step <= 4; ++step) {
      edges.push_back({i, (i + step) % N});
      weights.push_back(0.1 + random.uniform());
    }
  }
  const Graph graph = build_graph(NodeNames(N, 0), edges, weights, SelfLoops::add).graph;
  const Labels labels = random_labels(N, 3, random);
  set_num_threads(1);
  const Metrics one = evaluate(graph, graph, labels, 3);
  for (const int threads : {2, 3}) {
    set_num_threads(threads);
    const Metrics many = evaluate(graph, graph, labels, 3);
    EXPECT_EQ(many.ratio_cut, one.ratio_cut);
    EXPECT_EQ(many.normalized_cut, one.normalized_cut);
    EXPECT_EQ(many.average_balance, one.average_balance);
    EXPECT_EQ(many.constraint_residual, one.constraint_residual);
    EXPECT_EQ(many.average_proportional_balance, one.average_proportional_balance);
    EXPECT_EQ(many.modularity, one.modularity);
    EXPECT_EQ(many.conductance, one.conductance);
  }
  set_num_threads({});
  EXPECT_GT(one.constraint_residual, 0);
  EXPECT_GT(one.average_balance, 0);
}

}  // namespace
}  // namespace repsc
