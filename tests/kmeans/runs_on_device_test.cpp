// Runs of k-means on a device, all at once, against those of the host and against the definitions.
#include "kmeans/runs_on_device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "kmeans/lloyd.hpp"
#include "kmeans/lloyd_on_device.hpp"
#include "kmeans/seeding.hpp"
#include "repsc/kmeans.hpp"
#include "support/device.hpp"

namespace repsc {
namespace {

/// Rows 2, 5, 8, ... of more, of weights from 1 to 6.
WeightedRows weighted(Matrix points, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> weight(1, 6);
  WeightedRows sample{.points = std::move(points), .weights = {}, .rows = {}, .stride = 3};
  for (Eigen::Index i = 0; i < sample.points.rows(); ++i) {
    sample.weights.push_back(weight(random));
    sample.rows.push_back(static_cast<Index>(3 * i + 2));
  }
  return sample;
}

Matrix overlapping_blobs(Eigen::Index rows, Eigen::Index cols, int count, unsigned seed) {
  Matrix X = samples::random_matrix(rows, cols, seed);
  const Matrix centers = samples::random_matrix(count, cols, seed + 1);
  for (Eigen::Index i = 0; i < rows; ++i) X.row(i) += 4 * centers.row(i % count);
  return X;
}

std::vector<RandomStream> streams(int count) {
  std::vector<RandomStream> result;
  for (int run = 0; run < count; ++run) result.emplace_back(7, static_cast<std::uint64_t>(run));
  return result;
}

double squared(const Matrix& a, Eigen::Index i, const Matrix& b, Eigen::Index j) {
  double sum = 0;
  for (Eigen::Index c = 0; c < a.cols(); ++c) sum += (a(i, c) - b(j, c)) * (a(i, c) - b(j, c));
  return sum;
}

/// By the definition.
double inertia_of(const WeightedRows& sample, const Labels& labels, const Matrix& centers) {
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    sum += sample.weights[i] *
           squared(sample.points, static_cast<Eigen::Index>(i), centers, labels[i]);
  }
  return sum;
}

std::vector<Matrix> centers_at(const WeightedRows& sample,
                               const std::vector<std::vector<Index>>& starts) {
  std::vector<Matrix> result;
  for (const std::vector<Index>& rows : starts) {
    Matrix centers(static_cast<Eigen::Index>(rows.size()), sample.points.cols());
    for (std::size_t k = 0; k < rows.size(); ++k)
      centers.row(static_cast<Eigen::Index>(k)) = sample.points.row(rows[k]);
    result.push_back(std::move(centers));
  }
  return result;
}

/// The same rows, labels, centers and inertia as those of the host, in as many iterations.
void expect_runs_of_the_host(const WeightedRows& sample, int K, int num_runs, int max_iterations,
                             double tolerance) {
  SCOPED_TRACE(testing::Message() << sample.points.rows() << " rows, " << sample.points.cols()
                                  << " columns, K = " << K);
  RunsOnDevice runs(samples::device(), sample, K, num_runs);
  std::vector<RandomStream> own = streams(num_runs);
  const auto starts = runs.choose_starts(own);
  own = streams(num_runs);
  for (std::size_t run = 0; run < starts.size(); ++run)
    ASSERT_EQ(starts[run], greedy_kmeanspp(sample, K, own[run])) << run;

  const std::vector<Matrix> centers = centers_at(sample, starts);
  const std::vector<RunsOnDevice::Run> found = runs.lloyd(centers, max_iterations, tolerance);
  ASSERT_EQ(found.size(), static_cast<std::size_t>(num_runs));
  for (std::size_t run = 0; run < found.size(); ++run) {
    const LloydResult expected =
        lloyd(sample.points, centers[run], max_iterations, tolerance, sample.weights);
    const Matrix moved = runs.centers(run);
    EXPECT_FALSE(found[run].has_empty_cluster);
    EXPECT_EQ(runs.labels(run), expected.labels);
    EXPECT_EQ(found[run].iterations, expected.iterations);
    EXPECT_LT((moved - expected.centers).norm(), 1e-12 * expected.centers.norm());
    EXPECT_NEAR(found[run].inertia, expected.inertia, 1e-12 * expected.inertia);
    EXPECT_NEAR(found[run].inertia, inertia_of(sample, runs.labels(run), moved),
                1e-12 * expected.inertia);
  }
}

TEST(RunsOnDevice, are_those_of_the_host) {
  // More and fewer outputs than threads, clusters that fill no block of eight, one column.
  expect_runs_of_the_host(weighted(overlapping_blobs(2000, 3, 1, 1), 1), 1, 3, 100, 0);
  expect_runs_of_the_host(weighted(overlapping_blobs(2000, 1, 2, 2), 2), 2, 3, 100, 0);
  expect_runs_of_the_host(weighted(overlapping_blobs(5000, 4, 5, 3), 3), 5, 20, 100, 1e-6);
  expect_runs_of_the_host(weighted(overlapping_blobs(3000, 5, 9, 4), 4), 9, 4, 100, 0);
  expect_runs_of_the_host(weighted(overlapping_blobs(2500, 30, 20, 5), 5), 20, 2, 100, 0);
  expect_runs_of_the_host(weighted(overlapping_blobs(1300, 2, 60, 6), 6), 60, 2, 100, 1e-3);
}

TEST(RunsOnDevice, are_those_of_the_host_where_iterations_are_few) {
  for (const int iterations : {1, 2, 8, 9})
    expect_runs_of_the_host(weighted(overlapping_blobs(3000, 2, 6, 7), 7), 6, 3, iterations, 0);
}

TEST(RunsOnDevice, are_those_of_the_host_for_points_of_extreme_scale) {
  // kmeans() scales what is beyond 2^100; here are squares of 1e-60 and 1e60.
  for (const double scale : {1e-30, 1e30}) {
    const Matrix X = scale * overlapping_blobs(1500, 3, 4, 8);
    expect_runs_of_the_host(weighted(X, 8), 4, 3, 100, 1e-6);
  }
}

TEST(RunsOnDevice, choose_no_row_twice_where_rows_are_duplicates) {
  // 40 rows of a lattice, each of them 30 times: sums of whole numbers are exact, and many
  // candidates are as good as others.
  Matrix X(1200, 2);
  for (Eigen::Index i = 0; i < X.rows(); ++i)
    X.row(i) << static_cast<double>(i % 8), static_cast<double>(i / 8 % 5);
  WeightedRows sample = weighted(X, 9);
  std::fill(sample.weights.begin(), sample.weights.end(), 2.0);
  constexpr int num_runs = 5;
  for (const int K : {3, 40, 41}) {
    RunsOnDevice runs(samples::device(), sample, K, num_runs);
    std::vector<RandomStream> own = streams(num_runs);
    const auto starts = runs.choose_starts(own);
    own = streams(num_runs);
    for (std::size_t run = 0; run < starts.size(); ++run) {
      EXPECT_EQ(starts[run], greedy_kmeanspp(sample, K, own[run]));
      std::set<std::pair<double, double>> distinct;
      for (const Index row : starts[run]) distinct.emplace(X(row, 0), X(row, 1));
      EXPECT_EQ(distinct.size(), starts[run].size());
      EXPECT_EQ(starts[run].size(), static_cast<std::size_t>(std::min(K, 40)));
    }
  }
}

TEST(RunsOnDevice, choose_nothing_more_where_all_rows_are_equal) {
  const WeightedRows sample = weighted(Matrix::Constant(700, 2, 3.5), 10);
  RunsOnDevice runs(samples::device(), sample, 3, 2);
  std::vector<RandomStream> own = streams(2);
  for (const std::vector<Index>& rows : runs.choose_starts(own)) EXPECT_EQ(rows.size(), 1U);
}

TEST(RunsOnDevice, draw_first_rows_by_their_weight) {
  // The first row is the first one of a race: the formula typed out.
  const WeightedRows sample = weighted(overlapping_blobs(900, 2, 2, 11), 11);
  RunsOnDevice runs(samples::device(), sample, 1, 8);
  std::vector<RandomStream> own = streams(8);
  const auto starts = runs.choose_starts(own);
  own = streams(8);
  for (std::size_t run = 0; run < starts.size(); ++run) {
    const std::uint64_t key = own[run].bits();
    double first = std::numeric_limits<double>::infinity();
    Index winner = -1;
    for (std::size_t i = 0; i < sample.rows.size(); ++i) {
      std::uint64_t state =
          key + static_cast<std::uint64_t>(sample.rows[i]) * 0x9e3779b97f4a7c15ULL;
      const double uniform = static_cast<double>((splitmix64(state) >> 11U) + 1) * 0x1.0p-53;
      const double time = -std::log(uniform) / sample.weights[i];
      if (time >= first) continue;
      first = time;
      winner = static_cast<Index>(i);
    }
    EXPECT_EQ(starts[run], std::vector<Index>{winner});
  }
}

TEST(RunsOnDevice, take_the_step_of_the_definition) {
  // 1100 rows: three slices, the last one of 76 rows.
  const WeightedRows sample = weighted(overlapping_blobs(1100, 3, 4, 12), 12);
  const std::vector<Matrix> starts{sample.points.topRows(4), sample.points.bottomRows(4)};
  RunsOnDevice runs(samples::device(), sample, 4, 2);
  const auto found = runs.lloyd(starts, 1, 0);
  for (std::size_t run = 0; run < 2; ++run) {
    Matrix sums = Matrix::Zero(4, 3);
    Vector masses = Vector::Zero(4);
    Labels labels;
    for (Eigen::Index i = 0; i < 1100; ++i) {
      Label nearest = 0;
      for (Label k = 1; k < 4; ++k) {
        if (squared(sample.points, i, starts[run], k) <
            squared(sample.points, i, starts[run], nearest)) {
          nearest = k;
        }
      }
      const double weight = sample.weights[static_cast<std::size_t>(i)];
      sums.row(nearest) += weight * sample.points.row(i);
      masses[nearest] += weight;
      labels.push_back(nearest);
    }
    const Matrix means = masses.cwiseInverse().asDiagonal() * sums;
    EXPECT_EQ(runs.labels(run), labels);
    EXPECT_LT((runs.centers(run) - means).norm(), 1e-13 * means.norm());
    const double inertia = inertia_of(sample, labels, means);
    EXPECT_NEAR(found[run].inertia, inertia, 1e-13 * inertia);
    EXPECT_EQ(found[run].iterations, 1);
  }
}

TEST(RunsOnDevice, break_ties_toward_the_lower_center) {
  // Row 1 lies between both centers; of equal centers the first one takes the row.
  WeightedRows sample{
      .points = Matrix{{0}, {1}, {2}, {5}}, .weights = {1, 2, 1, 4}, .rows = {0, 1, 2, 3}};
  RunsOnDevice runs(samples::device(), sample, 3, 2);
  const std::vector<Matrix> starts{Matrix{{2}, {0}, {5}}, Matrix{{0}, {2}, {5}}};
  const auto found = runs.lloyd(starts, 1, 0);
  EXPECT_EQ(runs.labels(0), (Labels{1, 0, 0, 2}));
  EXPECT_EQ(runs.centers(0), (Matrix{{4.0 / 3}, {0}, {5}}));
  EXPECT_EQ(runs.labels(1), (Labels{0, 0, 1, 2}));
  EXPECT_EQ(runs.centers(1), (Matrix{{2.0 / 3}, {2}, {5}}));
  EXPECT_NEAR(found[1].inertia, 2.0 / 3, 1e-15);
}

TEST(RunsOnDevice, say_which_run_has_an_empty_cluster) {
  const WeightedRows sample = weighted(overlapping_blobs(800, 2, 2, 13), 13);
  Matrix far = sample.points.topRows(3);
  far.row(1).setConstant(1e6);
  // The second of equal centers gets no row.
  Matrix equal = sample.points.topRows(3);
  equal.row(2) = equal.row(0);
  const std::vector<Matrix> starts{sample.points.topRows(3), far, equal};
  RunsOnDevice runs(samples::device(), sample, 3, 3);
  const auto found = runs.lloyd(starts, 50, 0);
  EXPECT_FALSE(found[0].has_empty_cluster);
  EXPECT_TRUE(found[1].has_empty_cluster);
  EXPECT_TRUE(found[2].has_empty_cluster);
  const LloydResult expected = lloyd(sample.points, starts[0], 50, 0, sample.weights);
  EXPECT_EQ(runs.labels(0), expected.labels);
}

TEST(RunsOnDevice, notice_a_cluster_that_loses_its_rows_later) {
  // Center 1 has the rows 0 and 10 and stays at 5; then -3 is nearer to one of them and 13 to the
  // other.
  const WeightedRows sample{
      .points = Matrix{{-3}, {0}, {10}, {13}}, .weights = {1, 2, 2, 1}, .rows = {0, 1, 2, 3}};
  const std::vector<Matrix> starts{Matrix{{-10}, {5}, {20}}};
  RunsOnDevice runs(samples::device(), sample, 3, 1);
  EXPECT_FALSE(runs.lloyd(starts, 1, 0)[0].has_empty_cluster);
  EXPECT_EQ(runs.labels(0), (Labels{0, 1, 1, 2}));
  EXPECT_EQ(runs.centers(0), (Matrix{{-3}, {5}, {13}}));
  const RunsOnDevice::Run found = runs.lloyd(starts, 50, 0)[0];
  EXPECT_TRUE(found.has_empty_cluster);
  EXPECT_EQ(found.iterations, 2);
}

TEST(RunsOnDevice, end_when_they_are_told_to) {
  const WeightedRows sample = weighted(overlapping_blobs(3000, 2, 12, 14), 14);
  RunsOnDevice runs(samples::device(), sample, 12, 2);
  std::vector<RandomStream> own = streams(2);
  const auto starts = runs.choose_starts(own, [] { return false; });
  own = streams(2);
  for (std::size_t run = 0; run < 2; ++run) {
    const std::vector<Index> all = greedy_kmeanspp(sample, 12, own[run]);
    ASSERT_GE(starts[run].size(), 1U);
    ASSERT_LT(starts[run].size(), 12U);
    EXPECT_TRUE(std::equal(starts[run].begin(), starts[run].end(), all.begin()));
  }
  const std::vector<Matrix> centers{sample.points.topRows(12), sample.points.bottomRows(12)};
  const auto found = runs.lloyd(centers, 300, 0, [] { return false; });
  for (std::size_t run = 0; run < 2; ++run) {
    const LloydResult expected =
        lloyd(sample.points, centers[run], found[run].iterations, 0, sample.weights);
    EXPECT_LT(found[run].iterations,
              lloyd(sample.points, centers[run], 300, 0, sample.weights).iterations);
    EXPECT_EQ(runs.labels(run), expected.labels);
    EXPECT_NEAR(found[run].inertia, expected.inertia, 1e-12 * expected.inertia);
  }
}

TEST(RunsOnDevice, have_the_same_bytes_each_time) {
  const WeightedRows sample = weighted(overlapping_blobs(4000, 3, 5, 15), 15);
  const std::vector<Matrix> starts{sample.points.topRows(5), sample.points.bottomRows(5)};
  const std::vector<Matrix> swapped{starts[1], starts[0]};
  RunsOnDevice one(samples::device(), sample, 5, 2);
  const auto first = one.lloyd(starts, 100, 1e-6);
  const Matrix centers = one.centers(0);
  const auto again = one.lloyd(swapped, 100, 1e-6);
  EXPECT_EQ(again[1].inertia, first[0].inertia);
  EXPECT_EQ(one.centers(1), centers);
}

TEST(RunsOnDevice, are_for_few_clusters_and_columns) {
  EXPECT_TRUE(runs_suit_a_device(5, 5));
  EXPECT_TRUE(runs_suit_a_device(128, 128));
  EXPECT_FALSE(runs_suit_a_device(512, 512));
  EXPECT_FALSE(runs_suit_a_device(128, 129));
  EXPECT_TRUE(runs_suit_a_device(512, 32));
  EXPECT_FALSE(runs_suit_a_device(512, 33));
  EXPECT_FALSE(runs_suit_a_device(513, 1));
}

/// The host twin, with other functions in place of some.
std::shared_ptr<CudaDevice> device_with(void (*change)(repsc_cuda_functions&)) {
  static std::vector<std::unique_ptr<repsc_cuda_functions>> tables;  // as long as their devices
  tables.push_back(std::make_unique<repsc_cuda_functions>(*repsc_cuda()));
  change(*tables.back());
  return std::make_shared<CudaDevice>(*tables.back(), 0);
}

// Greedy k-means++ hardly ever leads to an empty cluster: here the device claims it.
TEST(KMeans, computes_runs_with_empty_clusters_on_the_host) {
  const auto all_empty = device_with([](repsc_cuda_functions& table) {
    table.iterate_runs = [](repsc_cuda_context*, repsc_cuda_runs runs, std::int64_t, std::int64_t,
                            double, repsc_cuda_run* states) {
      std::fill_n(states, runs.runs, repsc_cuda_run{0, 1, REPSC_CUDA_RUN_HAS_EMPTY_CLUSTER});
      std::fill_n(runs.labels, runs.runs * runs.X.rows, 0);
      return 0;
    };
  });
  const auto every_second_empty = device_with([](repsc_cuda_functions& table) {
    table.iterate_runs = [](repsc_cuda_context* context, repsc_cuda_runs runs, std::int64_t count,
                            std::int64_t most, double tolerance, repsc_cuda_run* states) {
      const std::int32_t failed =
          repsc_cuda()->iterate_runs(context, runs, count, most, tolerance, states);
      for (std::int64_t run = 0; run < runs.runs; run += 2)
        states[run].state = REPSC_CUDA_RUN_HAS_EMPTY_CLUSTER;
      return failed;
    };
  });
  const Matrix X = overlapping_blobs(90'000, 2, 14, 21);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Labels host = kmeans(X, 9, {.restarts = 2, .seed = seed}).labels;
    for (const auto& device : {all_empty, every_second_empty})
      EXPECT_EQ(kmeans(X, 9, {.restarts = 2, .seed = seed, .device = device}).labels, host);
  }
}

TEST(KMeans, computes_runs_on_the_host_where_the_device_has_no_room_for_them) {
  const auto device = device_with([](repsc_cuda_functions& table) {
    table.choose_starts = [](repsc_cuda_context*, repsc_cuda_runs, std::int64_t, std::int64_t,
                             std::int32_t*) { return 1; };
  });
  const Matrix X = overlapping_blobs(80'000, 2, 5, 22);
  EXPECT_EQ(kmeans(X, 5, {.restarts = 2, .seed = 1, .device = device}).labels,
            kmeans(X, 5, {.restarts = 2, .seed = 1}).labels);
}

// Of all of kmeans(): uneven clusters, whose runs end in different minima.
TEST(KMeans, takes_the_best_run_of_the_host_on_a_device) {
  Matrix X = samples::random_matrix(90'000, 3, 16);
  const Matrix centers = 3 * samples::random_matrix(14, 3, 17);
  for (Eigen::Index i = 0; i < X.rows(); ++i) X.row(i) += centers.row((i * i) % 14);
  for (const std::uint64_t seed : {1, 2}) {
    const KMeansResult host = kmeans(X, 9, {.restarts = 4, .seed = seed});
    const KMeansResult found =
        kmeans(X, 9, {.restarts = 4, .seed = seed, .device = samples::device()});
    EXPECT_EQ(found.labels, host.labels);
    EXPECT_NEAR(found.inertia, host.inertia, 1e-9 * host.inertia);
  }
}

TEST(KMeans, on_a_device_takes_more_restarts_than_run_at_once) {
  // After one iteration no two runs are equal, and the best ones of some seeds come late.
  const Matrix X = overlapping_blobs(90'000, 2, 14, 18);
  KMeansOptions options{.restarts = most_runs_on_device, .max_iterations = 1};  // twice as many run
  for (options.seed = 1; options.seed <= 4; ++options.seed) {
    options.device = nullptr;
    const Labels host = kmeans(X, 9, options).labels;
    options.device = samples::device();
    EXPECT_EQ(kmeans(X, 9, options).labels, host);
  }
}

TEST(KMeans, on_a_device_finds_clusters_that_the_sample_does_not_have) {
  // Two rows for three clusters in nearly every sample: runs on all rows have to find the third.
  Matrix X = Matrix::Zero(80'000, 1);
  X.bottomRows(40'000).setConstant(1);
  X(100, 0) = 0.25;
  const KMeansResult found = kmeans(X, 3, {.restarts = 2, .seed = 1, .device = samples::device()});
  EXPECT_EQ(std::set<Label>(found.labels.begin(), found.labels.end()).size(), 3U);
  EXPECT_EQ(found.inertia, 0);
  EXPECT_EQ(found.labels, kmeans(X, 3, {.restarts = 2, .seed = 1}).labels);
}

TEST(KMeans, on_a_device_reports_progress_between_the_steps_of_runs) {
  // Iterations on all rows, which report too, fail here.
  const auto device = device_with([](repsc_cuda_functions& table) {
    table.assign_labels = [](repsc_cuda_context*, repsc_cuda_block, const double*, std::int64_t,
                             std::int32_t*, std::int64_t*, double*) { return 1; };
  });
  const Matrix X = overlapping_blobs(100'000, 2, 20, 19);
  struct Stop {};
  for (const int last : {1, 3}) {  // while rows are chosen, and in Lloyd's iteration
    int calls = 0;
    KMeansOptions options{.restarts = 2, .tolerance = 0, .device = device};
    options.progress = [&](const auto&) {
      if (++calls == last) throw Stop();
    };
    EXPECT_THROW(static_cast<void>(kmeans(X, 12, options)), Stop);
    EXPECT_EQ(calls, last);
  }
}

int choices = 0;     // calls of choose_starts()
int iterations = 0;  // of iterate_runs()

TEST(KMeans, on_a_device_ends_at_the_deadline) {
  const auto device = device_with([](repsc_cuda_functions& table) {
    table.choose_starts = [](repsc_cuda_context* context, repsc_cuda_runs runs, std::int64_t first,
                             std::int64_t end, std::int32_t* chosen) {
      ++choices;
      return repsc_cuda()->choose_starts(context, runs, first, end, chosen);
    };
    table.iterate_runs = [](repsc_cuda_context* context, repsc_cuda_runs runs, std::int64_t count,
                            std::int64_t most, double tolerance, repsc_cuda_run* states) {
      ++iterations;
      return repsc_cuda()->iterate_runs(context, runs, count, most, tolerance, states);
    };
  });
  const Matrix X = overlapping_blobs(100'000, 2, 20, 20);
  const auto found = [&](int K) {
    choices = iterations = 0;
    return kmeans(X, K, {.restarts = 200, .deadline = Deadline::after(1e-6), .device = device});
  };
  // All rows are chosen before anybody looks at the clock, and then some iterations are made.
  const KMeansResult five = found(5);
  EXPECT_TRUE(five.out_of_time);
  EXPECT_EQ(std::set<Label>(five.labels.begin(), five.labels.end()).size(), 5U);
  EXPECT_EQ(choices, 1);
  EXPECT_EQ(iterations, 1);
  // Only some of the rows are.
  const KMeansResult twelve = found(12);
  EXPECT_TRUE(twelve.out_of_time);
  EXPECT_EQ(std::set<Label>(twelve.labels.begin(), twelve.labels.end()).size(), 12U);
  EXPECT_EQ(choices, 1);
  EXPECT_EQ(iterations, 0);
}

}  // namespace
}  // namespace repsc
