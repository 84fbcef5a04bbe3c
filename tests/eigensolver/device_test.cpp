// Eigenvectors that a device computes against the paper's formulas, typed out with dense matrices.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "constraint/range_basis.hpp"
#include "repsc/eigensolver.hpp"
#include "support/device.hpp"
#include "support/paper.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

using Dense = Eigen::MatrixXd;

struct Problem {
  const char* what;
  Matrix A;
  Labels groups;  ///< empty: no constraint
};

std::vector<Problem> problems() {
  const Index N = 600;
  const Labels clusters = samples::shuffled_labels(N, 4, 1);
  const Labels groups = samples::shuffled_labels(N, 3, 2);
  const Labels many = samples::shuffled_labels(N, 100, 3);
  const Matrix planted = samples::random_dense(clusters, 0.05, 0.2, 3);
  const Matrix weighted = samples::random_dense(clusters, 0.05, 0.2, 4, true);
  const Matrix copies = samples::repeated_components(N / 4, 4, 0.3, 5);
  return {{"planted, free", planted, {}},
          {"weighted, free", weighted, {}},
          {"components, free", copies, {}},
          {"planted, groups", planted, groups},
          {"weighted, groups", weighted, groups},
          {"planted, many groups", planted, many},
          {"components, groups", copies, groups},
          {"planted, more groups than kernels add", planted, samples::shuffled_labels(N, 520, 6)}};
}

paper::Answer expected_answer(const Problem& problem, bool normalized, Index K) {
  if (problem.groups.empty())
    return normalized ? paper::nsc(problem.A, K) : paper::usc(problem.A, K);
  const Dense C =
      samples::block_representation(problem.groups) * paper::centering(problem.A.rows());
  return normalized ? paper::constrained_normalized(problem.A, C, K)
                    : paper::constrained(problem.A, C, K);
}

Eigenpairs on_device(const Problem& problem, Normalization normalization, EigenQuery query,
                     const solver::Lanczos& how = {}) {
  const Laplacian L(samples::from_dense(problem.A), normalization);
  const Constraint constraint = problem.groups.empty()
                                    ? no_constraint(L.num_nodes())
                                    : group_constraint(problem.groups, L.scale());
  query.device = samples::device();
  return smallest_eigenpairs({L, constraint.projector}, query, how);
}

TEST(Device, finds_the_eigenvectors_of_the_paper) {
  const Index K = 5;
  for (const Problem& problem : problems()) {
    for (const Normalization normalization : {Normalization::none, Normalization::symmetric}) {
      const Eigenpairs found = on_device(problem, normalization, {.count = K, .tolerance = 1e-10});
      EXPECT_NE(found.device, "cpu");
      ASSERT_TRUE(found.converged) << problem.what << ", residual " << found.residual;
      const bool normalized = normalization == Normalization::symmetric;
      const paper::Answer expected = expected_answer(problem, normalized, K);
      const double size = expected.values.cwiseAbs().maxCoeff();
      EXPECT_LT((found.values - expected.values.head(K)).norm(), 1e-7 * (1 + size))
          << problem.what << "\n"
          << found.values.transpose() << "\n"
          << expected.values.head(K).transpose();
      EXPECT_LT((found.vectors.transpose() * found.vectors - Dense::Identity(K, K)).norm(), 1e-12);
    }
  }
}

TEST(Device, agrees_with_the_host_and_gives_the_same_bytes_again) {
  const Problem problem = problems()[3];
  const EigenQuery query{.count = 4, .tolerance = 1e-10};
  const Eigenpairs found = on_device(problem, Normalization::symmetric, query);
  const Eigenpairs again = on_device(problem, Normalization::symmetric, query);
  EXPECT_EQ(found.vectors, again.vectors);
  const Laplacian L(samples::from_dense(problem.A), Normalization::symmetric);
  const Constraint P = group_constraint(problem.groups, L.scale());
  const Eigenpairs host = smallest_eigenpairs({L, P.projector}, query, solver::Lanczos{});
  EXPECT_EQ(host.device, "cpu");
  const Matrix &X = host.vectors, &Y = found.vectors;
  EXPECT_LT((X * X.transpose() - Y * Y.transpose()).norm(), 1e-6);
  Matrix projected = Y;
  P.projector.apply(projected);
  EXPECT_LT((projected - Y).norm(), 1e-12);
}

