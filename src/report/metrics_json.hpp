// Metrics as JSON, the same in every report.
#pragma once

#include <nlohmann/json.hpp>

#include "repsc/metrics.hpp"

namespace repsc {

/// New fields are added at the end, none is renamed or removed. NaN is written as null.
[[nodiscard]] nlohmann::ordered_json metrics_json(const Metrics& metrics);

}  // namespace repsc
