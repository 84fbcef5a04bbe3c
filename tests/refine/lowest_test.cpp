// The lowest changes of a long list that changes a little at a time, by comparing all of them.
#include "refine/lowest.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace repsc {
namespace {

using Entries = std::vector<Lowest::Entry>;

Entries random_entries(std::size_t count, RandomStream& random) {
  Entries entries;
  for (std::size_t i = 0; i < count; ++i)
    entries.push_back({random.uniform(), static_cast<Index>(i)});
  return entries;
}

double largest(const Entries& entries, std::size_t begin, std::size_t end) {
  double found = -1e300;
  for (std::size_t i = begin; i < end; ++i) found = std::max(found, entries[i].change);
  return found;
}

double smallest(const Entries& entries, std::size_t begin) {
  double found = 1e300;
  for (std::size_t i = begin; i < entries.size(); ++i) found = std::min(found, entries[i].change);
  return found;
}

/// As a pass over moves does: those in front change, and one of them goes.
void expect_lowest_in_front(std::size_t size, std::size_t count, int steps,
                            double (*changed)(double)) {
  SCOPED_TRACE(testing::Message() << size << " entries, " << count << " in front");
  RandomStream random(size + count);
  Entries entries = random_entries(size, random);
  LowestFirst lowest;
  for (int step = 0; step < steps && !entries.empty(); ++step) {
    const std::size_t front = std::min(count, entries.size());
    lowest.bring(entries, front);
    ASSERT_LE(largest(entries, 0, front), smallest(entries, front)) << "step " << step;
    for (std::size_t i = 0; i < front; ++i) entries[i].change = changed(entries[i].change);
    entries[random.below(front)] = entries.back();
    entries.pop_back();
  }
}

TEST(LowestFirst, are_the_lowest_of_all) {
  for (const std::size_t size : {1U, 2U, 500U, 65'536U, 65'537U, 200'000U}) {
    for (const std::size_t count : {1U, 16U, 3000U}) {
      expect_lowest_in_front(size, count, 40, [](double change) { return change; });
      // All in front are among the highest next time: those behind have to be looked at again.
      expect_lowest_in_front(size, count, 40, [](double change) { return change + 1; });
      expect_lowest_in_front(size, count, 40, [](double change) { return change - 0.3; });
    }
  }
}

TEST(LowestFirst, end_with_an_empty_list) {
  expect_lowest_in_front(300, 7, 1000, [](double change) { return 1 - change; });
}

}  // namespace
}  // namespace repsc
