// Draws one of several numbers, each with probability in proportion to its weight, such that small
// changes of the weights hardly ever change which one.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/host_device.hpp"
#include "core/random.hpp"

namespace repsc {

/// Number i arrives at a time that is exponentially distributed with its weight as the rate; the
/// first one wins. Weights that differ by a relative e change the winner with a probability of
/// order e, because the random part of each time depends on the number alone. A position among
/// weights laid end to end would shift past many of them.
class Race {
 public:
  REPSC_HOST_DEVICE explicit Race(std::uint64_t key) : key_(key) {}

  /// Whether this number is the first one so far. Never if its weight is 0.
  REPSC_HOST_DEVICE bool leads(std::uint64_t number, double weight) {
    if (!(weight > 0)) return false;
    const double uniform = uniform_of(key_, number);
    // As 1 - u <= -log u, most that come later are known without a logarithm.
    if (has_winner_ && !(1 - uniform < best_ * weight)) return false;
    const double time = -std::log(uniform) / weight;  // infinite if the weight is denormal
    if (has_winner_ && !(time < best_)) return false;
    best_ = time;
    has_winner_ = true;
    return true;
  }
  /// Of the first one so far.
  [[nodiscard]] REPSC_HOST_DEVICE double time() const { return best_; }

 private:
  std::uint64_t key_;
  double best_ = std::numeric_limits<double>::infinity();
  bool has_winner_ = false;
};

}  // namespace repsc
