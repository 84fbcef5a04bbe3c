// Projectors against the paper's dense formula: P is the orthogonal projector onto null(R J), or,
// with scale S = D^-1/2, onto { X : R J S X = 0 }.
#include "repsc/constraint.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "repsc/models.hpp"
#include "support/paper.hpp"
#include "support/projectors.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

using projectors::dense;
using projectors::Dense;
using projectors::expect_projector;
using projectors::random_scale;
using projectors::scales;

TEST(GroupConstraint, is_the_projector_of_the_papers_formula) {
  for (const int P : {1, 2, 3, 7, 40}) {
    const Labels groups = samples::shuffled_labels(80, P, 3);
    for (const Vector& scale : scales(80))
      expect_projector(group_constraint(groups, scale), paper::group_matrix(groups, P), scale);
  }
}

TEST(GroupConstraint, allows_groups_of_one_node_each) {
  const Labels groups = samples::shuffled_labels(30, 30, 3);
  const Constraint constraint = group_constraint(groups);
  EXPECT_EQ(constraint.projector.dimension(), 1);
  EXPECT_LT((dense(constraint.projector) - Dense::Constant(30, 30, 1.0 / 30)).norm(), 1e-12);
}

TEST(GroupConstraint, refuses_gaps_in_the_labels) {
  EXPECT_THROW((void)group_constraint({0, 2, 0, 2}), InvalidInput);
  EXPECT_THROW((void)group_constraint({0, -1}), InvalidInput);
  EXPECT_THROW((void)group_constraint({}), InvalidInput);
}

TEST(RankConstraint, is_the_projector_of_the_best_approximation) {
  const Matrix R = samples::random_representation(60, 0.3, 11);
  const auto spectrum =
      std::make_shared<const RepresentationSpectrum>(decompose(samples::from_dense(R), 60));
  for (const Index r : {1, 2, 10, 31, 57}) {
    const Dense C = paper::best_approximation(R, r) * paper::centering(60);
    for (const Vector& scale : scales(60)) {
      const Constraint constraint = rank_constraint(spectrum, r, scale);
      expect_projector(constraint, C, scale);
      EXPECT_EQ(constraint.projector.rank(), r);
    }
  }
}

TEST(RankConstraint, loses_one_dimension_where_ones_is_an_eigenvector) {
  const Matrix R = samples::circulant_representation(60, 2, 10);  // regular
  const auto spectrum =
      std::make_shared<const RepresentationSpectrum>(decompose(samples::from_dense(R), 60));
  for (const Index r : {1, 2, 9}) {
    // Ranks that do not cut through a pair of equal |eigenvalues|, where "best" is not unique.
    if (std::abs(std::abs(spectrum->values[r - 1]) - std::abs(spectrum->values[r])) < 1e-6)
      continue;
    const Dense C = paper::best_approximation(R, r) * paper::centering(60);
    for (const Vector& scale : scales(60)) {
      const Constraint constraint = rank_constraint(spectrum, r, scale);
      EXPECT_EQ(constraint.projector.rank(), r - 1) << r;
      expect_projector(constraint, C, scale);
    }
  }
}

TEST(ExactConstraint, is_the_projector_of_the_papers_formula_for_every_kind_of_R) {
  const Index N = 60;
  const std::vector<std::pair<const char*, Matrix>> graphs{
      {"groups", samples::block_representation(samples::shuffled_labels(N, 4, 1))},
      {"low rank", samples::quotient_representation(N, 7, 0.4, 2)},
      {"high rank", samples::quotient_representation(N, 48, 0.3, 3)},
      {"regular", samples::circulant_representation(N, 3, 9)}};
  for (const auto& [what, R] : graphs) {
    SCOPED_TRACE(what);
    for (const Vector& scale : scales(N)) {
      const Constraint constraint = exact_constraint(samples::from_dense(R), 2, scale);
      expect_projector(constraint, R * paper::centering(N), scale);
    }
  }
}

TEST(ExactConstraint, keeps_the_narrower_side) {
  const Index N = 60;
  const auto kind = [&](const Matrix& R) {
    return exact_constraint(samples::from_dense(R), 2).projector.kind();
  };
  EXPECT_TRUE(std::holds_alternative<SpectralComplement>(
      kind(samples::quotient_representation(N, 7, 0.4, 2))));
  EXPECT_TRUE(
      std::holds_alternative<KeptBasis>(kind(samples::quotient_representation(N, 48, 0.3, 3))));
  EXPECT_TRUE(std::holds_alternative<GroupComplement>(
      kind(samples::block_representation(samples::shuffled_labels(N, 4, 1)))));
}

TEST(ExactConstraint, names_the_rank_and_a_remedy_if_too_few_dimensions_are_left) {
  const Matrix R = samples::random_representation(40, 0.3, 4);
  try {
    (void)exact_constraint(samples::from_dense(R), 3);
    FAIL() << "a representation graph of full rank was accepted";
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("rank(R) = 40"), std::string::npos) << message;
    EXPECT_NE(message.find("N - K = 37"), std::string::npos) << message;
    EXPECT_EQ(error.fault().option, "rank");
    ASSERT_EQ(error.fault().remedies.size(), 2U);
    EXPECT_EQ(error.fault().remedies[0].option, "rank");
    EXPECT_EQ(error.fault().remedies[0].value, "37");
  }
}

