// Labels without gaps, against a search for the first use of each, and how often each is used.
#include "core/compact_labels.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>

#include "core/random.hpp"

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

/// More than one thread takes at once; of [0, 12) the labels 3 and 11 are not used, 9 is used last.
Labels many_labels() {
  RandomStream random(1);
  Labels labels(1'000'000);
  for (Label& label : labels) {
    label = static_cast<Label>(random.below(9));
    if (label == 3) label = 10;
  }
  labels.back() = 9;
  return labels;
}

TEST(CompactLabels, of_many_nodes_are_those_of_one_pass) {
  const Labels given = many_labels();
  std::map<Label, Label> numbers;
  Labels expected;
  for (const Label label : given) {
    const auto next = static_cast<Label>(numbers.size());
    expected.push_back(numbers.try_emplace(label, next).first->second);
  }
  const CompactLabels found = compact(given);
  EXPECT_EQ(found.labels, expected);
  EXPECT_EQ(found.count, 10);
  EXPECT_EQ(found.labels.back(), 9);
  EXPECT_EQ(compact(found.labels).labels, found.labels);
  // All labels of the range are used, one of them by the last node alone.
  Labels backwards = found.labels;
  for (Label& label : backwards) label = 9 - label;
  EXPECT_EQ(compact(backwards).labels, found.labels);
  EXPECT_EQ(compact(backwards).count, 10);
}

TEST(LabelExtent, is_that_of_one_pass) {
  Labels labels(1'000'000, 7);
  labels[999'999] = -3;
  labels[500'000] = 12;
  EXPECT_EQ(extent_of(labels).least, -3);
  EXPECT_EQ(extent_of(labels).most, 12);
  EXPECT_EQ(copy_of(labels), labels);
}

TEST(LabelCounts, are_those_of_one_pass) {
  const Labels given = many_labels();
  std::vector<Index> expected(12, 0);
  for (const Label label : given) ++expected[static_cast<std::size_t>(label)];
  EXPECT_EQ(label_counts(given, 12), expected);
  EXPECT_EQ(expected[3], 0);
  EXPECT_EQ(label_counts({}, 2), (std::vector<Index>{0, 0}));
  EXPECT_EQ(label_counts({0, 0, 4}, 5), (std::vector<Index>{2, 0, 0, 0, 1}));
}

}  // namespace
}  // namespace repsc
