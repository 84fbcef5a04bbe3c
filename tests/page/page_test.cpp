// The page's data: every array reads back as the audit's numbers, and nothing from a file can leave
// its place.
#include "repsc/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "page/arrays.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// Base64, read by another rule than it was written by: digit by digit, six bits each.
std::vector<std::uint8_t> bytes_of(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<bool> bits;
  for (const char c : text) {
    if (c == '=') break;
    for (int bit = 5; bit >= 0; --bit) bits.push_back((digits.find(c) >> bit & 1U) != 0);
  }
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 8 <= bits.size(); i += 8) {
    unsigned byte = 0;
    for (std::size_t k = 0; k < 8; ++k) byte = 2 * byte + (bits[i + k] ? 1 : 0);
    bytes.push_back(static_cast<std::uint8_t>(byte));
  }
  return bytes;
}

/// Little-endian numbers; the machines of the tests are little-endian, too.
template <typename Number>
std::vector<Number> numbers(const Json& text) {
  const std::vector<std::uint8_t> bytes = bytes_of(text.get<std::string>());
  std::vector<Number> values(bytes.size() / sizeof(Number));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Number));
  return values;
}

struct Made {
  Graph G;
  Graph R;
  Labels labels;
  Labels groups;
};

Made made(Index N = 60) {
  Made of;
  of.labels = samples::shuffled_labels(N, 3, 1);
  of.groups = samples::shuffled_labels(N, 2, 2);
  of.G = samples::from_dense(samples::random_dense(of.labels, 0.1, 0.4, 3));
  of.R = samples::from_dense(samples::random_representation(N, 0.2, 4));
  return of;
}

PageData data_of(const Made& of) {
  PageData data =
      assemble_page({of.G, of.R, of.groups}, {{"this result", "labels", of.labels}}, 3).data;
  data.title = "t";
  data.group_names = {"a", "b"};
  return data;
}

TEST(Base64, has_the_test_vectors_of_the_standard) {
  const auto text = [](const std::string& plain) {
    return base64(std::vector<std::uint8_t>(plain.begin(), plain.end()));
  };
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text("f"), "Zg==");
  EXPECT_EQ(text("fo"), "Zm8=");
  EXPECT_EQ(text("foo"), "Zm9v");
  EXPECT_EQ(text("foobar"), "Zm9vYmFy");
}

TEST(Page, has_the_numbers_of_evaluate_and_of_the_audit) {
  const Made of = made();
  const PageData data = data_of(of);
  const Json page = Json::parse(page_json(data));
  EXPECT_EQ(page["schema"], "repsc-report-1");
  EXPECT_EQ(page["nodes"], 60);
  const Json& point = page["points"][page["start"].get<std::size_t>()];
  EXPECT_EQ(point["name"], "this result");
  const Metrics metrics = evaluate(of.G, of.R, of.labels, 3);
  EXPECT_EQ(point["cut"], metrics.normalized_cut);
  EXPECT_EQ(point["average_balance"], metrics.average_balance);
  EXPECT_EQ(point["minimum_balance"], metrics.minimum_balance);
  EXPECT_EQ(point["modularity"], metrics.modularity);
  const Audit found = audit(of.G, of.R, of.labels, 3, of.groups);
  EXPECT_EQ(point["below_threshold"], found.num_below);
  EXPECT_EQ(point["without"], found.num_missing);
  const Json& people = point["people"];
  const auto nodes = numbers<std::uint32_t>(people["node"]);
  const auto balances = numbers<float>(people["balance"]);
  const auto counts = numbers<std::uint32_t>(people["found"]);
  const auto prices = numbers<float>(people["help"]["price"]);
  ASSERT_EQ(nodes.size(), 60U);
  for (std::size_t p = 0; p < nodes.size(); ++p) {
    const Person& person = found.people[p];
    EXPECT_EQ(static_cast<Index>(nodes[p]), person.node);
    EXPECT_EQ(balances[p], static_cast<float>(person.balance));
    EXPECT_EQ(prices[p], static_cast<float>(person.help.cut_change));
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(static_cast<std::int32_t>(counts[3 * p + k]), person.found[k]);
    }
  }
  EXPECT_EQ(point["group_table"].size(), 6U);
  EXPECT_EQ(numbers<std::uint16_t>(point["labels"]).size(), 60U);
  EXPECT_EQ(static_cast<Offset>(numbers<std::uint32_t>(page["graph"]["edges"]).size()),
            2 * of.G.num_edges());
}

TEST(Page, orders_other_clusters_by_balance_and_none_beats_another) {
  const PageData data = data_of(made());
  ASSERT_GT(data.points.size(), 2U);
  EXPECT_EQ(data.points[data.start].name, "this result");
  for (std::size_t p = 1; p < data.points.size(); ++p) {
    const Metrics& before = data.points[p - 1].audit.metrics;
    const Metrics& after = data.points[p].audit.metrics;
    EXPECT_LE(before.average_balance, after.average_balance);
    const bool own = p - 1 == data.start || p == data.start;
    const bool plain = data.points[p - 1].name == "plain clustering";
    if (own || plain) continue;
    EXPECT_LE(before.normalized_cut, after.normalized_cut + 1e-12);
  }
}

TEST(Page, has_bounds_that_no_point_undercuts) {
  const PageData data = data_of(made());
  ASSERT_TRUE(data.certificate && data.any_bound);
  for (const PagePoint& point : data.points) {
    EXPECT_GE(point.audit.metrics.normalized_cut, *data.any_bound);
  }
  EXPECT_GE(data.points[data.start].audit.metrics.normalized_cut, data.certificate->lower_bound);
}

