// Names of nodes: given or implied, found again, compared.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <unordered_map>

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
  EXPECT_TRUE(rc::check("insert_all like std::unordered_map, part by part", [] {
    const auto letter = rc::gen::element('a', 'b', '\0');
    const auto word = rc::gen::mapcat(
        rc::gen::element<std::size_t>(1, 2, 8, 15, 16, 40),
        [&](std::size_t size) { return rc::gen::container<std::string>(size, letter); });
    const auto words = rc::gen::container<std::vector<std::string>>(word);
    const auto blocks = *rc::gen::container<std::vector<std::vector<std::vector<std::string>>>>(
        rc::gen::container<std::vector<std::vector<std::string>>>(words));
    set_num_threads(*rc::gen::inRange(1, 5));
    NodeNames::Table table;
    std::unordered_map<std::string, Index> expected;
    for (const auto& block : blocks) {
      std::vector<NewNames> parts(block.size());
      std::vector<NewNames*> pointers;
      for (std::size_t p = 0; p < block.size(); ++p) {
        for (const std::string& name : block[p]) {
          parts[p].names.push_back({name.data(), static_cast<std::uint32_t>(name.size()), 0,
                                    NodeNames::Table::Key(name), -1});
        }
        parts[p].sort();
        pointers.push_back(&parts[p]);
      }
      table.insert_all(pointers, "g.txt");
      for (std::size_t p = 0; p < block.size(); ++p) {
        for (std::size_t i = 0; i < block[p].size(); ++i) {
          const auto number = static_cast<Index>(expected.size());
          RC_ASSERT(parts[p].names[i].node == expected.emplace(block[p][i], number).first->second);
        }
      }
    }
    set_num_threads({});
    RC_ASSERT(table.size() == static_cast<Index>(expected.size()));
    for (const auto& [name, node] : expected) {
      RC_ASSERT(table[node] == name);
      RC_ASSERT(table.find(name) == node);
    }
  }));
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
