// Hamerly's bounds and the skipping in k-means++ save work and change no result: both are compared
// with literal implementations of the plain methods.
#include "kmeans/lloyd.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "kmeans/seeding.hpp"

namespace repsc {
namespace {

double squared(const Matrix& a, Eigen::Index i, const Matrix& b, Eigen::Index j) {
  return (a.row(i) - b.row(j)).squaredNorm();
}

Matrix rows_of(const Matrix& points, const std::vector<Index>& rows) {
  Matrix result(static_cast<Eigen::Index>(rows.size()), points.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    result.row(static_cast<Eigen::Index>(k)) = points.row(rows[k]);
  }
  return result;
}

// Gives every empty cluster the row farthest from its own center.
void fill_empty(const Matrix& points, const Matrix& centers, Labels& labels) {
  for (Label k = 0; k < centers.rows(); ++k) {
    if (std::count(labels.begin(), labels.end(), k) > 0) continue;
    double farthest = -1;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (std::count(labels.begin(), labels.end(), labels[i]) < 2) continue;
      const double d = squared(points, static_cast<Eigen::Index>(i), centers, labels[i]);
      if (d > farthest) {
        farthest = d;
        chosen = i;
      }
    }
    labels[chosen] = k;
  }
}

LloydResult plain_lloyd(const Matrix& points, Matrix centers, int max_iterations) {
  LloydResult result;
  Labels labels(static_cast<std::size_t>(points.rows()));
  for (int iteration = 1; iteration <= max_iterations; ++iteration) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      for (Label k = labels[i] = 0; k < centers.rows(); ++k) {
        const auto row = static_cast<Eigen::Index>(i);
        if (squared(points, row, centers, k) < squared(points, row, centers, labels[i])) {
          labels[i] = k;
        }
      }
    }
    result.iterations = iteration;
    if (labels == result.labels) break;
    fill_empty(points, centers, labels);
    result.labels = labels;
    Matrix sums = Matrix::Zero(centers.rows(), centers.cols());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      sums.row(labels[i]) += points.row(static_cast<Eigen::Index>(i));
    }
    for (Label k = 0; k < centers.rows(); ++k) {
      centers.row(k) = sums.row(k) / std::count(labels.begin(), labels.end(), k);
    }
  }
  result.centers = centers;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    result.inertia += squared(points, static_cast<Eigen::Index>(i), centers, result.labels[i]);
  }
  return result;
}

TEST(Lloyd, with_bounds_takes_every_step_of_the_plain_method) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    RandomStream random(seed);
    const Eigen::Index rows = 1100 + static_cast<Eigen::Index>(random.below(1200));
    const auto columns = static_cast<Eigen::Index>(1 + random.below(5));
    const auto clusters = static_cast<int>(1 + random.below(20));
    Matrix points(rows, columns);
    for (double& value : points.reshaped()) value = random.normal();
    const Matrix start = rows_of(points, greedy_kmeanspp(points, clusters, random));
    for (const int iterations : {1, 2, 5, 60}) {
      const LloydResult plain = plain_lloyd(points, start, iterations);
      const LloydResult bounded = lloyd(points, start, iterations, 0);
      ASSERT_EQ(bounded.labels, plain.labels) << "seed " << seed << ", " << iterations;
      ASSERT_EQ(bounded.iterations, plain.iterations);
      EXPECT_LT((bounded.centers - plain.centers).norm(), 1e-12);
      EXPECT_NEAR(bounded.inertia, plain.inertia, 1e-12 * (1 + plain.inertia));
    }
  }
}

TEST(Lloyd, breaks_ties_as_the_plain_method_does) {
  // Small whole numbers: many rows lie exactly between two centers. One step is exact, and so is
  // the next where all clusters have 1, 2, 4, ... rows; labels must then agree to the last one.
  int second_steps = 0;
  EXPECT_TRUE(rc::check("points of a small lattice", [&] {
    RandomStream random(*rc::gen::arbitrary<std::uint64_t>());
    const auto rows = *rc::gen::inRange(4, 24);
    const auto clusters = *rc::gen::inRange(2, 5);
    Matrix points(rows, 2);
    for (double& value : points.reshaped()) value = static_cast<double>(random.below(4));
    const std::vector<Index> seeds = greedy_kmeanspp(points, clusters, random);
    RC_PRE(seeds.size() == static_cast<std::size_t>(clusters));
    const Matrix start = rows_of(points, seeds);
    const Labels first = plain_lloyd(points, start, 1).labels;
    RC_ASSERT(lloyd(points, start, 1, 0).labels == first);
    for (Label k = 0; k < clusters; ++k) {
      const auto size = static_cast<std::size_t>(std::count(first.begin(), first.end(), k));
      if (!std::has_single_bit(size)) return;
    }
    ++second_steps;
    RC_ASSERT(lloyd(points, start, 2, 0).labels == plain_lloyd(points, start, 2).labels);
  }));
  EXPECT_GT(second_steps, 0);
}

