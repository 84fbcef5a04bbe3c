// Sums by groups on a device against dense matrices, for few and for many groups.
#include <gtest/gtest.h>

#include <limits>

#include "cuda/groups.hpp"
#include "support/device.hpp"

namespace repsc {
namespace {

using samples::device;
using samples::random_matrix;

template <typename Scalar>
DeviceBlock<Scalar> block_of(const Matrix& A) {
  DeviceBlock<Scalar> X(*device(), static_cast<Index>(A.rows()), static_cast<Index>(A.cols()));
  device()->call(&repsc_cuda_functions::copy, on_device(*device(), A), X);
  return X;
}

/// F, one row per node.
Matrix members(const Labels& groups, Index count, const Vector& factors) {
  Matrix F = Matrix::Zero(static_cast<Eigen::Index>(groups.size()), count);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    F(row, groups[i]) = factors.size() > 0 ? factors[row] : 1;
  }
  return F;
}

std::span<const double> numbers_of(const Vector& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

template <typename Scalar>
void expect_sums(const Labels& groups, Index count, const Vector& factors, Index cols) {
  const double rounding = 8 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  const Matrix A = random_matrix(static_cast<Eigen::Index>(groups.size()), cols, 13);
  const Matrix F = members(groups, count, factors);
  const DeviceGroups on(*device(), groups, count, numbers_of(factors));
  const auto X = block_of<Scalar>(A);
  const Matrix sums = on.sums(X);
  EXPECT_LE((sums - F.transpose() * A).norm(), rounding * F.norm() * A.norm());
  EXPECT_EQ(sums, on.sums(X));
  const Matrix b = random_matrix(count, cols, 15);
  on.subtract(X, b);
  EXPECT_LE((on_host(*device(), X) - (A - F * b)).norm(), rounding * (A.norm() + (F * b).norm()));
}

TEST(DeviceGroups, are_added_and_subtracted_as_by_a_dense_matrix) {
  const Index N = 2000;
  const Vector factors = random_matrix(N, 1, 14);
  for (const Index count : {1, 512, 513, 900, 5000}) {
    SCOPED_TRACE(count);
    Labels groups;
    // Some groups have no node, the last one among them.
    for (Index i = 0; i < N; ++i) groups.push_back((i * 7 + i / 11) % count / 2);
    for (const Index cols : {1, 4, 11}) {
      expect_sums<float>(groups, count, factors, cols);
      expect_sums<double>(groups, count, factors, cols);
      expect_sums<double>(groups, count, {}, cols);
    }
  }
}

TEST(DeviceGroups, are_one_group_if_none_are_named) {
  const Matrix A = random_matrix(300, 5, 1);
  const auto X = block_of<double>(A);
  const repsc_cuda_groups one{.groups = nullptr, .count = 1, .scale = nullptr};
  Matrix sums(1, 5);
  device()->call(&repsc_cuda_functions::group_sums, one, X, sums.data());
  EXPECT_LE((sums - A.colwise().sum()).norm(), 1e-12);
  device()->call(&repsc_cuda_functions::subtract_groups, one, X, sums.data());
  EXPECT_LE((on_host(*device(), X) - (A.rowwise() - sums.row(0))).norm(), 1e-12);
}

TEST(DeviceGroups, of_many_nodes_are_added_in_parts) {
  const Index N = 200'000;
  const Index count = 600;
  Labels groups(static_cast<std::size_t>(N), 3);  // three parts and a bit
  for (Label g = 0; g < count; ++g) groups[static_cast<std::size_t>(g) * 300] = g;
  const Matrix A = random_matrix(N, 2, 1);
  const DeviceGroups on(*device(), groups, count, {});
  const Matrix sums = on.sums(block_of<double>(A));
  Matrix expected = Matrix::Zero(count, 2);
  for (Index i = 0; i < N; ++i) expected.row(groups[static_cast<std::size_t>(i)]) += A.row(i);
  EXPECT_LE((sums - expected).norm(), 1e-9);
}

}  // namespace
}  // namespace repsc
