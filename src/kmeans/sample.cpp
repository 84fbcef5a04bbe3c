// Sampling rows by their squared distance from the mean, in three parallel passes and a gather.
#include "kmeans/sample.hpp"

#include "core/parallel.hpp"
#include "kmeans/distances.hpp"

namespace repsc {
namespace {

Vector mean_row(const Matrix& points) {
  const Vector sum = parallel_sum(points.rows(), row_grain, Vector(Vector::Zero(points.cols())),
                                  [&](std::int64_t begin, std::int64_t end) -> Vector {
                                    return points.middleRows(begin, end - begin).colwise().sum();
                                  });
  return sum / static_cast<double>(points.rows());
}

struct Draw {
  Index row = 0;
  double weight = 0;
};

class Draws {
 public:
  Draws(const Matrix& points, std::int64_t size, std::uint64_t key)
      : points_(points),
        mean_(mean_row(points)),
        expected_(size, points.rows(), squared_from_mean()),
        key_(key) {}

  [[nodiscard]] std::vector<Draw> between(std::int64_t begin, std::int64_t end) const {
    std::vector<Draw> result;
    for (std::int64_t i = begin; i < end; ++i) {
      const double expected = expected_.draws(squared_from_mean(i));
      const double count = rounded_at_random(expected, key_, static_cast<std::uint64_t>(i));
      if (count > 0) result.push_back({static_cast<Index>(i), count / expected});
    }
    return result;
  }

 private:
  [[nodiscard]] double squared_from_mean(std::int64_t i) const {
    return squared_distance(points_.data() + i * points_.cols(), mean_.data(), points_.cols());
  }
  [[nodiscard]] double squared_from_mean() const {
    return parallel_sum(points_.rows(), row_grain, 0.0, [&](std::int64_t begin, std::int64_t end) {
      double sum = 0;
      for (std::int64_t i = begin; i < end; ++i) sum += squared_from_mean(i);
      return sum;
    });
  }

  const Matrix& points_;
  Vector mean_;
  Expected expected_;
  std::uint64_t key_;
};

}  // namespace

WeightedRows lightweight_coreset(const Matrix& points, std::int64_t size, std::uint64_t key) {
  const Draws draws(points, size, key);
  std::vector<std::vector<Draw>> found(
      static_cast<std::size_t>((points.rows() + row_grain - 1) / row_grain));
  parallel_ranges(points.rows(), row_grain, [&](std::int64_t begin, std::int64_t end) {
    found[static_cast<std::size_t>(begin / row_grain)] = draws.between(begin, end);
  });

  WeightedRows sample;
  sample.stride = points.rows() / size;
  for (const std::vector<Draw>& block : found) {
    for (const Draw& draw : block) {
      sample.rows.push_back(draw.row);
      sample.weights.push_back(draw.weight);
    }
  }
  sample.points = points(sample.rows, Eigen::all);
  return sample;
}

}  // namespace repsc
