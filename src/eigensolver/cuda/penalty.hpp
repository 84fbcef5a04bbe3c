// The soft constraint on a device: strength S C S, C = tau (WRJ)'(WRJ), added to products with a
// Laplacian. The formulas are those of operators/penalty.cpp.
#pragma once

#include <memory>

#include "cuda/groups.hpp"
#include "cuda/rows.hpp"
#include "graph/host_arrays.hpp"
#include "repsc/operators.hpp"

namespace repsc {

class DevicePenalty {
 public:
  /// For a Laplacian with a penalty that is supported. `room`: bytes for the entries of R.
  DevicePenalty(const CudaDevice& device, const Laplacian& L, std::int64_t room)
      : device_(device),
        num_nodes_(L.num_nodes()),
        factor_(L.strength() * L.penalty()->tau()),
        scale_(copy_of(L.scale())) {
    const Representation& R = L.penalty()->representation();
    const Vector sums = R.sums();
    sums_ = on_device(device, sums);
    inverse_ = copy_of((sums.array() > 0).select(sums.cwiseInverse(), 0.0).matrix());
    scaled_ = L.scale().size() > 0;
    if (R.by_groups()) {
      groups_.emplace(device, R.groups(), R.num_sets(), std::span<const double>());
    } else {
      zeros_ = copy_of(Vector::Zero(num_nodes_));
      graph_ = std::make_unique<DeviceGraph>(device, host_arrays(R.graph()), room);
    }
  }

  static bool supports(const Laplacian& L) {
    if (L.penalty() == nullptr) return true;
    const Representation& R = L.penalty()->representation();
    return R.by_groups() || !R.graph().packed();
  }

  /// Of the entries of R; 0 if it is given by groups.
  [[nodiscard]] static double graph_bytes(const Laplacian& L) {
    if (L.penalty() == nullptr || L.penalty()->representation().by_groups()) return 0;
    return device_bytes(L.penalty()->representation().graph());
  }

  /// Y += strength S C S X.
  template <typename Scalar>
  void add_product(const DeviceBlock<Scalar>& X, DeviceBlock<Scalar>& Y) const {
    if (factor_ == 0) return;
    const DeviceRows<Scalar> rows(device_, num_nodes_);
    const double N = num_nodes_;
    DeviceBlock<Scalar> U = rows.uninitialized(X.cols());
    rows.copy(X, U, 0);
    scale(U);
    DeviceBlock<Scalar> sums = rows.uninitialized(1);
    device_.call(&Functions::copy, sums_, sums);
    // Z = -W^2 R J U; the second product changes the sign back.
    DeviceBlock<Scalar> Z = minus_product(rows, U);
    rows.subtract(Z, sums, -column_sums(U) / N);
    device_.call(&Functions::scale_rows, Z, inverse_.data(), 1);
    // The mean of the rows of RZ is r'Z / N.
    const Matrix mean = rows.gram(sums, Z) / N;
    DeviceBlock<Scalar> RZ = minus_product(rows, Z);
    device_.call(&Functions::add_to_rows, RZ, mean.data());
    scale(RZ);
    rows.subtract(Y, RZ, -factor_ * Matrix::Identity(X.cols(), X.cols()));
  }

 private:
  using Functions = repsc_cuda_functions;

  [[nodiscard]] DeviceArray<double> copy_of(const Vector& x) const {
    return {device_, std::span<const double>(x.data(), static_cast<std::size_t>(x.size()))};
  }
  /// X = S X.
  template <typename Scalar>
  void scale(DeviceBlock<Scalar>& X) const {
    if (scaled_) device_.call(&Functions::scale_rows, X, scale_.data(), 1);
  }
  template <typename Scalar>
  [[nodiscard]] Matrix column_sums(const DeviceBlock<Scalar>& X) const {
    Matrix result(1, X.cols());
    const repsc_cuda_groups one{nullptr, 1, nullptr};
    device_.call(&Functions::group_sums, one, X, result.data());
    return result;
  }
  /// -R X.
  template <typename Scalar>
  [[nodiscard]] DeviceBlock<Scalar> minus_product(const DeviceRows<Scalar>& rows,
                                                  const DeviceBlock<Scalar>& X) const {
    if (graph_ != nullptr) {
      DeviceBlock<Scalar> Y = rows.uninitialized(X.cols());
      const repsc_cuda_laplacian without_degrees{graph_->view(), nullptr, zeros_.data(), 0};
      device_.call(&Functions::apply, without_degrees, X, Y);
      return Y;
    }
    DeviceBlock<Scalar> Y = rows.zeros(X.cols());
    groups_->subtract(Y, groups_->sums(X));
    return Y;
  }

  const CudaDevice& device_;
  Index num_nodes_;
  double factor_;
  bool scaled_ = false;
  DeviceArray<double> scale_;
  DeviceBlock<double> sums_;     ///< r = R1
  DeviceArray<double> inverse_;  ///< 1 / r_i; 0 for a node without representatives
  DeviceArray<double> zeros_;
  std::unique_ptr<DeviceGraph> graph_;  ///< null: R is given by groups
  std::optional<DeviceGroups> groups_;
};

}  // namespace repsc
