#include "core/parallel_sort.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "core/random.hpp"

namespace repsc {
namespace {

/// Whole numbers below `most`, with many equal ones if that is small; made different by their
/// place.
std::vector<std::pair<std::uint64_t, std::size_t>> numbers(std::size_t count, std::uint64_t most) {
  RandomStream random(count);
  std::vector<std::pair<std::uint64_t, std::size_t>> result;
  for (std::size_t i = 0; i < count; ++i) result.emplace_back(random.below(most), i);
  return result;
}

void expect_sorted_ranges(const std::vector<std::size_t>& sizes) {
  std::vector<std::size_t> first{0};
  for (const std::size_t size : sizes) first.push_back(first.back() + size);
  for (const std::uint64_t most : {std::uint64_t{3}, std::uint64_t{1} << 60U}) {
    auto found = numbers(first.back(), most);
    auto expected = found;
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      std::sort(expected.begin() + static_cast<std::ptrdiff_t>(first[s]),
                expected.begin() + static_cast<std::ptrdiff_t>(first[s + 1]), std::greater<>());
    }
    parallel_sort(std::span(found), std::span<const std::size_t>(first), std::greater<>());
    EXPECT_EQ(found, expected);
  }
}

TEST(ParallelSort, sorts_every_range_by_itself) {
  expect_sorted_ranges({});
  expect_sorted_ranges({0});
  expect_sorted_ranges({1, 0, 2, 0});
  // As long as what one thread sorts, one more, and several times that.
  expect_sorted_ranges({32'768, 32'769, 5, 100'000, 0, 65'536});
  expect_sorted_ranges({300'001});
  expect_sorted_ranges(std::vector<std::size_t>(5000, 3));
}

}  // namespace
}  // namespace repsc