TEST(Device, asks_the_stopping_rule_about_the_nodes_that_it_names) {
  class Sampled : public StoppingRule {
   public:
    [[nodiscard]] std::span<const Index> nodes() const override { return nodes_; }
    bool good_enough(const Matrix& X, double) override {
      EXPECT_EQ(X.rows(), 3);
      EXPECT_EQ(X.cols(), 4);
      seen = X;
      return true;
    }
    Matrix seen;

   private:
    std::vector<Index> nodes_{1, 50, 599};
  };
  Sampled rule;
  EigenQuery query{.count = 4, .tolerance = 1e-8, .stopping_rule = &rule};
  const Eigenpairs found = on_device(problems()[0], Normalization::symmetric, query);
  ASSERT_TRUE(found.settled);
  ASSERT_EQ(rule.seen.rows(), 3);
  // The known vector comes first, then approximations of the others, up to their signs.
  const Eigenpairs exact =
      on_device(problems()[0], Normalization::symmetric, {.count = 4, .tolerance = 1e-8});
  for (const Index at : {0, 1, 2}) {
    const Index node = std::vector<Index>{1, 50, 599}[static_cast<std::size_t>(at)];
    EXPECT_NEAR(rule.seen.row(at).norm(), exact.vectors.row(node).norm(), 1e-2);
  }
}

int filter_steps = 0;

/// Counts steps of filters.
std::shared_ptr<CudaDevice> counting_device() {
  static const repsc_cuda_functions functions = [] {
    repsc_cuda_functions copy = *repsc_cuda();
    copy.combine_blocks = [](repsc_cuda_context* context, repsc_cuda_block Z, repsc_cuda_block W,
                             repsc_cuda_block V, double a, double b, double c) {
      ++filter_steps;
      return repsc_cuda()->combine_blocks(context, Z, W, V, a, b, c);
    };
    return copy;
  }();
  return std::make_shared<CudaDevice>(functions, 0);
}

// The labels of a sparse graph never settle here, so that the filter goes on to its own limit and
// double precision begins from what it found.
TEST(Device, filters_sparse_graphs_within_the_constraint) {
  class Never : public StoppingRule {
   public:
    bool good_enough(const Matrix&, double) override { return false; }
  };
  const Index N = 600;
  const Index K = 4;
  const Matrix A = samples::random_dense(samples::shuffled_labels(N, 4, 1), 0.004, 0.03, 3) +
                   samples::random_dense(samples::shuffled_labels(N, N / 2, 5), 0.002, 0, 6);
  const Labels groups = samples::shuffled_labels(N, 3, 2);
  for (const bool constrained : {false, true}) {
    const Problem problem{"sparse", A, constrained ? groups : Labels()};
    const Laplacian L(samples::from_dense(A), Normalization::symmetric);
    const Constraint constraint =
        constrained ? group_constraint(groups, L.scale()) : no_constraint(N);
    Never never;
    filter_steps = 0;
    const Eigenpairs found = smallest_eigenpairs(
        {L, constraint.projector},
        {.count = K, .tolerance = 1e-9, .stopping_rule = &never, .device = counting_device()},
        solver::Lanczos{});
    EXPECT_GT(filter_steps, 10);
    ASSERT_TRUE(found.converged) << found.residual;
    const paper::Answer expected = expected_answer(problem, true, K);
    EXPECT_LT((found.values - expected.values.head(K)).norm(), 1e-8);
  }
}

