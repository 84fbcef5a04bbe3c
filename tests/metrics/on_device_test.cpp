// Metrics on a device (or on the host twin of its kernels) against brute force over dense matrices,
// and against the CPU.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <numeric>
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
                              {"weighted, 64 clusters", 400, 64, 0.5, true},
                              {"weighted, one cluster", 60, 1, 0.2, true},
                              {"weighted, with isolated nodes", 500, 4, 0.002, true},
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

#if defined(__FP_FAST_FMA)
constexpr double fused = 1e-14;  // of residuals: a product and a sum may be rounded together
#else
constexpr double fused = 0;
#endif

/// min over k, l of n_k / n_l with 0/0 = 1.
template <typename Real>
Real smallest_ratio(const std::vector<Real>& n) {
  Real smallest = std::numeric_limits<Real>::infinity();
  for (const Real a : n) {
    for (const Real b : n) smallest = std::min(smallest, a == 0 && b == 0 ? 1 : a / b);
  }
  return smallest;
}

/// ||R J H|| / ||R|| by the dense matrices, J = I - 11'/N and H_jk = 1/sqrt(n_k) for j in C_k.
template <typename Real>
Real dense_residual(const Matrix& R, const Labels& labels, const std::vector<Index>& sizes) {
  const Eigen::Index N = R.rows();
  Real squared_RJH = 0;
  Real squared_R = 0;
  for (Eigen::Index i = 0; i < N; ++i) {
    Real mean = 0;  // (R J)_ij = R_ij - the mean of row i
    for (Eigen::Index j = 0; j < N; ++j) {
      const Real weight = R(i, j);
      mean += weight / static_cast<Real>(N);
      squared_R += weight * weight;
    }
    std::vector<Real> row(sizes.size(), 0);
    for (Eigen::Index j = 0; j < N; ++j) {
      const auto k = static_cast<std::size_t>(labels[static_cast<std::size_t>(j)]);
      row[k] += (R(i, j) - mean) / std::sqrt(static_cast<Real>(sizes[k]));
    }
    for (const Real x : row) squared_RJH += x * x;
  }
  return squared_R == 0 ? 0 : std::sqrt(squared_RJH / squared_R);
}

/// By the definitions. `Real`: double, or long double, in which no weight is extreme.
template <typename Real>
BalanceSummary by_definition(const Matrix& R, const Labels& labels, const std::vector<Index>& sizes,
                             Counting counting) {
  const Eigen::Index N = R.rows();
  Real rho_sum = 0;
  Real proportional_sum = 0;
  Real least_rho = 1;
  Real least_proportional = 1;
  for (Eigen::Index i = 0; i < N; ++i) {
    std::vector<Real> counts(sizes.size(), 0);
    std::vector<Real> rates;
    for (Eigen::Index j = 0; j < N; ++j) {
      const auto k = static_cast<std::size_t>(labels[static_cast<std::size_t>(j)]);
      if (R(i, j) != 0) counts[k] += counting == Counting::links ? 1 : R(i, j);
    }
    for (std::size_t k = 0; k < sizes.size(); ++k)
      if (sizes[k] > 0) rates.push_back(counts[k] / static_cast<Real>(sizes[k]));
    const Real rho = smallest_ratio(counts);
    const Real proportional = smallest_ratio(rates);
    rho_sum += rho;
    proportional_sum += proportional;
    least_rho = std::min(least_rho, rho);
    least_proportional = std::min(least_proportional, proportional);
  }
  const auto nodes = static_cast<Real>(N);
  return {static_cast<double>(rho_sum / nodes), static_cast<double>(least_rho),
          static_cast<double>(proportional_sum / nodes), static_cast<double>(least_proportional),
          static_cast<double>(dense_residual<Real>(R, labels, sizes))};
}

/// Averages and the residual but for rounding; the minima, too, where they are of weights.
void expect_near(const BalanceSummary& found, const BalanceSummary& expected, double of_minima,
                 const std::string& what) {
  constexpr double rounding = 1e-12;
  EXPECT_NEAR(found.average_rho, expected.average_rho, rounding) << what;
  EXPECT_NEAR(found.average_proportional, expected.average_proportional, rounding) << what;
  EXPECT_NEAR(found.minimum_rho, expected.minimum_rho, of_minima) << what;
  EXPECT_NEAR(found.minimum_proportional, expected.minimum_proportional, of_minima) << what;
  EXPECT_NEAR(found.constraint_residual, expected.constraint_residual, rounding) << what;
}

constexpr std::array countings{Counting::links, Counting::weights};
std::string name_of(Counting counting) {
  return counting == Counting::links ? ", links" : ", weights";
}