TEST(Lloyd, notices_a_tie_that_its_bounds_can_barely_see) {
  // Center 0 moves from -2 to 0 and center 1 stays at 20: the row at 10, so far of center 1, is now
  // exactly between them, where both of Hamerly's bounds equal its distance.
  const Matrix points{{-1}, {1}, {10}, {30}};
  const Matrix start{{-2}, {20}};
  EXPECT_EQ(lloyd(points, start, 1, 0).labels, (Labels{0, 0, 1, 1}));
  EXPECT_EQ(lloyd(points, start, 2, 0).labels, (Labels{0, 0, 0, 1}));
}

TEST(Lloyd, gives_the_same_bytes_inside_a_parallel_loop_as_outside) {
  RandomStream random(6);
  Matrix points(20'000, 3);
  for (double& value : points.reshaped()) value = random.normal();
  const auto run = [&](std::int64_t restart) {
    RandomStream stream(1, static_cast<std::uint64_t>(restart));
    return lloyd(points, rows_of(points, greedy_kmeanspp(points, 5, stream)), 10, 0);
  };
  set_num_threads(3);
  std::vector<LloydResult> inside(4);
  parallel_chunks(4, [&](std::int64_t i) { inside[static_cast<std::size_t>(i)] = run(i); });
  for (std::int64_t i = 0; i < 4; ++i) {
    const LloydResult outside = run(i);
    EXPECT_EQ(outside.labels, inside[static_cast<std::size_t>(i)].labels);
    EXPECT_EQ(outside.centers, inside[static_cast<std::size_t>(i)].centers);
    EXPECT_EQ(outside.inertia, inside[static_cast<std::size_t>(i)].inertia);
  }
  set_num_threads({});
}

TEST(Lloyd, fills_empty_clusters_with_the_farthest_rows) {
  // Centers 2 and 3 are far from every row; rows 4 and 0 are farthest from centers 0 and 1.
  const Matrix points{{-3}, {-1}, {1}, {9}, {14}};
  const Matrix start{{0}, {10}, {1000}, {2000}};
  const LloydResult found = lloyd(points, start, 1, 0);
  EXPECT_EQ(found.labels, (Labels{3, 0, 0, 1, 2}));
  const Matrix centers{{0}, {9}, {14}, {-3}};
  EXPECT_EQ(found.centers, centers);
  EXPECT_EQ(found.inertia, 2);
}

TEST(Lloyd, goes_on_as_the_plain_method_does_after_a_cluster_was_empty) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    RandomStream random(seed);
    Matrix points(1100, 2);
    for (double& value : points.reshaped()) value = random.normal();
    Matrix start(12, 2);
    for (double& value : start.reshaped()) value = 40 * random.normal();
    const LloydResult plain = plain_lloyd(points, start, 25);
    const LloydResult bounded = lloyd(points, start, 25, 0);
    ASSERT_EQ(bounded.labels, plain.labels) << seed;
    EXPECT_EQ(std::set<Label>(bounded.labels.begin(), bounded.labels.end()).size(), 12U);
  }
}

TEST(Lloyd, stops_where_the_inertia_falls_by_less_than_the_tolerance) {
  RandomStream random(3);
  Matrix points(1500, 2);
  for (double& value : points.reshaped()) value = random.uniform();
  const Matrix start = rows_of(points, greedy_kmeanspp(points, 10, random));
  const double tolerance = 1e-3;
  // What the rule says, from inertias measured after 1, 2, ... iterations. The fall of an iteration
  // is between consecutive results, as both end with centers moved to the means.
  int expected = 1;
  double before = std::numeric_limits<double>::infinity();
  for (double after = 0; true; before = after, ++expected) {
    after = plain_lloyd(points, start, expected).inertia;
    if (before - after <= tolerance * after) break;
  }
  EXPECT_EQ(lloyd(points, start, 300, tolerance).iterations, expected);
  EXPECT_GT(lloyd(points, start, 300, 0).iterations, expected);
  EXPECT_GT(expected, 2);
}

// Row i of `points` counts[i] times.
Matrix repeated(const Matrix& points, const std::vector<double>& counts) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    rows.insert(rows.end(), static_cast<std::size_t>(counts[i]), static_cast<Index>(i));
  }
  return rows_of(points, rows);
}

// Normal values, and whole weights from 1 to 4.
std::pair<Matrix, std::vector<double>> random_weighted_rows(Index rows, Index columns,
                                                            RandomStream& random) {
  Matrix points(rows, columns);
  for (double& value : points.reshaped()) value = random.normal();
  std::vector<double> weights(static_cast<std::size_t>(rows));
  for (double& weight : weights) weight = 1 + static_cast<double>(random.below(4));
  return {std::move(points), std::move(weights)};
}

