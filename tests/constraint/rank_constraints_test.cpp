// Several ranks from one spectrum: each the projector of the paper's formula, on its own.
#include <gtest/gtest.h>

#include <Eigen/QR>

#include "repsc/constraint.hpp"
#include "support/paper.hpp"
#include "support/projectors.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

std::shared_ptr<const RepresentationSpectrum> whole_spectrum(const Matrix& R) {
  const auto N = static_cast<Index>(R.rows());
  return std::make_shared<const RepresentationSpectrum>(decompose(samples::from_dense(R), N));
}

/// Whether the best approximation of rank r is unique.
bool is_unique(const RepresentationSpectrum& spectrum, Index r) {
  return r == spectrum.values.size() ||
         std::abs(std::abs(spectrum.values[r - 1]) - std::abs(spectrum.values[r])) > 1e-6;
}

TEST(RankConstraints, are_the_projectors_of_the_best_approximations) {
  const Matrix R = samples::random_representation(40, 0.3, 11);
  const auto spectrum = whole_spectrum(R);
  for (const Vector& scale : projectors::scales(40)) {
    const RankConstraints constraints(spectrum, 38, scale);
    for (Index r = 1; r <= 38; ++r) {
      SCOPED_TRACE(r);
      const Constraint constraint = constraints.at(r);
      projectors::expect_projector(constraint,
                                   paper::best_approximation(R, r) * paper::centering(40), scale);
      EXPECT_EQ(constraint.projector.rank(), r);
      EXPECT_EQ(constraint.spectrum_rank, r);
    }
  }
}

TEST(RankConstraints, lose_a_dimension_from_the_rank_on_where_ones_enters_the_range) {
  // Two regular graphs of different degree: 1 = 1_A + 1_B lies in the range once both are in.
  Matrix R = Matrix::Zero(48, 48);
  R.topLeftCorner(24, 24) = samples::circulant_representation(24, 1, 13);
  R.bottomRightCorner(24, 24) = samples::circulant_representation(24, 1, 3);
  const auto spectrum = whole_spectrum(R);
  int before = 0;
  int after = 0;
  for (const Vector& scale : projectors::scales(48)) {
    const RankConstraints constraints(spectrum, 40, scale);
    for (Index r = 1; r <= 40; ++r) {
      if (!is_unique(*spectrum, r)) continue;
      SCOPED_TRACE(r);
      const Constraint constraint = constraints.at(r);
      projectors::expect_projector(constraint,
                                   paper::best_approximation(R, r) * paper::centering(48), scale);
      ++(constraint.projector.rank() == r ? before : after);
    }
  }
  EXPECT_GT(before, 2);
  EXPECT_GT(after, 2);
}

TEST(RankConstraints, above_the_rank_of_R_are_that_of_R_itself) {
  const std::vector<std::pair<Matrix, Index>> graphs{
      {samples::block_representation(samples::shuffled_labels(60, 5, 1)), 5},
      {samples::quotient_representation(60, 9, 0.4, 2), 9},
      {samples::circulant_representation(60, 20, 20), 3}};  // only three different rows
  for (const auto& [R, most] : graphs) {
    const auto rank = static_cast<Index>(Eigen::FullPivHouseholderQR<Eigen::MatrixXd>(R).rank());
    ASSERT_LE(rank, most);
    for (const Index count : {rank, rank + 1, Index{30}, Index{57}}) {
      SCOPED_TRACE(count);
      const auto spectrum =
          std::make_shared<const RepresentationSpectrum>(decompose(samples::from_dense(R), count));
      for (const Vector& scale : projectors::scales(60)) {
        const Constraint constraint = rank_constraint(spectrum, count, scale);
        projectors::expect_projector(constraint, R * paper::centering(60), scale);
        EXPECT_EQ(constraint.spectrum_rank, rank);
        EXPECT_EQ(constraint.rank_asked, count);
        EXPECT_TRUE(constraint.unique);
      }
    }
  }
}

