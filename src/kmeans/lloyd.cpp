// Lloyd's iteration with Hamerly's bounds (SDM 2010): the assignments of the plain method, most of
// them without computing a distance.
//
//   upper(i)  >= ||x_i - its center||
//   lower(i)  <= ||x_i - any other center||
//   half(k)   <= half the distance of center k to the nearest other center
//   drift(k)  >= the distance that center k has moved
//
// Row i keeps its center while upper(i) < max(lower(i), half(its center)). All bounds are widened
// by the rounding error of a distance, so that this holds for computed distances as for exact ones.
#include "kmeans/lloyd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/parallel.hpp"
#include "kmeans/distances.hpp"
#include "kmeans/means.hpp"

namespace repsc {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double underflow = 1e-150;  // shorter distances have squares that lose digits
constexpr std::int64_t center_grain = 16;

struct Counts {
  double fall = 0;  // of the inertia
  Index changed = 0;
  Counts& operator+=(const Counts& other) {
    fall += other.fall;
    changed += other.changed;
    return *this;
  }
};

struct NearestTwo {
  Label label = 0;
  double first = infinity;  // squared distances
  double second = infinity;
};

// The smallest of a whole number of blocks, with the processor's minimum of packets.
inline double smallest(const std::vector<double>& distance) {
  using Block = Eigen::Array<double, CenterBlocks::lanes, 1>;
  Block result = Block::Constant(infinity);
  for (std::size_t k = 0; k < distance.size(); k += CenterBlocks::lanes) {
    result = result.min(Eigen::Map<const Block>(distance.data() + k));
  }
  return result.minCoeff();
}

class Run {
 public:
  Run(const Matrix& points, std::span<const double> weights, Matrix centers)
      : X_(points),
        weights_(weights),
        C_(std::move(centers)),
        slack_(distance_slack(points.cols())),
        means_(points, weights, static_cast<int>(C_.rows())),
        labels_(static_cast<std::size_t>(points.rows())),
        upper_(labels_.size()),
        lower_(labels_.size()) {}

  LloydResult finish(int max_iterations, double tolerance, const std::function<bool()>& between) {
    double inertia = assign_first();
    double fall = fill_empty_clusters() + move_centers();
    int iterations = 1;
    while (iterations < max_iterations) {
      if (between && !between()) break;
      inertia -= fall;
      if (fall <= tolerance * std::max(inertia, 0.0)) break;
      const Counts counts = assign_next();
      ++iterations;
      if (counts.changed == 0) break;
      fall = counts.fall + fill_empty_clusters();
      fall += move_centers();
    }
    const double final_inertia = measure_inertia();
    return {std::move(labels_), std::move(C_), final_inertia, iterations};
  }

 private:
  [[nodiscard]] const double* row(std::int64_t i) const { return X_.data() + i * X_.cols(); }
  [[nodiscard]] const double* center(Eigen::Index k) const { return C_.data() + k * X_.cols(); }
  [[nodiscard]] double weight(std::size_t i) const { return weights_.empty() ? 1.0 : weights_[i]; }
  [[nodiscard]] double above(double length) const { return length * (1 + slack_) + underflow; }
  [[nodiscard]] double below(double length) const { return length * (1 - slack_); }

  [[nodiscard]] NearestTwo nearest_two(const CenterBlocks& centers, std::int64_t i,
                                       std::vector<double>& distance) const {
    centers.distances(row(i), distance.data());
    const double first = smallest(distance);
    // Without branches, because the nearest center is unpredictable.
    std::size_t label = 0;
    for (std::size_t k = distance.size(); k-- > 0;) label = distance[k] == first ? k : label;
    distance[label] = infinity;
    const double second = smallest(distance);
    distance[label] = first;
    return {static_cast<Label>(label), first, second};
  }

  void set(std::size_t i, const NearestTwo& found) {
    labels_[i] = found.label;
    upper_[i] = above(std::sqrt(found.first));
    lower_[i] = below(std::sqrt(found.second));
  }

  // Assigns every row by its distances to all centers; returns the inertia.
  double assign_first() {
    const CenterBlocks centers(C_);
    return parallel_sum(X_.rows(), means_.rows_per_block(), 0.0,
                        [&](std::int64_t begin, std::int64_t end) {
                          std::vector<double> distance = centers.room();
                          double inertia = 0;
                          for (std::int64_t i = begin; i < end; ++i) {
                            const NearestTwo found = nearest_two(centers, i, distance);
                            set(static_cast<std::size_t>(i), found);
                            inertia += weight(static_cast<std::size_t>(i)) * found.first;
                          }
                          means_.sum_block(begin, labels_);
                          return inertia;
                        });
  }

  // Assigns every row, given bounds of the previous centers and how far these have moved.
  Counts assign_next() {
    const CenterBlocks centers(C_);
    const std::vector<double> half = half_distances();
    const std::vector<double> others = drift_of_others();
    return parallel_sum(X_.rows(), means_.rows_per_block(), Counts{},
                        [&](std::int64_t begin, std::int64_t end) {
                          const Counts counts = assign_block(begin, end, centers, half, others);
                          if (counts.changed > 0) means_.sum_block(begin, labels_);
                          return counts;
                        });
  }