TEST(Page, leaves_out_what_takes_long_on_large_graphs) {
  const Made of = made();
  const AssembledPage page = assemble_page({of.G, of.R}, {{"this result", "labels", of.labels}}, 3,
                                           {.most_nodes_searched = 10});
  EXPECT_EQ(page.data.points.size(), 1U);
  EXPECT_FALSE(page.data.certificate);
  EXPECT_TRUE(page.data.baselines);
}

TEST(Page, lists_at_most_a_thousand_people_and_draws_no_large_graph) {
  const Made of = made(2400);
  PageData data = assemble_page({of.G, of.R}, {{"this result", "labels", of.labels}}, 3,
                                {.most_nodes_searched = 10})
                      .data;
  const Json page = Json::parse(page_json(data));
  EXPECT_EQ(page["graph"]["kind"], "clusters");
  EXPECT_EQ(page["points"][0]["people"]["count"], 1000);
  EXPECT_EQ(page["points"][0]["people"]["total"], 2400);
  EXPECT_TRUE(page["points"][0]["labels"].is_null());
  EXPECT_EQ(numbers<float>(page["points"][0]["links"]).size(), 9U);
}

TEST(Page, masks_names_unless_they_are_asked_for) {
  Made of = made();
  std::vector<std::string> names;
  for (int i = 0; i < 60; ++i) names.push_back("secret" + std::to_string(i));
  of.G = Graph(of.G.offsets(), of.G.neighbors(), of.G.weights(), std::make_shared<Graph>(of.G),
               NodeNames(names));
  PageData data = data_of(of);
  EXPECT_THAT(page_json(data), Not(HasSubstr("secret")));
  data.show_names = true;
  EXPECT_THAT(page_json(data), HasSubstr("secret17"));
}

TEST(Page, has_the_names_of_groups_where_their_numbers_have_gaps) {
  Made of = made();
  for (std::size_t i = 0; i < of.groups.size(); ++i) of.groups[i] = i % 3 == 0 ? 3 : 1;
  PageData data = data_of(of);
  data.group_names = {"nobody", "many", "nobody", "few"};
  const Json page = Json::parse(page_json(data));
  EXPECT_EQ(page["groups"], Json({"many", "few"}));
  const Json& point = page["points"][data.start];
  Index few = 0;
  for (const Json& cell : point["group_table"]) {
    few += cell["group"] == 1 ? cell["count"].get<Index>() : 0;
  }
  EXPECT_EQ(few, 20);
  const auto nodes = numbers<std::uint32_t>(point["people"]["node"]);
  const auto groups = numbers<std::uint16_t>(point["people"]["group"]);
  for (std::size_t i = 0; i < nodes.size(); ++i) EXPECT_EQ(groups[i], nodes[i] % 3 == 0 ? 1 : 0);
}

TEST(Page, has_the_names_of_everybody_whom_the_table_mentions) {
  const Made of = made();
  PageData data = data_of(of);
  data.show_names = true;
  // As on a large graph, where few people are listed.
  for (PagePoint& point : data.points) point.audit.people.resize(5);
  std::size_t outside = 0;
  const Json page = Json::parse(page_json(data));
  for (std::size_t p = 0; p < data.points.size(); ++p) {
    const Json& people = page["points"][p]["people"];
    std::map<Index, std::string> names;
    const auto add = [&](const Json& of_whom, const Json& found) {
      const std::vector<std::uint32_t> nodes = numbers<std::uint32_t>(of_whom);
      ASSERT_EQ(nodes.size(), found.size());
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        EXPECT_TRUE(names.emplace(nodes[i], found[i]).second) << "named twice";
      }
    };
    add(people["node"], people["name"]);
    EXPECT_EQ(names.size(), 5U);
    add(people["others"]["node"], people["others"]["name"]);
    outside += names.size() - 5;
    std::set<Index> mentioned;
    for (const Person& person : data.points[p].audit.people) {
      mentioned.insert(person.node);
      if (person.help.kind != HelpfulStep::Kind::none) mentioned.insert(person.help.node);
      if (person.help.kind == HelpfulStep::Kind::swap) mentioned.insert(person.help.other);
    }
    ASSERT_EQ(names.size(), mentioned.size());
    for (const Index node : mentioned) EXPECT_EQ(names[node], of.G.names()[node]);
  }
  EXPECT_GT(outside, 0U);
  data.show_names = false;
  EXPECT_TRUE(Json::parse(page_json(data))["points"][0]["people"]["others"].is_null());
}

TEST(Page, lets_nothing_from_a_file_leave_the_script_element) {
  if (!has_page()) GTEST_SKIP() << "built without the page";
  PageData data = data_of(made());
  const std::string hostile = "</script><!--<img src=x onerror=alert(1)>&\xe2\x80\xa8\xff\"'";
  data.title = hostile;
  data.group_names = {hostile, "b"};
  const std::string page = page_html(page_json(data));
  const std::size_t at = page.find("id=\"data\"");
  ASSERT_NE(at, std::string::npos);
  const std::size_t begin = page.find('>', at) + 1;
  const std::string text = page.substr(begin, page.find("</script>", begin) - begin);
  for (const char c : {'<', '>', '&'}) EXPECT_EQ(text.find(c), std::string::npos) << c;
  const Json read = Json::parse(text);
  EXPECT_THAT(read["title"].get<std::string>(), HasSubstr("</script><!--<img"));
  EXPECT_EQ(page.find("@REPSC_REPORT_DATA@"), std::string::npos);
}

TEST(Page, refuses_what_it_cannot_show) {
  const Made of = made();
  EXPECT_THROW((void)assemble_page({of.G}, {{"x", "y", of.labels}}, 3), InvalidInput);
  EXPECT_THROW((void)assemble_page({of.G, of.R}, {}, 3), InvalidInput);
  EXPECT_THROW((void)page_json({}), InvalidInput);
}

}  // namespace
}  // namespace repsc
