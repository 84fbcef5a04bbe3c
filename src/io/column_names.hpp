// What the name of a column says about its role: nodes, the ends of an edge, or a weight.
#pragma once

#include <string_view>

namespace repsc {

/// "node", "Node_1", "user id", "FromNodeId", "name": a usual name of a column of node names.
[[nodiscard]] bool names_nodes(std::string_view column);
/// Whether such a name is numbered or lettered, "node_1", "node b": nodes may be called so as well.
[[nodiscard]] bool is_numbered_name(std::string_view column);
/// "source", "from", "FromNodeId": the first end of an edge.
[[nodiscard]] bool names_first_end(std::string_view column);
/// "target", "to", "ToNodeId": the second end of an edge.
[[nodiscard]] bool names_second_end(std::string_view column);
/// "weight", "count": the weight of an edge.
[[nodiscard]] bool names_weight(std::string_view column);
/// "type", "year", "label": certainly not a weight.
[[nodiscard]] bool names_no_weight(std::string_view column);

/// "NA", "null" or nothing: how programs write a missing value.
[[nodiscard]] bool means_missing(std::string_view word);

}  // namespace repsc
