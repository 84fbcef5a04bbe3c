// A graph as work on devices takes it, which knows arrays alone.
#pragma once

#include "cuda/device.hpp"
#include "repsc/graph.hpp"

namespace repsc {

[[nodiscard]] inline HostGraph host_arrays(const Graph& graph) {
  return {graph.offsets(), graph.neighbors(), graph.weights(), graph.on_device()};
}

}  // namespace repsc
