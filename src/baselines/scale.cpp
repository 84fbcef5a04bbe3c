// Structure kept and fairness gained, and the balance that no clustering exceeds.
#include "repsc/baselines.hpp"

namespace repsc {

double balance_limit(Index num_representatives, int num_clusters) {
  if (num_representatives == 0) return 1;
  const Index least = num_representatives / num_clusters;
  const Index most = (num_representatives + num_clusters - 1) / num_clusters;
  return static_cast<double>(least) / static_cast<double>(most);
}

double average_balance_limit(const Representation& representation, int num_clusters) {
  require_option(num_clusters >= 1, "num_clusters", num_clusters, "it must be at least 1");
  const Index N = representation.num_nodes();
  if (N == 0) return 1;
  double sum = 0;
  for (Index i = 0; i < N; ++i) {
    sum += balance_limit(representation.set_size(representation.set_of(i)), num_clusters);
  }
  return sum / N;
}

double Baselines::structure_kept(double cut) const {
  const double unit = random.cut - plain.cut;
  if (unit > 0) return (random.cut - cut) / unit;
  return cut <= random.cut ? 1 : 0;
}

double Baselines::fairness_gained(double average_balance) const {
  const double unit = fair_balance - plain.average_balance;
  if (!(unit <= 0)) return (average_balance - plain.average_balance) / unit;  // NaN stays NaN
  return average_balance >= fair_balance ? 1 : average_balance / fair_balance;
}

bool Baselines::like_random(double cut) const { return cut >= random.cut - 3 * random.cut_spread; }

}  // namespace repsc