TEST(BalanceOnDevice, is_its_definition) {
  for (const Case& one : cases) {
    if (one.K > 64) continue;
    const Problem given(one, 7);
    const Graph R = from_dense(given.A);
    const std::vector<Index> sizes = cluster_sizes(given.labels, one.K);
    for (const Counting counting : countings) {
      const auto found = balance_on_device(device(), R, given.labels, sizes, counting);
      ASSERT_TRUE(found) << one.what;
      const bool sums_of_weights = one.weighted && counting == Counting::weights;
      expect_near(*found, by_definition<double>(given.A, given.labels, sizes, counting),
                  sums_of_weights ? 1e-12 : 0, one.what + name_of(counting));
    }
  }
}

/// The bytes of the CPU, for at most 4096 nodes.
void expect_cpu(const BalanceSummary& found, const Graph& R, const Labels& labels, int K,
                Counting counting, const std::string& what) {
  const Vector rho = balance(R, labels, K, counting);
  const Vector proportional = proportional_balance(R, labels, K, counting);
  const auto N = static_cast<double>(R.num_nodes());
  EXPECT_EQ(found.average_rho, std::accumulate(rho.begin(), rho.end(), 0.0) / N) << what;
  EXPECT_EQ(found.average_proportional,
            std::accumulate(proportional.begin(), proportional.end(), 0.0) / N)
      << what;
  EXPECT_EQ(found.minimum_rho, rho.minCoeff()) << what;
  EXPECT_EQ(found.minimum_proportional, proportional.minCoeff()) << what;
  EXPECT_NEAR(found.constraint_residual, constraint_residual(R, labels, K), fused) << what;
}

/// Weights 1 to 4 times unit(i, j) for a sixth of all pairs; the last node has no entries.
template <typename Unit>
Matrix weights_in_units(Index N, const Unit& unit) {
  std::mt19937 random(11);
  std::uniform_int_distribution<int> size(-20, 4);
  Matrix R = Matrix::Zero(N, N);
  for (Index i = 0; i < N - 1; ++i) {
    for (Index j = 0; j <= i; ++j) R(i, j) = R(j, i) = std::max(size(random), 0) * unit(i, j);
  }
  return R;
}

TEST(BalanceOnDevice, takes_weights_of_any_size) {
  constexpr Index N = 96;
  constexpr std::array units{5e-324, 1e-300, 1.0, 1e300, 4e307};
  struct Weights {
    std::string what;
    Matrix R;
  };
  std::vector<Weights> all;
  for (const double unit : units) {
    all.push_back({"10^" + std::to_string(std::log10(unit)),
                   weights_in_units(N, [&](Index, Index) { return unit; })});
  }
  // Rows of each unit without others, and rows of all units.
  all.push_back({"a unit for each row", weights_in_units(N, [&](Index i, Index j) {
                   return i % 5 == j % 5 ? units[static_cast<std::size_t>(i % 5)] : 0;
                 })});
  all.push_back({"all units in a row", weights_in_units(N, [&](Index i, Index j) {
                   return units[static_cast<std::size_t>((i + j) % 5)];
                 })});
  for (const Weights& one : all) {
    const Graph R = from_dense(one.R);
    ASSERT_EQ(R.num_neighbors(N - 1), 0);
    for (const auto& [K, filled] : {std::pair{1, 1}, {3, 3}, {3, 2}, {64, 64}, {64, 63}}) {
      const Labels labels = samples::shuffled_labels(N, filled, 5);
      const std::vector<Index> sizes = cluster_sizes(labels, K);
      for (const Counting counting : countings) {
        const std::string what = one.what + ", " + std::to_string(filled) + " of " +
                                 std::to_string(K) + " clusters" + name_of(counting);
        const auto found = balance_on_device(device(), R, labels, sizes, counting);
        ASSERT_TRUE(found) << what;
        expect_near(*found, by_definition<long double>(one.R, labels, sizes, counting), 1e-12,
                    what);
        expect_cpu(*found, R, labels, K, counting, what);
      }
    }
  }
}

/// Equal to the byte; cuts but for `rounding`.
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
  if (std::isnan(expected.constraint_residual)) {
    EXPECT_TRUE(std::isnan(found.constraint_residual)) << what;
  } else {
    EXPECT_NEAR(found.constraint_residual, expected.constraint_residual, fused) << what;
  }
}

