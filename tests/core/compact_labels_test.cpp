// Labels without gaps, against a search for the first use of each.
#include "core/compact_labels.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

namespace repsc {
namespace {

TEST(CompactLabels, are_numbered_in_the_order_of_first_use) {
  const CompactLabels far = compact({7, 2'000'000'000, 7, 0, 2'000'000'000});
  EXPECT_EQ(far.labels, (Labels{0, 1, 0, 2, 1}));
  EXPECT_EQ(far.count, 3);
  EXPECT_EQ(compact({}).count, 0);
}

TEST(CompactLabels, keep_who_is_with_whom) {
  EXPECT_TRUE(rc::check("any labels", [](const Labels& given) {
    const CompactLabels found = compact(given);
    RC_ASSERT(found.labels.size() == given.size());
    Labels seen;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const auto first = std::find(seen.begin(), seen.end(), given[i]);
      RC_ASSERT(found.labels[i] == first - seen.begin());
      if (first == seen.end()) seen.push_back(given[i]);
    }
    RC_ASSERT(static_cast<std::size_t>(found.count) == seen.size());
  }));
}

}  // namespace
}  // namespace repsc
