// Numbered streams of random numbers. Implemented here because the standard does not specify the
// values of its distributions, and the same seed must give the same labels everywhere.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"

namespace repsc {

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): mixes a counter into 64 random bits.
REPSC_HOST_DEVICE constexpr std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

/// Uniform in (0, 1]: a random number for each `number`, which does not depend on the others.
REPSC_HOST_DEVICE constexpr double uniform_of(std::uint64_t key, std::uint64_t number) {
  std::uint64_t state = key + number * 0x9e3779b97f4a7c15ULL;
  return static_cast<double>((splitmix64(state) >> 11U) + 1) * 0x1.0p-53;
}

/// `expected` >= 0 rounded up or down at random, so that it is right on average.
REPSC_HOST_DEVICE inline double rounded_at_random(double expected, std::uint64_t key,
                                                  std::uint64_t number) {
  return std::ceil(expected - uniform_of(key, number));
}

/// Stream `number` of `seed`: xoshiro256** (Blackman and Vigna 2018), seeded by SplitMix64.
/// Each parallel task has its own stream, so results do not depend on the order of execution.
class RandomStream {
 public:
  REPSC_HOST_DEVICE explicit RandomStream(std::uint64_t seed, std::uint64_t number = 0) {
    std::uint64_t mixed = number;
    std::uint64_t start = seed ^ splitmix64(mixed);
    for (std::uint64_t& word : state_) word = splitmix64(start);
  }

  /// 64 random bits.
  REPSC_HOST_DEVICE std::uint64_t bits() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17U;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Uniform in [0, 1).
  REPSC_HOST_DEVICE double uniform() { return static_cast<double>(bits() >> 11U) * 0x1.0p-53; }

  /// Uniform in {0, ..., count - 1}, without bias (rejection). count > 0.
  std::uint64_t below(std::uint64_t count) {
    const std::uint64_t limit = count * (UINT64_MAX / count);
    std::uint64_t value = bits();
    while (value >= limit) value = bits();
    return value % count;
  }

  /// Standard normal, by Marsaglia's polar method (one of the pair is dropped: no hidden state).
  REPSC_HOST_DEVICE double normal() {
    for (;;) {
      const double x = 2 * uniform() - 1;
      const double y = 2 * uniform() - 1;
      const double radius = x * x + y * y;
      if (radius < 1 && radius > 0) return x * std::sqrt(-2 * std::log(radius) / radius);
    }
  }

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace repsc
