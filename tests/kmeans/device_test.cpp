// Lloyd's iteration on a device against that of the host.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "kmeans/lloyd_on_device.hpp"
#include "kmeans/sample_on_device.hpp"
#include "repsc/kmeans.hpp"
#include "support/device.hpp"

namespace repsc {
namespace {

Matrix blobs(Index rows, Index cols, int count, double spread, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const Matrix centers = Matrix::NullaryExpr(count, cols, [&] { return normal(random); });
  Matrix X(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) X(i, j) = centers(i % count, j) + spread * normal(random);
  }
  return X;
}

std::shared_ptr<const DeviceMatrix> sent(const Matrix& X) {
  return copied_to_device(samples::device(), X);
}

TEST(LloydOnDevice, gives_the_labels_and_centers_of_the_host) {
  for (const int K : {1, 2, 7}) {
    const Matrix X = blobs(3000, 5, K, 0.3, 1);
    const Matrix start = X.topRows(K);
    const LloydResult expected = lloyd(X, start, 100, 0);
    const auto found = lloyd_on_device(*sent(X), start, 100, 0);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->labels, expected.labels);
    EXPECT_LT((found->centers - expected.centers).norm(), 1e-12);
    EXPECT_NEAR(found->inertia, expected.inertia, 1e-9 * expected.inertia);
  }
}

TEST(LloydOnDevice, breaks_ties_toward_the_lower_center) {
  Matrix X(3, 1);
  X << 0, 1, 2;
  Matrix start(2, 1);
  start << 0, 2;
  const auto found = lloyd_on_device(*sent(X), start, 1, 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->labels, (Labels{0, 0, 1}));
  EXPECT_EQ(found->centers, (Matrix(2, 1) << 0.5, 2).finished());
  EXPECT_DOUBLE_EQ(found->inertia, 0.5);
}

TEST(LloydOnDevice, gives_up_where_a_cluster_becomes_empty) {
  const Matrix X = blobs(100, 2, 1, 0.1, 2);
  Matrix start = Matrix::Zero(2, 2);
  start.row(1).setConstant(1e6);
  EXPECT_FALSE(lloyd_on_device(*sent(X), start, 10, 0));
}

TEST(LloydOnDevice, ends_when_it_is_told_to) {
  const Matrix X = blobs(2000, 3, 6, 1, 3);
  int calls = 0;
  const auto found = lloyd_on_device(*sent(X), X.topRows(6), 100, 0, [&] { return ++calls < 2; });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->iterations, 2);
}

TEST(KMeans, of_many_rows_is_the_same_on_a_device) {
  const Matrix X = blobs(80'000, 3, 4, 0.2, 4);
  const KMeansResult host = kmeans(X, 4, {.seed = 3});
  const KMeansResult found = kmeans(X, 4, {.seed = 3, .device = samples::device()});
  EXPECT_EQ(found.labels, host.labels);
  EXPECT_NEAR(found.inertia, host.inertia, 1e-9 * host.inertia);
}

TEST(KMeans, takes_points_that_are_on_the_device) {
  const Matrix X = blobs(80'000, 3, 4, 0.2, 5);
  const KMeansResult host = kmeans(X, 4, {.seed = 3});
  const KMeansResult found =
      kmeans(X, 4, {.seed = 3, .device = samples::device(), .on_device = sent(X)});
  EXPECT_EQ(found.labels, host.labels);
  EXPECT_NEAR(found.inertia, host.inertia, 1e-9 * host.inertia);
}

TEST(KMeans, scales_points_that_are_on_the_device) {
  const Matrix X = 1e200 * blobs(80'000, 2, 3, 0.2, 6);  // squares overflow
  const KMeansResult host = kmeans(X, 3, {.seed = 3});
  const KMeansResult found =
      kmeans(X, 3, {.seed = 3, .device = samples::device(), .on_device = sent(X)});
  EXPECT_EQ(found.labels, host.labels);
}

TEST(KMeans, names_the_point_on_the_device_that_is_not_finite) {
  Matrix X = blobs(80'000, 2, 3, 0.2, 7);
  X(70'000, 1) = std::nan("");
  try {
    static_cast<void>(kmeans(X, 3, {.device = samples::device(), .on_device = sent(X)}));
    FAIL() << "accepted";
  } catch (const InvalidInput& failure) {
    EXPECT_NE(std::string(failure.what()).find("row 70000"), std::string::npos) << failure.what();
  }
}

// Row by row, with the formula typed out.
TEST(KMeans, draws_rows_on_a_device_as_often_as_their_distance_says) {
  for (const Index N : {Index{9000}, Index{4096}, Index{3}}) {  // three blocks, one, less than that
    Matrix X = Matrix::Random(N, 3);
    X.row(N / 2) *= 300;
    constexpr std::int64_t size = 500;
    const WeightedRows sample = coreset_on_device(*sent(X), size, 77);
    const Eigen::RowVectorXd mean = X.colwise().mean();
    const Vector squared = (X.rowwise() - mean).rowwise().squaredNorm();
    std::size_t at = 0;
    for (Index i = 0; i < N; ++i) {
      const double expected = 0.5 * size / N + 0.5 * size * squared[i] / squared.sum();
      std::uint64_t state = 77 + static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15ULL;
      const double uniform = static_cast<double>((splitmix64(state) >> 11U) + 1) * 0x1.0p-53;
      const double count = std::floor(expected + 1 - uniform);
      if (count == 0) continue;
      ASSERT_LT(at, sample.rows.size());
      EXPECT_EQ(sample.rows[at], i);
      EXPECT_EQ(Eigen::RowVectorXd(sample.points.row(static_cast<Eigen::Index>(at))),
                Eigen::RowVectorXd(X.row(i)));
      EXPECT_NEAR(sample.weights[at], count / expected, 1e-9 * N);
      ++at;
    }
    EXPECT_EQ(at, sample.rows.size());
    EXPECT_EQ(sample.points.rows(), std::ssize(sample.rows));
    const WeightedRows on_host = lightweight_coreset(X, size, 77);
    EXPECT_EQ(on_host.rows, sample.rows);
    EXPECT_EQ(on_host.stride, sample.stride);
  }
}

TEST(KMeans, needs_no_points_on_the_host_if_they_are_on_the_device) {
  const Matrix X = blobs(70'000, 3, 4, 0.1, 6);
  const KMeansOptions options{.seed = 3, .device = samples::device(), .on_device = sent(X)};
  const KMeansResult expected = kmeans(X, 4, options);
  const KMeansResult found = kmeans(Matrix(), 4, options);
  EXPECT_EQ(found.labels, expected.labels);
  EXPECT_EQ(found.inertia, expected.inertia);
  // Few rows, whose restarts run on the host.
  const Matrix few = blobs(500, 3, 4, 0.1, 6);
  KMeansOptions for_few = options;
  for_few.on_device = sent(few);
  EXPECT_EQ(kmeans(Matrix(), 4, for_few).labels, kmeans(few, 4, {.seed = 3}).labels);
  EXPECT_EQ(kmeans(Matrix(), 500, for_few).labels, kmeans(few, 500, {.seed = 3}).labels);
}

}  // namespace
}  // namespace repsc
