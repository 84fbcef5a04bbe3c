// Laplacians, constraints and eigenvectors on spread rows, against the paper's formulas with dense
// matrices.
#include "distributed/eigensolver.hpp"

#include <gtest/gtest.h>

#include "distributed/ranks.hpp"
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
  for (const bool slepc : {false, true}) {
    if (slepc && !REPSC_HAS_SLEPC) continue;
    const Eigenpairs found =
        lowest_pairs(L, P, {.count = K, .tolerance = 1e-10},
                     slepc ? DistributedSolver::slepc : DistributedSolver::lanczos, "");
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
                   DistributedSolver::lanczos, "");
  EXPECT_TRUE(found.converged) << found.residual;
  EXPECT_LT((found.values - expected.values).norm(), 1e-7 * L.norm());
  const Dense T = S * all_rows(sample.rows(), found.vectors);
  EXPECT_LT(paper::subspace_distance(T, expected.embedding), 1e-5);
}

TEST(Communication, of_a_step_of_Lanczos_is_ten_reductions) {
  const Sample sample;
  const DistributedLaplacian L(*sample.graph_problem.similarity, Normalization::none);
  const DistributedProjector P(sample.rows());
  const DistributedOperator A(L, P);
  const auto traffic_of = [&](int products) {
    const Traffic before = ranks().traffic();
    static_cast<void>(
        solve_by_lanczos(A, {.count = K, .tolerance = 1e-30, .max_iterations = products}));
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
