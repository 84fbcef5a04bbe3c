// Ranges of rows, and sums over all ranks whose bits do not depend on how rows are spread.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/numerical_failure.hpp"
#include "distributed/exact_sum.hpp"
#include "distributed/ranks.hpp"

namespace repsc::tests {
namespace {

Matrix numbers_of_all_sizes(Index rows, Index columns) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, columns,
                             [&] { return normal(random) * std::pow(10, 3 * normal(random)); });
}

std::vector<Offset> offsets_with_degree(Index rows, Offset degree) {
  std::vector<Offset> offsets{0};
  for (Index i = 0; i < rows; ++i) offsets.push_back(offsets.back() + degree);
  return offsets;
}

TEST(RowRanges, has_whole_blocks_and_equal_shares_of_the_entries) {
  std::vector<Offset> offsets{0};
  for (Index i = 0; i < 5000; ++i) offsets.push_back(offsets.back() + (i < 1000 ? 40 : 10));
  for (const int count : {1, 2, 3, 8, 64}) {
    const RowRanges parts = split_rows(offsets, count);
    ASSERT_EQ(parts.first.size(), static_cast<std::size_t>(count) + 1);
    EXPECT_EQ(parts.first.front(), 0);
    EXPECT_EQ(parts.first.back(), 5000);
    const double share = static_cast<double>(offsets.back() + 5000) / count;
    for (int rank = 0; rank < count; ++rank) {
      EXPECT_EQ(parts.begin(rank) % parts.block_rows, 0);
      const auto cost = static_cast<double>(offsets[parts.end(rank)] - offsets[parts.begin(rank)] +
                                            parts.rows(rank));
      EXPECT_NEAR(cost, share, parts.block_rows * 41) << count << " ranks, rank " << rank;
    }
  }
}

TEST(RowRanges, leaves_ranks_without_rows_when_there_are_fewer_blocks) {
  const RowRanges parts = split_rows(offsets_with_degree(20, 3), 8);
  EXPECT_EQ(parts.first.back(), 20);
  Index rows = 0;
  for (int rank = 0; rank < 8; ++rank) rows += parts.rows(rank);
  EXPECT_EQ(rows, 20);
}

TEST(ExactSum, agrees_with_long_double_and_has_the_same_bits_wherever_the_rows_are) {
  const Index N = 3000;
  const Matrix whole = numbers_of_all_sizes(N, 3);
  std::vector<RowRanges> spreads{split_rows(offsets_with_degree(N, 5), ranks().size())};
  for (int rank = 0; rank < ranks().size(); ++rank) spreads.push_back(on_rank(rank, N));
  std::vector<Eigen::RowVectorXd> found;
  for (const RowRanges& ranges : spreads) {
    const SpreadRows rows(ranks(), ranges);
    found.push_back(rows.column_sums(own_rows(rows, whole)));
  }
  for (Index j = 0; j < 3; ++j) {
    long double sum = 0;
    long double size = 0;
    for (Index i = 0; i < N; ++i) {
      sum += whole(i, j);
      size += std::abs(whole(i, j));
    }
    EXPECT_NEAR(found[0][j], static_cast<double>(sum), 1e-14 * static_cast<double>(size));
  }
  for (const auto& other : found) EXPECT_EQ(other, found.front());
}

TEST(ExactSum, by_key_adds_whole_numbers_exactly) {
  const Index N = 1000;
  const SpreadRows rows(ranks(), split_rows(offsets_with_degree(N, 2), ranks().size()));
  Labels keys(static_cast<std::size_t>(rows.stored()));
  Matrix values(rows.stored(), 1);
  for (Index i = 0; i < rows.stored(); ++i) {
    keys[static_cast<std::size_t>(i)] = (rows.begin() + i) % 7;
    values(i, 0) = rows.begin() + i;
  }
  const Matrix sums = exact_sums_by_key(ranks(), keys, 7, values, N);
  for (Index g = 0; g < 7; ++g) {
    std::int64_t expected = 0;
    for (Index i = g; i < N; i += 7) expected += i;
    EXPECT_EQ(sums(g, 0), static_cast<double>(expected));
  }
}

TEST(ExactSum, of_tiny_and_of_huge_numbers_is_finite) {
  const bool holds = ranks().is_root();
  Matrix parts(holds ? 3 : 0, 3);
  if (holds) parts << 1e300, 1e-300, 0, -1e300, 1e-305, 0, 1e280, -1e-300, 0;
  const Vector sums = exact_sum(ranks(), parts, 3);
  EXPECT_NEAR(sums[0], 1e280, 1e275);  // 2^-82 of the largest
  EXPECT_EQ(sums[2], 0);
  EXPECT_TRUE(sums.allFinite());
}

TEST(ExactSum, of_a_number_that_is_not_finite_fails_on_every_rank) {
  const bool holds = ranks().rank() == ranks().size() - 1;
  const Matrix parts = Matrix::Constant(holds ? 1 : 0, 1, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW(static_cast<void>(exact_sum(ranks(), parts, 1)), NumericalFailure);
}

TEST(SpreadRows, multiply_as_dense_matrices_do) {
  const Index N = 500;
  const Matrix A = numbers_of_all_sizes(N, 5).cwiseMin(10).cwiseMax(-10);
  const Matrix B = A.rightCols(4);
  const SpreadRows rows(ranks(), split_rows(offsets_with_degree(N, 4), ranks().size()));
  const Matrix gram = rows.gram(own_rows(rows, A), own_rows(rows, B));
  EXPECT_LT((gram - A.transpose() * B).norm(), 1e-12 * gram.norm());
  const Matrix T = Matrix::Random(5, 4);
  Matrix difference = own_rows(rows, B);
  rows.subtract(difference, own_rows(rows, A), T);
  EXPECT_LT((all_rows(rows, difference) - (B - A * T)).norm(), 1e-11 * B.norm());
}

TEST(SpreadRows, draw_the_random_rows_of_one_process) {
  const Index N = 3000;
  const SpreadRows rows(ranks(), split_rows(offsets_with_degree(N, 4), ranks().size()));
  const SpreadRows alone(ranks(), on_rank(0, N));
  EXPECT_EQ(all_rows(rows, rows.random(3, 7, 0.5)), all_rows(alone, alone.random(3, 7, 0.5)));
}

}  // namespace
}  // namespace repsc::tests