TEST(Lloyd, counts_a_row_of_weight_three_as_three_rows) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    RandomStream random(seed);
    const auto [points, weights] = random_weighted_rows(1300, 3, random);
    const Matrix start = rows_of(points, greedy_kmeanspp(points, 9, random));
    const LloydResult weighted = lloyd(points, start, 100, 1e-4, weights);
    const LloydResult plain = lloyd(repeated(points, weights), start, 100, 1e-4);
    EXPECT_EQ(weighted.iterations, plain.iterations);
    EXPECT_LT((weighted.centers - plain.centers).norm(), 1e-12);
    EXPECT_NEAR(weighted.inertia, plain.inertia, 1e-11 * plain.inertia);
    Labels labels;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      labels.insert(labels.end(), static_cast<std::size_t>(weights[i]), weighted.labels[i]);
    }
    EXPECT_EQ(labels, plain.labels);
  }
}

/// The number whose time -log(u) / weight is the least, all of them computed.
std::size_t first_of_race(std::uint64_t key, const std::vector<std::uint64_t>& numbers,
                          const std::vector<double>& weights) {
  std::size_t first = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double time = -std::log(uniform_of(key, numbers[i])) / weights[i];
    if (weights[i] > 0 && time < least) {
      least = time;
      first = i;
    }
  }
  return first;
}

/// Greedy k-means++ without skipping any distance, from a given first row.
class PlainSeeding {
 public:
  PlainSeeding(const WeightedRows& sample, Index first)
      : sample_(sample), chosen_{first}, weights_(left_by(first, sample.weights, true)) {}

  std::vector<Index> run(int count, RandomStream& random) {
    while (chosen_.size() < static_cast<std::size_t>(count)) {
      std::vector<Index> candidates;
      for (int c = 0; c < 2 + static_cast<int>(std::log(count)); ++c) {
        candidates.push_back(drawn(random));
      }
      std::vector<double> best;
      Index chosen = 0;
      for (const Index candidate : candidates) {
        std::vector<double> left = left_by(candidate, weights_, false);
        if (!best.empty() && !(total(left) < total(best))) continue;
        best = std::move(left);
        chosen = candidate;
      }
      weights_ = best;
      chosen_.push_back(chosen);
    }
    return chosen_;
  }

 private:
  static double total(const std::vector<double>& weights) {
    return std::accumulate(weights.begin(), weights.end(), 0.0);
  }

  [[nodiscard]] std::vector<double> left_by(Index center, std::vector<double> weights,
                                            bool first) const {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double own = sample_.weights[i] * squared(sample_.points, static_cast<Eigen::Index>(i),
                                                      sample_.points, center);
      weights[i] = first ? own : std::min(weights[i], own);
    }
    return weights;
  }

  /// First one of the ranges of 512 times the stride, then a row of it.
  [[nodiscard]] Index drawn(RandomStream& random) const {
    std::map<std::uint64_t, std::vector<Index>> members;
    for (std::size_t i = 0; i < sample_.rows.size(); ++i) {
      const auto range = static_cast<std::uint64_t>(sample_.rows[i] / (512 * sample_.stride));
      members[range].push_back(static_cast<Index>(i));
    }
    std::vector<std::uint64_t> ranges;
    std::vector<double> sums;
    for (const auto& [range, rows] : members) {
      ranges.push_back(range);
      sums.push_back(0);
      for (const Index i : rows) sums.back() += weights_[static_cast<std::size_t>(i)];
    }
    const std::vector<Index>& rows = members[ranges[first_of_race(random.bits(), ranges, sums)]];
    std::vector<std::uint64_t> names;
    std::vector<double> weights;
    for (const Index i : rows) {
      names.push_back(static_cast<std::uint64_t>(sample_.rows[static_cast<std::size_t>(i)]));
      weights.push_back(weights_[static_cast<std::size_t>(i)]);
    }
    return rows[first_of_race(random.bits(), names, weights)];
  }

  const WeightedRows& sample_;
  std::vector<Index> chosen_;
  std::vector<double> weights_;
};

WeightedRows all_rows(const Matrix& points) {
  WeightedRows all{.points = points,
                   .weights = std::vector<double>(static_cast<std::size_t>(points.rows()), 1.0),
                   .rows = std::vector<Index>(static_cast<std::size_t>(points.rows()))};
  std::iota(all.rows.begin(), all.rows.end(), 0);
  return all;
}

