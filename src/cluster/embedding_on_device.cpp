// The same steps as on the host (cluster/steps.cpp).
#include "cluster/embedding_on_device.hpp"

#include "cluster/warnings.hpp"
#include "constraint/shared.hpp"
#include "cuda/groups.hpp"
#include "cuda/rows.hpp"

namespace repsc {
namespace {

using Functions = repsc_cuda_functions;

/// Constraint::residual() of H = S X.
double residual_on_device(const CudaDevice& device, const GroupComplement& groups,
                          const DeviceBlock<double>& H) {
  const DeviceGroups members(device, groups.groups, static_cast<Index>(groups.sizes.size()), {});
  const DeviceRows<double> rows(device, H.rows());
  return group_residual(groups, members.sums(H), rows.gram(H, H).diagonal());
}

/// Whether a column of length 1 may have more than half of its square in three entries.
bool may_be_localized(const CudaDevice& device, const DeviceBlock<double>& X) {
  Vector largest(X.cols());
  device.call(&Functions::largest, X, largest.data());
  return 3 * largest.cwiseAbs2().maxCoeff() > most_in_three_nodes;
}

}  // namespace

bool embeds_on_device(const Laplacian& L, const Constraint& constraint) {
  const Projector::Kind& kind = constraint.projector.kind();
  return L.penalty() == nullptr && (std::holds_alternative<Unconstrained>(kind) ||
                                    std::holds_alternative<GroupComplement>(kind));
}

void embed_on_device(const Laplacian& L, const Constraint& constraint, const Plan& plan,
                     SpectralEmbedding& result) {
  CudaDevice& device = result.pairs.on_device->device();
  DeviceBlock<double>& X = result.pairs.on_device->values();
  const std::unique_lock in_use = device.use();
  if (may_be_localized(device, X))
    append(localization_warnings(on_host(device, X), plan.method), result.warnings);
  if (L.scale().size() > 0) {
    const DeviceArray<double> scale(
        device, std::span<const double>(L.scale().data(), static_cast<std::size_t>(X.rows())));
    device.call(&Functions::scale_rows, X, scale.data(), 1);
  }
  if (const auto* const groups = std::get_if<GroupComplement>(&constraint.projector.kind()))
    result.constraint_residual = residual_on_device(device, *groups, X);
  if (plan.embedding_rows == EmbeddingRows::unit) device.call(&Functions::unit_rows, X);
  const bool needed = plan.options.keep_embedding || plan.search || plan.better_rows;
  if (needed) result.rows = on_host(device, X);
}

}  // namespace repsc
