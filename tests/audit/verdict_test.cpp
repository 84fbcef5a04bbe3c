// The sentences, for numbers made up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "repsc/audit.hpp"

namespace repsc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Audit numbers() {
  Audit audit;
  audit.num_nodes = 1200;
  audit.num_clusters = 5;
  audit.num_missing = 37;
  audit.num_below = 480;
  audit.num_out_of_reach = 12;
  audit.metrics.average_balance = 0.712;
  audit.metrics.normalized_cut = 1.06;
  return audit;
}

VerdictFacts scale() {
  Baselines baselines;
  baselines.plain = {1.0, 0.12};
  baselines.random.cut = 2;
  baselines.random.cut_spread = 0.01;
  baselines.random.average_balance = 0.74;
  return {.baselines = baselines, .price_at_least = 0.03};
}

TEST(Verdict, has_the_numbers_in_it) {
  EXPECT_THAT(
      verdict(numbers(), scale()),
      ElementsAre("Of 1,200 people, 37 have no representative in some cluster.",
                  "On average, the cluster where a person is represented least has 71 % of the "
                  "representatives that the cluster where they are represented most has; drawing "
                  "lots would "
                  "give 74 %, plain clustering gives 12 %.",
                  "For 480 people (40 %) this share is below 80 % (the default, after the "
                  "four-fifths rule); "
                  "12 of them have too few representatives for any clustering to reach it.",
                  "These clusters cut 6.0 % more than plain clustering (normalized cut); no "
                  "clustering this "
                  "fair by the certificate's measure can do with less than 3.0 % more."));
}

TEST(Verdict, says_who_chose_the_threshold) {
  VerdictFacts facts = scale();
  facts.threshold_given = true;
  EXPECT_THAT(verdict(numbers(), facts)[2], HasSubstr("(the threshold that was given)"));
}

TEST(Verdict, follows_the_cut) {
  Audit audit = numbers();
  audit.metrics.normalized_cut = 0.9;
  VerdictFacts facts = scale();
  facts.price_at_least = 0;
  EXPECT_EQ(verdict(audit, facts)[3],
            "These clusters cut 10 % less than plain clustering (normalized cut).");
  audit.metrics.normalized_cut = 1.0001;
  EXPECT_THAT(verdict(audit, facts)[3], HasSubstr("as much as plain clustering"));
  audit.metrics.normalized_cut = 1.99;
  EXPECT_THAT(verdict(audit, facts)[3], HasSubstr("no better than clusters drawn by lot"));
}

TEST(Verdict, does_without_what_is_not_known) {
  const auto alone = verdict(numbers(), {});
  EXPECT_EQ(alone.size(), 3U);
  for (const std::string& sentence : alone) EXPECT_THAT(sentence, Not(HasSubstr("plain")));
}

TEST(Verdict, speaks_of_one_and_of_nobody) {
  Audit audit = numbers();
  audit.num_missing = 1;
  audit.num_below = 1;
  audit.num_isolated = 2;
  EXPECT_EQ(verdict(audit, {})[0],
            "Of 1,200 people, 1 has no representative in some cluster; 2 have nobody besides "
            "themselves to represent them.");
  EXPECT_THAT(verdict(audit, {})[2], HasSubstr("For 1 person (less than 0.1 %)"));
  audit.num_below = 0;
  EXPECT_THAT(verdict(audit, {})[2], HasSubstr("For nobody is this share below 80 %"));
  audit.num_missing = audit.num_isolated = 0;
  EXPECT_EQ(verdict(audit, {})[0], "All 1,200 people have a representative in every cluster.");
}

TEST(Verdict, does_not_praise_what_is_uneven) {
  Audit audit = numbers();
  audit.num_missing = 0;
  audit.num_isolated = 0;
  audit.num_below = 700;
  EXPECT_EQ(verdict(audit, {})[0],
            "All 1,200 people have a representative in every cluster, but 700 of them unevenly.");
  audit.num_below = 1200;
  EXPECT_EQ(verdict(audit, {})[0],
            "All 1,200 people have a representative in every cluster, but unevenly.");
  audit.num_below = 0;
  audit.num_isolated = 2;
  EXPECT_EQ(verdict(audit, {})[0],
            "All 1,198 people who have representatives have one in every cluster; 2 have nobody "
            "besides themselves to represent them.");
}

TEST(Verdict, counts_groups_beyond_chance) {
  Audit audit = numbers();
  for (Index count : {0, 5, 9}) {
    audit.groups.push_back(
        {.group = 0, .cluster = 0, .count = count, .expected = 5, .low = 2, .high = 8});
  }
  EXPECT_EQ(verdict(audit, {}).back(),
            "Of 3 combinations of group and cluster, 1 has fewer people and 1 has more than "
            "random assignment gives with 95 % probability; chance alone would put less than one "
            "outside of that range.");
  for (int more = 0; more < 37; ++more) audit.groups.push_back(audit.groups[1]);
  EXPECT_THAT(verdict(audit, {}).back(), HasSubstr("chance alone would put about 2 outside"));
}

}  // namespace
}  // namespace repsc
