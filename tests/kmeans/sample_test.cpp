// The weighted sample: which rows it contains, and that it estimates the inertia of all rows.
#include "kmeans/sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace repsc {
namespace {

Matrix normal_points(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  RandomStream random(seed);
  Matrix points(rows, columns);
  for (double& value : points.reshaped()) value = random.normal();
  return points;
}

double inertia(const Matrix& points, const std::vector<double>& weights, const Matrix& centers) {
  double sum = 0;
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    sum += weights[static_cast<std::size_t>(i)] *
           (centers.rowwise() - points.row(i)).rowwise().squaredNorm().minCoeff();
  }
  return sum;
}

TEST(Sample, estimates_the_inertia_for_any_centers_without_bias) {
  Matrix points = normal_points(10'000, 2, 1);
  points.col(1) = points.col(1).array().pow(3);
  const std::vector<double> ones(10'000, 1.0);
  const Matrix centers = 2 * normal_points(3, 2, 2);
  double mean = 0;
  double mean_weight = 0;
  constexpr std::uint64_t draws = 60;
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    const WeightedRows sample = lightweight_coreset(points, 500, sample_key(draw));
    ASSERT_LE(sample.points.rows(), 600);  // 500, less those drawn twice, and four deviations
    ASSERT_GT(sample.points.rows(), 390);
    mean += inertia(sample.points, sample.weights, centers) / draws;
    mean_weight += std::accumulate(sample.weights.begin(), sample.weights.end(), 0.0) / draws;
  }
  // One draw is off by some 3 %, their mean by an eighth of that.
  EXPECT_NEAR(mean / inertia(points, ones, centers), 1, 0.015);
  EXPECT_NEAR(mean_weight / 10'000, 1, 0.015);
}

TEST(Sample, holds_every_row_that_is_far_away) {
  Matrix points = Matrix::Zero(50'000, 1);
  for (Eigen::Index i = 0; i < 5; ++i) points(9'999 * (i + 1), 0) = 1;
  const WeightedRows sample = lightweight_coreset(points, 100, 1);
  // Half of all draws fall on the five: ten each.
  EXPECT_EQ((sample.points.array() == 1).count(), 5);
  for (Eigen::Index i = 0; i < sample.points.rows(); ++i) {
    const double weight = sample.weights[static_cast<std::size_t>(i)];
    const bool far = sample.points(i, 0) == 1;
    EXPECT_NEAR(weight, far ? 1 : 1000, far ? 0.11 : 1);
  }
}

TEST(Sample, of_equal_rows_is_uniform) {
  const Matrix points = Matrix::Ones(9'000, 2);
  const WeightedRows sample = lightweight_coreset(points, 90, 3);
  EXPECT_NEAR(static_cast<double>(sample.points.rows()), 90, 40);  // four deviations
  EXPECT_EQ(sample.points, Matrix::Ones(sample.points.rows(), 2));
  for (const double weight : sample.weights) EXPECT_NEAR(weight, 100, 1e-6);
}

TEST(Sample, holds_the_same_rows_if_points_differ_a_little) {
  const Matrix points = normal_points(50'000, 3, 4);
  const Matrix others = points + 1e-6 * normal_points(50'000, 3, 5);
  const WeightedRows one = lightweight_coreset(points, 5000, 9);
  const WeightedRows two = lightweight_coreset(others, 5000, 9);
  std::vector<Index> different;
  std::set_symmetric_difference(one.rows.begin(), one.rows.end(), two.rows.begin(), two.rows.end(),
                                std::back_inserter(different));
  EXPECT_LE(different.size(), 2U);
  EXPECT_EQ(one.points, points(one.rows, Eigen::all));
}

}  // namespace
}  // namespace repsc