TEST(Device, starts_from_vectors_that_are_given) {
  const Problem problem = problems()[3];
  EigenQuery query{.count = 4, .tolerance = 1e-8};
  const Eigenpairs cold = on_device(problem, Normalization::none, query);
  const Matrix near = cold.vectors.rightCols(3);
  query.start = &near;
  const Eigenpairs warm = on_device(problem, Normalization::none, query);
  ASSERT_TRUE(warm.converged);
  EXPECT_LT(warm.iterations, cold.iterations / 2);
}

TEST(Device, finds_the_eigenvectors_within_a_constraint_of_low_rank) {
  const Index K = 4;
  const Matrix A = problems()[1].A;
  const Matrix R = samples::random_representation(600, 0.1, 7);
  const auto spectrum = std::make_shared<const RepresentationSpectrum>(
      decompose(samples::from_dense(R), 200, {.device = samples::device()}));
  for (const Normalization normalization : {Normalization::none, Normalization::symmetric}) {
    const Laplacian L(samples::from_dense(A), normalization);
    const RankConstraints constraints(spectrum, 200, L.scale());
    for (const Index rank : {3, 200}) {
      const Constraint constraint = constraints.at(rank);
      const Eigenpairs found = smallest_eigenpairs(
          {L, constraint.projector}, {.count = K, .tolerance = 1e-10, .device = samples::device()},
          solver::Lanczos{});
      EXPECT_NE(found.device, "cpu");
      ASSERT_TRUE(found.converged) << rank << ", residual " << found.residual;
      const Dense C = paper::best_approximation(R, rank) * paper::centering(600);
      const paper::Answer expected = normalization == Normalization::symmetric
                                         ? paper::constrained_normalized(A, C, K)
                                         : paper::constrained(A, C, K);
      EXPECT_LT((found.values - expected.values.head(K)).norm(),
                1e-7 * (1 + expected.values.cwiseAbs().maxCoeff()));
      Matrix projected = found.vectors;
      constraint.projector.apply(projected);
      EXPECT_LT((projected - found.vectors).norm(), 1e-9);
    }
  }
}

TEST(Device, finds_the_eigenvectors_with_a_penalty) {
  const Index K = 4;
  const Matrix A = problems()[1].A;
  const Labels groups = problems()[3].groups;
  const Labels many = samples::shuffled_labels(600, 520, 6);
  const Matrix weighted = samples::random_dense(groups, 0.02, 0.2, 8, true);
  const std::vector<std::pair<Representation, Matrix>> given{
      {Representation(samples::from_dense(weighted)), weighted},
      {Representation(groups), samples::block_representation(groups)},
      {Representation(many), samples::block_representation(many)}};
  for (const auto& [representation, R] : given) {
    for (const Normalization normalization : {Normalization::none, Normalization::symmetric}) {
      const Laplacian L(samples::from_dense(A), normalization);
      const Laplacian M = L.penalized(soft_constraint(L, representation), 0.7);
      const Constraint none = no_constraint(M.num_nodes());
      const Eigenpairs found = smallest_eigenpairs(
          {M, none.projector}, {.count = K, .tolerance = 1e-10, .device = samples::device()},
          solver::Lanczos{});
      EXPECT_NE(found.device, "cpu");
      ASSERT_TRUE(found.converged) << "residual " << found.residual;
      // L + strength tau (WRJ)'(WRJ), with the trace of D - A.
      const Dense RJ = Dense(R) * paper::centering(R.rows());
      const Dense C = RJ.transpose() * R.rowwise().sum().cwiseInverse().asDiagonal() * RJ;
      const Dense D = paper::degrees(A);
      const Dense plain = D - A + 0.7 * (D - A).trace() / C.trace() * C;
      const Dense S = normalization == Normalization::none
                          ? Dense(Dense::Identity(D.rows(), D.cols()))
                          : Dense(D.diagonal().cwiseSqrt().cwiseInverse().asDiagonal());
      const Eigen::SelfAdjointEigenSolver<Dense> expected(Dense(S * plain * S));
      EXPECT_LT((found.values - expected.eigenvalues().head(K)).norm(),
                1e-7 * expected.eigenvalues().cwiseAbs().maxCoeff());
      const Dense V = expected.eigenvectors().leftCols(K);
      EXPECT_LT(paper::subspace_distance(V, found.vectors), 1e-5);
    }
  }
}

