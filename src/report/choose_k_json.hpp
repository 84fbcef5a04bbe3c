// The choice of a number of clusters as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "repsc/choose_k.hpp"

namespace repsc {

/// The recommendation with its reason, and the table.
[[nodiscard]] nlohmann::ordered_json chosen_json(const ClusterCount& found);

}  // namespace repsc
