// The exact constraint of sparse R without dense matrices, against the paper's dense formula, and
// at 50,000 nodes against what is known about R on paper.
#include <gtest/gtest.h>

#include <numbers>

#include "constraint/range_basis.hpp"
#include "repsc/constraint.hpp"
#include "support/paper.hpp"
#include "support/projectors.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

using projectors::Dense;
using projectors::expect_projector;
using projectors::scales;

constexpr FactorCost plenty{std::int64_t{1} << 33U, 1e12};

struct Sample {
  const char* what;
  Matrix R;
};

/// Several circulant components of different degree, some of them singular, and nodes of no one.
Matrix sparse_singular(Index N) {
  Matrix R = Matrix::Zero(N, N);
  Index begin = 0;
  for (const Index size : {12, 9, 15, 6}) {
    R.block(begin, begin, size, size) = samples::circulant_representation(size, 1, 3);
    begin += size;
  }
  R.diagonal().tail(N - begin).setOnes();
  R.diagonal().tail(3).setZero();
  return R;
}

std::vector<Sample> every_kind(Index N) {
  Matrix weighted = samples::quotient_representation(N, 9, 0.4, 4);
  weighted *= 0.37;
  return {{"groups", samples::block_representation(samples::shuffled_labels(N, 4, 1))},
          {"low rank", samples::quotient_representation(N, 7, 0.4, 2)},
          {"high rank", samples::quotient_representation(N, 48, 0.3, 3)},
          {"regular", samples::circulant_representation(N, 3, 9)},
          {"weighted", weighted},
          {"sparse and singular", sparse_singular(N)}};
}

/// QQ' of the range of a dense symmetric matrix, by Eigen.
Dense expected_range(const Matrix& M) {
  const Eigen::SelfAdjointEigenSolver<Dense> eigen{Dense(M)};
  Dense P = Dense::Zero(M.rows(), M.cols());
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    if (std::abs(eigen.eigenvalues()[i]) < 1e-9) continue;
    P += eigen.eigenvectors().col(i) * eigen.eigenvectors().col(i).transpose();
  }
  return P;
}

void expect_range(const RangeBasis& basis, const Matrix& M) {
  const Dense expected = expected_range(M);
  Matrix P = Matrix::Identity(M.rows(), M.cols());
  basis.project(P);
  EXPECT_LT((P - expected).norm(), 1e-10);
  EXPECT_EQ(basis.rank(), std::lround(expected.trace()));
}

TEST(RangeBasis, is_the_same_by_eigenvectors_by_sparse_qr_and_by_random_products) {
  for (const auto& [what, R] : every_kind(60)) {
    SCOPED_TRACE(what);
    const Graph M = samples::from_dense(R);
    expect_range(dense_range(M), R);
    FactorCost cost;
    expect_range(*sparse_qr(M, plenty, &cost), R);
    EXPECT_GT(cost.bytes, 0);
    expect_range(*low_rank_range(M, 60, 7), R);
  }
}

TEST(RangeBasis, is_refused_where_it_would_be_too_large) {
  const Graph M = samples::from_dense(samples::random_representation(60, 0.2, 1));
  FactorCost cost;
  EXPECT_EQ(sparse_qr(M, {1000, plenty.operations}, &cost), nullptr);
  EXPECT_GT(cost.bytes, 1000);
  EXPECT_EQ(sparse_qr(M, {plenty.bytes, 1000}, &cost), nullptr);
  EXPECT_GT(cost.operations, 1000);
  EXPECT_EQ(low_rank_range(M, 40, 1), nullptr);
}

TEST(SparseExactConstraint, is_the_projector_of_the_papers_formula_for_every_kind_of_R) {
  const Index N = 60;
  for (const auto& [what, R] : every_kind(N)) {
    SCOPED_TRACE(what);
    for (const Vector& scale : scales(N)) {
      const Constraint constraint = sparse_exact_constraint(samples::from_dense(R), 2, scale);
      expect_projector(constraint, R * paper::centering(N), scale);
      const Matrix identity = Matrix::Identity(N, N);
      EXPECT_NEAR(constraint.residual(identity),
                  exact_constraint(samples::from_dense(R), 2, scale).residual(identity), 1e-12);
    }
  }
}

TEST(SparseExactConstraint, names_the_rank_and_a_remedy_if_too_few_dimensions_are_left) {
  const Graph R = samples::from_dense(samples::random_representation(40, 0.3, 4));
  try {
    (void)sparse_exact_constraint(R, 3);
    FAIL() << "a representation graph of full rank was accepted";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("rank(R) = 40"), std::string::npos) << error.what();
    EXPECT_EQ(error.fault().option, "rank");
    EXPECT_FALSE(error.fault().remedies.empty());
  }
}

