// Nearest neighbours against sorting all pairs in long double.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "representation/tables.hpp"

namespace repsc::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// d^2 by the definition in the header: differences over the standard deviation, words that differ.
class SlowDistances {
 public:
  explicit SlowDistances(const Table& table) : table_(table) {
    for (const Table::Column& column : table.columns) {
      long double mean = 0;
      long double variance = 0;
      const auto N = static_cast<long double>(column.numbers.size());
      for (const double x : column.numbers) mean += x / N;
      for (const double x : column.numbers) variance += (x - mean) * (x - mean) / N;
      variances_.push_back(variance);
    }
  }

  [[nodiscard]] long double operator()(Index a, Index b) const {
    const auto i = static_cast<std::size_t>(a);
    const auto j = static_cast<std::size_t>(b);
    long double sum = 0;
    for (std::size_t c = 0; c < variances_.size(); ++c) {
      const Table::Column& column = table_.columns[c];
      if (!column.numeric()) {
        sum += column.words[i] != column.words[j] ? 1 : 0;
      } else if (column.numbers[i] != column.numbers[j]) {
        const long double difference =
            static_cast<long double>(column.numbers[i]) - column.numbers[j];
        sum += difference * difference / variances_[c];
      }
    }
    return sum;
  }

 private:
  const Table& table_;
  std::vector<long double> variances_;
};

Pairs slow_neighbors(const Table& table, int num_neighbors) {
  const SlowDistances distance(table);
  const Index N = table.names.size();
  Pairs pairs;
  for (Index i = 0; i < N; ++i) {
    pairs.emplace(i, i);
    std::vector<std::pair<long double, Index>> others;
    for (Index j = 0; j < N; ++j) {
      if (j != i) others.emplace_back(distance(i, j), j);
    }
    std::sort(others.begin(), others.end());
    // Equal up to rounding is equal: such runs go by the number of the node.
    for (auto run = others.begin(); run != others.end();) {
      const auto end = std::find_if(run, others.end(), [&](const auto& other) {
        return other.first > run->first * (1 + 1e-11L);
      });
      std::sort(run, end, [](const auto& a, const auto& b) { return a.second < b.second; });
      run = end;
    }
    others.resize(std::min(others.size(), static_cast<std::size_t>(num_neighbors)));
    for (const auto& [d, j] : others) {
      pairs.emplace(i, j);
      pairs.emplace(j, i);
    }
  }
  return pairs;
}

TEST(RepresentationFromNeighbors, equals_sorting_all_pairs_with_ties_duplicates_and_categories) {
  EXPECT_TRUE(rc::check("one numeric column with many ties, up to three of words", [] {
    const auto count = *rc::gen::inRange<std::size_t>(1, 40);
    const auto values = [&](int range) {
      return *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(0, range));
    };
    std::vector<Table::Column> columns;
    if (*rc::gen::arbitrary<bool>()) columns.push_back(number_column("x", values(7)));
    for (int c = *rc::gen::inRange(columns.empty() ? 1 : 0, 4); c > 0; --c) {
      columns.push_back(word_column(fmt::format("w{}", c), values(c + 1)));
    }
    const Table table = make_table(std::move(columns));
    const int k = *rc::gen::inRange(1, 12);
    RC_ASSERT(entries(representation_from_neighbors(table, {.num_neighbors = k})) ==
              slow_neighbors(table, k));
  }));
}

// Points in the given number of columns, some of them equal; enough of them for trees of some
// depth.
Table random_table(std::uint64_t seed, int num_nodes, int num_numeric, int num_words) {
  RandomStream random(seed);
  std::vector<std::vector<int>> numeric(static_cast<std::size_t>(num_numeric));
  std::vector<std::vector<int>> words(static_cast<std::size_t>(num_words));
  for (int i = 0; i < num_nodes; ++i) {
    const bool repeat = i > 0 && random.uniform() < 0.2;
    const std::size_t original = repeat ? random.below(static_cast<std::uint64_t>(i)) : 0;
    for (auto& column : numeric) {
      const int fresh = static_cast<int>(1e6 * random.normal());
      column.push_back(repeat ? column[original] : fresh);
    }
    for (auto& column : words) {
      const int fresh = static_cast<int>(random.below(3));
      column.push_back(repeat ? column[original] : fresh);
    }
  }
  std::vector<Table::Column> columns;
  for (std::size_t c = 0; c < numeric.size(); ++c) {
    columns.push_back(number_column(fmt::format("x{}", c), numeric[c], 1e-3));
  }
  for (std::size_t c = 0; c < words.size(); ++c) {
    columns.push_back(word_column(fmt::format("w{}", c), words[c]));
  }
  return make_table(std::move(columns));
}

