// k-means as callers see it: optimal on tiny inputs, exactly K clusters, invariances, errors.
#include "repsc/kmeans.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "core/random.hpp"
#include "support/errors.hpp"
#include "support/points.hpp"

namespace repsc {
namespace {

using samples::random_points;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Rows in the order 0, 1, ..., K - 1, 0, 1, ... of well separated clusters.
Matrix separated_points(Eigen::Index rows, Eigen::Index columns, int clusters, std::uint64_t seed) {
  Matrix points = 0.05 * random_points(rows, columns, seed);
  for (Eigen::Index i = 0; i < rows; ++i) points(i, 0) += 10.0 * static_cast<double>(i % clusters);
  return points;
}

// The objective by its definition: squared distances to the mean, cluster by cluster.
double inertia_of(const Matrix& points, const Labels& labels, int clusters) {
  double sum = 0;
  for (Label k = 0; k < clusters; ++k) {
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(points.cols());
    int size = 0;
    for (Eigen::Index i = 0; i < points.rows(); ++i) {
      if (labels[static_cast<std::size_t>(i)] != k) continue;
      mean += points.row(i);
      ++size;
    }
    if (size == 0) continue;
    mean /= size;
    for (Eigen::Index i = 0; i < points.rows(); ++i) {
      if (labels[static_cast<std::size_t>(i)] == k) sum += (points.row(i) - mean).squaredNorm();
    }
  }
  return sum;
}

// The least inertia over all K^N labellings.
double optimal_inertia(const Matrix& points, int clusters) {
  Labels labels(static_cast<std::size_t>(points.rows()), 0);
  double best = std::numeric_limits<double>::infinity();
  for (;;) {
    best = std::min(best, inertia_of(points, labels, clusters));
    std::size_t digit = 0;
    while (digit < labels.size() && ++labels[digit] == clusters) labels[digit++] = 0;
    if (digit == labels.size()) return best;
  }
}

std::set<Label> used(const Labels& labels) { return {labels.begin(), labels.end()}; }

bool numbered_by_first_row(const Labels& labels) {
  Label next = 0;
  for (const Label label : labels) {
    if (label > next) return false;
    if (label == next) ++next;
  }
  return true;
}

bool same_bytes(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

TEST(KMeans, best_of_many_restarts_is_the_best_of_all_partitions) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    for (int clusters = 1; clusters <= 3; ++clusters) {
      const Matrix points = random_points(5 + static_cast<Eigen::Index>(seed % 4), 2, seed);
      const KMeansResult found = kmeans(points, clusters, {.restarts = 100});
      EXPECT_NEAR(found.inertia, optimal_inertia(points, clusters), 1e-12)
          << clusters << " clusters, seed " << seed;
    }
  }
}

TEST(KMeans, result_is_consistent_with_itself) {
  const Matrix points = random_points(3000, 3, 5);
  const KMeansResult found = kmeans(points, 7, {.tolerance = 0});
  EXPECT_NEAR(found.inertia, inertia_of(points, found.labels, 7), 1e-9 * found.inertia);
  EXPECT_TRUE(numbered_by_first_row(found.labels));
  EXPECT_EQ(used(found.labels).size(), 7U);
  // A fixed point: no row is nearer to another center, and centers are means.
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    const Vector distances = (found.centers.rowwise() - points.row(i)).rowwise().squaredNorm();
    EXPECT_LE(distances[found.labels[static_cast<std::size_t>(i)]],
              distances.minCoeff() * (1 + 1e-12));
  }
  Matrix sums = Matrix::Zero(7, 3);
  Vector sizes = Vector::Zero(7);
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    sums.row(found.labels[static_cast<std::size_t>(i)]) += points.row(i);
    sizes[found.labels[static_cast<std::size_t>(i)]] += 1;
  }
  for (Eigen::Index k = 0; k < 7; ++k) {
    EXPECT_LT((found.centers.row(k) - sums.row(k) / sizes[k]).norm(), 1e-13);
  }
}

TEST(KMeans, finds_separated_clusters_and_does_not_mind_the_order_of_rows) {
  const Eigen::Index rows = 501;
  const Matrix points = separated_points(rows, 4, 3, 11);
  const Labels labels = kmeans(points, 3).labels;
  for (std::size_t i = 0; i < labels.size(); ++i) EXPECT_EQ(labels[i], static_cast<Label>(i % 3));

  Matrix reversed = points.colwise().reverse();
  const Labels backwards = kmeans(reversed, 3).labels;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < labels.size(); j += 7) {
      EXPECT_EQ(labels[i] == labels[j],
                backwards[labels.size() - 1 - i] == backwards[labels.size() - 1 - j]);
    }
  }
}

