// Lemma D.2 and the eigengap against dense matrices: expected matrices as in Definition 4.1, null
// spaces from a singular value decomposition, Q as an explicit matrix square root.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "repsc/models.hpp"
#include "repsc/theory.hpp"
#include "support/errors.hpp"

namespace repsc {
namespace {

using Dense = Eigen::MatrixXd;

/// A representation graph with the model it belongs to.
struct Instance {
  Graph R;
  Labels clusters;
  RppModel model;
};

/// The graph of a symmetric predicate over nodes.
template <typename Linked>
Graph graph_of(Index N, const Linked& linked) {
  std::vector<Offset> offsets{0};
  std::vector<Index> neighbors;
  for (Index u = 0; u < N; ++u) {
    for (Index v = 0; v < N; ++v) {
      if (linked(u, v)) neighbors.push_back(v);
    }
    offsets.push_back(static_cast<Offset>(neighbors.size()));
  }
  return {std::move(offsets), std::move(neighbors), {}, NodeNames(N, 1)};
}

RppModel with_sizes(RppModel model, Index N, Index K, Index d) {
  model.num_nodes = N;
  model.num_clusters = K;
  model.degree = d;
  return model;
}

/// `cliques` disjoint cliques that each take m nodes of every cluster: d = K m.
Instance clique_instance(Index K, Index cliques, Index m, const RppModel& probabilities) {
  const Index n = cliques * m;
  const Graph R =
      graph_of(K * n, [&](Index u, Index v) { return (u % n) % cliques == (v % n) % cliques; });
  return {R, equal_clusters(K * n, K), with_sizes(probabilities, K * n, K, K * m)};
}

/// A random R of Assumption 4.1 whose nodes are each replaced by `twins` nodes with the same rows:
/// still of Assumption 4.1, now with a large null space.
Instance twin_instance(Index K, Index n, Index m, Index twins, std::uint64_t seed,
                       const RppModel& probabilities) {
  const Graph small = sample_regular_representation(K * n, K, K * m, seed);
  const Index N = K * n * twins;
  const Graph R =
      graph_of(N, [&](Index u, Index v) { return small.has_edge(u / twins, v / twins); });
  return {R, equal_clusters(N, K), with_sizes(probabilities, N, K, K * m * twins)};
}

/// A~: Definition 4.1 with p on the diagonal.
Dense expected_matrix(const Instance& instance) {
  const Index N = instance.R.num_nodes();
  const auto& [num_nodes, num_clusters, degree, p, q, r, s] = instance.model;
  Dense A(N, N);
  for (Index i = 0; i < N; ++i) {
    for (Index j = 0; j < N; ++j) {
      const bool same = instance.clusters[static_cast<std::size_t>(i)] ==
                        instance.clusters[static_cast<std::size_t>(j)];
      const bool linked = i == j || instance.R.has_edge(i, j);
      A(i, j) = linked ? (same ? p : q) : (same ? r : s);
    }
  }
  return A;
}

Dense null_space_by_svd(const Graph& R) {
  const Index N = R.num_nodes();
  Dense dense = Dense::Zero(N, N);
  for (Index u = 0; u < N; ++u) {
    for (const Index v : R.neighbors(u)) dense(u, v) = 1;
  }
  const Dense J = Dense::Identity(N, N) - Dense::Constant(N, N, 1.0 / N);
  const Eigen::JacobiSVD<Dense> svd(dense * J, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const auto rank = (svd.singularValues().array() > 1e-9).count();
  return svd.matrixV().rightCols(N - rank);
}

/// gamma as Theorems 4.1 and 4.2 define it.
double dense_eigengap(const Instance& instance, bool normalized) {
  const Index N = instance.R.num_nodes();
  const Dense A = expected_matrix(instance) - instance.model.p * Dense::Identity(N, N);
  const Dense D = A.rowwise().sum().asDiagonal();
  const Dense Y = null_space_by_svd(instance.R);
  Dense M = Y.transpose() * (D - A) * Y;
  if (normalized) {
    const Dense Q = Eigen::SelfAdjointEigenSolver<Dense>(Y.transpose() * D * Y).operatorSqrt();
    M = Q.inverse() * M * Q.inverse();
  }
  const auto K = static_cast<Eigen::Index>(instance.model.num_clusters);
  if (Y.cols() <= K) return NAN;
  const Eigen::VectorXd mu = Eigen::SelfAdjointEigenSolver<Dense>(M).eigenvalues();
  return mu[K] - mu[K - 1];
}

const RppModel paper{.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1};      // c = 0
const RppModel positive{.p = 0.9, .q = 0.4, .r = 0.2, .s = 0.1};   // c = 0.4
const RppModel negative{.p = 0.5, .q = 0.5, .r = 0.4, .s = 0.05};  // c = -0.35
const RppModel extreme{.p = 1.0, .q = 1.0, .r = 1.0, .s = 0.0};    // c = -1

std::vector<Instance> instances() {
  std::vector<Instance> all;
  for (const RppModel& model : {paper, positive, negative, extreme}) {
    all.push_back(clique_instance(2, 3, 2, model));
    all.push_back(clique_instance(3, 4, 1, model));  // d = K
    all.push_back(clique_instance(4, 2, 5, model));
    all.push_back(twin_instance(2, 6, 3, 2, 1, model));
    all.push_back(twin_instance(2, 10, 8, 3, 2, model));  // d > N/2
    all.push_back(twin_instance(3, 5, 3, 4, 3, model));
    all.push_back(twin_instance(4, 6, 2, 2, 4, model));
    all.push_back(twin_instance(3, 4, 4, 2, 5, model));  // d = N
    all.push_back(clique_instance(1, 4, 3, model));      // one cluster
  }
  return all;
}

TEST(ExpectedEigenvalues, are_those_of_the_expected_matrix_with_multiplicity_K_minus_1) {
  for (const Instance& instance : instances()) {
    const Index N = instance.R.num_nodes();
    const auto K = static_cast<Index>(instance.model.num_clusters);
    const Dense A = expected_matrix(instance);
    const auto [lambda_1, lambda_2] = expected_eigenvalues(instance.model);
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(N);
    EXPECT_LT((A * ones - lambda_1 * ones).norm(), 1e-10);
    for (Index k = 0; k + 1 < K; ++k) {
      Eigen::VectorXd u = Eigen::VectorXd::Constant(N, -1.0 / (K - 1));
      u.segment(k * (N / K), N / K).setOnes();
      EXPECT_LT((A * u - lambda_2 * u).norm(), 1e-10);
    }
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Dense>(A).eigenvalues();
    EXPECT_NEAR(values[N - 1], lambda_1, 1e-10);
    EXPECT_GE(((values.array() - lambda_2).abs() < 1e-9).count(), K - 1);
  }
}

TEST(ExpectedEigenvalues, give_the_mean_degree_of_sampled_graphs) {
  const Index N = 200;
  const RppModel model = with_sizes(paper, N, 4, 20);
  const Labels clusters = equal_clusters(N, 4);
  const int graphs = 100;
  double entries = 0;
  for (std::uint64_t seed = 0; seed < graphs; ++seed) {
    const Graph R = sample_regular_representation(N, 4, 20, seed);
    entries +=
        static_cast<double>(sample_rpp(R, clusters, {0.4, 0.3, 0.2, 0.1}, seed).num_entries());
  }
  // A graph has N^2/2 pairs of variance near 0.12, so the mean of `graphs` mean degrees has
  // standard deviation near 0.05: enough to see that it is lambda_1 - p and not lambda_1.
  const double deviation = 2 * std::sqrt(0.12 / 2 / graphs);
  EXPECT_NEAR(entries / N / graphs, expected_eigenvalues(model).lambda_1 - model.p, 4 * deviation);
}

TEST(Eigengap, is_that_of_the_definition) {
  for (const Instance& instance : instances()) {
    for (const bool normalized : {false, true}) {
      const double gamma = eigengap(instance.R, instance.clusters, instance.model, normalized);
      EXPECT_NEAR(gamma, dense_eigengap(instance, normalized), 1e-9);
    }
  }
}

TEST(Eigengap, is_that_of_the_definition_for_an_irregular_R_and_unequal_clusters) {
  const Labels groups{0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 0, 1, 2, 1, 1, 1};
  const Labels clusters{0, 1, 0, 2, 1, 0, 1, 1, 2, 0, 1, 0, 0, 2, 0, 1, 0, 2};
  const Graph R = sample_planted_partition(groups, 1, 0, 0, SelfLoops::add);
  const Instance instance{R, clusters, with_sizes(positive, 18, 3, 6)};
  for (const bool normalized : {false, true}) {
    EXPECT_NEAR(eigengap(R, clusters, instance.model, normalized),
                dense_eigengap(instance, normalized), 1e-9);
  }
}

TEST(Eigengap, is_nan_where_the_null_space_has_only_K_dimensions) {
  const Instance instance{sample_regular_representation(40, 2, 12, 1), equal_clusters(40, 2),
                          with_sizes(paper, 40, 2, 12)};
  ASSERT_EQ(null_space_by_svd(instance.R).cols(), 2);
  EXPECT_TRUE(std::isnan(eigengap(instance.R, instance.clusters, instance.model, false)));
  EXPECT_TRUE(std::isnan(eigengap(instance.R, instance.clusters, instance.model, true)));
}

TEST(EigengapBounds, hold_the_eigengap_between_them) {
  for (const Instance& instance : instances()) {
    for (const bool normalized : {false, true}) {
      const double gamma = dense_eigengap(instance, normalized);
      ASSERT_FALSE(std::isnan(gamma));
      const auto [lower, upper] = eigengap_bounds(instance.model, normalized);
      EXPECT_GE(gamma, lower - 1e-9);
      EXPECT_LE(gamma, upper + 1e-9);
    }
  }
}

TEST(EigengapBounds, meet_at_lambda_2_for_the_papers_probabilities) {
  for (const Instance& instance : instances()) {
    const RppModel& model = instance.model;
    if (model.p != paper.p || model.num_clusters == 1) continue;
    const auto [lambda_1, lambda_2] = expected_eigenvalues(model);
    const auto [lower, upper] = eigengap_bounds(model, false);
    EXPECT_NEAR(lower, lambda_2, 1e-12);
    EXPECT_NEAR(upper, lambda_2, 1e-12);
    EXPECT_NEAR(dense_eigengap(instance, false), lambda_2, 1e-9);
    EXPECT_NEAR(eigengap_bounds(model, true).lower, lambda_2 / (lambda_1 - model.p), 1e-12);
    EXPECT_NEAR(dense_eigengap(instance, true), lambda_2 / (lambda_1 - model.p), 1e-9);
  }
}

TEST(EigengapBounds, are_reached_from_below_by_cliques) {
  // c > 0: any cliques. c < 0: cliques with two nodes of each cluster, theta = 0 = 2 - d/K.
  for (const auto& instance :
       {clique_instance(3, 2, 4, positive), clique_instance(2, 5, 2, negative)}) {
    for (const bool normalized : {false, true}) {
      EXPECT_NEAR(dense_eigengap(instance, normalized),
                  eigengap_bounds(instance.model, normalized).lower, 1e-9);
    }
  }
}

TEST(EigengapBounds, meet_where_R_leaves_no_choice) {
  // d = K: R_[k] = I. d = N: R_[k] = 11'. K = 1: R_[1] = R.
  for (const auto& instance :
       {clique_instance(3, 4, 1, positive), twin_instance(3, 4, 4, 2, 5, negative),
        clique_instance(1, 4, 3, positive)}) {
    for (const bool normalized : {false, true}) {
      const auto [lower, upper] = eigengap_bounds(instance.model, normalized);
      EXPECT_NEAR(lower, upper, 1e-12);
      EXPECT_NEAR(dense_eigengap(instance, normalized), lower, 1e-9);
    }
  }
}

TEST(EigengapBounds, hold_for_random_models_and_are_never_negative) {
  EXPECT_TRUE(rc::check("lower <= gamma <= upper", [] {
    const Index K = *rc::gen::inRange(1, 5);
    const Index n = 2 * *rc::gen::inRange(1, 4);
    const Index m = *rc::gen::inRange(1, n + 1);
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000000);
    RandomStream stream(seed);
    std::vector<double> values{stream.uniform(), stream.uniform(), stream.uniform(),
                               stream.uniform()};
    std::sort(values.rbegin(), values.rend());
    const RppModel model{.p = values[0], .q = values[1], .r = values[2], .s = values[3]};
    const Instance instance = twin_instance(K, n, m, 2, seed, model);
    const auto [lower, upper] = eigengap_bounds(instance.model, false);
    RC_ASSERT(lower >= -1e-12);
    const double gamma = eigengap(instance.R, instance.clusters, instance.model, false);
    RC_ASSERT(gamma >= lower - 1e-9);
    RC_ASSERT(gamma <= upper + 1e-9);
  }));
}

TEST(Theory, refuses_models_outside_its_assumptions) {
  const auto option = [](const RppModel& model) {
    const Fault fault = fault_of([&] { return eigengap_bounds(model, false); });
    return joined(fault.option, " = ", fault.value);
  };
  EXPECT_EQ(option(with_sizes(paper, 10, 0, 5)), "num_clusters = 0");
  EXPECT_EQ(option(with_sizes(paper, 10, 6, 5)), "degree = 5");
  EXPECT_EQ(option(with_sizes(paper, 10, 2, 11)), "degree = 11");
  EXPECT_EQ(option({NAN, 2, 4, 0.4, 0.3, 0.2, 0.1}), "num_nodes = nan");
  EXPECT_EQ(option({10, 2, 4, 0.3, 0.4, 0.2, 0.1}), "q = 0.4");
  EXPECT_EQ(option({4, 4, 4, 0.4, 0.3, 0.2, 0.1}), "num_nodes = 4");
  EXPECT_THROW((void)eigengap_bounds({10, 2, 4, 0, 0, 0, 0}, true), InvalidInput);

  const Instance instance = clique_instance(2, 3, 2, paper);
  const auto& [R, clusters, model] = instance;
  EXPECT_THROW((void)eigengap(R, clusters, with_sizes(paper, 13, 2, 4), false), InvalidInput);
  EXPECT_THROW((void)eigengap(R, clusters, with_sizes(paper, 12, 3, 6), false), InvalidInput);
  EXPECT_THROW((void)eigengap(R, {0, 1}, model, false), InvalidInput);
  EXPECT_THROW((void)eigengap(R, clusters, {12, 2, 4, 0, 0, 0, 0}, true), InvalidInput);
  const auto large = sample_planted_partition(equal_clusters(6000, 2), 0, 0, 1, SelfLoops::add);
  EXPECT_THROW((void)eigengap(large, equal_clusters(6000, 2), with_sizes(paper, 6000, 2, 2), false),
               InvalidInput);
}

}  // namespace
}  // namespace repsc
