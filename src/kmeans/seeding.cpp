// Greedy k-means++ in one pass over the points per center.
#include "kmeans/seeding.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_set>

#include "core/parallel.hpp"
#include "kmeans/distances.hpp"

namespace repsc {
namespace {

// Rows per block of weight sums: few, because drawing a row scans one block.
constexpr std::int64_t block_rows = 512;

// The squared distance of every row to the nearest chosen row; times the row's mass, its weight.
// The row chosen last is merged into `squared_` only in the next pass, so that a pass both merges
// and tries candidates.
//
// A row x that is nearest to the chosen row a is skipped for row c if ||a - c|| > 2 ||x - a||: then
// c cannot be nearer (Raff 2021). The slack makes that hold for the computed distances too, so that
// skipping never changes a result.
class Weights {
 public:
  Weights(const Matrix& points, std::span<const double> masses, Index first)
      : points_(points),
        masses_(masses),
        squared_(static_cast<std::size_t>(points.rows()), std::numeric_limits<double>::infinity()),
        nearest_(squared_.size(), 0),
        chosen_{first},
        block_sums_(static_cast<std::size_t>((points.rows() + block_rows - 1) / block_rows)) {
    choose_best_of({first});
    chosen_.pop_back();  // the first was both the last chosen and the only candidate
  }

  [[nodiscard]] const std::vector<Index>& chosen() const { return chosen_; }
  [[nodiscard]] double total() const { return total_; }

  // The row at `position` in [0, total()) of the weights laid end to end: never one of weight 0.
  [[nodiscard]] Index row_at(double position) const {
    std::size_t block = 0;
    std::size_t last_positive = 0;
    for (; block < block_sums_.size(); ++block) {
      if (block_sums_[block] > 0) last_positive = block;
      if (position < block_sums_[block]) break;
      position -= block_sums_[block];
    }
    if (block == block_sums_.size()) block = last_positive;  // rounding at the very end

    const auto begin = static_cast<Index>(static_cast<std::int64_t>(block) * block_rows);
    const auto end = static_cast<Index>(std::min<std::int64_t>(points_.rows(), begin + block_rows));
    Index found = begin;
    for (Index i = begin; i < end; ++i) {
      const double squared =
          std::min(squared_[static_cast<std::size_t>(i)],
                   squared_distance(row(i), row(chosen_.back()), points_.cols()));
      const double weight = mass(i) * squared;
      if (weight == 0) continue;
      found = i;
      if (position < weight) break;
      position -= weight;
    }
    return found;
  }

  // Chooses the candidate that leaves the smallest total weight, the first of equals.
  void choose_best_of(const std::vector<Index>& candidates) {
    Matrix centers(static_cast<Eigen::Index>(candidates.size()) + 1, points_.cols());
    centers.row(0) = points_.row(chosen_.back());
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      centers.row(static_cast<Eigen::Index>(c) + 1) = points_.row(candidates[c]);
    }
    const std::vector<double> radius = skipping_radii(centers);
    const CenterBlocks blocks(centers);

    const std::size_t width = candidates.size();
    sums_.assign(block_sums_.size() * width, 0.0);
    parallel_ranges(points_.rows(), pass_grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<double> distance = blocks.room();
      for (std::int64_t block = begin; block < end; block += block_rows) {
        double* sum = sums_.data() + static_cast<std::size_t>(block / block_rows) * width;
        add_weights(static_cast<Index>(block),
                    static_cast<Index>(std::min(end, block + block_rows)), blocks, radius, distance,
                    width, sum);
      }
    });

