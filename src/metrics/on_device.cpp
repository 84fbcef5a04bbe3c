// The graph is sent, unless it is there already; sums by cluster come back.
#include "metrics/on_device.hpp"

#include <type_traits>

#include "graph/host_arrays.hpp"
#include "metrics/constraint_residual.hpp"

namespace repsc {
namespace {

/// body(graph, labels) with both on the device.
template <typename Body>
auto with_graph_on_device(CudaDevice& device, const Graph& graph, const Labels& labels,
                          const Body& body)
    -> std::optional<
        std::invoke_result_t<const Body&, const DeviceGraph&, const DeviceArray<Label>&>> {
  try {
    const HostGraph arrays = host_arrays(graph);
    std::shared_ptr<const DeviceGraph> sent = device.uploaded(arrays);
    const std::unique_lock in_use = device.use();
    const double others = bytes_of_metrics(graph.num_nodes());
    // Declared here, since memory is freed while the device is held.
    const std::shared_ptr<const DeviceGraph> there =
        sent != nullptr
            ? std::move(sent)
            : std::make_shared<const DeviceGraph>(device, arrays, room_for_graph(device, others));
    const DeviceArray<Label> clusters(device, std::span<const Label>(labels));
    return body(*there, clusters);
  } catch (const DeviceFailure&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<EdgeWeights> edge_weights_on_device(const std::shared_ptr<CudaDevice>& device,
                                                  const Graph& A, const Labels& labels,
                                                  int num_clusters) {
  if (device == nullptr || A.packed() || num_clusters > REPSC_CUDA_MOST_GROUPS) return std::nullopt;
  return with_graph_on_device(
      *device, A, labels, [&](const DeviceGraph& graph, const DeviceArray<Label>& clusters) {
        const auto K = static_cast<std::size_t>(num_clusters);
        EdgeWeights result{std::vector<double>(K), std::vector<double>(K)};
        device->call(&repsc_cuda_functions::edge_weights, graph.view(), clusters.data(),
                     std::int64_t{num_clusters}, result.leaving.data(), result.volumes.data());
        return result;
      });
}

std::optional<BalanceSummary> balance_on_device(const std::shared_ptr<CudaDevice>& device,
                                                const Graph& R, const Labels& labels,
                                                const std::vector<Index>& sizes, Counting counting,
                                                bool residual) {
  constexpr Index longest = 1 << 16;  // one thread reads a whole row
  if (device == nullptr || R.packed() || R.num_nodes() == 0 ||
      sizes.size() > REPSC_CUDA_MOST_BALANCED)
    return std::nullopt;
  for (Index i = 0; i < R.num_nodes(); ++i)
    if (R.num_neighbors(i) > longest) return std::nullopt;
  const repsc_cuda_weighing how{.by_weight = counting == Counting::weights ? 1 : 0,
                                .unit = residual ? unit_of_squares(R) : 1};
  return with_graph_on_device(
      *device, R, labels, [&](const DeviceGraph& graph, const DeviceArray<Label>& clusters) {
        repsc_cuda_balances found = {};
        device->call(&repsc_cuda_functions::balances, graph.view(), clusters.data(), sizes.data(),
                     static_cast<std::int64_t>(sizes.size()), how, &found);
        return BalanceSummary{
            found.rho_sum / R.num_nodes(), found.rho_minimum,
            found.proportional_sum / R.num_nodes(), found.proportional_minimum,
            residual ? scaled_residual(found.squared_RJH, found.squared_R, R.num_nodes()) : 0};
      });
}

}  // namespace repsc
