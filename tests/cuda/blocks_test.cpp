// Blocks on a device against the same formulas with dense matrices of Eigen, in sizes around those
// of tiles, lanes and chunks.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cuda/rows.hpp"
#include "linalg/random_block.hpp"
#include "support/device.hpp"

namespace repsc {
namespace {

using samples::device;
using samples::random_matrix;
using Functions = repsc_cuda_functions;

template <typename Scalar>
DeviceBlock<Scalar> block_of(const Matrix& X) {
  DeviceBlock<Scalar> result(*device(), static_cast<Index>(X.rows()), static_cast<Index>(X.cols()));
  device()->call(&Functions::copy, on_device(*device(), X), result);
  return result;
}

template <typename Scalar>
constexpr double rounding = std::is_same_v<Scalar, float> ? 3e-5 : 1e-12;

template <typename Scalar>
class DeviceBlocks : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceBlocks, Scalars);

const std::vector<std::pair<Index, Index>> shapes{{1, 1},   {3, 2},    {31, 5},    {33, 8},
                                                  {257, 9}, {1024, 4}, {1025, 16}, {5000, 17}};

TYPED_TEST(DeviceBlocks, come_back_as_they_were_sent) {
  for (const auto& [rows, cols] : shapes) {
    const Matrix X = random_matrix(rows, cols, 1);
    EXPECT_LE((on_host(*device(), block_of<TypeParam>(X)) - X).norm(),
              rounding<TypeParam> * X.norm());
  }
}

TYPED_TEST(DeviceBlocks, have_the_inner_products_of_dense_matrices) {
  for (const auto& [rows, cols] : shapes) {
    for (const Index other : {1, 4, 7, 8, 12}) {
      const Matrix A = random_matrix(rows, cols, 2);
      const Matrix B = random_matrix(rows, other, 3);
      const DeviceRows<TypeParam> on(*device(), rows);
      const Matrix gram = on.gram(block_of<TypeParam>(A), block_of<TypeParam>(B));
      EXPECT_LE((gram - A.transpose() * B).norm(), rounding<TypeParam> * A.norm() * B.norm())
          << rows << " " << cols << " " << other;
    }
  }
}

TYPED_TEST(DeviceBlocks, have_the_same_inner_products_to_the_last_bit_each_time) {
  const Index rows = 70'000;
  const DeviceRows<TypeParam> on(*device(), rows);
  const auto A = block_of<TypeParam>(random_matrix(rows, 20, 4));
  EXPECT_EQ(on.gram(A, A), on.gram(A, A));
}

TYPED_TEST(DeviceBlocks, subtract_and_assign_products_with_small_matrices) {
  for (const auto& [rows, cols] : shapes) {
    for (const Index width : {1, 3, 8, 10}) {
      const Matrix A = random_matrix(rows, cols, 5);
      const Matrix B = random_matrix(rows, width, 6);
      const Matrix T = random_matrix(width, cols, 7);
      const DeviceRows<TypeParam> on(*device(), rows);
      auto X = block_of<TypeParam>(A);
      const auto by = block_of<TypeParam>(B);
      const double size = A.norm() + B.norm() * T.norm();
      on.subtract(X, by, T);
      EXPECT_LE((on.on_host(X) - (A - B * T)).norm(), rounding<TypeParam> * size);
      on.assign(X, by, T);
      EXPECT_LE((on.on_host(X) - B * T).norm(), rounding<TypeParam> * size);
    }
  }
}

TYPED_TEST(DeviceBlocks, are_multiplied_in_place_and_keep_other_columns) {
  for (const Index rows : {1, 100, 3000}) {
    const Matrix V = random_matrix(rows, 40, 8);
    const Matrix T = random_matrix(32, 20, 9);
    const DeviceRows<TypeParam> on(*device(), rows);
    auto X = block_of<TypeParam>(V);
    on.multiply(X, T);
    Matrix expected = V;
    expected.leftCols(20) = V.leftCols(32) * T;
    EXPECT_LE((on.on_host(X) - expected).norm(), rounding<TypeParam> * V.norm() * T.norm());
  }
}

TYPED_TEST(DeviceBlocks, are_copied_divided_and_read_by_rows) {
  const Index rows = 500;
  const Matrix A = random_matrix(rows, 12, 10);
  const DeviceRows<TypeParam> on(*device(), rows);
  auto X = on.zeros(5);
  EXPECT_EQ(on.on_host(X).norm(), 0);
  const auto from = block_of<TypeParam>(A);
  on.copy(on.columns(from, 3, 2), X, 1);
  on.divide(X, 4);
  Matrix expected = Matrix::Zero(rows, 5);
  expected.middleCols(1, 2) = A.middleCols(3, 2) / 4;
  EXPECT_LE((on.on_host(X) - expected).norm(), rounding<TypeParam> * A.norm());
  const std::vector<Index> which{0, 7, 7, 499};
  const Matrix picked = on.rows(on.columns(from, 2, 9), which);
  for (std::size_t k = 0; k < which.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    EXPECT_LE((picked.row(row) - A.row(which[k]).segment(2, 9)).norm(), rounding<TypeParam> * 10);
  }
  for (const Index wanted : {1, 4, 6}) {
    const Matrix T = random_matrix(9, wanted, 11);
    const Matrix found = on.rows_times(on.columns(from, 2, 9), which, T);
    const Matrix product = A(which, Eigen::all).middleCols(2, 9) * T;
    EXPECT_LE((found - product).norm(), rounding<TypeParam> * A.norm() * T.norm());
  }
  EXPECT_EQ(on.rows_times(on.columns(from, 2, 9), {}, random_matrix(9, 2, 12)).rows(), 0);
}

// Whole pieces of four columns take another way than others.
TYPED_TEST(DeviceBlocks, are_copied_and_multiplied_wherever_their_columns_begin) {
  const Index rows = 300;
  const Matrix A = random_matrix(rows, 24, 13);
  const Matrix B = random_matrix(rows, 4, 14);
  const DeviceRows<TypeParam> on(*device(), rows);
  const auto wide = block_of<TypeParam>(A);
  const auto narrow = block_of<TypeParam>(B);
  for (const Index first : {0, 1, 2, 4, 8, 13}) {
    for (const Index count : {3, 4, 8}) {
      for (const Index to : {0, 1, 4}) {
        auto X = on.zeros(16);
        on.copy(on.columns(wide, first, count), X, to);
        Matrix expected = Matrix::Zero(rows, 16);
        expected.middleCols(to, count) = A.middleCols(first, count);
        EXPECT_LE((on.on_host(X) - expected).norm(), rounding<TypeParam> * A.norm());
      }
      const Matrix part = A.middleCols(first, count);
      const Matrix gram = on.gram(on.columns(wide, first, count), narrow);
      EXPECT_LE((gram - part.transpose() * B).norm(), rounding<TypeParam> * A.norm() * B.norm());
      auto Y = block_of<TypeParam>(B);
      const Matrix T = random_matrix(count, 4, 15);
      on.subtract(Y, on.columns(wide, first, count), T);
      EXPECT_LE((on.on_host(Y) - (B - part * T)).norm(),
                rounding<TypeParam> * (B.norm() + A.norm() * T.norm()));
    }
  }
}

// On a device the logarithm may differ in the last bit.
TYPED_TEST(DeviceBlocks, draw_the_random_numbers_of_the_host) {
  const Matrix expected = random_block<Matrix>(3000, 6, 17, 0.25);
  const DeviceRows<TypeParam> on(*device(), 3000);
  EXPECT_LE((on.on_host(on.random(6, 17, 0.25)) - expected).norm(),
            rounding<TypeParam> * expected.norm());
}

TYPED_TEST(DeviceBlocks, scale_and_shift_rows) {
  const Matrix A = random_matrix(300, 9, 11);
  const Vector scale = Vector::LinSpaced(300, 0.5, 2);
  const DeviceArray<double> factors(
      *device(), std::span<const double>(scale.data(), static_cast<std::size_t>(scale.size())));
  auto X = block_of<TypeParam>(A);
  device()->call(&Functions::scale_rows, X, factors.data(), 1);
  EXPECT_LE((on_host(*device(), X) - scale.asDiagonal() * A).norm(),
            rounding<TypeParam> * A.norm());
  device()->call(&Functions::scale_rows, X, factors.data(), -1);
  const Eigen::RowVectorXd shift = random_matrix(1, 9, 12);
  device()->call(&Functions::add_to_rows, X, shift.data());
  EXPECT_LE((on_host(*device(), X) - (A.rowwise() + shift)).norm(), rounding<TypeParam> * A.norm());
}

TYPED_TEST(DeviceBlocks, get_rows_of_length_one) {
  for (const auto& [rows, cols] : shapes) {
    Matrix A = random_matrix(rows, cols, 15);
    A.row(rows / 2).setZero();  // stays so
    auto X = block_of<TypeParam>(A);
    device()->call(&Functions::unit_rows, X);
    const Matrix found = on_host(*device(), X);
    for (Index i = 0; i < rows; ++i) {
      const double length = A.row(i).norm();
      EXPECT_LE((found.row(i) - A.row(i) / (length > 0 ? length : 1)).norm(), rounding<TypeParam>);
    }
  }
}

TYPED_TEST(DeviceBlocks, have_the_largest_values_of_their_columns) {
  for (const auto& [rows, cols] : shapes) {
    Matrix A = random_matrix(rows, cols, 16);
    Vector largest(cols);
    device()->call(&Functions::largest, block_of<TypeParam>(A), largest.data());
    EXPECT_LE((largest - A.cwiseAbs().colwise().maxCoeff().transpose()).norm(),
              rounding<TypeParam> * A.norm());
    for (const double wrong : {std::nan(""), std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity()}) {
      A(rows - 1, cols - 1) = wrong;
      device()->call(&Functions::largest, block_of<TypeParam>(A), largest.data());
      EXPECT_EQ(largest[cols - 1], std::numeric_limits<double>::infinity());
      EXPECT_EQ(std::isfinite(largest[0]), cols > 1);
    }
  }
}

TYPED_TEST(DeviceBlocks, are_added_up_by_groups) {
  for (const auto& [rows, cols] : shapes) {
    for (const Index count : {1, 3, 40, 512}) {
      const Matrix A = random_matrix(rows, cols, 13);
      const Vector scale = random_matrix(rows, 1, 14).cwiseAbs();
      Labels groups(static_cast<std::size_t>(rows));
      Matrix F = Matrix::Zero(rows, count);
      for (Index i = 0; i < rows; ++i) {
        groups[static_cast<std::size_t>(i)] = (i * 7 + i / 11) % count;
        F(i, groups[static_cast<std::size_t>(i)]) = scale[i];
      }
      const DeviceArray<Label> labels(*device(), std::span<const Label>(groups));
      const DeviceArray<double> factors(
          *device(), std::span<const double>(scale.data(), static_cast<std::size_t>(rows)));
      const repsc_cuda_groups view{labels.data(), count, factors.data()};
      auto X = block_of<TypeParam>(A);
      Matrix sums(count, cols);
      device()->call(&Functions::group_sums, view, X, sums.data());
      EXPECT_LE((sums - F.transpose() * A).norm(), rounding<TypeParam> * A.norm() * scale.norm());
      const Matrix b = random_matrix(count, cols, 15);
      device()->call(&Functions::subtract_groups, view, X, b.data());
      EXPECT_LE((on_host(*device(), X) - (A - F * b)).norm(),
                rounding<TypeParam> * (A.norm() + (F * b).norm()));
    }
  }
}

TEST(DeviceMemory, refuses_blocks_that_do_not_fit_together) {
  const DeviceRows<double> on(*device(), 10);
  const auto X = on.zeros(2);
  const DeviceBlock<double> other(*device(), 11, 2);
  EXPECT_THROW((void)on.gram(X, other), InvalidInput);
  EXPECT_THROW(device()->call(&Functions::copy, X, other), InvalidInput);
}

TEST(DeviceNames, are_read_or_refused) {
  using Kind = DeviceChoice::Kind;
  EXPECT_EQ(device_by_name("auto"), std::nullopt);
  EXPECT_EQ(device_by_name("cpu"), DeviceChoice{.kind = Kind::cpu});
  EXPECT_EQ(device_by_name("cuda"), (DeviceChoice{.kind = Kind::cuda, .number = 0}));
  EXPECT_EQ(device_by_name("cuda:3"), (DeviceChoice{.kind = Kind::cuda, .number = 3}));
  for (const char* const wrong : {"", "gpu", "cuda:", "cuda:-1", "cuda:x", "cuda:1 ", "CUDA"})
    EXPECT_THROW((void)device_by_name(wrong), InvalidOptions) << wrong;
}

}  // namespace
}  // namespace repsc
