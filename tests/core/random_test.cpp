// Random streams: the published values, and the moments of the distributions.
#include "core/random.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "core/race.hpp"

namespace repsc {
namespace {

TEST(SplitMix64, gives_the_published_values) {
  std::uint64_t state = 1234567;  // the test vector of Rosetta Code, made by Vigna's own program
  EXPECT_EQ(splitmix64(state), 6457827717110365317ULL);
  EXPECT_EQ(splitmix64(state), 3203168211198807973ULL);
  EXPECT_EQ(splitmix64(state), 9817491932198370423ULL);
}

// xoshiro256** as in Vigna's C program, on a state of the caller.
std::uint64_t reference_xoshiro(std::uint64_t s[4]) {
  const auto rotl = [](std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); };
  const std::uint64_t result = rotl(s[1] * 5, 7) * 9;
  const std::uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotl(s[3], 45);
  return result;
}

TEST(RandomStream, is_xoshiro256_seeded_by_splitmix64) {
  std::uint64_t counting[4] = {1, 2, 3, 4};  // published: 11520, 0, 1509978240, ...
  EXPECT_EQ(reference_xoshiro(counting), 11520U);
  EXPECT_EQ(reference_xoshiro(counting), 0U);
  EXPECT_EQ(reference_xoshiro(counting), 1509978240U);
  EXPECT_EQ(reference_xoshiro(counting), 1215971899390074240U);

  std::uint64_t number = 9;
  std::uint64_t start = 42 ^ splitmix64(number);
  std::uint64_t state[4] = {};
  for (std::uint64_t& word : state) word = splitmix64(start);
  RandomStream stream(42, 9);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(stream.bits(), reference_xoshiro(state)) << i;
}

TEST(RandomStream, differs_between_seeds_and_between_numbers) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (std::uint64_t number = 0; number < 40; ++number) {
      RandomStream stream(seed, number);
      for (int i = 0; i < 4; ++i) seen.insert(stream.bits());
    }
  }
  EXPECT_EQ(seen.size(), 40U * 40U * 4U);
}

TEST(RandomStream, draws_uniform_numbers_with_the_right_moments) {
  RandomStream stream(1);
  constexpr int count = 200000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < count; ++i) {
    const double x = stream.uniform();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / count, 1.0 / 2, 5 * 0.289 / std::sqrt(count));
  EXPECT_NEAR(squares / count, 1.0 / 3, 5 * 0.298 / std::sqrt(count));
}

TEST(RandomStream, draws_normal_numbers_with_the_right_moments) {
  RandomStream stream(2);
  constexpr int count = 200000;
  double moment[5] = {};
  for (int i = 0; i < count; ++i) {
    const double x = stream.normal();
    for (int k = 1; k <= 4; ++k) moment[k] += std::pow(x, k) / count;
  }
  const double deviation = 5 / std::sqrt(count);
  EXPECT_NEAR(moment[1], 0, deviation);
  EXPECT_NEAR(moment[2], 1, deviation * std::sqrt(2.0));
  EXPECT_NEAR(moment[3], 0, deviation * std::sqrt(15.0));
  EXPECT_NEAR(moment[4], 3, deviation * std::sqrt(96.0));
}

TEST(RandomStream, draws_each_whole_number_below_a_count_equally_often) {
  RandomStream stream(3);
  constexpr int count = 140000;
  std::vector<int> hits(7);
  for (int i = 0; i < count; ++i) ++hits.at(stream.below(7));
  double chi_square = 0;
  for (const int hit : hits) chi_square += std::pow(hit - count / 7.0, 2) / (count / 7.0);
  EXPECT_LT(chi_square, 22.5);  // 6 degrees of freedom: exceeded once in 1,000 seeds
  EXPECT_EQ(stream.below(1), 0U);

  // Taking bits() modulo 3 * 2^62 without rejection, half of the draws would be in the lower third.
  const std::uint64_t large = 3ULL << 62U;
  int low = 0;
  for (int i = 0; i < 10000; ++i) low += stream.below(large) < large / 3 ? 1 : 0;
  EXPECT_NEAR(low, 3333, 5 * 48);
}

TEST(Race, is_won_in_proportion_to_the_weights) {
  const std::vector<double> weights{0, 1, 2, 0, 4, 3};
  std::vector<double> won(weights.size(), 0);
  constexpr int races = 20'000;
  RandomStream keys(3);
  for (int trial = 0; trial < races; ++trial) {
    Race race(keys.bits());
    std::size_t first = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (race.leads(i, weights[i])) first = i;
    }
    won[first] += 1;
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_NEAR(won[i] / races, weights[i] / 10, 0.014) << i;  // four deviations
  }
  EXPECT_EQ(won[0], 0);
  EXPECT_EQ(won[3], 0);
}

TEST(Race, takes_weights_of_any_size) {
  for (const double weight : {1e-320, 1e-300, 1.0, 1e300}) {
    Race race(4);
    EXPECT_TRUE(race.leads(1, weight)) << weight;
  }
}

TEST(RoundedAtRandom, is_right_on_average) {
  for (const double expected : {0.0, 0.2, 1.0, 2.7}) {
    double sum = 0;
    for (std::uint64_t i = 0; i < 10'000; ++i) {
      const double rounded = rounded_at_random(expected, 8, i);
      EXPECT_TRUE(rounded == std::floor(expected) || rounded == std::ceil(expected));
      sum += rounded;
    }
    EXPECT_NEAR(sum / 10'000, expected, 0.02) << expected;
  }
}

}  // namespace
}  // namespace repsc
