// Representation by a rule against the rule itself, pair by pair.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>

#include "representation/tables.hpp"

namespace repsc::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Small numbers, so that equal values and values exactly at the limit are common; some missing.
std::vector<int> some_values(int count, int range) {
  return *rc::gen::container<std::vector<int>>(
      static_cast<std::size_t>(count),
      rc::gen::weightedOneOf<int>(
          {{12, rc::gen::inRange(-range, range + 1)}, {1, rc::gen::just(int{missing})}}));
}

bool within(const std::vector<int>& values, Index i, Index j, int limit) {
  const int a = values[static_cast<std::size_t>(i)];
  const int b = values[static_cast<std::size_t>(j)];
  return a != missing && b != missing && std::abs(a - b) <= limit;
}

TEST(RepresentationByRule, links_exactly_the_pairs_for_which_every_part_holds) {
  EXPECT_TRUE(rc::check("rule against all pairs, in whole numbers", [] {
    const int N = *rc::gen::inRange(1, 60);
    const auto age = some_values(N, 20);
    const auto grade = some_values(N, 30);
    const auto school = some_values(N, 2);
    const auto town = some_values(N, 1);
    const int years = *rc::gen::inRange(0, 8);
    const int tenths = *rc::gen::inRange(0, 20);
    // Grades are tenths: 3.2 and 3.0 must count as 0.2 apart although binary fractions are not.
    const Table table = make_table({number_column("age", age), number_column("grade", grade, 0.1),
                                    word_column("school", school), word_column("town", town)});
    RepresentationRule rule;
    const bool by_age = *rc::gen::arbitrary<bool>();
    const bool by_grade = *rc::gen::arbitrary<bool>();
    const bool by_school = *rc::gen::arbitrary<bool>();
    const bool by_town = *rc::gen::arbitrary<bool>();
    RC_PRE(by_age || by_grade || by_school || by_town);
    if (by_age) rule.within.emplace_back("age", years);
    if (by_grade) rule.within.emplace_back("grade", tenths * 0.1);
    if (by_school) rule.same.emplace_back("school");
    if (by_town) rule.same.emplace_back("town");

    const Pairs expected = entries_where(N, [&](Index i, Index j) {
      return i == j ||
             ((!by_age || within(age, i, j, years)) && (!by_grade || within(grade, i, j, tenths)) &&
              (!by_school || within(school, i, j, 0)) && (!by_town || within(town, i, j, 0)));
    });
    RC_ASSERT(entries(representation_by_rule(table, rule)) == expected);
  }));
}

TEST(RepresentationByRule, compares_decimal_fractions_as_they_are_written) {
  // 3.2 - 3.0 = 0.20000000000000018 in binary.
  const Table table = make_table({number_column("grade", {30, 32, 33}, 0.1)});
  const Graph R = representation_by_rule(table, {.within = {{"grade", 0.2}}});
  EXPECT_TRUE(R.has_edge(0, 1));
  EXPECT_FALSE(R.has_edge(0, 2));
}

TEST(RepresentationByRule, compares_large_whole_numbers_exactly) {
  const Table table =
      make_table({number_column("seconds", {2'000'000'000, 2'000'000'005, 2'000'000'006})});
  const Graph R = representation_by_rule(table, {.within = {{"seconds", 5}}});
  EXPECT_EQ(entries(R), (Pairs{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}, {2, 2}}));
}

TEST(RepresentationByRule, gives_a_node_with_a_missing_value_its_self_loop_only) {
  const Table table = make_table({number_column("age", {30, missing, missing})});
  EXPECT_EQ(entries(representation_by_rule(table, {.within = {{"age", 99}}})),
            (Pairs{{0, 0}, {1, 1}, {2, 2}}));
}

TEST(RepresentationByRule, does_not_depend_on_the_number_of_threads_nor_on_the_order_of_parts) {
  std::vector<int> age;
  std::vector<int> income;
  for (int i = 0; i < 3000; ++i) {
    age.push_back(i * 37 % 83);
    income.push_back(i * 101 % 997);
  }
  const Table table = make_table({number_column("age", age), number_column("income", income)});
  set_num_threads(1);
  const Graph one = representation_by_rule(table, {.within = {{"age", 2}, {"income", 40}}});
  set_num_threads(4);
  const Graph four = representation_by_rule(table, {.within = {{"income", 40}, {"age", 2}}});
  set_num_threads({});
  EXPECT_GT(one.num_entries(), one.num_nodes());
  EXPECT_TRUE(std::ranges::equal(one.offsets(), four.offsets()));
  EXPECT_TRUE(std::ranges::equal(one.neighbors(), four.neighbors()));
}

TEST(RepresentationByRule, refuses_rules_that_cannot_be_meant) {
  const Table table = make_table({number_column("age", {30, 40}), word_column("school", {0, 1})});
  const auto error = [&](const RepresentationRule& rule) {
    return error_of([&] { return representation_by_rule(table, rule); });
  };
  EXPECT_THAT(error({}), HasSubstr("no part"));
  EXPECT_THAT(error({.within = {{"school", 1}}}), HasSubstr("'school' is not numeric"));
  EXPECT_THAT(error({.within = {{"age", -1}}}), HasSubstr("within = age=-1"));
  EXPECT_THAT(error({.within = {{"age", std::nan("")}}}), HasSubstr("at least 0"));
  EXPECT_THAT(error({.same = {"class"}}), AllOf(HasSubstr("'class'"), HasSubstr("age, school")));
}

TEST(RepresentationByRule, refuses_a_column_of_words_and_proposes_equality) {
  const Table table = make_table({word_column("school", {0, 1})});
  const Fault fault = fault_of([&] {
    return representation_by_rule(table, {.within = {{"school", 2}}});
  });
  EXPECT_EQ(fault.option, "within");
  EXPECT_EQ(fault.value, "school=2");
  ASSERT_EQ(fault.remedies.size(), 1U);
  EXPECT_EQ(fault.remedies[0].option, "same");
  EXPECT_EQ(fault.remedies[0].value, "school");
}

TEST(RepresentationByRule, refuses_a_graph_that_would_not_fit_before_making_it) {
  const Table table = make_table({number_column("age", std::vector<int>(50'000, 7))});
  EXPECT_THAT(error_of([&] {
                return representation_by_rule(table, {.within = {{"age", 1}}});
              }),
              AllOf(HasSubstr("2500000000 entries"), HasSubstr("narrower")));
}

}  // namespace
}  // namespace repsc::tests
