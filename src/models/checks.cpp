// Checks of the samplers' arguments.
#include "models/checks.hpp"

#include <algorithm>
#include <limits>

namespace repsc {

void require_probability(double value, const char* option) {
  require_option(value >= 0 && value <= 1, option, value, "it must be from 0 to 1");
}

void require_ordered(const RppProbabilities& probabilities) {
  const double p = probabilities.p;
  const double q = probabilities.q;
  const double r = probabilities.r;
  const double s = probabilities.s;
  const auto require_below = [&](double value, double larger, const char* option) {
    require_option(value >= 0 && value <= larger, option, value,
                   "it must satisfy 1 >= p >= q >= r >= s >= 0; given are p = ", p, ", q = ", q,
                   ", r = ", r, ", s = ", s);
  };
  require_below(p, 1, "p");
  require_below(q, p, "q");
  require_below(r, q, "r");
  require_below(s, r, "s");
}

void require_clusters(Index num_nodes, int num_clusters) {
  require_option(num_clusters >= 1 && num_clusters <= num_nodes, "num_clusters", num_clusters,
                 "it must be from 1 to the number of nodes, ", num_nodes);
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
  if (expected_edges <= limit) return;
  throw InvalidInput(Fault{
      .what = joined("the model expects ", expected_edges, " edges, above the limit of ", limit),
      .remedies = {advice("sample fewer nodes"), advice("sample a sparser graph")}});
}

}  // namespace repsc