TEST(Device, finds_the_eigenvectors_in_a_basis_of_few_dimensions) {
  const Index K = 4;
  const Matrix A = problems()[1].A;
  const Laplacian L(samples::from_dense(A), Normalization::symmetric);
  const Matrix low = samples::quotient_representation(600, 400, 0.1, 7);  // of rank 400 at most
  const Constraint exact = exact_constraint(samples::from_dense(low), K, L.scale());
  ASSERT_TRUE(std::holds_alternative<KeptBasis>(exact.projector.kind()));
  const EigenQuery query{.count = K, .tolerance = 1e-10, .device = samples::device()};
  const Eigenpairs found = smallest_eigenpairs({L, exact.projector}, query, solver::Lanczos{});
  EXPECT_NE(found.device, "cpu");
  ASSERT_TRUE(found.converged) << "residual " << found.residual;
  const paper::Answer expected =
      paper::constrained_normalized(A, Dense(low) * paper::centering(600), K);
  EXPECT_LT((found.values - expected.values.head(K)).norm(), 1e-7);
}

/// The same projector with sparse factors in place of a basis of the range.
Projector with_factors(const Projector& exact) {
  auto kind = std::get<RangeComplement>(exact.kind());
  const Matrix& Q = *kind.range->basis();
  FactorCost cost;
  kind.range = sparse_qr(samples::from_dense(Q * Q.transpose()), {1 << 30, 1e12}, &cost);
  EXPECT_EQ(kind.range->basis(), nullptr);
  EXPECT_EQ(kind.range->rank(), Q.cols());
  return {exact.num_nodes(), exact.rank(), std::move(kind)};
}

TEST(Device, finds_the_eigenvectors_within_the_exact_constraint_of_a_sparse_graph) {
  const Index N = 400;
  const Index K = 4;
  const Matrix A = samples::random_dense(samples::shuffled_labels(N, 4, 1), 0.05, 0.2, 3);
  // Classes of nodes with equal rows, with and without the vector of ones in their range.
  for (const double density : {0.05, 1.0}) {
    const Matrix dense_R = samples::quotient_representation(N, 40, density, 7);
    for (const Normalization normalization : {Normalization::none, Normalization::symmetric}) {
      const Laplacian L(samples::from_dense(A), normalization);
      const Constraint exact =
          sparse_exact_constraint(samples::from_dense(dense_R), K, L.scale(), {});
      const Dense C = Dense(dense_R) * paper::centering(N);
      const bool normalized = normalization == Normalization::symmetric;
      const paper::Answer expected =
          normalized ? paper::constrained_normalized(A, C, K) : paper::constrained(A, C, K);
      const double size = expected.values.cwiseAbs().maxCoeff();
      for (const Projector& projector : {exact.projector, with_factors(exact.projector)}) {
        const EigenQuery query{.count = K, .tolerance = 1e-10, .device = samples::device()};
        const Eigenpairs found = smallest_eigenpairs({L, projector}, query, solver::Lanczos{});
        EXPECT_NE(found.device, "cpu");
        ASSERT_TRUE(found.converged) << "residual " << found.residual;
        EXPECT_LT((found.values - expected.values.head(K)).norm(), 1e-7 * (1 + size));
      }
    }
  }
}

TEST(Device, leaves_other_constraints_to_the_host) {
  const Matrix A = problems()[0].A;
  const Laplacian L(samples::from_dense(A), Normalization::none);
  const Graph R = samples::from_dense(samples::quotient_representation(600, 9, 0.4, 6));
  const Constraint C =
      rank_constraint(std::make_shared<RepresentationSpectrum>(decompose(R, 5)), 5, Vector());
  EigenQuery query{.count = 3, .tolerance = 1e-8, .device = samples::device()};
  EXPECT_EQ(smallest_eigenpairs({L, C.projector}, query, solver::Lanczos{}).device, "cpu");
}

}  // namespace
}  // namespace repsc
