// Claims are computed: made-up numbers make each of them hold and fail.
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/page.hpp"
#include "made_up.hpp"

namespace repsc::experiments {
namespace {

std::vector<Row> accuracies(double sc, double fairsc, double repsc) {
  std::vector<Row> rows;
  for (const Index nodes : {400, 800}) {
    for (const int run : {0, 1}) {
      const Setting setting{.experiment = "dreg-nodes", .nodes = nodes, .clusters = 5, .run = run};
      add_both(rows, setting, "sc", {.accuracy = sc});
      add_both(rows, setting, "fairsc", {.accuracy = fairsc});
      add_both(rows, setting, "repsc", {.accuracy = repsc});
    }
  }
  return rows;
}

TEST(Claims, repsc_is_first_only_where_it_is) {
  EXPECT_TRUE(claim_of("dreg-nodes", "dreg-nodes-repsc-first", accuracies(0.5, 0.6, 0.9)).holds);
  EXPECT_TRUE(claim_of("dreg-nodes", "dreg-nodes-repsc-first", accuracies(0.9, 0.6, 0.9)).holds);
  const Claim claim = claim_of("dreg-nodes", "dreg-nodes-repsc-first", accuracies(0.5, 0.7, 0.6));
  EXPECT_FALSE(claim.holds);
  EXPECT_NE(claim.numbers.find("UFairSC -0.100"), std::string::npos) << claim.numbers;
}

TEST(Claims, sc_catches_up_only_where_it_does) {
  EXPECT_TRUE(claim_of("dreg-nodes", "dreg-nodes-sc-catches-up", accuracies(0.97, 0.6, 1)).holds);
  EXPECT_FALSE(claim_of("dreg-nodes", "dreg-nodes-sc-catches-up", accuracies(0.3, 0.3, 0.3)).holds);
}

std::vector<Row> rank_rows(double repsc_slope, double fairsc_slope) {
  std::vector<Row> rows;
  for (const int step : {1, 2, 3, 4}) {
    add_both(rows, {.experiment = "dreg-rank", .nodes = 100, .clusters = 5, .rank = 10 * step},
             "repsc", {.accuracy = 0.2 + repsc_slope * step});
    add_both(rows, {.experiment = "dreg-rank", .nodes = 100, .clusters = 5, .groups = 5 * step},
             "fairsc", {.accuracy = 0.2 + fairsc_slope * step});
  }
  return rows;
}

TEST(Claims, accuracy_grows_with_the_rank_only_where_it_does) {
  EXPECT_TRUE(claim_of("dreg-rank", "dreg-rank-grows", rank_rows(0.2, 0.01)).holds);
  EXPECT_FALSE(claim_of("dreg-rank", "dreg-rank-grows", rank_rows(0.2, 0.2)).holds);
  EXPECT_FALSE(claim_of("dreg-rank", "dreg-rank-grows", rank_rows(-0.01, -0.02)).holds);
}

std::vector<Row> sweep_rows(double repsc_balance, double fairsc_balance) {
  std::vector<Row> rows;
  for (const int K : {2, 4}) {
    for (const int step : {1, 2, 3}) {
      const Setting setting{.experiment = "fao", .nodes = 210, .clusters = K};
      Setting ranked = setting, grouped = setting;
      ranked.rank = 10 * step;
      grouped.groups = 10 * step;
      add_both(rows, ranked, "repsc",
               {.ratio_cut = 10.0 + step, .average_balance = repsc_balance * step});
      add_both(rows, grouped, "fairsc", {.ratio_cut = 10, .average_balance = fairsc_balance});
    }
  }
  return rows;
}

TEST(Claims, the_best_ratio_is_compared_for_each_number_of_clusters) {
  EXPECT_TRUE(claim_of("fao", "fao-best-ratio", sweep_rows(0.2, 0.1)).holds);
  EXPECT_TRUE(claim_of("fao", "fao-trade-off", sweep_rows(0.2, 0.1)).holds);
  EXPECT_TRUE(claim_of("fao", "fao-price-of-balance", sweep_rows(0.2, 0.1)).holds);
  EXPECT_FALSE(claim_of("fao", "fao-best-ratio", sweep_rows(0.1, 0.5)).holds);
  EXPECT_FALSE(claim_of("fao", "fao-price-of-balance", sweep_rows(0.1, 0.5)).holds);
  EXPECT_FALSE(claim_of("fao", "fao-trade-off", sweep_rows(-0.1, 0.5)).holds);

  auto extended = sweep_rows(0.1, 0.5);  // ours are further curves, and no part of the claims
  for (const int K : {2, 4}) {
    add_both(extended, {.experiment = "fao", .nodes = 210, .clusters = K, .strength = 1, .mu = 2},
             "repsc-refined", {.ratio_cut = 1, .average_balance = 1});
  }
  EXPECT_FALSE(claim_of("fao", "fao-best-ratio", extended).holds);

  auto mixed = sweep_rows(0.2, 0.1);  // one K alone spoils it
  for (Row& row : mixed) {
    if (row.setting.clusters == 4 && row.setting.groups == 10) row.outcome.average_balance = 1;
  }
  EXPECT_FALSE(claim_of("fao", "fao-best-ratio", mixed).holds);
}

std::vector<Row> time_rows(double exponent, double literal_factor) {
  std::vector<Row> rows;
  for (const Index nodes : {100, 200, 400, 800}) {
    const double seconds = std::pow(nodes / 100.0, exponent);
    const Setting setting{.experiment = "time", .nodes = nodes, .clusters = 4, .rank = nodes / 2};
    add_both(rows, setting, "repsc", {.seconds = seconds, .shared_seconds = 0});
    add_both(rows, setting, "repsc-literal", {.seconds = literal_factor * seconds});
  }
  return rows;
}

TEST(Claims, cubic_growth_and_the_gain_are_measured) {
  EXPECT_TRUE(claim_of("time", "time-cubic", time_rows(2.7, 5)).holds);
  EXPECT_FALSE(claim_of("time", "time-cubic", time_rows(3.3, 5)).holds);
  EXPECT_NE(claim_of("time", "time-cubic", time_rows(3.3, 5)).numbers.find("slope 3.30"),
            std::string::npos);
  EXPECT_TRUE(claim_of("time", "time-gain", time_rows(3, 5)).holds);
  EXPECT_FALSE(claim_of("time", "time-gain", time_rows(3, 0.5)).holds);
}

std::vector<Row> consistency_rows(double exponent) {
  std::vector<Row> rows;
  for (const Index nodes : {100, 200, 400}) {
    add_both(rows, {.experiment = "consistency", .nodes = nodes, .clusters = 4}, "repsc-exact",
             {.accuracy = 1 - 0.2 * std::pow(nodes / 100.0, exponent), .rate = 100.0 / nodes});
  }
  return rows;
}

TEST(Claims, the_rate_is_a_bound_or_it_is_not) {
  EXPECT_TRUE(claim_of("consistency", "consistency-rate", consistency_rows(-2)).holds);
  EXPECT_FALSE(claim_of("consistency", "consistency-rate", consistency_rows(-0.5)).holds);
}

TEST(Claims, families_agree_where_each_claim_has_one_verdict) {
  std::vector<Claim> claims{{.id = "a", .family = "unnormalized", .holds = true},
                            {.id = "a", .family = "normalized", .holds = true},
                            {.id = "b", .family = "unnormalized", .holds = false},
                            {.id = "b", .family = "normalized", .holds = false}};
  EXPECT_TRUE(families_agree(claims).holds);
  claims[3].holds = true;
  EXPECT_FALSE(families_agree(claims).holds);
  EXPECT_NE(families_agree(claims).numbers.find("different: b"), std::string::npos);
}

TEST(RankCorrelation, is_spearman_s_with_ties_averaged) {
  EXPECT_NEAR(rank_correlation({{1, 1}, {2, 10}, {3, 100}}), 1, 1e-15);
  EXPECT_NEAR(rank_correlation({{1, 3}, {2, 2}, {3, 1}}), -1, 1e-15);
  // Positions of y: 1.5, 1.5, 3; by hand sqrt(3)/2.
  EXPECT_NEAR(rank_correlation({{1, 5}, {2, 5}, {3, 6}}), std::sqrt(3.0) / 2, 1e-15);
}

}  // namespace
}  // namespace repsc::experiments
