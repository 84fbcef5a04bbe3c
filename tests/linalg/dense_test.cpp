// Tall products against Eigen's, for every width that has a loop of its own and some that have not.
#include "linalg/dense.hpp"

#include <gtest/gtest.h>

#include <random>

namespace repsc {
namespace {

template <typename Block>
Block random_block(Index rows, Index cols, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  return Block::NullaryExpr(rows, cols,
                            [&] { return static_cast<typename Block::Scalar>(normal(random)); });
}

template <typename Block>
class TallProducts : public testing::Test {
 protected:
  static constexpr double tolerance = sizeof(typename Block::Scalar) == 4 ? 1e-4 : 1e-12;

  /// Calls body(B, A, T): B rows x wide, A rows x narrow, T wide x narrow.
  template <typename Body>
  static void for_every_shape(const Body& body) {
    for (const Index rows : {1, 3, 4, 7, 255, 1030}) {
      for (const Index wide : {1, 3, 4, 5, 16, 21, 40}) {
        for (const Index narrow : {1, 2, 4, 5, 8, 12}) {
          SCOPED_TRACE(testing::Message() << rows << " x " << wide << ", " << narrow);
          const auto storage = random_block<Block>(rows, wide + 3, 1);  // columns of a wider one
          body(storage.leftCols(wide), random_block<Block>(rows, narrow, 2),
               random_block<Matrix>(wide, narrow, 3));
        }
      }
    }
  }
};

using Blocks = testing::Types<Matrix, FloatMatrix>;
TYPED_TEST_SUITE(TallProducts, Blocks);

TYPED_TEST(TallProducts, of_the_transpose_are_what_eigen_makes) {
  this->for_every_shape([&](const auto& B, const TypeParam& A, const Matrix&) {
    const Eigen::MatrixXd expected =
        B.template cast<double>().transpose() * A.template cast<double>();
    EXPECT_LT((transposed_product(B, A) - expected).norm(),
              this->tolerance * std::sqrt(double(A.rows() * A.cols() * B.cols())));
  });
}

TYPED_TEST(TallProducts, are_subtracted_and_assigned_as_by_eigen) {
  this->for_every_shape([&](const auto& B, TypeParam A, const Matrix& T) {
    const Eigen::MatrixXd product = B.template cast<double>() * T;
    const Eigen::MatrixXd left = A.template cast<double>() - product;
    const double allowed = this->tolerance * std::sqrt(double(A.size() * B.cols()));
    subtract_product(A, B, T);
    EXPECT_LT((A.template cast<double>() - left).norm(), allowed);
    assign_product(A, B, T);
    EXPECT_LT((A.template cast<double>() - product).norm(), allowed);
  });
}

TYPED_TEST(TallProducts, replace_the_first_columns_in_place) {
  const auto V = random_block<TypeParam>(700, 9, 4);
  const auto T = random_block<Matrix>(9, 4, 5);
  TypeParam replaced = V;
  multiply_in_place(replaced, T);
  const Eigen::MatrixXd expected = V.template cast<double>() * T;
  EXPECT_LT((replaced.leftCols(4).template cast<double>() - expected).norm(),
            this->tolerance * 100);
  EXPECT_EQ(replaced.rightCols(5), V.rightCols(5));
}

TYPED_TEST(TallProducts, replace_narrow_blocks_in_place) {
  for (const Index width : {1, 4, 8}) {
    for (const Index rows : {1, 2, 7, 4097, 9001}) {
      // The columns on the right stay.
      const auto V = random_block<TypeParam>(rows, width + 3, 4);
      const auto T = random_block<Matrix>(width, width, 5);
      TypeParam replaced = V;
      multiply_in_place(replaced.leftCols(width), T);
      const Eigen::MatrixXd expected = V.leftCols(width).template cast<double>() * T;
      EXPECT_LT((replaced.leftCols(width).template cast<double>() - expected).norm(),
                this->tolerance * std::sqrt(double(rows) * width))
          << rows << " x " << width;
      EXPECT_EQ(replaced.rightCols(3), V.rightCols(3));
    }
  }
}

}  // namespace
}  // namespace repsc