TEST(RepresentationFromNeighbors, equals_sorting_all_pairs_where_trees_are_used_and_where_not) {
  std::uint64_t seed = 1;
  for (const int num_numeric : {1, 2, 5, 24}) {
    for (const int num_words : {0, 1, 2}) {
      const Table table = random_table(seed++, 260, num_numeric, num_words);
      EXPECT_EQ(entries(representation_from_neighbors(table, {.num_neighbors = 7})),
                slow_neighbors(table, 7))
          << num_numeric << " numeric columns, " << num_words << " of words";
    }
  }
}

TEST(RepresentationFromNeighbors, breaks_the_ties_of_a_grid_in_favour_of_the_earlier_node) {
  // From the middle of a grid 4 points are at distance 1, 4 at sqrt(2), 4 at 2, 8 at sqrt(5), ...
  // Numbered at random, so that a search meets later nodes before earlier ones at the same
  // distance.
  for (const int side : {8, 11, 13, 16}) {
    std::vector<int> x;
    std::vector<int> y;
    for (int i = 0; i < side * side; ++i) {
      const int place = (101 * i + 13) % (side * side);
      x.push_back(place % side);
      y.push_back(place / side);
    }
    const Table table = make_table({number_column("x", x), number_column("y", y, 0.001)});
    for (const int k : {1, 3, 10}) {
      EXPECT_EQ(entries(representation_from_neighbors(table, {.num_neighbors = k})),
                slow_neighbors(table, k))
          << "side " << side << ", " << k << " neighbours";
    }
  }
}

TEST(RepresentationFromNeighbors, finds_the_same_whatever_the_size_of_the_numbers) {
  const std::vector<int> x = {0, 1, 3, 4, 9, 11, 12, 30};
  const Table usual =
      make_table({number_column("x", x), word_column("w", {0, 1, 0, 1, 0, 1, 0, 1})});
  const Pairs expected = entries(representation_from_neighbors(usual, {.num_neighbors = 3}));
  for (const int exponent : {-1070, -600, 600, 1015}) {
    Table table = usual;
    for (double& value : table.columns[0].numbers) value = std::ldexp(value, exponent);
    EXPECT_EQ(entries(representation_from_neighbors(table, {.num_neighbors = 3})), expected)
        << exponent;
  }
}

TEST(RepresentationFromNeighbors, takes_nothing_from_a_constant_column) {
  Table table = random_table(5, 100, 2, 1);
  const Pairs expected = entries(representation_from_neighbors(table, {.num_neighbors = 4}));
  Table::Column constant = number_column("constant", std::vector<int>(100, 1), 0.1);
  table.columns.insert(table.columns.begin(), constant);
  EXPECT_EQ(entries(representation_from_neighbors(table, {.num_neighbors = 4})), expected);

  // All nodes are equally far from each other, so every node takes the earliest ones.
  const Table alone = make_table({number_column("constant", std::vector<int>(5, 3))});
  EXPECT_EQ(entries(representation_from_neighbors(alone, {.num_neighbors = 1})),
            entries_where(5, [](Index i, Index j) { return i == j || i == 0 || j == 0; }));
}