TEST(RankConstraints, refuse_a_graph_without_edges) {
  const auto spectrum = whole_spectrum(Matrix::Zero(10, 10));
  EXPECT_THROW((void)rank_constraint(spectrum, 3), InvalidInput);
}

TEST(RankConstraints, say_where_a_rank_cuts_equal_eigenvalues) {
  // Five cliques of 24: eigenvalue 24 five times. Six of different size: no two are equal.
  const auto equal =
      whole_spectrum(samples::block_representation(samples::shuffled_labels(120, 5, 1)));
  Labels groups;
  for (int g = 0; g < 6; ++g) groups.insert(groups.end(), static_cast<std::size_t>(5 + 4 * g), g);
  const auto different = whole_spectrum(samples::block_representation(groups));
  for (Index r = 1; r <= 5; ++r) {
    EXPECT_EQ(rank_constraint(equal, r).unique, r == 5) << r;
    EXPECT_TRUE(rank_constraint(different, r).unique) << r;
  }
  // A complete bipartite graph has the eigenvalues n and -n.
  Matrix bipartite = Matrix::Zero(20, 20);
  bipartite.topRightCorner(10, 10).setOnes();
  bipartite.bottomLeftCorner(10, 10).setOnes();
  const auto opposite = whole_spectrum(bipartite);
  EXPECT_FALSE(rank_constraint(opposite, 1).unique);
  EXPECT_TRUE(rank_constraint(opposite, 2).unique);
  EXPECT_GT(opposite->values[0], 0);
}

TEST(RankConstraints, cut_equal_eigenvalues_the_same_way_from_every_spectrum) {
  const Index N = 120;
  const std::vector<Matrix> graphs{samples::block_representation(samples::shuffled_labels(N, 8, 1)),
                                   samples::circulant_representation(N, 3, 9),
                                   samples::repeated_components(30, 4, 0.3, 3)};
  for (const Matrix& R : graphs) {
    const auto whole = whole_spectrum(R);
    for (const Index r : {1, 2, 3, 5, 7, 20}) {
      SCOPED_TRACE(r);
      const RepresentationSpectrum few = decompose(samples::from_dense(R), r);
      ASSERT_EQ(few.values.size(), r);
      EXPECT_LT((few.values - whole->values.head(r)).norm(), 1e-9);
      const Matrix V = whole->vectors.leftCols(r);
      EXPECT_LT((few.vectors * few.vectors.transpose() - V * V.transpose()).norm(), 1e-8);
      EXPECT_EQ(few.unique_at(r), whole->unique_at(r));
      EXPECT_LT((R * V - V * whole->values.head(r).asDiagonal()).norm(), 1e-9 * N);
    }
  }
}

TEST(RankConstraints, of_the_iterative_method_know_the_rank_and_equal_eigenvalues) {
  const Index N = 1200;  // above 1000 nodes few pairs are found by iteration
  const Labels groups = samples::shuffled_labels(N, 5, 1);
  const Graph R = samples::from_dense(samples::block_representation(groups));
  for (const Index count : {2, 5, 12, 40}) {
    SCOPED_TRACE(count);
    const auto spectrum = std::make_shared<const RepresentationSpectrum>(decompose(R, count));
    ASSERT_TRUE(spectrum->converged);
    const Constraint constraint = rank_constraint(spectrum, count);
    EXPECT_EQ(constraint.spectrum_rank, std::min<Index>(count, 5));
    EXPECT_EQ(constraint.unique, count >= 5);
  }
}

TEST(RankConstraints, refuse_ranks_that_are_not_at_hand) {
  const auto spectrum = whole_spectrum(samples::random_representation(20, 0.3, 1));
  EXPECT_THROW(RankConstraints(spectrum, 21), InvalidInput);
  const RankConstraints constraints(spectrum, 5);
  EXPECT_THROW((void)constraints.at(6), InvalidInput);
  EXPECT_THROW((void)constraints.at(0), InvalidInput);
}

}  // namespace
}  // namespace repsc
