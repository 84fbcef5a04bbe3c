// The block graph of groups against its dense formula.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "representation/tables.hpp"

namespace repsc::tests {
namespace {

using testing::HasSubstr;

TEST(RepresentationFromGroups, equals_the_dense_formula_whatever_the_numbers_of_the_groups) {
  EXPECT_TRUE(rc::check("R_ij = 1 exactly where the groups agree", [] {
    Labels groups = *rc::gen::container<Labels>(rc::gen::inRange(0, 5));
    for (Label& group : groups) group *= 400'000'000;  // gaps must not cost memory
    const auto N = static_cast<Index>(groups.size());
    const Graph R = representation_from_groups(groups, NodeNames(N, 0));
    const auto group = [&](Index i) { return groups[static_cast<std::size_t>(i)]; };
    RC_ASSERT(R.num_nodes() == N);
    RC_ASSERT(!R.weighted());
    RC_ASSERT(entries(R) ==
              entries_where(N, [&](Index i, Index j) { return group(i) == group(j); }));
    // The dense formula R = Z Z' for the membership matrix Z: each row sums to the group's size.
    const Vector degrees = R.degrees();
    for (Index i = 0; i < N; ++i) {
      RC_ASSERT(degrees[i] ==
                static_cast<double>(std::count(groups.begin(), groups.end(), group(i))));
    }
  }));
}

TEST(RepresentationFromGroups, keeps_names_and_refuses_labels_that_are_not_groups) {
  const NodeNames names(std::vector<std::string>{"ann", "bob", "eve"});
  EXPECT_EQ(representation_from_groups({0, 1, 0}, names).names(), names);
  EXPECT_THAT(error_of([&] {
                return representation_from_groups({0, -1, 0}, names);
              }),
              HasSubstr("node bob has group -1"));
  EXPECT_THAT(error_of([&] {
                return representation_from_groups({0, 1}, names);
              }),
              HasSubstr("2 group labels for 3 nodes"));
}

TEST(RepresentationFromGroups, refuses_a_graph_that_would_not_fit_and_says_what_to_do) {
  const Labels one_group(45'000, 0);
  EXPECT_THAT(error_of([&] { return representation_from_groups(one_group, NodeNames(45'000, 0)); }),
              testing::AllOf(HasSubstr("2025000000 entries"), HasSubstr("nfairsc")));
}

}  // namespace
}  // namespace repsc::tests