/// Classes in a row, each linked to itself and its neighbours, `members` nodes a class in turn.
Graph chain_of_classes(Index classes, Index members) {
  std::vector<Edge> edges;
  const Index N = classes * members;
  for (Index i = 0; i < N; ++i) {
    for (Index j = i; j < N; j += classes) edges.push_back({i, j});
    if (i % classes == 0) continue;
    for (Index j = i % classes - 1; j < N; j += classes) edges.push_back({i, j});
  }
  return build_graph(NodeNames(N, 0), std::move(edges), {}, SelfLoops::add).graph;
}

/// R J S X, from the graph's rows.
Matrix imposed(const Graph& R, const Vector& scale, Matrix X) {
  if (scale.size() > 0) X = scale.asDiagonal() * X;
  X.rowwise() -= X.colwise().mean().eval();
  Matrix result = Matrix::Zero(X.rows(), X.cols());
  for (Index i = 0; i < R.num_nodes(); ++i) {
    for (const Index j : R.neighbors(i)) result.row(i) += X.row(j);
  }
  return result;
}

class LargeSparse : public testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(Classes, LargeSparse, testing::Values(9998, 10000),
                         [](const auto& test) { return std::to_string(test.param); });

TEST_P(LargeSparse, R_of_50000_nodes_is_taken_exactly) {
  // The pattern of classes has eigenvalues 1 + 2 cos(pi k / (n + 1)): one is 0 where 3 divides n
  // + 1.
  const Index n = GetParam();
  const Index N = 5 * n;
  const bool singular = (n + 1) % 3 == 0;
  const Graph R = chain_of_classes(n, 5);
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (const Vector& scale : scales(N)) {
    const Constraint constraint = exact_constraint(R, 4, scale);
    ASSERT_TRUE(std::holds_alternative<RangeComplement>(constraint.projector.kind()));
    // Regular patterns hold 1 = R y: the null vector of the singular one, (1, -1, 0, 1, -1, 0,
    // ...), has class sums that add up to 0, so that 1 is in the range in both cases.
    EXPECT_EQ(constraint.projector.rank(), n - (singular ? 1 : 0) - 1);
    Matrix X = Matrix::NullaryExpr(N, 3, [&] { return normal(random); });
    constraint.projector.apply(X);
    EXPECT_GT(X.norm(), std::sqrt(N));
    EXPECT_LT(imposed(R, scale, X).norm(), 1e-9 * X.norm());
    Matrix again = X;
    constraint.projector.apply(again);
    EXPECT_LT((again - X).norm(), 1e-10 * X.norm());
    EXPECT_LT(constraint.residual(X), 1e-10);
    // Differences within a class, 1, and the null vector are allowed, and stay as they are.
    Matrix allowed = Matrix::Zero(N, 3);
    for (Index i = 0; i < n; ++i) {
      allowed(i, 0) = normal(random);
      allowed(i + 2 * n, 0) = -allowed(i, 0);
    }
    allowed.col(1).setOnes();
    for (Index i = 0; singular && i < N; ++i) {
      const Index a = i % n;
      allowed(i, 2) = a % 3 == 0 ? 1 : a % 3 == 1 ? -1 : 0;
    }
    if (scale.size() > 0) allowed = scale.cwiseInverse().asDiagonal() * allowed;
    Matrix kept = allowed;
    constraint.projector.apply(kept);
    EXPECT_LT((kept - allowed).norm(), 1e-9 * allowed.norm());
  }
}

TEST(SparseExactConstraint, finds_a_low_rank_that_sparse_qr_cannot_afford) {
  // 3000 nodes, each in two of 40 circles; weights count the circles two nodes share: R = B B'.
  const Index N = 3000;
  std::mt19937 random(5);
  Matrix B = Matrix::Zero(N, 40);
  std::uniform_real_distribution<double> share(0.5, 1.5);
  for (Index i = 0; i < N; ++i) {
    B(i, static_cast<Index>(random() % 40)) = share(random);
    B(i, static_cast<Index>(random() % 40)) = share(random);
  }
  const Graph R = samples::from_dense(Matrix(B * B.transpose()));
  const Constraint constraint = sparse_exact_constraint(R, 3, Vector(), {.memory_limit = 32 << 20});
  EXPECT_EQ(constraint.projector.rank(), 40);
  Matrix X = Matrix::NullaryExpr(N, 2, [&] { return share(random) - 1; });
  const Matrix before = X;
  constraint.projector.apply(X);
  // By least squares on J B, which spans range(J R).
  const Dense C = paper::centering(N) * B;
  const Dense expected = before - C * Eigen::HouseholderQR<Dense>(C).solve(Dense(before));
  EXPECT_LT((X - expected).norm(), 1e-9 * before.norm());
}

TEST(SparseExactConstraint, says_what_it_needs_where_the_memory_limit_is_too_low) {
  const Graph R = chain_of_classes(5000, 1);
  try {
    (void)exact_constraint(R, 2, Vector(), {.memory_limit = 1 << 20});
    FAIL() << "a limit of 1 MiB was ignored";
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("1.0 MiB"), std::string::npos) << message;
    EXPECT_NE(message.find("memory_limit"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace repsc
