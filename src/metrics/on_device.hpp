// The passes over graphs that metrics need, on a CUDA device.
#pragma once

#include <optional>

#include "metrics/edge_weights.hpp"
#include "repsc/cuda.hpp"
#include "repsc/metrics.hpp"

namespace repsc {

/// Of the device beside the graph: labels, and what is found for each row.
[[nodiscard]] constexpr double bytes_of_metrics(Index num_nodes) { return 40.0 * num_nodes; }

// Both return nothing where the CPU has to do it: there is no device, it fails or has no room, the
// rows are packed, or there are more clusters than it takes. Labels must have been checked.

/// edge_weights(). Without weights the same bytes, otherwise the same but for rounding.
[[nodiscard]] std::optional<EdgeWeights> edge_weights_on_device(
    const std::shared_ptr<CudaDevice>& device, const Graph& A, const Labels& labels,
    int num_clusters);

/// Of all nodes of R. Balances are the same bytes as on the CPU, and so is the residual where the
/// compiler rounds every product before it is added to something.
struct BalanceSummary {
  double average_rho = 1;
  double minimum_rho = 1;
  double average_proportional = 1;
  double minimum_proportional = 1;
  double constraint_residual = 0;
};

/// `sizes` are those of the clusters. Nothing also for an R with very long rows. Without `residual`
/// the constraint's is left out, which saves a pass over the weights of R on the CPU.
/// Representatives by groups have no such function: what is counted of them is one pass over labels
/// that are in the memory of the host (GroupTable).
[[nodiscard]] std::optional<BalanceSummary> balance_on_device(
    const std::shared_ptr<CudaDevice>& device, const Graph& R, const Labels& labels,
    const std::vector<Index>& sizes, Counting counting, bool residual = true);

}  // namespace repsc
