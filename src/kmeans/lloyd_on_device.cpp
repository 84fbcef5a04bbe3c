// Every iteration is two passes over the rows on the device; centers stay on the host.
#include "kmeans/lloyd_on_device.hpp"

#include <algorithm>
#include <future>
#include <limits>

#include "core/pages.hpp"
#include "cuda/device.hpp"

namespace repsc {
namespace {

using Functions = repsc_cuda_functions;
static_assert(most_centers_on_device == REPSC_CUDA_MOST_GROUPS);

class Rows {
 public:
  Rows(const CudaDevice& device, const DeviceBlock<double>& points, std::int64_t num_clusters)
      : device_(device),
        points_(points),
        labels_(device, static_cast<std::size_t>(points.rows())),
        num_clusters_(num_clusters) {
    device.call(&Functions::clear, labels_.data(), points.rows() * std::int64_t{sizeof(Label)});
  }

  struct Assigned {
    std::int64_t changed = 0;
    double inertia = 0;  ///< about the centers that were given
  };
  Assigned assign(const Matrix& centers) const {
    Assigned result;
    device_.call(&Functions::assign_labels, points_, centers.data(), num_clusters_, labels_.data(),
                 &result.changed, &result.inertia);
    return result;
  }
  [[nodiscard]] Vector sizes() const {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(num_clusters_));
    device_.call(&Functions::count_labels, labels_.data(), std::int64_t{points_.rows()},
                 num_clusters_, counts.data());
    Vector result(num_clusters_);
    std::copy(counts.begin(), counts.end(), result.begin());
    return result;
  }
  [[nodiscard]] Matrix sums() const {
    Matrix result(num_clusters_, points_.cols());
    device_.call(&Functions::group_sums, repsc_cuda_groups{labels_.data(), num_clusters_, nullptr},
                 points_, result.data());
    return result;
  }
  void download(Labels& result) const {
    device_.call(&Functions::download, result.data(), labels_.data(),
                 static_cast<std::int64_t>(result.size() * sizeof(Label)));
  }

 private:
  const CudaDevice& device_;
  const DeviceBlock<double>& points_;
  DeviceArray<Label> labels_;
  std::int64_t num_clusters_;
};

/// Touching new pages takes longer than an iteration on the device.
Labels touched_labels(Index count) {
  Labels result;
  result.reserve(static_cast<std::size_t>(count));
  ask_for_large_pages(result.data(), static_cast<std::size_t>(count) * sizeof(Label));
  result.resize(static_cast<std::size_t>(count));
  return result;
}

}  // namespace

double largest_on_device(const DeviceMatrix& points) {
  const std::unique_lock in_use = points.device().use();
  Vector largest(points.values().cols());
  points.device().call(&Functions::largest, points.values(), largest.data());
  return largest.maxCoeff();
}

Index rows_on_device(const DeviceMatrix& points) { return points.values().rows(); }

Matrix copied_to_host(const DeviceMatrix& points) {
  const std::unique_lock in_use = points.device().use();
  return on_host(points.device(), points.values());
}

std::shared_ptr<const DeviceMatrix> copied_to_device(std::shared_ptr<CudaDevice> device,
                                                     const Matrix& points) {
  const std::unique_lock in_use = device->use();
  DeviceBlock<double> values = on_device(*device, points);
  return std::make_shared<DeviceMatrix>(std::move(device), std::move(values));
}

std::optional<LloydResult> lloyd_on_device(const DeviceMatrix& points, Matrix centers,
                                           int max_iterations, double tolerance,
                                           const std::function<bool()>& between) {
  const std::unique_lock in_use = points.device().use();
  const Rows rows(points.device(), points.values(), centers.rows());
  std::future<Labels> room = std::async(touched_labels, points.values().rows());
  double before = std::numeric_limits<double>::infinity();
  LloydResult result;
  for (;;) {
    const Rows::Assigned now = rows.assign(centers);
    ++result.iterations;
    result.inertia = now.inertia;
    if (result.iterations > 1 && now.changed == 0) break;
    const Vector sizes = rows.sizes();
    if (!(sizes.minCoeff() > 0)) return std::nullopt;
    const Matrix means = sizes.cwiseInverse().asDiagonal() * rows.sums();
    // Points are nearer to their mean than to another center by the square of the distance of both.
    result.inertia -= sizes.dot((means - centers).rowwise().squaredNorm());
    centers = means;
    const bool settled = before - result.inertia <= tolerance * std::max(result.inertia, 0.0);
    if (settled || result.iterations >= max_iterations || (between && !between())) break;
    before = result.inertia;
  }
  result.labels = room.get();
  rows.download(result.labels);
  result.centers = std::move(centers);
  return result;
}

}  // namespace repsc