  Counts assign_block(std::int64_t begin, std::int64_t end, const CenterBlocks& centers,
                      const std::vector<double>& half, const std::vector<double>& others) {
    // With one block of centers, computing all distances costs little more than computing one.
    const bool tighten = !centers.single_block();
    Counts counts;
    std::vector<double> distance = centers.room();
    for (std::int64_t row_number = begin; row_number < end; ++row_number) {
      const auto i = static_cast<std::size_t>(row_number);
      const Label old = labels_[i];
      const auto k = static_cast<std::size_t>(old);
      upper_[i] = above(upper_[i] + drift_[k]);
      lower_[i] = below(lower_[i] - others[k]);
      const double bound = std::max(lower_[i], half[k]);
      if (upper_[i] < bound) continue;
      if (tighten) {
        upper_[i] = above(std::sqrt(squared_distance(row(row_number), center(old), X_.cols())));
        if (upper_[i] < bound) continue;
      }
      const NearestTwo found = nearest_two(centers, row_number, distance);
      set(i, found);
      if (found.label == old) continue;
      ++counts.changed;
      counts.fall += weight(i) * (distance[k] - found.first);
    }
    return counts;
  }

  [[nodiscard]] std::vector<double> half_distances() const {
    std::vector<double> half(static_cast<std::size_t>(C_.rows()));
    const CenterBlocks centers(C_);
    parallel_ranges(C_.rows(), center_grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<double> distance = centers.room();
      for (std::int64_t k = begin; k < end; ++k) {
        centers.distances(center(k), distance.data());
        double nearest = infinity;
        for (std::int64_t other = 0; other < C_.rows(); ++other) {
          if (other != k) nearest = std::min(nearest, distance[static_cast<std::size_t>(other)]);
        }
        half[static_cast<std::size_t>(k)] = below(0.5 * std::sqrt(nearest));
      }
    });
    return half;
  }

  // For each center, the largest drift of any other.
  [[nodiscard]] std::vector<double> drift_of_others() const {
    const auto farthest = std::max_element(drift_.begin(), drift_.end());
    double second = 0;
    for (auto drift = drift_.begin(); drift != drift_.end(); ++drift) {
      if (drift != farthest) second = std::max(second, *drift);
    }
    std::vector<double> others(drift_.size(), *farthest);
    others[static_cast<std::size_t>(farthest - drift_.begin())] = second;
    return others;
  }

  // Gives each cluster without points the row farthest from its center, of a cluster with more than
  // one point; returns by how much the inertia falls (below 0: the centers still have to move).
  double fill_empty_clusters() {
    means_.combine();
    const std::vector<double>& masses = means_.masses();
    if (std::find(masses.begin(), masses.end(), 0.0) == masses.end()) return 0;

    std::vector<double> distance(labels_.size());
    parallel_ranges(X_.rows(), means_.rows_per_block(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const auto at = static_cast<std::size_t>(i);
        distance[at] = squared_distance(row(i), center(labels_[at]), X_.cols());
      }
    });
    std::vector<std::size_t> farthest_first(labels_.size());
    std::iota(farthest_first.begin(), farthest_first.end(), std::size_t{0});
    std::stable_sort(farthest_first.begin(), farthest_first.end(),
                     [&](std::size_t a, std::size_t b) { return distance[a] > distance[b]; });

    double fall = 0;
    std::vector<Index> left(masses.size(), 0);
    for (const Label label : labels_) ++left[static_cast<std::size_t>(label)];
    auto candidate = farthest_first.begin();
    for (std::size_t empty = 0; empty < left.size(); ++empty) {
      if (left[empty] > 0) continue;
      while (left[static_cast<std::size_t>(labels_[*candidate])] < 2) ++candidate;
      const std::size_t i = *candidate++;
      --left[static_cast<std::size_t>(labels_[i])];
      ++left[empty];
      labels_[i] = static_cast<Label>(empty);
      upper_[i] = infinity;  // no bound is known for its new center
      lower_[i] = 0;
      const auto at = static_cast<std::int64_t>(i);
      fall += weight(i) * (distance[i] - squared_distance(row(at), center(labels_[i]), X_.cols()));
      means_.sum_block(at / means_.rows_per_block() * means_.rows_per_block(), labels_);
    }
    means_.combine();
    return fall;
  }

  // Moves centers to the means; returns by how much the inertia falls: sum_k |C_k| drift(k)^2.
  double move_centers() {
    Matrix moved = means_.means(C_);
    drift_.assign(static_cast<std::size_t>(C_.rows()), 0.0);
    double fall = 0;
    for (Eigen::Index k = 0; k < C_.rows(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      const double squared = squared_distance(moved.row(k).data(), center(k), X_.cols());
      fall += means_.masses()[at] * squared;
      drift_[at] = squared > 0 ? above(std::sqrt(squared)) : 0;
    }
    C_ = std::move(moved);
    return fall;
  }

  [[nodiscard]] double measure_inertia() const {
    return parallel_sum(
        X_.rows(), means_.rows_per_block(), 0.0, [&](std::int64_t begin, std::int64_t end) {
          double sum = 0;
          for (std::int64_t i = begin; i < end; ++i) {
            const auto at = static_cast<std::size_t>(i);
            sum += weight(at) * squared_distance(row(i), center(labels_[at]), X_.cols());
          }
          return sum;
        });
  }

  const Matrix& X_;
  std::span<const double> weights_;
  Matrix C_;
  double slack_;
  ClusterMeans means_;
  Labels labels_;
  std::vector<double> upper_;
  std::vector<double> lower_;
  std::vector<double> drift_;
};

}  // namespace

LloydResult lloyd(const Matrix& points, Matrix centers, int max_iterations, double tolerance,
                  std::span<const double> weights, const std::function<bool()>& between) {
  return Run(points, weights, std::move(centers)).finish(max_iterations, tolerance, between);
}

}  // namespace repsc
