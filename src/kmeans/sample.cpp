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

std::vector<double> squared_sums(const Matrix& points, const Vector& mean) {
  std::vector<double> sums(static_cast<std::size_t>((points.rows() + row_grain - 1) / row_grain));
  parallel_ranges(points.rows(), row_grain, [&](std::int64_t begin, std::int64_t end) {
    double sum = 0;
    for (std::int64_t i = begin; i < end; ++i)
      sum += squared_distance(points.row(i).data(), mean.data(), points.cols());
    sums[static_cast<std::size_t>(begin / row_grain)] = sum;
  });
  return sums;
}

class Shares {
 public:
  explicit Shares(const Matrix& points)
      : points_(points),
        mean_(mean_row(points)),
        ends_(squared_sums(points, mean_), points.rows()) {}

  [[nodiscard]] const ShareEnds& ends() const { return ends_; }

  // The rows of a block that `positions`, ascending in [0, total()), fall on.
  [[nodiscard]] std::vector<Draw> draws(std::size_t block,
                                        const std::vector<double>& positions) const {
    double reached = block == 0 ? 0 : ends_.of_blocks[block - 1];
    auto position = std::lower_bound(positions.begin(), positions.end(), reached);
    const auto last = block + 1 == ends_.of_blocks.size()
                          ? positions.end()
                          : std::lower_bound(position, positions.end(), ends_.of_blocks[block]);
    const double expected =
        static_cast<double>(positions.size()) / ends_.total();  // draws per share
    std::vector<Draw> result;
    const std::int64_t begin = static_cast<std::int64_t>(block) * row_grain;
    const std::int64_t end = std::min<std::int64_t>(points_.rows(), begin + row_grain);
    for (std::int64_t i = begin; i < end && position != last; ++i) {
      const double share =
          1 / static_cast<double>(points_.rows()) + squared_from_mean(i) * ends_.per_squared;
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
  ShareEnds ends_;
};

}  // namespace

ShareEnds::ShareEnds(std::vector<double> squared, std::int64_t rows)
    : of_blocks(std::move(squared)) {
  double all = 0;
  for (const double sum : of_blocks) all += sum;
  per_squared = all > 0 ? 1 / all : 0;
  double end = 0;
  std::int64_t left = rows;
  for (double& place : of_blocks) {
    const std::int64_t here = std::min(row_grain, left);
    end += static_cast<double>(here) / static_cast<double>(rows) + place * per_squared;
    place = end;
    left -= here;
  }
}

std::vector<double> ShareEnds::positions(std::int64_t size, RandomStream& random) const {
  std::vector<double> result(static_cast<std::size_t>(size));
  for (std::size_t t = 0; t < result.size(); ++t)
    result[t] = (static_cast<double>(t) + random.uniform()) * total() / static_cast<double>(size);
  return result;
}

WeightedRows lightweight_coreset(const Matrix& points, std::int64_t size, RandomStream& random) {
  const Shares shares(points);
  const std::vector<double> positions = shares.ends().positions(size, random);
  std::vector<std::vector<Draw>> found(shares.ends().of_blocks.size());
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