/// Every third row on average, of different weights.
WeightedRows thinned(const Matrix& points, RandomStream& random) {
  WeightedRows sample{.points = {}, .weights = {}, .rows = {}, .stride = 3};
  for (Index i = 0; i < static_cast<Index>(points.rows()); ++i) {
    if (random.uniform() > 1.0 / 3) continue;
    sample.rows.push_back(i);
    sample.weights.push_back(1 + 5 * random.uniform());
  }
  sample.points = points(sample.rows, Eigen::all);
  return sample;
}

TEST(Seeding, chooses_the_rows_that_greedy_kmeanspp_chooses_without_skipping) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    // 9000 rows: three blocks. Half the seeds have clusters, so that most distances are skipped.
    RandomStream random(seed);
    Matrix points(9000, 3);
    for (double& value : points.reshaped()) value = random.normal();
    if (seed % 2 == 0) {
      for (Eigen::Index i = 0; i < 9000; ++i) points(i, 0) += 50.0 * static_cast<double>(i % 9);
    }
    RandomStream one(seed, 1);
    RandomStream two(seed, 1);
    const auto first = static_cast<Index>(two.below(9000));
    const WeightedRows all = all_rows(points);
    EXPECT_EQ(greedy_kmeanspp(points, 12, one), PlainSeeding(all, first).run(12, two));
    const WeightedRows sample = thinned(points, random);
    const std::vector<Index> chosen = greedy_kmeanspp(sample, 12, one);
    RandomStream three = two;
    static_cast<void>(three.bits());  // the race for the first row
    EXPECT_EQ(chosen, PlainSeeding(sample, chosen[0]).run(12, three));
  }
}

TEST(Seeding, draws_the_first_row_of_a_sample_as_often_as_it_weighs) {
  const WeightedRows sample{
      .points = Matrix::Random(4, 2), .weights = {1, 3, 0.5, 5.5}, .rows = {3, 4, 700, 90'000}};
  std::vector<double> counts(4, 0);
  constexpr int trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    RandomStream random(5, static_cast<std::uint64_t>(trial));
    counts[static_cast<std::size_t>(greedy_kmeanspp(sample, 1, random)[0])] += 1;
  }
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(counts[i] / trials, sample.weights[i] / 10, 0.03) << i;  // four deviations
  }
}

// Where clusters are not clear, every start leads to other ones: what differs by rounding, as
// eigenvectors of another solver, device or number of ranks do, must not be another start.
TEST(Seeding, hardly_changes_if_points_differ_a_little_or_a_row_is_left_out_of_the_sample) {
  RandomStream random(11);
  Matrix points(30'000, 5);
  for (double& value : points.reshaped()) value = random.normal();
  Matrix others = points;
  for (double& value : others.reshaped()) value *= 1 + 1e-4 * random.normal();
  constexpr int starts = 40;
  int same = 0;
  int same_of_sample = 0;
  const WeightedRows sample = lightweight_coreset(points, 5000, 1);
  WeightedRows less = lightweight_coreset(others, 5000, 1);
  less.rows.erase(less.rows.begin() + 17);
  less.weights.erase(less.weights.begin() + 17);
  less.points = others(less.rows, Eigen::all);
  for (std::uint64_t start = 0; start < starts; ++start) {
    RandomStream one(2, start);
    RandomStream two(2, start);
    same += greedy_kmeanspp(points, 8, one) == greedy_kmeanspp(others, 8, two);
    const std::vector<Index> chosen = greedy_kmeanspp(sample, 8, one);
    const std::vector<Index> again = greedy_kmeanspp(less, 8, two);
    bool equal = chosen.size() == again.size();
    for (std::size_t k = 0; k < chosen.size() && equal; ++k) {
      equal = sample.rows[static_cast<std::size_t>(chosen[k])] ==
              less.rows[static_cast<std::size_t>(again[k])];
    }
    same_of_sample += equal;
  }
  EXPECT_GE(same, starts - 1);
  EXPECT_GE(same_of_sample, starts - 3);
}

TEST(Seeding, stops_where_all_rows_lie_on_the_chosen_ones_and_counts_distinct_rows) {
  Matrix points(100, 2);
  for (Eigen::Index i = 0; i < 100; ++i) points.row(i) << static_cast<double>(i % 4), 1;
  RandomStream random(1);
  std::vector<Index> rows = greedy_kmeanspp(points, 6, random);
  std::set<double> values;
  for (const Index row : rows) values.insert(points(row, 0));
  EXPECT_EQ(rows.size(), 4U);
  EXPECT_EQ(values.size(), 4U);
  EXPECT_THROW(complete_with_distinct_rows(points, 6, rows), InvalidInput);
  points(50, 1) = 2;
  rows = {0, 1};
  complete_with_distinct_rows(points, 5, rows);
  EXPECT_EQ(rows, (std::vector<Index>{0, 1, 2, 3, 50}));
}

}  // namespace
}  // namespace repsc
