// Laplacians, constraints and eigenvectors on spread rows, against the paper's formulas with dense
// matrices.
#include "distributed/eigensolver.hpp"

#include <gtest/gtest.h>

#include "distributed/place.hpp"
#include "distributed/ranks.hpp"
#include "linalg/random_block.hpp"
#include "repsc/metrics.hpp"
#include "repsc/models.hpp"
#include "support/paper.hpp"
#include "support/samples.hpp"
#include "support/soft.hpp"

namespace repsc::tests {
namespace {

using Dense = Eigen::MatrixXd;

constexpr Index N = 150;
constexpr int K = 3;

/// G with three clusters, R of rank 12 at most, and four groups.
struct Sample {
  Dense A = samples::random_dense(samples::shuffled_labels(N, K, 1), 0.05, 0.3, 4, true);
  Dense R = samples::quotient_representation(N, 12, 0.3, 9);
  Labels groups = samples::shuffled_labels(N, 4, 5);
  DistributedProblem graph_problem =
      distribute(ranks(), {samples::from_dense(A), samples::from_dense(R)});
  DistributedProblem group_problem =
      distribute(ranks(), {samples::from_dense(A), std::nullopt, groups});

  [[nodiscard]] const SpreadRows& rows() const { return *graph_problem.rows; }
  [[nodiscard]] Dense group_representation() const { return samples::block_representation(groups); }
};

class EveryNormalization : public testing::TestWithParam<Normalization> {
 protected:
  Sample sample;
  DistributedLaplacian L{*sample.graph_problem.similarity, GetParam()};
  bool normalized = GetParam() == Normalization::symmetric;
  Dense D = paper::degrees(sample.A);
  /// S = D^-1/2, or I.
  Dense S = normalized ? Dense(D.diagonal().cwiseSqrt().cwiseInverse().asDiagonal())
                       : Dense(Dense::Identity(N, N));

