// Decides whether labels have settled, from the labels of successive embeddings.
#include "cluster/label_watch.hpp"

#include <algorithm>
#include <utility>

#include "core/random.hpp"
#include "kmeans/lloyd.hpp"
#include "repsc/kmeans.hpp"

namespace repsc {
namespace {

constexpr double tolerated_share = 1e-3;  // largest share of nodes that may still move
constexpr double unsettled_share = 0.02;
constexpr int lloyd_steps = 3;
// Where more nodes than this move, Lloyd's own way to new labels is long. What is left of it must
// not be taken for moves of the next embedding.
constexpr double long_way_share = 0.01;
constexpr int long_way_steps = 30;
constexpr double long_way_tolerance = 1e-5;
constexpr Index sample_size = 20000;  // so that a share of 1e-3 is 20 nodes

Matrix means(const Matrix& points, const Labels& labels, int num_clusters) {
  Matrix sums = Matrix::Zero(num_clusters, points.cols());
  Vector sizes = Vector::Zero(num_clusters);
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    const Label cluster = labels[static_cast<std::size_t>(i)];
    sums.row(cluster) += points.row(i);
    sizes[cluster] += 1;
  }
  return sizes.cwiseInverse().asDiagonal() * sums;  // lloyd() and kmeans() leave no cluster empty
}

double share_of_different(const Labels& some, const Labels& others) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < some.size(); ++i) different += some[i] != others[i];
  return static_cast<double>(different) / static_cast<double>(some.size());
}

}  // namespace

// A stratified sample: one node from each of equally long ranges, because nodes may be sorted.
std::vector<Index> watched_nodes(Index num_nodes, std::uint64_t seed) {
  if (num_nodes <= sample_size) return {};
  RandomStream random(seed);
  std::vector<Index> nodes(sample_size);
  const double stretch = static_cast<double>(num_nodes) / sample_size;
  for (Index k = 0; k < sample_size; ++k) {
    const auto node = static_cast<Index>((k + random.uniform()) * stretch);
    nodes[static_cast<std::size_t>(k)] = std::min(node, num_nodes - 1);
  }
  return nodes;
}

std::optional<double> LabelWatch::moved_share(const Matrix& points) {
  if (labels_.empty()) {
    labels_ = kmeans(points, num_clusters_, {.restarts = 1, .seed = seed_}).labels;
    return std::nullopt;
  }
  LloydResult now =
      lloyd(points, means(points, labels_, num_clusters_), lloyd_steps, /*tolerance=*/0);
  const double moved = share_of_different(now.labels, labels_);
  if (moved > long_way_share) {
    now = lloyd(points, std::move(now.centers), long_way_steps, long_way_tolerance);
  }
  labels_ = std::move(now.labels);
  return moved;
}

bool LabelWatch::settled(const Matrix& points, double residual) {
  const double factor = residual / std::exchange(residual_, residual);
  const std::optional<double> moved = moved_share(points);
  if (!moved || factor >= 1) return false;
  return *moved * factor / (1 - factor) <= tolerated_share;  // a geometric series
}

bool LabelWatch::unsettled(const Matrix& points) {
  const std::optional<double> moved = moved_share(points);
  return moved && *moved >= unsettled_share;
}

}  // namespace repsc
