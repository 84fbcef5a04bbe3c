// When a computation has to end.
#include <algorithm>

#include "repsc/core.hpp"

namespace repsc {

Deadline Deadline::after(std::optional<double> seconds) {
  if (!seconds) return {};
  require_option(*seconds > 0, "time_limit", *seconds, "it must be a number of seconds above 0");
  constexpr double longest = 1e9;  // 30 years: more would not fit the clock
  return {.at = std::chrono::steady_clock::now() +
                std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                    std::chrono::duration<double>(std::min(*seconds, longest)))};
}

}  // namespace repsc