TEST(KMeans, labels_do_not_change_under_translation_and_scaling) {
  const Matrix points = separated_points(300, 3, 4, 3);
  const KMeansResult plain = kmeans(points, 4);
  const Matrix moved = points.array() + 1000.0;
  const KMeansResult translated = kmeans(moved, 4);
  EXPECT_EQ(translated.labels, plain.labels);
  EXPECT_NEAR(translated.inertia, plain.inertia, 1e-8 * plain.inertia);
  for (const double scale : {1e-300, 1e-150, 1e-20, 1e20, 1e150, 1e300}) {
    const KMeansResult scaled = kmeans(scale * points, 4);
    EXPECT_EQ(scaled.labels, plain.labels) << scale;
    EXPECT_LT((scaled.centers / scale - plain.centers).norm(), 1e-12) << scale;
    if (std::abs(std::log10(scale)) <= 150) {
      EXPECT_NEAR(scaled.inertia / scale / scale, plain.inertia, 1e-12 * plain.inertia) << scale;
    }
  }
  // By a power of two not even the last bit changes.
  const KMeansResult doubled = kmeans(std::ldexp(1.0, 400) * random_points(200, 3, 1), 5);
  const KMeansResult single = kmeans(random_points(200, 3, 1), 5);
  EXPECT_EQ(doubled.labels, single.labels);
  EXPECT_TRUE(same_bytes(std::ldexp(1.0, -400) * doubled.centers, single.centers));
}

TEST(KMeans, always_returns_exactly_as_many_clusters_as_asked) {
  EXPECT_TRUE(rc::check("rows drawn from few values", [] {
    const auto rows = *rc::gen::inRange(1, 60);
    const auto columns = *rc::gen::inRange(1, 4);
    const auto values = *rc::gen::inRange(1, 4);
    RandomStream random(*rc::gen::arbitrary<std::uint64_t>());
    Matrix points(rows, columns);
    std::set<std::vector<double>> distinct;
    for (int i = 0; i < rows; ++i) {
      std::vector<double> row;
      for (int j = 0; j < columns; ++j) {
        points(i, j) = 0.1 * static_cast<double>(random.below(static_cast<std::uint64_t>(values)));
        row.push_back(points(i, j));
      }
      distinct.insert(row);
    }
    const auto clusters = *rc::gen::inRange(1, rows + 1);
    const KMeansOptions options{.restarts = *rc::gen::inRange(1, 4),
                                .max_iterations = *rc::gen::inRange(1, 5)};
    if (static_cast<std::size_t>(clusters) > distinct.size()) {
      RC_ASSERT_THROWS_AS(kmeans(points, clusters, options), InvalidInput);
      return;
    }
    const KMeansResult found = kmeans(points, clusters, options);
    RC_ASSERT(used(found.labels).size() == static_cast<std::size_t>(clusters));
    RC_ASSERT(numbered_by_first_row(found.labels));
    if (static_cast<std::size_t>(clusters) == distinct.size()) RC_ASSERT(found.inertia < 1e-28);
  }));
}

TEST(KMeans, separates_rows_whose_distance_is_too_small_to_square) {
  const Matrix points{{1, 0}, {0, 1e-200}, {0, 0}, {0, -0.0}};
  EXPECT_EQ(used(kmeans(points, 3).labels).size(), 3U);
  EXPECT_THAT([&] { (void)kmeans(points, 4); },
              ThrowsMessage<InvalidInput>(
                  HasSubstr("num_clusters = 4: k-means found only 3 distinct rows")));
}

TEST(KMeans, handles_one_column_one_cluster_and_as_many_clusters_as_rows) {
  const Matrix line{{3}, {1}, {2}, {10}, {11}};
  EXPECT_EQ(kmeans(line, 2).labels, (Labels{0, 0, 0, 1, 1}));
  const KMeansResult one = kmeans(line, 1);
  EXPECT_EQ(one.labels, (Labels{0, 0, 0, 0, 0}));
  EXPECT_NEAR(one.centers(0, 0), 27.0 / 5, 1e-15);
  const KMeansResult all = kmeans(line, 5);
  EXPECT_EQ(all.labels, (Labels{0, 1, 2, 3, 4}));
  EXPECT_EQ(all.inertia, 0);
  EXPECT_TRUE(same_bytes(all.centers, line));
  EXPECT_EQ(kmeans(Matrix(3, 0), 1).labels, (Labels{0, 0, 0}));
  EXPECT_EQ(kmeans(Matrix::Zero(3, 2), 1).inertia, 0);
}

TEST(KMeans, leaves_each_of_many_rows_alone_without_measuring_distances) {
  Matrix points = Matrix::Random(2500, 2500);  // by distances, this takes minutes
  const KMeansResult found = kmeans(points, 2500);
  EXPECT_EQ(found.inertia, 0);
  EXPECT_EQ(found.centers, points);
  for (Index i = 0; i < 2500; ++i) EXPECT_EQ(found.labels[static_cast<std::size_t>(i)], i);
  points.row(1) = points.row(0);
  EXPECT_THROW((void)kmeans(points, 2500), InvalidInput);
}

