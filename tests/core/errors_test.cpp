// Errors as data, and their words.
#include <gtest/gtest.h>

#include "repsc/core.hpp"
#include "support/errors.hpp"

namespace repsc {
namespace {

using Action = Remedy::Action;

// The spelling of a front end that does not exist: <rank=3>, <rank>.
std::string in_brackets(std::string_view option, std::string_view value) {
  return value.empty() ? joined('<', option, '>') : joined('<', option, '=', value, '>');
}

TEST(Worded, puts_the_place_first_then_the_option_and_what_is_wrong) {
  EXPECT_EQ(worded({.what = "too large"}, in_brackets), "too large");
  EXPECT_EQ(worded({.what = "too large", .option = "rank"}, in_brackets), "<rank>: too large");
  EXPECT_EQ(worded({.what = "too large", .option = "rank", .value = "9"}, in_brackets),
            "<rank=9>: too large");
  EXPECT_EQ(worded({.what = "too large", .option = "rank", .value = "9", .where = "R.txt:3"},
                   in_brackets),
            "R.txt:3: <rank=9>: too large");
}

TEST(Worded, ends_with_the_remedies_as_alternatives) {
  const auto with = [](std::vector<Remedy> remedies) {
    return worded({.what = "no", .remedies = std::move(remedies)}, in_brackets);
  };
  EXPECT_EQ(with({{Action::use, "solver", "lanczos"}}), "no; use <solver=lanczos>");
  EXPECT_EQ(with({{Action::use, "groups"}}), "no; use <groups>");
  EXPECT_EQ(with({{Action::raise, "memory_limit"}, {Action::lower, "rank"}}),
            "no; raise <memory_limit> or lower <rank>");
  EXPECT_EQ(with({{Action::leave_out, "rank"}, advice("save it first"), {Action::lower, "rank"}}),
            "no; leave out <rank>, save it first or lower <rank>");
}

TEST(InvalidInput, is_worded_with_the_names_of_the_library) {
  const InvalidInput error(Fault{.what = "it must be at least 1",
                                 .option = "num_clusters",
                                 .value = "0",
                                 .remedies = {{Action::use, "num_clusters", "2"}}});
  EXPECT_STREQ(error.what(), "num_clusters = 0: it must be at least 1; use num_clusters = 2");
  EXPECT_EQ(error.fault().option, "num_clusters");
}

TEST(Require, throws_what_is_wrong_as_data) {
  EXPECT_NO_THROW(require(true, "no"));
  const Fault plain = fault_of([] {
    require(false, 3, " rows but ", 4, " labels");
    return 0;
  });
  EXPECT_EQ(plain.what, "3 rows but 4 labels");
  EXPECT_EQ(plain.option + plain.value + plain.where, "");

  EXPECT_NO_THROW(require_option(true, "p", 0.5, "no"));
  const Fault option = fault_of([] {
    require_option(false, "p", 1.5, "it must be from ", 0, " to ", 1);
    return 0;
  });
  EXPECT_EQ(option.option, "p");
  EXPECT_EQ(option.value, "1.5");
  EXPECT_EQ(option.what, "it must be from 0 to 1");

  EXPECT_NO_THROW(require_file(true, "a.txt", "no"));
  const Fault file = fault_of([] {
    require_file(false, "a.txt:7", "no edges");
    return 0;
  });
  EXPECT_EQ(file.where, "a.txt:7");
  EXPECT_EQ(file.what, "no edges");
  EXPECT_THROW(require<InvalidOptions>(false, "no"), InvalidOptions);
}

TEST(NumThreads, must_be_at_least_one) {
  const Fault fault = fault_of([] {
    set_num_threads(0);
    return 0;
  });
  EXPECT_EQ(fault.option, "threads");
  EXPECT_EQ(fault.value, "0");
}

}  // namespace
}  // namespace repsc