TEST(EvaluateOnDevice, gives_the_numbers_of_the_cpu) {
  for (const Case& one : cases) {
    const Problem given(one);
    const Problem rule({one.what, one.N, one.K, one.density}, 5);
    const Graph G = from_dense(given.A);
    const double rounding = one.weighted ? 1e-12 : 0;
    expect_same(evaluate(G, given.labels, one.K, device()), evaluate(G, given.labels, one.K),
                rounding, one.what);
    const double cut = normalized_cut(G, given.labels, one.K);
    EXPECT_NEAR(normalized_cut(G, given.labels, one.K, device()), cut, rounding * cut) << one.what;
    const Labels groups(given.labels.rbegin(), given.labels.rend());
    for (const Representation& R :
         {Representation(from_dense(rule.A)), Representation(G), Representation(groups)}) {
      for (const Counting counting : {Counting::links, Counting::weights}) {
        expect_same(evaluate(G, R, given.labels, one.K, counting, device()),
                    evaluate(G, R, given.labels, one.K, counting), rounding, one.what);
      }
      EXPECT_EQ(average_balance(R, given.labels, one.K, device()),
                average_balance(R, given.labels, one.K))
          << one.what;
    }
  }
}

/// 10,000 rows, which need not be symmetric here; labels from 0 to 6.
struct ManyRows {
  static constexpr Index N = 10'000;
  Labels labels;
  std::vector<Offset> offsets{0};
  std::vector<Index> neighbors;

  ManyRows();
  [[nodiscard]] Graph graph(std::vector<double> weights) const {
    return {offsets, neighbors, std::move(weights), NodeNames(N, 0)};
  }
};

ManyRows::ManyRows() {
  std::mt19937 random(2);
  std::uniform_int_distribution<Index> any(1, 60);
  for (Index i = 0; i < N; ++i) {
    for (Index j = any(random); j < N; j += 40 * any(random)) neighbors.push_back(j);
    offsets.push_back(static_cast<Offset>(neighbors.size()));
    labels.push_back(any(random) % 7);
  }
}

// More ranges of rows than one, in which averages and norms are added up.
TEST(EvaluateOnDevice, adds_up_many_rows_as_the_cpu_does) {
  const ManyRows rows;
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(0.1, 1);
  std::vector<double> weights(rows.neighbors.size());
  for (double& weight : weights) weight = uniform(random);
  for (const auto& given : {std::vector<double>{}, weights}) {
    const Graph G = rows.graph(given);
    for (const Counting counting : countings) {
      ASSERT_TRUE(
          balance_on_device(device(), G, rows.labels, cluster_sizes(rows.labels, 7), counting));
      expect_same(evaluate(G, G, rows.labels, 7, counting, device()),
                  evaluate(G, G, rows.labels, 7, counting), given.empty() ? 0 : 1e-12,
                  "many rows" + name_of(counting));
    }
  }
}

TEST(EvaluateOnDevice, leaves_to_the_cpu_what_a_device_does_not_take) {
  const Case many{"many clusters", 600, 513, 0.05};
  const Problem given(many);
  const Graph G = from_dense(given.A);
  EXPECT_FALSE(edge_weights_on_device(device(), G, given.labels, 513));
  EXPECT_FALSE(edge_weights_on_device(nullptr, G, given.labels, 513));
  expect_same(evaluate(G, G, given.labels, 513, Counting::links, device()),
              evaluate(G, G, given.labels, 513), 0, many.what);
}

TEST(EvaluateOnDevice, leaves_balances_over_more_than_64_clusters_to_the_cpu) {
  for (const bool weighted : {false, true}) {
    const Problem given({"65 clusters", 300, 65, 0.4, weighted});
    const Graph G = from_dense(given.A);
    for (const Counting counting : countings) {
      EXPECT_FALSE(
          balance_on_device(device(), G, given.labels, cluster_sizes(given.labels, 65), counting));
      expect_same(evaluate(G, G, given.labels, 65, counting, device()),
                  evaluate(G, G, given.labels, 65, counting), weighted ? 1e-12 : 0,
                  "65 clusters" + name_of(counting));
    }
  }
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
    for (const Counting counting : countings) {
      const Metrics expected = evaluate(G, G, given.labels, one.K, counting);
      for (const std::int64_t room :
           {DeviceGraph::unlimited, std::int64_t{0}, std::int64_t{20'000}}) {
        // With little room most rows are copied from the host once more.
        const DeviceUpload upload(device(), {G.offsets(), G.neighbors(), G.weights()}, room);
        ASSERT_TRUE(edge_weights_on_device(device(), G, given.labels, one.K));
        ASSERT_TRUE(balance_on_device(device(), G, given.labels, cluster_sizes(given.labels, one.K),
                                      counting));
        expect_same(evaluate(G, G, given.labels, one.K, counting, device()), expected,
                    one.weighted ? 1e-12 : 0, one.what + name_of(counting));
      }
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
