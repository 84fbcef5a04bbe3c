// Metrics on a device (or on the host twin of its kernels) against brute force over dense matrices,
// and against the CPU.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "metrics/on_device.hpp"
#include "repsc/metrics.hpp"
#include "support/device.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

using samples::device;
using samples::from_dense;

struct Case {
  const char* what;
  int N;
  int K;
  double density;
  bool weighted = false;
  bool star = false;           ///< node 0 is linked to all: a long row if there are many nodes
  bool empty_cluster = false;  ///< the last one
};

const std::vector<Case> cases{{"one node", 1, 1, 0},
                              {"one node with a loop", 1, 1, 1},
                              {"no edges", 40, 3, 0},
                              {"one cluster", 60, 1, 0.2},
                              {"sparse, with isolated nodes", 500, 4, 0.002},
                              {"dense", 300, 5, 0.4},
                              {"weighted", 300, 5, 0.05, true},
                              {"empty cluster", 90, 4, 0.3, false, false, true},
                              {"weighted, empty cluster", 90, 4, 0.3, true, false, true},
                              {"64 clusters", 400, 64, 0.5},
                              {"512 clusters", 600, 512, 0.05},
                              {"star", 2300, 3, 0.002, false, true},
                              {"weighted star", 2300, 3, 0.002, true, true}};

struct Problem {
  Matrix A;  ///< symmetric, with self-loops
  Labels labels;

  explicit Problem(const Case& one, unsigned seed = 3) : A(Matrix::Zero(one.N, one.N)) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform;
    for (int i = 0; i < one.N; ++i) {
      for (int j = 0; j <= i; ++j) {
        const bool linked = (one.star && j == 0) || uniform(random) < one.density;
        if (linked) A(i, j) = A(j, i) = one.weighted ? 0.1 + uniform(random) : 1;
      }
    }
    std::uniform_int_distribution<Label> label(0, one.K - (one.empty_cluster ? 2 : 1));
    for (int i = 0; i < one.N; ++i) labels.push_back(label(random));
  }
  [[nodiscard]] Label of(Eigen::Index i) const { return labels[static_cast<std::size_t>(i)]; }
};

TEST(EdgeWeightsOnDevice, are_the_sums_of_entries_by_cluster) {
  for (const Case& one : cases) {
    const Problem given(one);
    const auto found = edge_weights_on_device(device(), from_dense(given.A), given.labels, one.K);
    ASSERT_TRUE(found) << one.what;
    std::vector<long double> leaving(static_cast<std::size_t>(one.K), 0);
    std::vector<long double> volumes(leaving);
    for (Eigen::Index i = 0; i < one.N; ++i) {
      for (Eigen::Index j = 0; j < one.N; ++j) {
        const auto k = static_cast<std::size_t>(given.of(i));
        volumes[k] += given.A(i, j);
        if (given.of(i) != given.of(j)) leaving[k] += given.A(i, j);
      }
    }
    for (std::size_t k = 0; k < volumes.size(); ++k) {
      const double rounding = one.weighted ? 1e-12 * static_cast<double>(volumes[k]) : 0;
      EXPECT_NEAR(found->leaving[k], static_cast<double>(leaving[k]), rounding) << one.what;
      EXPECT_NEAR(found->volumes[k], static_cast<double>(volumes[k]), rounding) << one.what;
      EXPECT_LE(found->leaving[k], found->volumes[k]) << one.what;
    }
    const auto again = edge_weights_on_device(device(), from_dense(given.A), given.labels, one.K);
    EXPECT_EQ(found->leaving, again->leaving);
    EXPECT_EQ(found->volumes, again->volumes);
  }
}

TEST(EdgeWeightsOnDevice, all_leave_where_no_entry_lies_inside) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(1e-9, 1);
  Matrix A = Matrix::Zero(2600, 2600);  // two sides of a bipartite graph, one row of them long
  Labels labels(2600, 0);
  for (Index i = 0; i < 2600; ++i) {
    if (i >= 30) labels[static_cast<std::size_t>(i)] = 1;
    for (Index j = 0; j < 30 && i >= 30; ++j)
      if (j == 0 || uniform(random) < 0.3) A(i, j) = A(j, i) = uniform(random);
  }
  const auto found = edge_weights_on_device(device(), from_dense(A), labels, 2);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->leaving, found->volumes);
}

