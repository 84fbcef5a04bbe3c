// Checks of the samplers' arguments.
#include "models/checks.hpp"

#include <algorithm>
#include <limits>

namespace repsc {

void require_probability(double value, const char* name) {
  require(value >= 0 && value <= 1, name, ": ", value, " is not a probability in [0, 1]");
}

void require_ordered(const RppProbabilities& probabilities) {
  const auto& [p, q, r, s] = probabilities;
  require(1 >= p && p >= q && q >= r && r >= s && s >= 0,
          "R-PP probabilities must satisfy 1 >= p >= q >= r >= s >= 0, got p = ", p, ", q = ", q,
          ", r = ", r, ", s = ", s);
}

void require_labels(const Labels& labels, const char* name) {
  require(labels.size() < static_cast<std::size_t>(std::numeric_limits<Index>::max()), name, ": ",
          labels.size(), " nodes, at most ", std::numeric_limits<Index>::max() - 1,
          " can be numbered");
  const auto negative = std::find_if(labels.begin(), labels.end(), [](Label l) { return l < 0; });
  if (negative != labels.end()) {
    require(false, name, ": node ", negative - labels.begin(), " has label ", *negative,
            ", but labels start at 0");
  }
}

void require_storable(double expected_edges) {
  constexpr double limit = 1e10;  // 80 GB of neighbours
  require(expected_edges <= limit, "the model expects ", expected_edges,
          " edges, above the limit of ", limit,
          " edges; lower the probabilities or the number of nodes");
}

}  // namespace repsc
