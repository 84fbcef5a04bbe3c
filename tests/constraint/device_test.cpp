// Rank constraints that a device computes, against the paper's formulas.
#include <gtest/gtest.h>

#include "constraint/on_device.hpp"
#include "support/device.hpp"
#include "support/paper.hpp"
#include "support/projectors.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

std::shared_ptr<const RepresentationSpectrum> spectrum_on_device(const Matrix& R, Index count) {
  return std::make_shared<const RepresentationSpectrum>(
      decompose(samples::from_dense(R), count, {.device = samples::device()}));
}

/// (I - QQ') X with the basis that a device removes.
Matrix projected_on_device(const Constraint& constraint, const Matrix& X) {
  const auto& kind = std::get<SpectralComplement>(constraint.projector.kind());
  const std::unique_lock in_use = samples::device()->use();
  const DeviceBlock<double> on = on_device(*samples::device(), X);
  samples::device()->call(&repsc_cuda_functions::remove, removed_basis(kind), on);
  return on_host(*samples::device(), on);
}

TEST(DeviceConstraint, has_the_spectrum_of_R) {
  const Matrix R = samples::random_representation(60, 0.3, 11);
  for (const Index count : {1, 17, 60}) {
    const auto found = spectrum_on_device(R, count);
    const auto expected = decompose(samples::from_dense(R), count);
    ASSERT_NE(found->on_device, nullptr);
    EXPECT_LT((found->values - expected.values).norm(), 1e-10);
    EXPECT_NEAR(found->next, expected.next, 1e-10);
    EXPECT_EQ(found->complete, count == 60);
    const Matrix &V = found->vectors, &U = expected.vectors;
    EXPECT_LT((V * V.transpose() - U * U.transpose()).norm(), 1e-8);
    EXPECT_LT((R * V - V * found->values.asDiagonal()).norm(), 1e-10 * R.norm());
  }
}

TEST(DeviceConstraint, is_the_projector_of_the_best_approximation) {
  const Matrix R = samples::random_representation(40, 0.3, 11);
  const auto spectrum = spectrum_on_device(R, 38);
  const Matrix X = Matrix::Random(40, 3);
  for (const Vector& scale : projectors::scales(40)) {
    const RankConstraints constraints(spectrum, 38, scale);
    for (const Index r : {1, 2, 20, 38}) {
      SCOPED_TRACE(r);
      const Constraint constraint = constraints.at(r);
      projectors::expect_projector(constraint,
                                   paper::best_approximation(R, r) * paper::centering(40), scale);
      Matrix expected = X;
      constraint.projector.apply(expected);
      EXPECT_LT((projected_on_device(constraint, X) - expected).norm(), 1e-9 * X.norm());
    }
  }
}

TEST(DeviceConstraint, loses_a_dimension_where_ones_lies_in_the_range) {
  const Matrix R = samples::circulant_representation(48, 1, 13);  // regular: 1 comes first
  const auto spectrum = spectrum_on_device(R, 48);
  const Matrix X = Matrix::Random(48, 3);
  for (const Vector& scale : projectors::scales(48)) {
    const RankConstraints constraints(spectrum, 1, scale);
    const Constraint constraint = constraints.at(1);
    EXPECT_EQ(constraint.projector.rank(), 0);
    Matrix expected = X;
    constraint.projector.apply(expected);
    EXPECT_LT((projected_on_device(constraint, X) - expected).norm(), 1e-9 * X.norm());
    const Constraint more = RankConstraints(spectrum, 7, scale).at(7);
    EXPECT_EQ(more.projector.rank(), 6);
    expected = X;
    more.projector.apply(expected);
    EXPECT_LT((projected_on_device(more, X) - expected).norm(), 1e-9 * X.norm());
  }
}

}  // namespace
}  // namespace repsc
