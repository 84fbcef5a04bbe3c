#include "constraint/on_device.hpp"

#include <cmath>

#include "core/numerical_failure.hpp"
#include "graph/host_arrays.hpp"

namespace repsc {
namespace {

using Functions = repsc_cuda_functions;

std::size_t squared(Index n) { return static_cast<std::size_t>(n) * static_cast<std::size_t>(n); }

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
  const Index N = R.num_nodes();
  const DeviceArray<double> S(device, squared(N));
  {
    const DeviceGraph graph(device, host_arrays(R));
    device.call(&Functions::fill_dense, graph.view(), S.data());
  }
  Vector values(N);
  device.call(&Functions::eigen, S.data(), N, values.data());
  const LargestValues largest = largest_values(values, count, equal);
  const auto kept = static_cast<Index>(largest.order.size());
  const auto picked = DeviceBlock<double>::packed(device, N, kept);
  device.call(&Functions::pick_vectors, S.data(), largest.order.data(), picked);
  return {values(largest.order), on_host(device, picked), largest.next};
}

RangeBasis range_on_device(const CudaDevice& device, const Graph& M) {
  const Index n = M.num_nodes();
  const DeviceArray<double> S(device, squared(n));
  {
    const DeviceGraph graph(device, {M.offsets(), M.neighbors(), M.weights()});
    device.call(&Functions::fill_dense, graph.view(), S.data());
  }
  Vector values(n);
  device.call(&Functions::eigen, S.data(), n, values.data());
  const std::vector<Index> kept = nonzero_values(values);
  const auto picked = DeviceBlock<double>::packed(device, n, static_cast<Index>(kept.size()));
  device.call(&Functions::pick_vectors, S.data(), kept.data(), picked);
  return RangeBasis(on_host(device, picked));
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
  Matrix B(Q.rows(), Q.cols() + (kind.ones.size() > 0 ? 1 : 0));
  B.leftCols(Q.cols()) = Q;
  if (kind.ones.size() > 0) B.rightCols(1) = kind.ones;
  Vector v = B.transpose() * kind.known;
  v[0] += std::copysign(v.norm(), v[0]);
  const Vector Bv = B * v;
  B -= Bv * (2 / v.squaredNorm() * v.transpose());
  const Matrix others = B.rightCols(B.cols() - 1);

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