TEST(RepresentationFromNeighbors,
     compares_only_the_columns_asked_for_and_numbers_as_words_on_request) {
  const Table table =
      make_table({number_column("code", {1, 2, 9, 1}), word_column("w", {0, 1, 2, 3})});
  EXPECT_EQ(
      entries(representation_from_neighbors(table, {.columns = {"code"}, .num_neighbors = 1})),
      (Pairs{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 3}, {3, 0}, {0, 1}, {1, 0}, {1, 2}, {2, 1}}));
  EXPECT_EQ(
      entries(representation_from_neighbors(
          table, {.columns = {"code"}, .categorical = {"code"}, .num_neighbors = 1})),
      (Pairs{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 3}, {3, 0}, {0, 1}, {1, 0}, {0, 2}, {2, 0}}));
}

TEST(RepresentationFromNeighbors,
     links_all_nodes_where_more_neighbours_are_asked_for_than_there_are) {
  const Table table = random_table(3, 6, 1, 1);
  EXPECT_EQ(entries(representation_from_neighbors(table, {.num_neighbors = 1000})),
            entries_where(6, [](Index, Index) { return true; }));
  const Table single = make_table({number_column("x", {4})});
  EXPECT_EQ(entries(representation_from_neighbors(single, {})), (Pairs{{0, 0}}));
}

TEST(RepresentationFromNeighbors,
     is_quick_with_many_equal_rows_and_the_same_on_any_number_of_threads) {
  std::vector<int> code;
  for (int i = 0; i < 60'000; ++i) code.push_back(i % 3);
  const Table table = make_table({number_column("x", code), word_column("w", code)});
  set_num_threads(1);
  const Graph one = representation_from_neighbors(table, {.num_neighbors = 3});
  set_num_threads(3);
  const Graph three = representation_from_neighbors(table, {.num_neighbors = 3});
  set_num_threads({});
  // All take the first three of their own kind, who take each other and the fourth.
  EXPECT_EQ(one.num_edges() - one.num_self_loops(), 3 * (3 + 19'997 * 3));
  EXPECT_TRUE(std::ranges::equal(one.neighbors(), three.neighbors()));
  EXPECT_TRUE(std::ranges::equal(one.offsets(), three.offsets()));
}

TEST(RepresentationFromNeighbors, refuses_what_it_cannot_compare_and_names_it) {
  const Table table =
      make_table({number_column("age", {30, 40, missing}), word_column("w", {0, 1, 2})});
  const auto error = [&](const NeighborOptions& options) {
    return error_of([&] { return representation_from_neighbors(table, options); });
  };
  EXPECT_THAT(error({}), AllOf(HasSubstr("node 2"), HasSubstr("'age'")));
  EXPECT_THAT(error({.columns = {"size"}}), AllOf(HasSubstr("'size'"), HasSubstr("age, w")));
  EXPECT_THAT(error({.columns = {"w", "w"}}), HasSubstr("twice"));
  EXPECT_THAT(error({.columns = {"w"}, .categorical = {"age"}}), HasSubstr("not among"));
  EXPECT_THAT(error({.columns = {"w"}, .num_neighbors = 0}), HasSubstr("at least 1"));
  EXPECT_EQ(error({.columns = {"w"}}), "");
  Table contradictory = make_table({number_column("x", {1, 2, 3})});
  contradictory.columns[0].numbers[1] = std::nan("");
  EXPECT_THAT(error_of([&] { return representation_from_neighbors(contradictory, {}); }),
              HasSubstr("the word '2' and the number nan for node 1"));
  contradictory.columns[0].numbers.pop_back();
  EXPECT_THAT(error_of([&] {
                return representation_by_rule(contradictory, {.within = {{"x", 1}}});
              }),
              HasSubstr("2 numbers for 3 nodes"));
  const Table bare{NodeNames(3, 0), {}};
  EXPECT_THAT(error_of([&] { return representation_from_neighbors(bare, {}); }),
              HasSubstr("no column to compare"));
  const Table large = make_table({number_column("x", std::vector<int>(40'000, 1))});
  EXPECT_THAT(
      error_of([&] { return representation_from_neighbors(large, {.num_neighbors = 39'999}); }),
      AllOf(HasSubstr("entries"), HasSubstr("lower num_neighbors")));
}

}  // namespace
}  // namespace repsc::tests