    std::size_t best = 0;
    double best_total = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < width; ++c) {
      double total = 0;
      for (std::size_t block = 0; block < block_sums_.size(); ++block) {
        total += sums_[block * width + c];
      }
      if (total < best_total) {
        best_total = total;
        best = c;
      }
    }
    for (std::size_t block = 0; block < block_sums_.size(); ++block) {
      block_sums_[block] = sums_[block * width + best];
    }
    total_ = best_total;
    chosen_.push_back(candidates[best]);
  }

 private:
  static constexpr std::int64_t pass_grain = 8 * block_rows;  // rows a thread takes at once

  [[nodiscard]] const double* row(Index i) const { return points_.data() + i * points_.cols(); }
  [[nodiscard]] double mass(Index i) const {
    return masses_.empty() ? 1.0 : masses_[static_cast<std::size_t>(i)];
  }

  // For each chosen row: the distance below which no row of `centers` can be nearer. The row chosen
  // last owns no points yet.
  [[nodiscard]] std::vector<double> skipping_radii(const Matrix& centers) const {
    const double quarter = 0.25 * (1 - distance_slack(points_.cols()));
    std::vector<double> radius(chosen_.size(), std::numeric_limits<double>::infinity());
    for (std::size_t a = 0; a < chosen_.size(); ++a) {
      for (Eigen::Index c = 0; c < centers.rows(); ++c) {
        const double distance =
            squared_distance(row(chosen_[a]), centers.data() + c * centers.cols(), points_.cols());
        radius[a] = std::min(radius[a], quarter * distance);
      }
    }
    return radius;
  }

  // Merges the row chosen last (center 0) into the distances of rows [begin, end) and adds to
  // sum[c] the weight that candidate c (center c + 1) would leave of them.
  void add_weights(Index begin, Index end, const CenterBlocks& blocks,
                   const std::vector<double>& radius, std::vector<double>& distance,
                   std::size_t width, double* sum) {
    const auto last = static_cast<Label>(chosen_.size() - 1);
    double in_all = 0;  // weight of rows that no candidate is nearer to
    for (Index i = begin; i < end; ++i) {
      double& squared = squared_[static_cast<std::size_t>(i)];
      Label& nearest = nearest_[static_cast<std::size_t>(i)];
      if (squared < radius[static_cast<std::size_t>(nearest)]) {
        in_all += mass(i) * squared;
        continue;
      }
      blocks.distances(row(i), distance.data());
      if (distance[0] < squared) {
        squared = distance[0];
        nearest = last;
      }
      for (std::size_t c = 0; c < width; ++c) {
        sum[c] += mass(i) * std::min(squared, distance[c + 1]);
      }
    }
    for (std::size_t c = 0; c < width; ++c) sum[c] += in_all;
  }

  const Matrix& points_;
  std::span<const double> masses_;
  std::vector<double> squared_;
  Labels nearest_;  // which of chosen_ a row is nearest to
  std::vector<Index> chosen_;
  std::vector<double> block_sums_;  // of the weights, the row chosen last merged
  std::vector<double> sums_;        // block, candidate
  double total_ = 0;
};

// In proportion to the masses.
Index first_row(Eigen::Index rows, RandomStream& random, std::span<const double> masses) {
  if (masses.empty()) return static_cast<Index>(random.below(static_cast<std::uint64_t>(rows)));
  double position = random.uniform() * std::accumulate(masses.begin(), masses.end(), 0.0);
  std::size_t row = 0;
  while (row + 1 < masses.size() && position >= masses[row]) position -= masses[row++];
  return static_cast<Index>(row);
}

}  // namespace

std::vector<Index> greedy_kmeanspp(const Matrix& points, int count, RandomStream& random,
                                   std::span<const double> masses,
                                   const std::function<bool()>& between) {
  Weights weights(points, masses, first_row(points.rows(), random, masses));
  std::vector<Index> candidates(2 + static_cast<std::size_t>(std::log(count)));
  while (weights.chosen().size() < static_cast<std::size_t>(count) && weights.total() > 0) {
    for (Index& row : candidates) row = weights.row_at(random.uniform() * weights.total());
    weights.choose_best_of(candidates);
    if (between && !between()) break;
  }
  return weights.chosen();
}

void complete_with_distinct_rows(const Matrix& points, int count, std::vector<Index>& rows) {
  const auto hash = [&](Index i) {
    std::uint64_t mixed = 0;
    for (const double value : points.row(i)) {
      mixed ^= std::bit_cast<std::uint64_t>(value + 0.0);  // + 0.0: -0 is 0
      mixed = splitmix64(mixed);
    }
    return static_cast<std::size_t>(mixed);
  };
  const auto equal = [&](Index i, Index j) { return points.row(i) == points.row(j); };
  std::unordered_set<Index, decltype(hash), decltype(equal)> known(0, hash, equal);
  known.insert(rows.begin(), rows.end());
  for (Index i = 0; i < points.rows() && rows.size() < static_cast<std::size_t>(count); ++i) {
    if (known.insert(i).second) rows.push_back(i);
  }
  if (rows.size() == static_cast<std::size_t>(count)) return;
  throw InvalidInput(
      Fault{.what = joined("k-means found only ", rows.size(), " distinct rows"),
            .option = "num_clusters",
            .value = std::to_string(count),
            .remedies = {{Remedy::Action::use, "num_clusters", std::to_string(rows.size())}}});
}

}  // namespace repsc