/// min over k, l of n_k / n_l with 0/0 = 1.
double smallest_ratio(const std::vector<double>& n) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const double a : n) {
    for (const double b : n) smallest = std::min(smallest, a == 0 && b == 0 ? 1 : a / b);
  }
  return smallest;
}

TEST(BalanceOnDevice, is_its_definition) {
  for (const Case& one : cases) {
    if (one.weighted || one.K > 64) continue;
    const Problem given(one, 7);
    const Graph R = from_dense(given.A);
    std::vector<Index> sizes(static_cast<std::size_t>(one.K), 0);
    for (const Label k : given.labels) ++sizes[static_cast<std::size_t>(k)];
    const auto found = balance_on_device(device(), R, given.labels, sizes);
    ASSERT_TRUE(found) << one.what;

    BalanceSummary expected{0, 1, 0, 1, 0};
    Matrix H = Matrix::Zero(one.N, one.K);
    for (Eigen::Index i = 0; i < one.N; ++i)
      H(i, given.of(i)) = 1 / std::sqrt(sizes[static_cast<std::size_t>(given.of(i))]);
    for (Eigen::Index i = 0; i < one.N; ++i) {
      std::vector<double> counts(sizes.size(), 0);
      std::vector<double> rates;
      for (Eigen::Index j = 0; j < one.N; ++j)
        if (given.A(i, j) != 0) counts[static_cast<std::size_t>(given.of(j))] += 1;
      for (std::size_t k = 0; k < sizes.size(); ++k)
        if (sizes[k] > 0) rates.push_back(counts[k] / sizes[k]);
      const double rho = smallest_ratio(counts);
      const double proportional = smallest_ratio(rates);
      expected.average_rho += rho / one.N;
      expected.average_proportional += proportional / one.N;
      expected.minimum_rho = std::min(expected.minimum_rho, rho);
      expected.minimum_proportional = std::min(expected.minimum_proportional, proportional);
    }
    const Matrix centered = given.A.rowwise() - Eigen::RowVectorXd(given.A.colwise().mean());
    if (given.A.norm() > 0)  // R is symmetric: ||R J H|| = ||(J R)' H||
      expected.constraint_residual = (centered.transpose() * H).norm() / given.A.norm();
    EXPECT_NEAR(found->average_rho, expected.average_rho, 1e-12) << one.what;
    EXPECT_NEAR(found->average_proportional, expected.average_proportional, 1e-12) << one.what;
    EXPECT_EQ(found->minimum_rho, expected.minimum_rho) << one.what;
    EXPECT_EQ(found->minimum_proportional, expected.minimum_proportional) << one.what;
    EXPECT_NEAR(found->constraint_residual, expected.constraint_residual, 1e-12) << one.what;
  }
}

/// Equal to the byte, but for sums of weights.
void expect_same(const Metrics& found, const Metrics& expected, double rounding,
                 const std::string& what) {
  const auto near = [&](double one, double other) {
    EXPECT_NEAR(one, other, rounding * std::abs(other)) << what;
  };
  near(found.ratio_cut, expected.ratio_cut);
  near(found.normalized_cut, expected.normalized_cut);
  EXPECT_NEAR(found.modularity, expected.modularity, rounding) << what;
  near(found.internal_edge_share, expected.internal_edge_share);
  for (std::size_t k = 0; k < expected.conductance.size(); ++k) {
    near(found.conductance[k], expected.conductance[k]);
    near(found.cluster_internal_shares[k], expected.cluster_internal_shares[k]);
  }
  EXPECT_EQ(found.cluster_sizes, expected.cluster_sizes);
  EXPECT_EQ(found.counting, expected.counting);
  EXPECT_EQ(found.group_fairness.has_value(), expected.group_fairness.has_value());
  const auto same = [&](double one, double other) {
    EXPECT_TRUE(one == other || (std::isnan(one) && std::isnan(other)))
        << what << ": " << one << " and " << other;
  };
  same(found.average_balance, expected.average_balance);
  same(found.minimum_balance, expected.minimum_balance);
  same(found.average_proportional_balance, expected.average_proportional_balance);
  same(found.minimum_proportional_balance, expected.minimum_proportional_balance);
  same(found.constraint_residual, expected.constraint_residual);
}