TEST(KMeans, gives_the_same_bytes_on_any_number_of_threads) {
  // 3000 rows: restarts in parallel. 101000 rows: restarts on a sample, or, for many clusters,
  // threads inside a restart.
  for (const auto& [rows, clusters] : {std::pair{3000, 6}, {101'000, 6}, {101'000, 18}}) {
    const Matrix points = random_points(rows, 3, 2);
    const KMeansOptions options{.restarts = 3, .max_iterations = 12, .seed = 9};
    set_num_threads(1);
    const KMeansResult one = kmeans(points, clusters, options);
    for (const int threads : {2, 3}) {
      set_num_threads(threads);
      const KMeansResult many = kmeans(points, clusters, options);
      EXPECT_EQ(many.labels, one.labels);
      EXPECT_TRUE(same_bytes(many.centers, one.centers));
      EXPECT_EQ(many.inertia, one.inertia);
      EXPECT_EQ(many.iterations, one.iterations);
    }
    set_num_threads({});
  }
}

TEST(KMeans, finds_a_handful_of_rows_far_away_among_many) {
  // A uniform sample of 20,000 rows would contain about one of the seven.
  Matrix points = 0.01 * random_points(120'000, 2, 3);
  for (Eigen::Index i = 0; i < 7; ++i) points(1000 + 15'000 * i, 1) += i < 3 ? 40 : -40;
  const KMeansResult found = kmeans(points, 3, {.restarts = 2});
  Labels sizes(3, 0);
  for (const Label label : found.labels) ++sizes[static_cast<std::size_t>(label)];
  EXPECT_EQ(sizes, (Labels{119'993, 3, 4}));
  EXPECT_NEAR(found.inertia, inertia_of(points, found.labels, 3), 1e-9 * found.inertia);
}

TEST(KMeans, has_all_clusters_where_a_sample_would_miss_some) {
  // Equal rows, one far away, and three others too close to them to be drawn for their distance.
  Matrix points = Matrix::Ones(80'000, 1);
  points(0, 0) = 1e6;
  for (Eigen::Index i = 1; i < 4; ++i) points(20'000 * i, 0) = 1 + 1e-3 * static_cast<double>(i);
  const KMeansResult found = kmeans(points, 5, {.restarts = 2});
  EXPECT_EQ(used(found.labels).size(), 5U);
  EXPECT_EQ(found.inertia, 0);
}

TEST(KMeans, more_restarts_or_iterations_never_make_it_worse) {
  const Matrix points = random_points(2000, 2, 8);
  double previous = std::numeric_limits<double>::infinity();
  for (const int restarts : {1, 2, 4, 8, 16}) {
    const double inertia = kmeans(points, 9, {.restarts = restarts, .seed = 4}).inertia;
    EXPECT_LE(inertia, previous);
    previous = inertia;
  }
  previous = std::numeric_limits<double>::infinity();
  for (int iterations = 1; iterations <= 25; ++iterations) {
    const KMeansResult found =
        kmeans(points, 9, {.restarts = 1, .max_iterations = iterations, .tolerance = 0});
    EXPECT_LE(found.inertia, previous * (1 + 1e-14));
    EXPECT_LE(found.iterations, iterations);
    previous = found.inertia;
  }
}

// Points on a circle, nearly: two clusters are the halves on both sides of any line, and all of
// these are almost equally good.
Matrix circle(Eigen::Index size, double unevenness) {
  Matrix points(size, 2);
  for (Eigen::Index i = 0; i < size; ++i) {
    const double angle = 0.1 + 2 * M_PI * static_cast<double>(i) / static_cast<double>(size);
    points.row(i) << (1 + unevenness) * std::cos(angle), std::sin(angle);
  }
  return points;
}

// The first point that is in another half than the one before.
int line_of(const Labels& labels) {
  int i = 1;
  while (labels[static_cast<std::size_t>(i)] == labels[static_cast<std::size_t>(i - 1)]) ++i;
  return i;
}

TEST(KMeans, lets_the_caller_choose_among_runs_that_are_equally_good) {
  const Matrix points = circle(12, 1e-6);
  std::set<int> lines;
  for (int wanted = 1; wanted <= 6; ++wanted) {
    int calls = 0;
    const auto value = [&](const Labels& labels) {
      ++calls;
      return std::abs(line_of(labels) - wanted);
    };
    const KMeansResult found = kmeans(points, 2, {.restarts = 200, .among_equals = value});
    lines.insert(line_of(found.labels));
    EXPECT_LE(calls, 6) << "one for each result, however often it was found";
    EXPECT_NEAR(found.inertia, inertia_of(points, found.labels, 2), 1e-9);
  }
  EXPECT_EQ(lines, (std::set<int>{1, 2, 3, 4, 5, 6}));
}

TEST(KMeans, does_not_let_the_caller_choose_what_is_worse) {
  const Matrix points = circle(12, 0.01);
  const Labels best = kmeans(points, 2, {.restarts = 200}).labels;
  for (int wanted = 1; wanted <= 6; ++wanted) {
    const auto value = [&](const Labels& labels) { return std::abs(line_of(labels) - wanted); };
    EXPECT_EQ(kmeans(points, 2, {.restarts = 200, .among_equals = value}).labels, best);
  }
}

TEST(KMeans, reports_progress) {
  const Matrix small = random_points(50, 2, 1);
  std::vector<std::int64_t> done;
  double value = 0;
  KMeansOptions options{.restarts = 4, .progress = [&](const Progress& progress) {
                          done.push_back(progress.done);
                          value = progress.value;
                          EXPECT_EQ(progress.total, 4);
                        }};
  const auto expect_report_of = [&](const Matrix& points, int clusters, std::size_t at_least) {
    done.clear();
    const double inertia = kmeans(points, clusters, options).inertia;
    EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
    EXPECT_GE(done.size(), at_least);
    EXPECT_EQ(done.back(), 4);
    EXPECT_EQ(value, inertia);
  };
  expect_report_of(small, 3, 1);  // in parallel: other threads may do all the work
  // One after the other, and on a sample first: between the iterations, too.
  expect_report_of(random_points(100'000, 1, 1), 18, 8);
  expect_report_of(random_points(100'000, 1, 1), 2, 2);
}

TEST(KMeans, stops_where_the_caller_throws) {
  const auto expect_stop = [](const Matrix& points, int clusters, int calls_before) {
    int calls = 0;
    const KMeansOptions options{.restarts = 8, .progress = [&](const Progress&) {
                                  if (++calls == calls_before) throw std::runtime_error("enough");
                                }};
    EXPECT_THROW((void)kmeans(points, clusters, options), std::runtime_error);
    EXPECT_EQ(calls, calls_before) << "called again after it threw";
  };
  expect_stop(random_points(5000, 3, 1), 6, 1);      // in parallel
  expect_stop(random_points(100'000, 1, 1), 18, 5);  // one after the other
}

TEST(KMeans, returns_the_best_of_the_runs_before_the_deadline) {
  // Nearly as many clusters as rows: one run alone takes far longer than the deadline. Without a
  // deadline the runs would take hours.
  const Matrix points = Matrix::Random(500, 500);
  const KMeansResult found =
      kmeans(points, 499, {.restarts = 1'000'000, .deadline = Deadline::after(0.001)});
  EXPECT_TRUE(found.out_of_time);
  EXPECT_EQ(std::set<Label>(found.labels.begin(), found.labels.end()).size(), 499U);

  const Matrix few = Matrix::Random(40, 2);
  const KMeansResult once = kmeans(few, 3, {.restarts = 1});
  const KMeansResult many =
      kmeans(few, 3, {.restarts = 2'000'000'000, .deadline = Deadline::after(0.2)});
  EXPECT_TRUE(many.out_of_time);
  EXPECT_LE(many.inertia, once.inertia) << "the first run is among them";
  EXPECT_GT(many.runs, 1);
  EXPECT_FALSE(once.out_of_time);
  EXPECT_THROW((void)Deadline::after(0.0), InvalidInput);
  EXPECT_THROW((void)Deadline::after(std::nan("")), InvalidInput);
}

TEST(KMeans, says_what_is_wrong_with_bad_input) {
  const auto message = [](const Matrix& points, int clusters, const KMeansOptions& options = {}) {
    return error_of([&] { return kmeans(points, clusters, options); });
  };
  Matrix points = random_points(6000, 2, 1);
  EXPECT_THAT(message(points, 0), HasSubstr("num_clusters = 0: it must be at least 1"));
  EXPECT_THAT(message(points, 6001),
              HasSubstr("num_clusters = 6001: it must be at most the number of rows, 6000"));
  EXPECT_THAT(message(Matrix(0, 2), 1), HasSubstr("at most the number of rows, 0"));
  EXPECT_THAT(message(Matrix::Ones(9, 2), 2),
              HasSubstr("only 1 distinct rows; use num_clusters = 1"));
  EXPECT_THAT(message(points, 2, {.restarts = 0}), HasSubstr("restarts = 0"));
  EXPECT_THAT(message(points, 2, {.max_iterations = 0}), HasSubstr("max_iterations = 0"));
  EXPECT_THAT(message(points, 2, {.tolerance = -1}), HasSubstr("tolerance = -1"));
  points(5000, 0) = std::nan("");
  points(4500, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THAT(message(points, 2), HasSubstr("row 4500 contains inf"));
}

}  // namespace
}  // namespace repsc
