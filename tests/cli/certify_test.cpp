// repsc certify and cluster --certify: table, JSON, exit codes.
#include <gmock/gmock.h>

#include "cli/tool.hpp"

namespace repsc::tests {
namespace {

using testing::HasSubstr;

class CertifyCommand : public ToolTest {
 protected:
  void generate() const {
    fine("generate rpp -n 60 -k 2 -d 20 -p 0.7 -q 0.6 -r 0.2 -s 0.1 --seed 3 -o sample --quiet");
    fine("cluster " + graphs_ + " -k 2 -o labels.csv --quiet");
  }
  std::string graphs_ = "sample.similarity.mtx sample.representation.mtx";
};

TEST_F(CertifyCommand, writes_a_table_and_json_that_agree) {
  generate();
  const Result table = fine("certify " + graphs_ + " labels.csv --json proof.json");
  for (const char* row : {"normalized cut", "lower bound", "gap", "deviation", "strength",
                          "price of fairness", "verified", "yes"}) {
    EXPECT_THAT(table.out, HasSubstr(row));
  }
  const auto json = parsed(content("proof.json"));
  const auto& proof = json["certificate"];
  std::vector<std::string> keys;
  for (const auto& [key, value] : proof.items()) keys.push_back(key);
  keys.resize(6);
  EXPECT_THAT(keys, testing::ElementsAre("deviation", "lower_bound", "gap", "strength",
                                         "price_of_fairness_at_least", "verified"));
  const double cut = json["metrics"]["normalized_cut"].get<double>();
  const double bound = proof["lower_bound"].get<double>();
  EXPECT_EQ(proof["reached_cut"].get<double>(), cut);
  EXPECT_GT(bound, 0);
  EXPECT_NEAR(proof["gap"].get<double>(), cut / bound - 1, 1e-12);
  EXPECT_EQ(proof["verified"], true);
  EXPECT_TRUE(proof["reason"].is_null());
  const auto plain = parsed(fine("cluster " + graphs_ + " -k 2 --method nsc --json -").out);
  EXPECT_EQ(proof["plain_cut"], plain["baselines"]["plain"]["cut"]);
}

TEST_F(CertifyCommand, is_what_cluster_with_certify_does) {
  generate();
  for (const std::string method : {"nrepsc --strength 1", "urepsc --strength 1"}) {
    const std::string run = "cluster " + graphs_ + " -k 2 --method " + method;
    const Result result = fine(run + " --certify -o own.csv --json own.json");
    EXPECT_THAT(result.err, HasSubstr("certificate: no clusters that are as fair have a"));
    auto own = parsed(content("own.json"))["certificate"];
    const std::string cut = method.starts_with("u") ? "ratio" : "normalized";
    EXPECT_EQ(own["cut"], cut);
    auto labels =
        parsed(fine("certify " + graphs_ + " own.csv --json - --cut " + cut).out)["certificate"];
    own.erase("seconds");
    labels.erase("seconds");
    EXPECT_EQ(own, labels);
    fine(run + " --json without.json -o without.csv");
    EXPECT_FALSE(parsed(content("without.json")).contains("certificate"));
  }
}

TEST_F(CertifyCommand, takes_groups_or_no_representatives) {
  generate();
  std::string groups = "node,group\n";
  for (int node = 1; node <= 60; ++node) {
    groups += std::to_string(node) + (node % 2 == 0 ? ",a\n" : ",b\n");
  }
  write("groups.csv", groups);
  const std::string G = "certify sample.similarity.mtx labels.csv --json - ";
  const auto fair = parsed(fine(G + "--groups groups.csv").out)["certificate"];
  const auto any = parsed(fine(G).out)["certificate"];
  EXPECT_GE(fair["deviation"].get<double>(), 0);
  EXPECT_TRUE(any["deviation"].is_null());
  EXPECT_TRUE(any["price_of_fairness_at_least"].is_null());
  EXPECT_GE(fair["lower_bound"].get<double>(), 0.997 * any["lower_bound"].get<double>());
}

TEST_F(CertifyCommand, an_unverified_bound_is_marked) {
  generate();
  const Result result = fine("certify " + graphs_ + " labels.csv --no-verify --plain-cut 0.2");
  EXPECT_THAT(result.out, HasSubstr("no\n"));
  EXPECT_THAT(result.err, HasSubstr("not verified: verification was not asked for"));
  EXPECT_THAT(result.out, HasSubstr("0.2"));
}

TEST_F(CertifyCommand, wrong_usage_and_bad_input_are_named) {
  generate();
  expect_error("certify " + graphs_ + " labels.csv --tol 2", 2, "--tol");
  expect_error("certify " + graphs_ + " labels.csv --plain-cut x", 2, "--plain-cut");
  expect_error("certify " + graphs_ + " labels.csv --groups labels.csv", 2, "--groups");
  expect_error("certify " + graphs_ + " labels.csv --cut both", 2, "--cut");
  write("few.csv", "node,cluster\n1,0\n2,1\n");
  expect_error("certify " + graphs_ + " few.csv", 3, "few.csv");
}

}  // namespace
}  // namespace repsc::tests
