// X = P X for each kind of projector.
#include <cmath>

#include "constraint/on_device.hpp"
#include "constraint/range_basis.hpp"
#include "constraint/shared.hpp"
#include "core/parallel.hpp"
#include "graph/product.hpp"
#include "linalg/dense.hpp"
#include "repsc/constraint.hpp"

namespace repsc {
namespace {

/// X = S X, S = diag(scale), or nothing for an empty scale.
void scale_rows(Matrix& X, const Vector& scale) {
  if (scale.size() == 0) return;
  parallel_ranges(X.rows(), row_grain, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i) X.row(i) *= scale[i];
  });
}

void apply_kind(const Unconstrained&, Matrix&) {}

// The removed space is { S F b : n'b = 0 }. The nearest point of it to x minimizes ||x - S F b||
// under n'b = 0; with the diagonal Gram matrix W = F'S^2 F that is b = W^-1 (F'S x - mu n), where
// mu = n'W^-1 F'S x / n'W^-1 n. For S = I, b is each group's mean less the overall mean.
template <typename Block>
void apply_groups(const GroupComplement& kind, Block& X) {
  using Scalar = typename Block::Scalar;
  const auto scaled = [&](std::int64_t i) { return kind.scale.size() == 0 ? 1.0 : kind.scale[i]; };
  Matrix b = group_sums(kind.groups, static_cast<Index>(kind.sizes.size()), X, kind.scale);
  remove_common_part(kind, b);
  parallel_ranges(X.rows(), row_grain, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i)
      X.row(i) -=
          (scaled(i) * b.row(kind.groups[static_cast<std::size_t>(i)])).template cast<Scalar>();
  });
}

void apply_kind(const GroupComplement& kind, Matrix& X) { apply_groups(kind, X); }

/// y = (V' J S^2 J V)^+ y.
void solve_gram(const SpectralComplement& kind, Matrix& y) {
  if (kind.cholesky.size() > 0) {
    kind.cholesky.triangularView<Eigen::Lower>().solveInPlace(y);
    kind.cholesky.triangularView<Eigen::Lower>().transpose().solveInPlace(y);
    return;
  }
  // V'JV = I - g uu': its inverse adds g/(1-g) uu', its pseudo-inverse for g = 1 removes uu'.
  if (kind.mean_direction.size() == 0) return;
  const Vector& u = kind.mean_direction;
  const double factor = kind.contains_ones ? -1 : kind.mean_share / (1 - kind.mean_share);
  y += factor * u * (u.transpose() * y);
}

/// On the device that has the vectors: the factor of the Gram matrix is not on the host.
void apply_on_device(const SpectralComplement& kind, Matrix& X) {
  CudaDevice& device = kind.spectrum->on_device->device();
  const std::unique_lock in_use = device.use();
  const DeviceBlock<double> on = on_device(device, X);
  device.call(&repsc_cuda_functions::remove, removed_basis(kind), on);
  X = on_host(device, on);
}

// x -= C (C'C)^+ C'x with C = S J V.
void apply_kind(const SpectralComplement& kind, Matrix& X) {
  if (kind.spectrum->on_device != nullptr) return apply_on_device(kind, X);
  const auto V = kind.spectrum->vectors.leftCols(kind.rank);
  Matrix Z = X;
  scale_rows(Z, kind.scale);
  center_columns(Z);
  Matrix y = transposed_product(V, Z);
  solve_gram(kind, y);
  assign_product(Z, V, y);
  center_columns(Z);
  scale_rows(Z, kind.scale);
  X -= Z;
}

// x -= F (QQ' + ones ones' - known known') F'x.
void apply_kind(const RangeComplement& kind, Matrix& X) {
  const Eigen::Index count = kind.known.size();
  Matrix y = Matrix::Zero(count, X.cols());
  for (Eigen::Index i = 0; i < X.rows(); ++i)
    y.row(kind.classes[static_cast<std::size_t>(i)]) += kind.membership[i] * X.row(i);
  const Matrix z = removed_part(kind, y);
  parallel_ranges(X.rows(), row_grain, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i)
      X.row(i) -= kind.membership[i] * z.row(kind.classes[static_cast<std::size_t>(i)]);
  });
}

void apply_kind(const KeptBasis& kind, Matrix& X) {
  const Matrix coefficients = transposed_product(kind.basis, X);
  assign_product(X, kind.basis, coefficients);
}

}  // namespace

Matrix removed_part(const RangeComplement& kind, const Matrix& y) {
  Matrix z = y;
  kind.range->project(z);
  if (kind.ones.size() > 0) z += kind.ones * (kind.ones.transpose() * y);
  z -= kind.known * (kind.known.transpose() * y);
  return z;
}

void remove_common_part(const GroupComplement& kind, Matrix& sums) {
  const Vector n_over_w = kind.sizes.cwiseQuotient(kind.weights);
  const Eigen::RowVectorXd mu = (n_over_w.transpose() * sums) / kind.denominator;
  sums -= kind.sizes * mu;
  sums.array().colwise() /= kind.weights.array();
}

void Projector::apply(Matrix& X) const {
  require(X.rows() == num_nodes_, "projector for ", num_nodes_, " nodes, block with ", X.rows(),
          " rows");
  std::visit([&](const auto& kind) { apply_kind(kind, X); }, kind_);
}

void Projector::apply(FloatMatrix& X) const {
  if (std::holds_alternative<Unconstrained>(kind_)) return;
  if (const auto* groups = std::get_if<GroupComplement>(&kind_)) return apply_groups(*groups, X);
  Matrix exact = X.cast<double>();  // dense bases are stored in double precision
  apply(exact);
  X = exact.cast<float>();
}

}  // namespace repsc
