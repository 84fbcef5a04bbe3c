// Sampling rows by their squared distance from the mean, in two parallel passes and a gather.
#include "kmeans/sample.hpp"

#include <algorithm>
#include <cmath>

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

// The chance of row i is share(i) out of 2: 1/N + ||x_i - mean||^2 / (their sum).
class Shares {
 public:
  explicit Shares(const Matrix& points) : points_(points), mean_(mean_row(points)) {
    const std::int64_t blocks = (points.rows() + row_grain - 1) / row_grain;
    ends_.resize(static_cast<std::size_t>(blocks));
    parallel_ranges(points.rows(), row_grain, [&](std::int64_t begin, std::int64_t end) {
      double sum = 0;
      for (std::int64_t i = begin; i < end; ++i) sum += squared_from_mean(i);
      ends_[static_cast<std::size_t>(begin / row_grain)] = sum;
    });
    double all = 0;
    for (const double sum : ends_) all += sum;
    per_squared_ = all > 0 ? 1 / all : 0;
    double end = 0;
    for (std::int64_t block = 0; block < blocks; ++block) {
      const std::int64_t rows = std::min(row_grain, points.rows() - block * row_grain);
      double& place = ends_[static_cast<std::size_t>(block)];
      end += static_cast<double>(rows) / static_cast<double>(points.rows()) + place * per_squared_;
      place = end;
    }
  }

  [[nodiscard]] std::size_t num_blocks() const { return ends_.size(); }
  // The sum of all shares.
  [[nodiscard]] double total() const { return ends_.back(); }

  // The rows of a block that `positions`, ascending in [0, total()), fall on.
  [[nodiscard]] std::vector<Draw> draws(std::size_t block,
                                        const std::vector<double>& positions) const {
    double reached = block == 0 ? 0 : ends_[block - 1];
    auto position = std::lower_bound(positions.begin(), positions.end(), reached);
    const auto last = block + 1 == num_blocks()
                          ? positions.end()
                          : std::lower_bound(position, positions.end(), ends_[block]);
    const double expected = static_cast<double>(positions.size()) / total();  // draws per share
    std::vector<Draw> result;
    const std::int64_t begin = static_cast<std::int64_t>(block) * row_grain;
    const std::int64_t end = std::min<std::int64_t>(points_.rows(), begin + row_grain);
    for (std::int64_t i = begin; i < end && position != last; ++i) {
      const double share =
          1 / static_cast<double>(points_.rows()) + squared_from_mean(i) * per_squared_;
      reached += share;
      // The last row also takes positions beyond the end caused by rounding.
      const auto next = i + 1 == end ? last : std::lower_bound(position, last, reached);
      if (next == position) continue;
      const auto count = static_cast<double>(next - position);
      result.push_back({static_cast<Index>(i), count / (expected * share)});
      position = next;
    }
    return result;
  }

 private:
  [[nodiscard]] double squared_from_mean(std::int64_t i) const {
    return squared_distance(points_.data() + i * points_.cols(), mean_.data(), points_.cols());
  }

  const Matrix& points_;
  Vector mean_;
  std::vector<double> ends_;  // the sum of all shares up to the end of each block
  double per_squared_ = 0;
};

}  // namespace

WeightedRows lightweight_coreset(const Matrix& points, std::int64_t size, RandomStream& random) {
  const Shares shares(points);
  // One position in each of `size` equal parts (stratified): less variance than independent
  // positions, and sorted.
  std::vector<double> positions(static_cast<std::size_t>(size));
  for (std::size_t t = 0; t < positions.size(); ++t) {
    positions[t] =
        (static_cast<double>(t) + random.uniform()) * shares.total() / static_cast<double>(size);
  }
  std::vector<std::vector<Draw>> found(shares.num_blocks());
  parallel_chunks(static_cast<std::int64_t>(found.size()), [&](std::int64_t block) {
    const auto at = static_cast<std::size_t>(block);
    found[at] = shares.draws(at, positions);
  });

  std::size_t count = 0;
  for (const std::vector<Draw>& block : found) count += block.size();
  WeightedRows sample{Matrix(static_cast<Eigen::Index>(count), points.cols()), {}};
  sample.weights.reserve(count);
  for (const std::vector<Draw>& block : found) {
    for (const Draw& draw : block) {
      sample.points.row(static_cast<Eigen::Index>(sample.weights.size())) = points.row(draw.row);
      sample.weights.push_back(draw.weight);
    }
  }
  return sample;
}

}  // namespace repsc