TEST(ExactConstraint, accepts_R_of_Assumption_4_1_whose_null_space_has_exactly_K_dimensions) {
  // rank(R) = N - K + 1 is above N - K there, yet R J has rank N - K: K dimensions are left.
  const int K = 3;
  const Graph R = sample_regular_representation(60, K, 18, 1);
  ASSERT_EQ(decompose(R, 60).rank(), 60 - K + 1);
  const Constraint constraint = exact_constraint(R, K);
  EXPECT_EQ(constraint.projector.dimension(), K);
  expect_projector(constraint, samples::to_dense(R) * paper::centering(60), Vector());
}

TEST(CliqueGroups, recognises_unions_of_cliques_and_nothing_else) {
  const Labels groups = samples::shuffled_labels(50, 5, 6);
  Matrix R = samples::block_representation(groups);
  const Labels found = clique_groups(samples::from_dense(R));
  ASSERT_EQ(found.size(), 50U);
  for (Index i = 0; i < 50; ++i) {
    for (Index j = 0; j < 50; ++j) EXPECT_EQ(found[i] == found[j], groups[i] == groups[j]);
  }
  Index u = 1;
  while (groups[u] != groups[0]) ++u;
  R(0, u) = R(u, 0) = 0;  // one edge short of a clique
  EXPECT_TRUE(clique_groups(samples::from_dense(R)).empty());
  R(0, u) = R(u, 0) = 2;  // unequal weights
  EXPECT_TRUE(clique_groups(samples::from_dense(R)).empty());
  R = samples::block_representation(groups);
  R(3, 3) = 0;  // no self-loop
  EXPECT_TRUE(clique_groups(samples::from_dense(R)).empty());
}

TEST(Projector, is_idempotent_symmetric_keeps_ones_and_kills_the_range_of_JR) {
  EXPECT_TRUE(rc::check("for random R, rank and scale", [] {
    const Index N = *rc::gen::inRange(8, 40);
    const unsigned seed = *rc::gen::inRange(0, 1000000);
    const bool scaled = *rc::gen::arbitrary<bool>();
    const Vector scale = scaled ? random_scale(N, seed + 1) : Vector();
    const int kind = *rc::gen::inRange(0, 3);
    Matrix R = samples::quotient_representation(N, *rc::gen::inRange(2, N - 1), 0.4, seed);
    Constraint constraint = no_constraint(N);
    if (kind == 0) {
      const Labels groups = samples::shuffled_labels(N, *rc::gen::inRange(1, N), seed);
      R = samples::block_representation(groups);
      constraint = group_constraint(groups, scale);
    } else if (kind == 1) {
      const Index r = *rc::gen::inRange<Index>(1, N - 1);
      auto spectrum =
          std::make_shared<const RepresentationSpectrum>(decompose(samples::from_dense(R), r));
      // What was imposed is the approximation made of these very vectors.
      R = spectrum->vectors * spectrum->values.asDiagonal() * spectrum->vectors.transpose();
      constraint = rank_constraint(spectrum, r, scale);
    } else {
      constraint = exact_constraint(samples::from_dense(R), 1, scale);
    }
    const Dense P = dense(constraint.projector);
    RC_ASSERT((P * P - P).norm() < 1e-9);
    RC_ASSERT((P - P.transpose()).norm() < 1e-9);
    const Vector S = scaled ? scale : Vector(Vector::Ones(N));
    const Vector known = S.cwiseInverse();  // D^1/2 1
    RC_ASSERT((P * known - known).norm() < 1e-9 * known.norm());
    const Dense range = S.asDiagonal() * paper::centering(N) * R;
    RC_ASSERT((P * range).norm() < 1e-8 * (1 + R.norm()));
    RC_ASSERT(constraint.residual(dense(constraint.projector)) < 1e-8);
  }));
}

TEST(ConstraintResidual, is_the_norm_of_R_J_H_over_the_norm_of_R) {
  const Index N = 40;
  const Labels groups = samples::shuffled_labels(N, 3, 2);
  const Matrix R = samples::block_representation(groups);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const Matrix X = Matrix::NullaryExpr(N, 3, [&] { return normal(random); });
  for (const Vector& scale : scales(N)) {
    Dense H = X;
    if (scale.size() > 0) H = scale.asDiagonal() * H;
    H.colwise().normalize();
    const double expected = (R * paper::centering(N) * H).norm() / R.norm();
    EXPECT_NEAR(group_constraint(groups, scale).residual(X), expected, 1e-12);
    EXPECT_NEAR(exact_constraint(samples::from_dense(R), 2, scale).residual(X), expected, 1e-12);
  }
}

TEST(Decompose, finds_the_largest_eigenvalues_of_a_sparse_graph_without_a_dense_matrix) {
  // 1200 nodes and few pairs: the iterative way. Compared with Eigen on the dense matrix.
  const Labels groups = samples::shuffled_labels(1200, 3, 8);
  Matrix R = samples::random_dense(groups, 0.01, 0.03, 7);
  R.diagonal().setOnes();
  const RepresentationSpectrum found = decompose(samples::from_dense(R), 6);
  ASSERT_TRUE(found.converged);
  const Eigen::SelfAdjointEigenSolver<Dense> eigen(Dense(R), Eigen::EigenvaluesOnly);
  Vector magnitudes = eigen.eigenvalues().cwiseAbs();
  std::sort(magnitudes.begin(), magnitudes.end(), std::greater<>());
  EXPECT_LT((found.values.cwiseAbs() - magnitudes.head(6)).norm(), 1e-6 * magnitudes[0]);
  EXPECT_LT((R * found.vectors - found.vectors * found.values.asDiagonal()).norm(), 1e-5);
  EXPECT_NEAR(found.frobenius_norm, R.norm(), 1e-9);
}

}  // namespace
}  // namespace repsc
