// A graph as work on devices takes it, which knows arrays alone.
#pragma once

#include "cuda/device.hpp"
#include "repsc/graph.hpp"

namespace repsc {

[[nodiscard]] inline HostGraph host_arrays(const Graph& graph) {
  return {graph.offsets(), graph.neighbors(), graph.weights(), graph.on_device()};
}

/// What the entries of a graph take in the memory of a device.
[[nodiscard]] inline double device_bytes(const Graph& graph) {
  const std::size_t entry = sizeof(Index) + (graph.weighted() ? sizeof(double) : 0);
  return static_cast<double>(entry) * static_cast<double>(graph.num_entries());
}

}  // namespace repsc
