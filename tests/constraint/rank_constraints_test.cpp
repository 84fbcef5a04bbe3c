// Several ranks from one spectrum: each the projector of the paper's formula, on its own.
#include <gtest/gtest.h>

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

TEST(RankConstraints, refuse_ranks_that_are_not_at_hand) {
  const auto spectrum = whole_spectrum(samples::random_representation(20, 0.3, 1));
  EXPECT_THROW(RankConstraints(spectrum, 21), InvalidInput);
  const RankConstraints constraints(spectrum, 5);
  EXPECT_THROW((void)constraints.at(6), InvalidInput);
  EXPECT_THROW((void)constraints.at(0), InvalidInput);
}

}  // namespace
}  // namespace repsc
