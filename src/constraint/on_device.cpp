#include "constraint/on_device.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/numerical_failure.hpp"
#include "graph/host_arrays.hpp"

namespace repsc {
namespace {

using Functions = repsc_cuda_functions;

std::size_t squared(Index n) { return static_cast<std::size_t>(n) * static_cast<std::size_t>(n); }

/// All eigenpairs of a graph's matrix; the vectors stay on the device.
class DenseEigen {
 public:
  DenseEigen(const CudaDevice& device, const HostGraph& graph)
      : device_(device),
        values_(std::ssize(graph.offsets) - 1),
        vectors_(device, squared(num_nodes())) {
    {
      const DeviceGraph sent(device, graph);
      device.call(&Functions::fill_dense, sent.view(), vectors_.data());
    }
    device.call(&Functions::eigen, vectors_.data(), num_nodes(), values_.data());
  }

  [[nodiscard]] const Vector& values() const { return values_; }

  /// Those of these values, on the host.
  [[nodiscard]] Matrix vectors(const std::vector<Index>& which) const {
    const auto picked =
        DeviceBlock<double>::packed(device_, num_nodes(), static_cast<Index>(which.size()));
    device_.call(&Functions::pick_vectors, vectors_.data(), which.data(), picked);
    return on_host(device_, picked);
  }

 private:
  [[nodiscard]] Index num_nodes() const { return static_cast<Index>(values_.size()); }

  const CudaDevice& device_;
  Vector values_;
  DeviceArray<double> vectors_;
};

}  // namespace

DeviceVectors::DeviceVectors(std::shared_ptr<CudaDevice> device, const Matrix& vectors)
    : device_(std::move(device)) {
  const std::unique_lock in_use = device_->use();
  vectors_ = repsc::on_device(*device_, vectors);
}

DeviceVectors::~DeviceVectors() {
  const std::unique_lock in_use = device_->use();
  vectors_ = {};
}

DeviceBlock<double> DeviceVectors::centered(const Vector& sums, const Vector& scale) const {
  const Index N = vectors_.rows();
  const auto rank = static_cast<Index>(sums.size());
  auto C = DeviceBlock<double>::packed(*device_, N, rank);
  device_->call(&Functions::copy, vectors_.columns(0, rank), C);
  const Vector less = -sums / static_cast<double>(N);
  device_->call(&Functions::add_to_rows, C, less.data());
  if (scale.size() > 0) {
    const DeviceArray<double> rows(*device_, std::span<const double>(scale.data(), scale.size()));
    device_->call(&Functions::scale_rows, C, rows.data(), 1);
  }
  return C;
}

LargestEigen largest_eigen_on_device(const CudaDevice& device, const Graph& R, Index count,
                                     double equal) {
  const DenseEigen all(device, host_arrays(R));
  const LargestValues largest = largest_values(all.values(), count, equal);
  return {all.values()(largest.order), all.vectors(largest.order), largest.next};
}

RangeBasis range_on_device(const CudaDevice& device, const Graph& M) {
  const DenseEigen all(device, {M.offsets(), M.neighbors(), M.weights()});
  return RangeBasis(all.vectors(nonzero_values(all.values())));
}

DeviceArray<double> gram_factor(const CudaDevice& device, const DeviceBlock<double>& C,
                                const Vector& u, double factor) {
  DeviceArray<double> G(device, squared(C.cols()));
  device.call(&Functions::dense_gram, C, G.data());
  if (factor != 0) device.call(&Functions::add_outer_product, G.data(), C.cols(), u.data(), factor);
  std::int32_t definite = 0;
  device.call(&Functions::cholesky, G.data(), C.cols(), &definite);
  if (definite == 0)
    throw NumericalFailure("the constraint's Gram matrix is not positive definite");
  return G;
}

// With C = S J V and LL' = C'C, the projector removes C (C'C)^-1 C' = QQ', Q = C L^-T. Where C u =
// 0, any positive multiple of uu' is added to C'C, which changes nothing (constraint.cpp).
DeviceBlock<double> removed_basis(const SpectralComplement& kind) {
  const DeviceVectors& vectors = *kind.spectrum->on_device;
  const auto N = static_cast<double>(kind.spectrum->vectors.rows());
  const Vector sums = kind.mean_direction.size() > 0
                          ? Vector(std::sqrt(kind.mean_share * N) * kind.mean_direction)
                          : Vector(Vector::Zero(kind.rank));
  const double scale = kind.scale.size() > 0 ? kind.scale.cwiseAbs2().mean() : 1;
  DeviceBlock<double> C = vectors.centered(sums, kind.scale);
  const DeviceArray<double> L =
      gram_factor(vectors.device(), C, kind.mean_direction, kind.contains_ones ? scale : 0);
  vectors.device().call(&Functions::divide_by_factor, C, L.data());
  return C;
}

// I - P = F (BB' - known known') F', B = [Q ones], and known is in the range of B. The reflection
// H = I - 2 vv' / v'v that turns the coordinates B'known into (+-1, 0, ..., 0) makes a basis of
// that range whose first vector is +-known: BH. The others, as rows of nodes, are what is removed.
DeviceBlock<double> removed_basis(const CudaDevice& device, const RangeComplement& kind) {
  const Matrix& Q = *kind.range->basis();
  const Eigen::Index own = Q.cols();
  const Eigen::Index more = kind.ones.size() > 0 ? 1 : 0;
  Vector v(own + more);
  v.head(own) = Q.transpose() * kind.known;
  if (more > 0) v[own] = kind.ones.dot(kind.known);
  v[0] += std::copysign(v.norm(), v[0]);
  Vector Bv = Q * v.head(own);
  if (more > 0) Bv += v[own] * kind.ones;
  Matrix others(Q.rows(), own + more - 1);
  const Eigen::Index of_Q = std::max<Eigen::Index>(own - 1, 0);
  others.leftCols(of_Q) = Q.rightCols(of_Q);
  if (others.cols() > of_Q) others.rightCols(1) = kind.ones;
  others.noalias() -= Bv * (2 / v.squaredNorm() * v.tail(own + more - 1).transpose());

  const auto N = static_cast<Index>(kind.classes.size());
  auto result = DeviceBlock<double>::packed(device, N, static_cast<Index>(others.cols()));
  const DeviceBlock<double> of_classes = on_device(device, others);
  const DeviceArray<Label> classes(device, std::span<const Label>(kind.classes));
  const DeviceArray<double> membership(
      device, std::span<const double>(kind.membership.data(), static_cast<std::size_t>(N)));
  device.call(&Functions::spread_rows, of_classes, classes.data(), membership.data(), result);
  return result;
}

}  // namespace repsc
