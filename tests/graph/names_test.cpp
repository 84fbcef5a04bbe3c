// Names of nodes: given or implied, found again, compared.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <unordered_map>

#include "core/random.hpp"
#include "graph/names.hpp"

namespace repsc {
namespace {

TEST(NodeNames, finds_given_names_and_no_others) {
  const NodeNames names({"b", "a", "with blank", "1171330003629273088", "1171330003629273089"});
  EXPECT_EQ(names.size(), 5);
  EXPECT_FALSE(names.implied());
  for (Index node = 0; node < names.size(); ++node) EXPECT_EQ(names.find(names[node]), node);
  EXPECT_EQ(names.find("c"), std::nullopt);
  EXPECT_EQ(names.find(""), std::nullopt);
  EXPECT_EQ(names[3], "1171330003629273088");
}

TEST(NodeNames, finds_implied_names_in_their_plain_form_only) {
  const NodeNames names(10, 1);
  EXPECT_EQ(names[0], "1");
  EXPECT_EQ(names[9], "10");
  EXPECT_EQ(names.find("10"), 9);
  for (const char* other :
       {"0", "11", "01", "+1", "1 ", " 1", "", "1.0", "-1", "99999999999999999999"}) {
    EXPECT_EQ(names.find(other), std::nullopt) << other;
  }
  const NodeNames last(2, std::numeric_limits<Index>::max());
  EXPECT_EQ(last[1], "2147483648");
  EXPECT_EQ(last.find("2147483648"), 1);
}

TEST(NodeNames, refuses_empty_and_repeated_names_and_nodes_out_of_range) {
  EXPECT_THROW(NodeNames({"a", ""}), InvalidInput);
  EXPECT_THROW(NodeNames({"a", "b", "a"}), InvalidInput);
  EXPECT_THROW(static_cast<void>(NodeNames(3, 0)[3]), InvalidInput);
  EXPECT_THROW(static_cast<void>(NodeNames({"a"})[-1]), InvalidInput);
}

TEST(NodeNames, are_equal_where_they_say_the_same) {
  EXPECT_EQ(NodeNames(3, 1), NodeNames({"1", "2", "3"}));
  EXPECT_EQ(NodeNames({"1", "2"}), NodeNames({"1", "2"}));
  EXPECT_FALSE(NodeNames({"1", "2"}) == NodeNames({"2", "1"}));
  EXPECT_FALSE(NodeNames({"ab", "c"}) == NodeNames({"a", "bc"}));
  EXPECT_FALSE(NodeNames(3, 1) == NodeNames(3, 0));
  EXPECT_FALSE(NodeNames(3, 1) == NodeNames(2, 1));
  EXPECT_EQ(NodeNames(), NodeNames(0, 5));
}

TEST(NameTable, numbers_names_as_a_map_of_the_standard_library_does) {
  EXPECT_TRUE(rc::check("insert and find like std::unordered_map", [] {
    // Few letters, so that names repeat and one is often the beginning of another; NUL among them.
    const auto letter = rc::gen::element('a', 'b', '\0', '\xff');
    const auto word = rc::gen::container<std::string>(letter);
    const auto words = *rc::gen::container<std::vector<std::string>>(word);
    NodeNames::Table table;
    std::unordered_map<std::string, Index> expected;
    for (const std::string& name : words) {
      const Index number = static_cast<Index>(expected.size());
      RC_ASSERT(table.insert(name) == expected.emplace(name, number).first->second);
    }
    RC_ASSERT(table.size() == static_cast<Index>(expected.size()));
    for (const auto& [name, node] : expected) {
      RC_ASSERT(table[node] == name);
      RC_ASSERT(table.find(name) == node);
      RC_ASSERT(table.find(name + "c") == std::nullopt);
    }
  }));
}

TEST(NameTable, keeps_a_hundred_thousand_names_apart) {
  NodeNames::Table table;
  for (Index i = 0; i < 50000; ++i) {
    ASSERT_EQ(table.insert(std::to_string(i)), 2 * i);
    ASSERT_EQ(table.insert("a rather long name " + std::to_string(i)), 2 * i + 1);
  }
  for (Index i = 0; i < 50000; ++i) {
    ASSERT_EQ(table.find(std::to_string(i)), 2 * i);
    ASSERT_EQ(table.find("a rather long name " + std::to_string(i)), 2 * i + 1);
  }
}

TEST(NameTable, numbers_the_names_of_parts_in_their_order_on_any_number_of_threads) {
  RandomStream random(3);
  // Names that differ in their last bytes, around the lengths where the table changes its ways.
  const auto random_name = [&](std::uint64_t count) {
    const std::uint64_t lengths[] = {0, 3, 6, 7, 10, 13, 14, 30};
    const std::string number = std::to_string(random.below(count));
    return std::string(lengths[random.below(8)], 'x') + number +
           std::string(random.below(9) == 0 ? 1 : 0, '\0');
  };
  for (int trial = 0; trial < 60; ++trial) {
    set_num_threads(1 + trial % 4);
    NodeNames::Table table;
    std::unordered_map<std::string, Index> expected;
    for (std::uint64_t block = 1 + random.below(4); block > 0; --block) {
      const std::uint64_t count = 1 + random.below(2000);
      std::vector<std::vector<std::string>> given(random.below(9));
      std::vector<NewNames> parts(given.size());
      std::vector<NewNames*> pointers;
      for (std::size_t p = 0; p < given.size(); ++p) {
        for (std::uint64_t i = random.below(400); i > 0; --i)
          given[p].push_back(random_name(count));
        for (const std::string& name : given[p]) {
          parts[p].names.push_back({name.data(), static_cast<std::uint32_t>(name.size()), 0,
                                    NodeNames::Table::Key(name), -1});
        }
        parts[p].sort();
        pointers.push_back(&parts[p]);
      }
      table.insert_all(pointers, "g.txt");
      for (std::size_t p = 0; p < given.size(); ++p) {
        for (std::size_t i = 0; i < given[p].size(); ++i) {
          const auto number = static_cast<Index>(expected.size());
          ASSERT_EQ(parts[p].names[i].node, expected.emplace(given[p][i], number).first->second);
        }
      }
    }
    ASSERT_EQ(table.size(), static_cast<Index>(expected.size()));
    for (const auto& [name, node] : expected) {
      ASSERT_EQ(table[node], name);
      ASSERT_EQ(table.find(name), node);
    }
  }
  set_num_threads({});
}

TEST(NameTable, has_a_largest_number_of_names) {
  const auto complaint = [](const auto& insert) -> std::string {
    try {
      insert();
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "no error";
  };
  NodeNames::Table table(2);
  table.insert("a");
  table.insert("b");
  table.insert("a");
  EXPECT_EQ(complaint([&] { table.insert("c"); }),
            "more than 2 nodes, the largest number that a graph can have");
  NodeNames::Table other(2);
  NewNames part;
  for (const char* name : {"a", "b", "a", "c"}) {
    part.names.push_back({name, 1, 0, NodeNames::Table::Key(name), -1});
  }
  part.sort();
  const std::vector<NewNames*> parts{&part};
  EXPECT_EQ(complaint([&] { other.insert_all(parts, "g.txt"); }),
            "g.txt: more than 2 nodes, the largest number that a graph can have");
}

}  // namespace
}  // namespace repsc
