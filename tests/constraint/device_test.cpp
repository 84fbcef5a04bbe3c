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

/// On the host and on the device.
void expect_best_approximation(const Constraint& constraint, const Matrix& R, Index rank,
                               const Vector& scale) {
  const auto N = static_cast<Index>(R.rows());
  projectors::expect_projector(constraint, paper::best_approximation(R, rank) * paper::centering(N),
                               scale);
  const Matrix X = Matrix::Random(N, 3);
  Matrix expected = X;
  constraint.projector.apply(expected);
  EXPECT_LT((projected_on_device(constraint, X) - expected).norm(), 1e-9 * X.norm());
}

TEST(DeviceConstraint, is_the_projector_of_the_best_approximation) {
  const Matrix R = samples::random_representation(40, 0.3, 11);
  const auto spectrum = spectrum_on_device(R, 38);
  for (const Vector& scale : projectors::scales(40)) {
    const RankConstraints constraints(spectrum, 38, scale);
    for (const Index r : {1, 2, 20, 38}) {
      SCOPED_TRACE(r);
      const Constraint constraint = constraints.at(r);
      expect_best_approximation(constraint, R, r, scale);
    }
  }
}

TEST(DeviceConstraint, takes_the_spectrum_of_groups) {
  Labels groups;  // of 20, 12 and 8 nodes
  for (Index i = 0; i < 40; ++i) groups.push_back(i < 20 ? 0 : i < 32 ? 1 : 2);
  const auto spectrum = std::make_shared<const RepresentationSpectrum>(
      decompose(Representation(groups), 3, {.device = samples::device()}));
  ASSERT_NE(spectrum->on_device, nullptr);
  const Matrix R = samples::block_representation(groups);
  for (const Vector& scale : projectors::scales(40)) {
    for (const Index r : {1, 2, 3}) {  // of all three, a combination is 1
      SCOPED_TRACE(r);
      const Constraint constraint = RankConstraints(spectrum, r, scale).at(r);
      EXPECT_EQ(constraint.projector.rank(), std::min<Index>(r, 2));
      expect_best_approximation(constraint, R, r, scale);
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

std::vector<Matrix> sparse_representations(Index N) {
  Matrix singular = Matrix::Zero(N, N);  // half of the nodes have no representatives
  singular.topLeftCorner(N / 2, N / 2) = samples::circulant_representation(N / 2, 1, 3);
  return {samples::block_representation(samples::shuffled_labels(N, 4, 1)),
          samples::quotient_representation(N, 7, 0.4, 2),
          samples::quotient_representation(N, 48, 0.3, 3),
          samples::circulant_representation(N, 3, 9), 0.37 * singular};
}

TEST(DeviceConstraint, is_the_exact_projector_of_a_sparse_graph) {
  const Index N = 60;
  const Matrix X = Matrix::Random(N, 3);
  for (const Matrix& R : sparse_representations(N)) {
    for (const Vector& scale : projectors::scales(N)) {
      const Constraint constraint = sparse_exact_constraint(samples::from_dense(R), 2, scale);
      projectors::expect_projector(constraint, R * paper::centering(N), scale);
      Matrix expected = X;
      constraint.projector.apply(expected);
      const auto& kind = std::get<RangeComplement>(constraint.projector.kind());
      const std::unique_lock in_use = samples::device()->use();
      const DeviceBlock<double> Q = removed_basis(*samples::device(), kind);
      EXPECT_EQ(Q.cols(), constraint.projector.rank());
      const DeviceBlock<double> on = on_device(*samples::device(), X);
      samples::device()->call(&repsc_cuda_functions::remove, Q, on);
      EXPECT_LT((on_host(*samples::device(), on) - expected).norm(), 1e-9 * X.norm());
    }
  }
}

TEST(DeviceConstraint, decomposes_sparse_graphs_of_many_classes) {
  // Paths with loops: eigenvalues 1 + 2 cos(k pi / (n + 1)), one of which is zero.
  const Index n = 1001;
  std::vector<Edge> edges;
  for (Index i = 0; i < n; ++i) edges.push_back({i, i});
  for (Index i = 1; i < n; ++i) edges.push_back({i - 1, i});
  const Graph R = build_graph(NodeNames(n, 0), std::move(edges), {}, SelfLoops::keep).graph;
  const auto on_device = range_on_device(*samples::device(), R);
  EXPECT_EQ(on_device.rank(), n - 1);
  const Matrix& Q = *on_device.basis();
  // x = (1, -1, 0, 1, -1, 0, ...) has R x = 0.
  Vector x(n);
  for (Index i = 0; i < n; ++i) x[i] = i % 3 == 2 ? 0 : 1 - 2 * (i % 3);
  EXPECT_LT((Q.transpose() * x).norm(), 1e-9 * x.norm());
  EXPECT_LT((Q.transpose() * Q - Matrix::Identity(n - 1, n - 1)).norm(), 1e-9);
}

const Matrix* basis_of(const Constraint& exact) {
  return std::get<RangeComplement>(exact.projector.kind()).range->basis();
}

/// Two nodes for each of 1001 classes; a class is linked to itself and to those some steps ahead.
Graph linked_classes(const std::vector<Index>& steps) {
  const Index classes = 1001;
  std::vector<Edge> edges;
  for (Index a = 0; a < classes; ++a) {
    edges.push_back({a, a + classes});
    for (const Index step : steps) {
      const Index b = (a + step * (1 + a % 7)) % classes;
      if (b == a) continue;
      for (const Index i : {a, a + classes})
        for (const Index j : {b, b + classes}) edges.push_back({i, j});
    }
  }
  return build_graph(NodeNames(2 * classes, 0), std::move(edges), {}, SelfLoops::add).graph;
}

TEST(DeviceConstraint, takes_a_basis_where_factors_would_fill) {
  for (const bool fills : {false, true}) {
    SCOPED_TRACE(fills);
    const Graph R =
        linked_classes(fills ? std::vector<Index>{37, 101, 260} : std::vector<Index>{1});
    const Constraint exact = sparse_exact_constraint(R, 2, Vector(), {.device = samples::device()});
    EXPECT_EQ(basis_of(exact) != nullptr, fills);
    const Constraint by_qr = sparse_exact_constraint(R, 2);
    EXPECT_EQ(basis_of(by_qr), nullptr);
    EXPECT_EQ(exact.projector.rank(), by_qr.projector.rank());
    const Matrix X = samples::random_matrix(R.num_nodes(), 3, 1);
    Matrix one = X;
    Matrix other = X;
    exact.projector.apply(one);
    by_qr.projector.apply(other);
    EXPECT_LT((one - other).norm(), 1e-9 * X.norm());
  }
}

}  // namespace
}  // namespace repsc
