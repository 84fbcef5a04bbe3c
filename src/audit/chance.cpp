// Groups in clusters against random assignment.
#include <algorithm>
#include <cmath>

#include "repsc/audit.hpp"

namespace repsc {
namespace {

double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

}  // namespace

CountInterval chance_interval(Index total, Index marked, Index drawn) {
  require(total >= 0 && marked >= 0 && marked <= total && drawn >= 0 && drawn <= total, "of ",
          total, " cannot be marked ", marked, " and drawn ", drawn);
  constexpr double tail = 0.025;
  const Index least = std::max<Index>(0, static_cast<Index>(std::int64_t{marked} + drawn - total));
  const Index most = std::min(marked, drawn);
  const double N = total, M = marked, n = drawn;
  // Beyond twelve standard deviations (and for small numbers, of which the distribution is skewed,
  // forty more) there is less than rounding errors.
  const double mean = total > 0 ? n * M / N : 0;
  const double spread =
      total > 1 ? std::sqrt(std::max(0.0, mean * (1 - M / N) * (N - n) / (N - 1))) : 0;
  const double reach = 12 * spread + 40;
  const auto first = std::max<Index>(least, static_cast<Index>(std::max(0.0, mean - reach)));
  const auto last = static_cast<Index>(std::min<double>(most, mean + reach));
  const auto probability = [&](Index x) {
    return std::exp(log_choose(M, x) + log_choose(N - M, n - x) - log_choose(N, n));
  };
  CountInterval interval{first, last};
  double below = 0;
  for (Index x = first; x <= last; ++x) {
    const double here = probability(x);
    if (below + here > tail) {
      interval.low = x;
      break;
    }
    below += here;
  }
  double above = 0;
  for (Index x = last; x >= interval.low; --x) {
    const double here = probability(x);
    if (above + here > tail) {
      interval.high = x;
      break;
    }
    above += here;
  }
  return interval;
}

}  // namespace repsc
