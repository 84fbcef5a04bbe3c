// Greedy k-means++ in one pass over the points per center.
#include "kmeans/seeding.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "core/parallel.hpp"
#include "core/race.hpp"
#include "kmeans/distances.hpp"

namespace repsc {
namespace {

// Rows per block of weight sums: few, because drawing a row scans one block.
constexpr std::int64_t block_rows = 512;

// What is known of the rows besides their values.
class NamedRows {
 public:
  explicit NamedRows(Index count) : count_(count) {}
  explicit NamedRows(const WeightedRows& sample)
      : count_(static_cast<Index>(sample.points.rows())), sample_(&sample) {}

  [[nodiscard]] double mass(Index i) const {
    return sample_ == nullptr ? 1.0 : sample_->weights[static_cast<std::size_t>(i)];
  }

  // What random numbers depend on: a row of a sample keeps its name if another one is left out.
  [[nodiscard]] std::uint64_t name(Index i) const {
    const Index own = sample_ == nullptr ? i : sample_->rows[static_cast<std::size_t>(i)];
    return static_cast<std::uint64_t>(own);
  }

  [[nodiscard]] std::vector<RowBlock> blocks() const {
    const std::int64_t stride = sample_ == nullptr ? 1 : std::max<std::int64_t>(1, sample_->stride);
    const auto names = static_cast<std::uint64_t>(block_rows * stride);
    std::vector<RowBlock> found;
    for (Index i = 0; i < count_; ++i) {
      const std::uint64_t number = name(i) / names;
      if (found.empty() || found.back().number != number) found.push_back({number, i, i});
      found.back().end = i + 1;
    }
    return found;
  }

 private:
  Index count_;
  const WeightedRows* sample_ = nullptr;
};

// The squared distance of every row to the nearest chosen row; times the row's mass, its weight.
// The row chosen last is merged into `squared_` only in the next pass, so that a pass both merges
// and tries candidates.
//
// A row x that is nearest to the chosen row a is skipped for row c if ||a - c|| > 2 ||x - a||: then
// c cannot be nearer (Raff 2021). The slack makes that hold for the computed distances too, so that
// skipping never changes a result.
class Weights {
 public:
  Weights(const Matrix& points, const NamedRows& rows, Index first)
      : points_(points),
        rows_(rows),
        blocks_(rows.blocks()),
        squared_(static_cast<std::size_t>(points.rows()), std::numeric_limits<double>::infinity()),
        nearest_(squared_.size(), 0),
        chosen_{first},
        block_sums_(blocks_.size()) {
    choose_best_of({first});
    chosen_.pop_back();  // the first was both the last chosen and the only candidate
  }

  [[nodiscard]] const std::vector<Index>& chosen() const { return chosen_; }
  [[nodiscard]] double total() const { return total_; }

  // A row, with probability in proportion to its weight: never one of weight 0.
  [[nodiscard]] Index drawn_row(RandomStream& random) const {
    Race race_of_blocks(random.bits());
    RowBlock block = blocks_.front();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (race_of_blocks.leads(blocks_[b].number, block_sums_[b])) block = blocks_[b];
    }
    Race race(random.bits());
    Index found = block.begin;
    for (Index i = block.begin; i < block.end; ++i) {
      const double squared =
          std::min(squared_[static_cast<std::size_t>(i)],
                   squared_distance(row(i), row(chosen_.back()), points_.cols()));
      if (race.leads(rows_.name(i), rows_.mass(i) * squared)) found = i;
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
    const CenterBlocks at_once(centers);

    const std::size_t width = candidates.size();
    sums_.assign(blocks_.size() * width, 0.0);
    const auto num_blocks = static_cast<std::int64_t>(blocks_.size());
    parallel_ranges(num_blocks, pass_grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<double> distance = at_once.room();
      for (auto b = static_cast<std::size_t>(begin); b < static_cast<std::size_t>(end); ++b) {
        add_weights(blocks_[b], at_once, radius, distance, width, sums_.data() + b * width);
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
  static constexpr std::int64_t pass_grain = 8;  // blocks a thread takes at once

  [[nodiscard]] const double* row(Index i) const { return points_.data() + i * points_.cols(); }

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

  // Merges the row chosen last (center 0) into the distances of the rows of a block and adds to
  // sum[c] the weight that candidate c (center c + 1) would leave of them.
  void add_weights(const RowBlock& block, const CenterBlocks& centers,
                   const std::vector<double>& radius, std::vector<double>& distance,
                   std::size_t width, double* sum) {
    const auto last = static_cast<Label>(chosen_.size() - 1);
    double in_all = 0;  // weight of rows that no candidate is nearer to
    for (Index i = block.begin; i < block.end; ++i) {
      double& squared = squared_[static_cast<std::size_t>(i)];
      Label& nearest = nearest_[static_cast<std::size_t>(i)];
      if (squared < radius[static_cast<std::size_t>(nearest)]) {
        in_all += rows_.mass(i) * squared;
        continue;
      }
      centers.distances(row(i), distance.data());
      if (distance[0] < squared) {
        squared = distance[0];
        nearest = last;
      }
      for (std::size_t c = 0; c < width; ++c) {
        sum[c] += rows_.mass(i) * std::min(squared, distance[c + 1]);
      }
    }
    for (std::size_t c = 0; c < width; ++c) sum[c] += in_all;
  }

  const Matrix& points_;
  NamedRows rows_;
  std::vector<RowBlock> blocks_;
  std::vector<double> squared_;
  Labels nearest_;  // which of chosen_ a row is nearest to
  std::vector<Index> chosen_;
  std::vector<double> block_sums_;  // of the weights, the row chosen last merged
  std::vector<double> sums_;        // block, candidate
  double total_ = 0;
};

std::vector<Index> chosen_rows(const Matrix& points, const NamedRows& rows, Index first, int count,
                               RandomStream& random, const std::function<bool()>& between) {
  Weights weights(points, rows, first);
  std::vector<Index> candidates(num_candidates(count));
  while (weights.chosen().size() < static_cast<std::size_t>(count) && weights.total() > 0) {
    for (Index& row : candidates) row = weights.drawn_row(random);
    weights.choose_best_of(candidates);
    if (between && !between()) break;
  }
  return weights.chosen();
}

}  // namespace

std::vector<RowBlock> row_blocks(const WeightedRows& sample) { return NamedRows(sample).blocks(); }

std::vector<Index> greedy_kmeanspp(const Matrix& points, int count, RandomStream& random,
                                   const std::function<bool()>& between) {
  const auto first = static_cast<Index>(random.below(static_cast<std::uint64_t>(points.rows())));
  const NamedRows rows(static_cast<Index>(points.rows()));
  return chosen_rows(points, rows, first, count, random, between);
}

std::vector<Index> greedy_kmeanspp(const WeightedRows& sample, int count, RandomStream& random,
                                   const std::function<bool()>& between) {
  if (sample.points.rows() == 0) return {};
  const NamedRows rows(sample);
  Race race(random.bits());
  Index first = 0;
  for (Index i = 0; i < static_cast<Index>(sample.points.rows()); ++i) {
    if (race.leads(rows.name(i), rows.mass(i))) first = i;
  }
  return chosen_rows(sample.points, rows, first, count, random, between);
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
