// Representation graphs and groups from Python, one of which may be None.
#pragma once

#include <optional>

#include "arrays.hpp"
#include "repsc/cluster.hpp"

namespace repsc::python {

using GivenGroups = std::optional<InputArray<Label>>;

inline ClusterInput input_from(const Graph& similarity, const std::optional<Graph>& representation,
                               const GivenGroups& groups) {
  ClusterInput input{similarity, representation};
  if (groups) input.groups = labels_from(*groups);
  return input;
}

/// One of the two is given; the package has checked that.
inline Representation representation_from(const std::optional<Graph>& representation,
                                          const GivenGroups& groups) {
  if (representation) return *representation;
  return Representation(groups ? labels_from(*groups) : Labels{});
}

}  // namespace repsc::python