  /// What `apply` does with each unit vector.
  template <typename Apply>
  Dense as_dense(const Apply& apply) const {
    Matrix X = own_rows(sample.rows(), Matrix::Identity(N, N));
    apply(X);
    return all_rows(sample.rows(), X);
  }
  Dense dense_laplacian() const {
    return as_dense([&](Matrix& X) {
      Matrix Y;
      L.apply(X, Y);
      X = Y;
    });
  }
  /// The projector onto null(C S).
  Dense expected_projector(const Dense& C) const {
    const Dense Y = paper::null_space(C * S);
    return Y * Y.transpose();
  }
  Dense centered(const Dense& R) const { return R * paper::centering(N); }
};
INSTANTIATE_TEST_SUITE_P(Both, EveryNormalization,
                         testing::Values(Normalization::none, Normalization::symmetric));

TEST_P(EveryNormalization, laplacian_is_that_of_the_paper) {
  EXPECT_LT((dense_laplacian() - S * (D - sample.A) * S).norm(), 1e-12 * N);
  const Dense known = all_rows(sample.rows(), L.null_vector());
  EXPECT_NEAR(known.norm(), 1, 1e-12);
  EXPECT_LT((S * (D - sample.A) * S * known).norm(), 1e-11);
}

TEST_P(EveryNormalization, penalty_is_that_of_the_definition) {
  L.penalize(*sample.graph_problem.representation, 2);
  const Dense expected = S * (D - sample.A + 2 * paper::penalty(sample.A, sample.R)) * S;
  EXPECT_LT((dense_laplacian() - expected).norm(), 1e-10 * expected.norm());
}

TEST_P(EveryNormalization, penalty_of_groups_is_that_of_their_block_matrix) {
  L.penalize(*sample.group_problem.representation, 0.5);
  const Dense expected =
      S * (D - sample.A + 0.5 * paper::penalty(sample.A, sample.group_representation())) * S;
  EXPECT_LT((dense_laplacian() - expected).norm(), 1e-10 * expected.norm());
}

TEST_P(EveryNormalization, groups_are_projected_as_their_block_matrix_demands) {
  const auto P = DistributedProjector::of_groups(sample.rows(), *sample.group_problem.groups, L);
  const Dense found = as_dense([&](Matrix& X) { P.apply(X); });
  EXPECT_LT((found - expected_projector(centered(sample.group_representation()))).norm(), 1e-9);
  EXPECT_EQ(P.rank(), 3);
}

TEST_P(EveryNormalization, low_rank_is_the_best_approximation) {
  for (const Index rank : {2, 5}) {
    const auto P = DistributedProjector::of_rank(*sample.graph_problem.representation, L,
                                                 {.rank = rank, .tolerance = 1e-12});
    const Dense approximation = paper::best_approximation(sample.R, rank);
    const Dense found = as_dense([&](Matrix& X) { P.apply(X); });
    EXPECT_LT((found - expected_projector(centered(approximation))).norm(), 1e-7) << rank;
    EXPECT_EQ(P.rank(), rank);
  }
}

TEST_P(EveryNormalization, rank_above_that_of_R_is_R_itself) {
  const auto P = DistributedProjector::of_rank(*sample.graph_problem.representation, L,
                                               {.rank = 40, .tolerance = 1e-12});
  const Dense found = as_dense([&](Matrix& X) { P.apply(X); });
  EXPECT_LT((found - expected_projector(centered(sample.R))).norm(), 1e-7);
  EXPECT_LE(P.rank_used(), 12);
}

TEST_P(EveryNormalization, eigenvectors_are_those_of_the_paper) {
  const auto P = DistributedProjector::of_groups(sample.rows(), *sample.group_problem.groups, L);
  const Dense C = centered(sample.group_representation());
  const paper::Answer expected = normalized ? paper::constrained_normalized(sample.A, C, K)
                                            : paper::constrained(sample.A, C, K);
  for (const auto solver :
       {DistributedSolver::lapack, DistributedSolver::lanczos, DistributedSolver::slepc}) {
    if (solver == DistributedSolver::slepc && !REPSC_HAS_SLEPC) continue;
    const Eigenpairs found = lowest_pairs(L, P, {.count = K, .tolerance = 1e-10}, solver);
    EXPECT_TRUE(found.converged) << found.residual;
    EXPECT_LT((found.values - expected.values).norm(), 1e-8);
    const Dense T = S * all_rows(sample.rows(), found.vectors);
    EXPECT_LT(paper::subspace_distance(T, expected.embedding), 1e-6);
    EXPECT_LT(P.residual(found.vectors), 1e-9);
  }
}

TEST_P(EveryNormalization, soft_eigenvectors_are_those_of_the_definition) {
  L.penalize(*sample.graph_problem.representation, 1);
  const paper::Answer expected = normalized ? paper::soft_normalized(sample.A, sample.R, 1, K)
                                            : paper::soft(sample.A, sample.R, 1, K);
  const Eigenpairs found =
      lowest_pairs(L, DistributedProjector(sample.rows()), {.count = K, .tolerance = 1e-10},
                   DistributedSolver::lanczos);
  EXPECT_TRUE(found.converged) << found.residual;
  EXPECT_LT((found.values - expected.values).norm(), 1e-7 * L.norm());
  const Dense T = S * all_rows(sample.rows(), found.vectors);
  EXPECT_LT(paper::subspace_distance(T, expected.embedding), 1e-5);
}

TEST_P(EveryNormalization, the_filter_is_the_polynomial_of_the_operator) {
  const auto P = DistributedProjector::of_groups(sample.rows(), *sample.group_problem.groups, L);
  const DistributedOperator A(L, P);
  const Dense Q = expected_projector(centered(sample.group_representation()));
  Dense M = Q * dense_laplacian() * Q;
  const Dense known = all_rows(sample.rows(), L.null_vector());
  M += 4 * L.norm() * (Dense::Identity(N, N) - Q + known * known.transpose());
  const Eigen::SelfAdjointEigenSolver<Dense> exact(M);
  // Lanczos on p(P L P) finds p of the lowest eigenvalues.
  const ChebyshevFilter filter(exact.eigenvalues()[K - 1], 2 * L.norm(), 5);
  SpreadPlace place(A);
  const KrylovResult found = place.run_filtered(
      {.count = K - 1, .wanted = Wanted::largest_magnitude, .tolerance = 1e-12}, filter);
  for (int k = 0; k + 1 < K; ++k) {
    EXPECT_NEAR(found.values[k], filter.at(exact.eigenvalues()[k]), 1e-9);
  }
  EXPECT_LT(paper::subspace_distance(all_rows(sample.rows(), found.vectors),
                                     exact.eigenvectors().leftCols(K - 1)),
            1e-6);
}

TEST(SpreadRowsOfMatrices, are_gathered_in_order_from_whichever_rank_holds_them) {
  const Sample sample;
  const auto X = random_block<Matrix>(N, 3, 5);
  const std::vector<Index> some{0, 3, 4, 70, 71, 72, 148, 149};
  const Matrix found = sample.rows().rows(own_rows(sample.rows(), X), some);
  EXPECT_EQ(found, X(some, Eigen::all));
  EXPECT_EQ(sample.rows().rows(own_rows(sample.rows(), X), {}).rows(), 0);
}

// Above 2000 nodes labels settle before the vectors are precise, on a sparse graph with the filter:
// the same products and the same clusters as in one process.
TEST(LowestPairs, of_a_sparse_graph_take_the_decisions_of_one_process) {
  constexpr Index many = 3000;
  const Labels truth = samples::shuffled_labels(many, 4, 3);
  const Graph G = sample_planted_partition(truth, 0.016, 0.0008, 7);
  const auto found =
      cluster_distributed(ranks(), {G}, 4, {.method = Method::nsc, .alone_up_to = 0});
  const Clustering expected = cluster({G}, 4, {.method = Method::nsc});
  EXPECT_EQ(found.clustering.solver, expected.solver);
  EXPECT_TRUE(found.clustering.settled);
  EXPECT_NEAR(found.clustering.iterations, expected.iterations, 0.2 * expected.iterations);
  const Labels labels = ranks().gather(std::span<const Label>(found.clustering.labels));
  EXPECT_GE(adjusted_rand_index(labels, expected.labels), 0.995);
}

// A long ladder has no gap: rank 0 takes over and factorizes, as one process does.
TEST(LowestPairs, of_a_slow_graph_are_those_of_one_process) {
  constexpr Index many = 6000;
  std::vector<Edge> edges;
  std::vector<double> weights;
  for (Index i = 0; i < many; ++i) {
    if (i + 2 < many) edges.push_back({i, i + 2});
    if (i % 2 == 0) edges.push_back({i, i + 1});
  }
  for (std::size_t e = 0; e < edges.size(); ++e) weights.push_back(e % 5 == 0 ? 2 : 1);
  const Graph G = build_graph(NodeNames(many, 0), edges, weights, SelfLoops::drop).graph;
  Labels groups(many);
  for (Index i = 0; i < many; ++i) groups[static_cast<std::size_t>(i)] = i / 7 % 3;
  struct Case {
    Method method;
    std::optional<double> strength;
  };
  for (const auto& [method, strength] :
       {Case{Method::usc, {}}, Case{Method::nfairsc, {}}, Case{Method::urepsc, 0.5}}) {
    SCOPED_TRACE(name(method));
    const bool plain = method == Method::usc;
    const ClusterInput input{G, std::nullopt, plain ? std::optional<Labels>() : groups};
    const auto found = cluster_distributed(
        ranks(), input, 3,
        {.method = method, .strength = strength, .baselines = false, .alone_up_to = 0});
    EXPECT_EQ(found.clustering.solver, "cholesky");
    EXPECT_TRUE(found.clustering.converged);
    const Labels labels = ranks().gather(std::span<const Label>(found.clustering.labels));
    on_root(ranks(), [&] {
      const Clustering expected = cluster(input, 3, {.method = method, .strength = strength});
      EXPECT_EQ(found.clustering.solver, expected.solver);
      EXPECT_GE(adjusted_rand_index(labels, expected.labels), 0.999);
      EXPECT_LT((found.clustering.eigenvalues - expected.eigenvalues).norm(),
                1e-6 * expected.eigenvalues.norm());
    });
  }
}

TEST(Communication, of_a_step_of_Lanczos_is_ten_reductions) {
  const Sample sample;
  const DistributedLaplacian L(*sample.graph_problem.similarity, Normalization::none);
  const DistributedProjector P(sample.rows());
  const DistributedOperator A(L, P);
  const auto traffic_of = [&](int products) {
    const Traffic before = ranks().traffic();
    static_cast<void>(SpreadPlace(A).run_double({.count = K - 1,
                                                 .tolerance = 1e-30,
                                                 .max_iterations = products,
                                                 .block_size = 4,
                                                 .basis_size = 32}));
    const Traffic after = ranks().traffic();
    EXPECT_EQ(after.exchanges - before.exchanges, products);
    return after.reductions - before.reductions;
  };
  // Beside the start: the known eigenvector, two orthogonalizations, two passes of Cholesky QR.
  EXPECT_EQ(traffic_of(4) - traffic_of(3), 10);
}

TEST(DistributedLaplacian, refuses_nodes_without_edges_on_every_rank) {
  Matrix A = samples::random_dense(samples::shuffled_labels(60, 2, 1), 0.1, 0.2, 3);
  A.row(59).setZero();
  A.col(59).setZero();
  const DistributedProblem problem = distribute(ranks(), {samples::from_dense(A)});
  EXPECT_THROW(DistributedLaplacian(*problem.similarity, Normalization::symmetric), InvalidInput);
}

}  // namespace
}  // namespace repsc::tests
