// What more threads bring on this machine, without any code of the library: arithmetic in
// registers, reading memory in order, and gathering rows of 32 bytes at random, as products do. No
// program scales better than these.
//
//   bench_machine [THREADS]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "core/random.hpp"
#include "repsc/core.hpp"

namespace repsc {
namespace {

/// Seconds of work(0), ..., work(threads - 1) at the same time; the least of five runs.
double seconds_of(int threads, const std::function<void(int)>& work) {
  double best = 1e300;
  for (int run = 0; run < 5; ++run) {
    const Stopwatch watch;
    std::vector<std::thread> all;
    for (int thread = 0; thread < threads; ++thread) all.emplace_back(work, thread);
    for (std::thread& one : all) one.join();
    best = std::min(best, watch.seconds());
  }
  return best;
}

/// Lets the compiler not leave out the work that led to a value.
void keep(double value) {
  [[maybe_unused]] static volatile double kept = 0;
  kept = value;
}

/// The part of `count` that a thread works on.
std::pair<std::size_t, std::size_t> part(std::size_t count, int threads, int thread) {
  const auto all = static_cast<std::size_t>(threads);
  const auto own = static_cast<std::size_t>(thread);
  return {count / all * own, count / all * (own + 1)};
}

double arithmetic(int threads) {
  constexpr std::size_t steps = 50'000'000;
  return seconds_of(threads, [&](int thread) {
    std::array<double, 8> x = {1, 2, 3, 4, 5, 6, 7, 8};
    const auto [begin, end] = part(steps, threads, thread);
    for (std::size_t k = begin; k < end; ++k) {
      for (double& value : x) value = value * 0.999 + 0.1;
    }
    keep(x[0] + x[7]);
  });
}

double reading(const std::vector<double>& numbers, int threads) {
  return seconds_of(threads, [&](int thread) {
    const auto [begin, end] = part(numbers.size(), threads, thread);
    std::array<double, 8> sums = {};
    for (std::size_t k = begin; k + 8 <= end; k += 8) {
      for (std::size_t j = 0; j < 8; ++j) sums[j] += numbers[k + j];
    }
    keep(sums[0] + sums[7]);
  });
}

/// Rows from [0, rows), a power of two.
double gathering(const std::vector<float>& X, const std::vector<std::uint32_t>& random,
                 std::uint32_t rows, int threads) {
  return seconds_of(threads, [&](int thread) {
    const auto [begin, end] = part(random.size(), threads, thread);
    std::array<float, 8> sums = {};
    for (std::size_t k = begin; k < end; ++k) {
      const float* const row = X.data() + std::size_t{random[k] & (rows - 1)} * 8;
      for (std::size_t j = 0; j < 8; ++j) sums[j] += row[j];
    }
    keep(sums[0] + sums[7]);
  });
}

void measure(int most) {
  constexpr std::uint32_t near = 1U << 20U;  // rows: 32 MB
  constexpr std::uint32_t far = 1U << 25U;   // 1 GB
  const std::vector<double> numbers(std::size_t{1} << 27U, 1.0);
  const std::vector<float> X(std::size_t{far} * 8, 1.0F);
  std::vector<std::uint32_t> random(50'000'000);
  RandomStream stream(1, 0);
  for (std::uint32_t& number : random) number = static_cast<std::uint32_t>(stream.below(far));
  fmt::print(
      "| threads | arithmetic | reading, GB/s | gathering from 32 MB, million rows/s | from 1 GB "
      "|\n"
      "| ---: | ---: | ---: | ---: | ---: |\n");
  std::array<double, 4> first = {};
  for (int threads = 1; threads <= most; threads *= 2) {
    const std::array<double, 4> seconds = {arithmetic(threads), reading(numbers, threads),
                                           gathering(X, random, near, threads),
                                           gathering(X, random, far, threads)};
    if (threads == 1) first = seconds;
    const auto times = [&](std::size_t k) { return first[k] / seconds[k]; };
    const auto rows = static_cast<double>(random.size()) / 1e6;
    fmt::print(
        "| {} | {:.1f} times one | {:.1f} ({:.1f} times one) | {:.0f} ({:.1f}) | {:.0f} ({:.1f}) "
        "|\n",
        threads, times(0), static_cast<double>(numbers.size()) * 8e-9 / seconds[1], times(1),
        rows / seconds[2], times(2), rows / seconds[3], times(3));
  }
}

}  // namespace
}  // namespace repsc

int main(int argc, char** argv) {
  const int most =
      argc > 1 ? std::atoi(argv[1]) : static_cast<int>(std::thread::hardware_concurrency());
  repsc::measure(std::max(1, most));
}
