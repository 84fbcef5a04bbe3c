// Decides whether labels have settled, from the labels of successive embeddings.
#include "cluster/label_watch.hpp"

#include <algorithm>
#include <utility>

#include "core/random.hpp"
#include "kmeans/lloyd.hpp"
#include "repsc/kmeans.hpp"

namespace repsc {
namespace {

// Largest share of the nodes of a cluster that may still move: of a sample, and of all nodes.
constexpr double tolerated_share = 1e-3;
constexpr double tolerated_share_of_all = 2e-4;
constexpr std::size_t remembered_looks = 3;
constexpr double unsettled_share = 0.02;
constexpr int lloyd_steps = 3;
// Where more nodes than this move, Lloyd's own way to new labels is long. What is left of it must
// not be taken for moves of the next embedding.
constexpr double long_way_share = 1e-3;
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

// Half of the nodes that a cluster has lost or gained, as a share of its own: where clusters have
// equal sizes and lose as much as they gain, the share of all nodes that have moved.
double most_moved(const Labels& before, const Labels& now, int num_clusters) {
  const auto count = static_cast<std::size_t>(num_clusters);
  std::vector<double> sizes(count, 0);
  std::vector<double> moved(count, 0);
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto from = static_cast<std::size_t>(before[i]);
    const auto to = static_cast<std::size_t>(now[i]);
    sizes[to] += 1;
    if (from == to) continue;
    moved[from] += 0.5;
    moved[to] += 0.5;
  }
  double most = 0;
  for (std::size_t c = 0; c < count; ++c) most = std::max(most, moved[c] / std::max(1.0, sizes[c]));
  return most;
}

}  // namespace

// A stratified sample: one node from each of equally long ranges, because nodes may be sorted.
std::vector<Index> watched_nodes(Index num_nodes, std::uint64_t seed) {
  if (num_nodes < sample_size) return {};
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

// Two looks whose errors are nearly equal agree whatever is still to come.
bool LabelWatch::may_compare(double error) const {
  constexpr double much_smaller = 0.5;
  if (looks_.empty()) return false;
  return looks_.size() >= 2 || error <= much_smaller * looks_.front().error;
}

bool LabelWatch::settled(const Matrix& points, double error) {
  static_cast<void>(moved_share(points));
  const double tolerated = points.rows() < sample_size ? tolerated_share_of_all : tolerated_share;
  const bool found =
      may_compare(error) && std::ranges::all_of(looks_, [&](const Look& look) {
        if (!(error < look.error)) return false;
        const double left =
            error / (look.error - error);  // of the way that the nodes have gone since
        return most_moved(look.labels, labels_, num_clusters_) * left <= tolerated;
      });
  if (looks_.size() == remembered_looks) looks_.erase(looks_.begin());
  looks_.push_back({labels_, error});
  return found;
}

bool LabelWatch::unsettled(const Matrix& points) {
  const std::optional<double> moved = moved_share(points);
  return moved && *moved >= unsettled_share;
}

}  // namespace repsc