TEST(EvaluateOnDevice, gives_the_numbers_of_the_cpu) {
  for (const Case& one : cases) {
    const Problem given(one);
    const Problem rule({one.what, one.N, one.K, one.density}, 5);
    const Graph G = from_dense(given.A);
    const double rounding = one.weighted ? 1e-12 : 0;
    expect_same(evaluate(G, given.labels, one.K, device()), evaluate(G, given.labels, one.K),
                rounding, one.what);
    const Labels groups(given.labels.rbegin(), given.labels.rend());
    for (const Representation& R :
         {Representation(from_dense(rule.A)), Representation(G), Representation(groups)}) {
      for (const Counting counting : {Counting::links, Counting::weights}) {
        expect_same(evaluate(G, R, given.labels, one.K, counting, device()),
                    evaluate(G, R, given.labels, one.K, counting), rounding, one.what);
      }
    }
  }
}

// More ranges of rows than one, in which averages and norms are added up.
TEST(EvaluateOnDevice, adds_up_many_rows_as_the_cpu_does) {
  constexpr Index N = 10'000;
  std::mt19937 random(2);
  std::uniform_int_distribution<Index> any(1, 60);
  std::vector<Offset> offsets{0};
  std::vector<Index> neighbors;
  Labels labels;
  for (Index i = 0; i < N; ++i) {  // rows need not be symmetric here
    for (Index j = any(random); j < N; j += 40 * any(random)) neighbors.push_back(j);
    offsets.push_back(static_cast<Offset>(neighbors.size()));
    labels.push_back(any(random) % 7);
  }
  const Graph G(std::move(offsets), std::move(neighbors), {}, NodeNames(N, 0));
  expect_same(evaluate(G, G, labels, 7, Counting::links, device()), evaluate(G, G, labels, 7), 0,
              "many rows");
}

TEST(EvaluateOnDevice, leaves_to_the_cpu_what_a_device_does_not_take) {
  const Case many{"many clusters", 600, 513, 0.05};
  const Problem given(many);
  const Graph G = from_dense(given.A);
  EXPECT_FALSE(edge_weights_on_device(device(), G, given.labels, 513));
  EXPECT_FALSE(edge_weights_on_device(nullptr, G, given.labels, 513));
  EXPECT_FALSE(balance_on_device(device(), G, given.labels, cluster_sizes(given.labels, many.K)));
  expect_same(evaluate(G, G, given.labels, 513, Counting::links, device()),
              evaluate(G, G, given.labels, 513), 0, many.what);
  const Case weights{"weights", 30, 3, 0.5, true};
  const Problem weighted(weights);
  EXPECT_FALSE(balance_on_device(device(), from_dense(weighted.A), weighted.labels,
                                 cluster_sizes(weighted.labels, 3)));
}

TEST(EvaluateOnDevice, survives_a_device_without_memory) {
  static repsc_cuda_functions table = *repsc_cuda();
  const auto full = std::make_shared<CudaDevice>(table, 0);
  table.allocate = [](repsc_cuda_context*, std::int64_t) -> void* { return nullptr; };
  const Problem given({"any", 50, 3, 0.3});
  const Graph G = from_dense(given.A);
  EXPECT_FALSE(edge_weights_on_device(full, G, given.labels, 3));
  expect_same(evaluate(G, G, given.labels, 3, Counting::links, full),
              evaluate(G, G, given.labels, 3), 0, "no memory");
}

TEST(EvaluateOnDevice, uses_a_graph_that_is_there) {
  for (const Case& one : cases) {
    if (one.K > 64) continue;
    const Problem given(one);
    const Graph G = from_dense(given.A);
    const Metrics expected = evaluate(G, G, given.labels, one.K);
    for (const std::int64_t room :
         {DeviceGraph::unlimited, std::int64_t{0}, std::int64_t{20'000}}) {
      // With little room most rows are copied from the host once more.
      const DeviceUpload upload(device(), {G.offsets(), G.neighbors(), G.weights()}, room);
      expect_same(evaluate(G, G, given.labels, one.K, Counting::links, device()), expected,
                  one.weighted ? 1e-12 : 0, one.what);
    }
  }
}

TEST(EvaluateOnDevice, refuses_labels_of_another_number) {
  const Problem given({"any", 50, 3, 0.3});
  const Graph R = from_dense(Matrix::Identity(2, 2));
  EXPECT_THROW((void)evaluate(from_dense(given.A), R, given.labels, 3, Counting::links, device()),
               InvalidInput);
}

}  // namespace
}  // namespace repsc
