// Claims are computed: made-up numbers make each of them hold and fail.
#include <gtest/gtest.h>

#include <algorithm>
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

TEST(Rule, at_least_allows_two_standard_errors_and_higher_needs_them) {
  const Point a{.y = 1.0, .sd = 0.2, .count = 4};  // standard error 0.1
  EXPECT_TRUE(at_least(a, constant(1.19)));
  EXPECT_FALSE(at_least(a, constant(1.21)));
  EXPECT_TRUE(higher(a, constant(0.79)));
  EXPECT_FALSE(higher(a, constant(0.81)));
  const Point b{.y = 1.4, .sd = 0.3, .count = 9};  // together sqrt(0.02) = 0.141
  EXPECT_NEAR(standard_error(a, b), std::sqrt(0.02), 1e-15);
  EXPECT_TRUE(higher(b, a));
  EXPECT_FALSE(at_least(a, b));
}

TEST(Rule, ties_are_at_least_and_never_higher) {
  const Point exact{.y = 0.1 + 0.2, .sd = 0, .count = 10}, same{.y = 0.3, .sd = 0, .count = 10};
  EXPECT_NE(exact.y, same.y) << "the last digit differs";
  for (const auto& [x, y] : {std::pair(exact, same), std::pair(same, exact)}) {
    EXPECT_TRUE(at_least(x, y));
    EXPECT_FALSE(higher(x, y));
  }
}

TEST(Claims, repsc_is_first_only_where_it_is) {
  EXPECT_TRUE(claim_of("dreg-nodes", "dreg-nodes-repsc-first", accuracies(0.5, 0.6, 0.9)).holds);
  EXPECT_TRUE(claim_of("dreg-nodes", "dreg-nodes-repsc-first", accuracies(0.9, 0.6, 0.9)).holds);
  const Claim claim = claim_of("dreg-nodes", "dreg-nodes-repsc-first", accuracies(0.5, 0.7, 0.6));
  EXPECT_FALSE(claim.holds);
  EXPECT_NE(claim.numbers.find("UFairSC -0.100"), std::string::npos) << claim.numbers;
}

TEST(Claims, noise_of_the_repeats_does_not_refute_at_least) {
  std::vector<Row> rows = accuracies(0.65, 0.5, 0.6);
  EXPECT_FALSE(claim_of("dreg-nodes", "dreg-nodes-repsc-first", rows).holds);
  for (Row& row : rows) {
    if (row.setting.method.ends_with("repsc"))
      row.outcome.accuracy = row.setting.run == 0 ? 0.5 : 0.7;
  }
  EXPECT_TRUE(claim_of("dreg-nodes", "dreg-nodes-repsc-first", rows).holds)
      << "the mean is 0.6 with a standard error of 0.1";
}

TEST(Claims, have_a_source_a_figure_what_the_paper_says_and_their_numbers) {
  const Claim claim = claim_of("dreg-nodes", "dreg-nodes-sc-catches-up", accuracies(0.97, 0.6, 1));
  EXPECT_EQ(claim.source, Source::paper);
  EXPECT_EQ(claim.figure, "Figure 1(a)");
  EXPECT_NE(claim.quote.find("large enough graph"), std::string::npos);
  ASSERT_EQ(claim.data.size(), 2U);
  EXPECT_EQ(claim.data[0].where, "N = 800");
  EXPECT_EQ(claim.data[0].quantity, "SC accuracy");
  EXPECT_NEAR(claim.data[0].value, 0.97, 1e-12);
  EXPECT_EQ(claim.data[0].n, 2);
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

TEST(Claims, equal_best_ratios_are_not_higher) {
  auto rows = sweep_rows(0.1, 0.5);
  for (Row& row : rows) row.outcome = {.ratio_cut = 10, .average_balance = 0.5};
  EXPECT_FALSE(claim_of("fao", "fao-best-ratio", rows).holds);
}

TEST(Claims, in_most_cases_is_more_than_half) {
  const auto with_fair = [](const std::vector<int>& clusters) {
    auto rows = sweep_rows(0.2, 0.1);  // K = 2 and 4
    auto more = sweep_rows(0.2, 0.1);
    for (Row& row : more) row.setting.clusters += 4;  // 6 and 8
    rows.insert(rows.end(), more.begin(), more.end());
    for (Row& row : rows) {
      const bool fair =
          std::find(clusters.begin(), clusters.end(), row.setting.clusters) != clusters.end();
      if (fair && row.setting.groups > 0) row.outcome.average_balance = 1;
    }
    return claim_of("fao", "fao-price-of-balance", rows);
  };
  EXPECT_TRUE(with_fair({4}).holds);
  EXPECT_FALSE(with_fair({4, 8}).holds) << "half is not most";
  EXPECT_NE(with_fair({4}).numbers.find("in 3 of 4 cases"), std::string::npos);
}

TEST(Claims, a_ratio_like_that_of_lots_is_said_to_be) {
  auto rows = sweep_rows(0.2, 0.1);
  const auto with_lots = [&](double balance) {
    auto all = rows;
    for (const int K : {2, 4}) {
      for (const int run : {0, 1}) {
        add_both(all, {.experiment = "fao", .nodes = 210, .clusters = K, .run = run}, "lots",
                 {.ratio_cut = 10, .average_balance = balance + 0.02 * run});
      }
    }
    return claim_of("fao", "fao-above-lots", all);
  };
  EXPECT_TRUE(with_lots(0.1).holds);
  EXPECT_EQ(with_lots(0.1).source, Source::ours);
  // RepSC's best is 0.6 / 13 = 0.0462; lots have 0.0455 and 0.0475.
  EXPECT_FALSE(with_lots(0.455).holds);
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
    add_both(rows, {.experiment = "consistency", .nodes = nodes, .clusters = 4, .p = 0.5},
             "repsc-exact",
             {.accuracy = 1 - 0.2 * std::pow(nodes / 100.0, exponent), .rate = 100.0 / nodes});
  }
  return rows;
}

TEST(Claims, the_rate_is_a_bound_or_it_is_not) {
  EXPECT_TRUE(claim_of("consistency", "consistency-rate-even", consistency_rows(-2)).holds);
  EXPECT_FALSE(claim_of("consistency", "consistency-rate-even", consistency_rows(-0.5)).holds);
}

TEST(Claims, families_agree_where_each_claim_has_one_verdict) {
  const auto claim = [](const char* id, const char* family, bool holds) {
    return Claim{.id = id, .family = family, .holds = holds, .source = Source::paper};
  };
  std::vector<Claim> claims{claim("a", "unnormalized", true), claim("a", "normalized", true),
                            claim("b", "unnormalized", false), claim("b", "normalized", false)};
  EXPECT_TRUE(families_agree(claims).holds);
  claims[3].holds = true;
  EXPECT_FALSE(families_agree(claims).holds);
  EXPECT_NE(families_agree(claims).numbers.find("different: b"), std::string::npos);
  claims[3].reading = "other";  // and one of ours: neither is the paper's under the default
  claims.push_back(Claim{.id = "c", .family = "unnormalized", .holds = true});
  claims.push_back(Claim{.id = "c", .family = "normalized", .holds = false});
  EXPECT_TRUE(families_agree(claims).holds);
  EXPECT_EQ(count_claims(claims, Source::paper).tested, 3);
  EXPECT_EQ(count_claims(claims, Source::paper).held, 2);
  EXPECT_EQ(count_claims(claims, Source::ours).tested, 2);
}

TEST(RankCorrelation, is_spearman_s_with_ties_averaged) {
  EXPECT_NEAR(rank_correlation({{1, 1}, {2, 10}, {3, 100}}), 1, 1e-15);
  EXPECT_NEAR(rank_correlation({{1, 3}, {2, 2}, {3, 1}}), -1, 1e-15);
  // Positions of y: 1.5, 1.5, 3; by hand sqrt(3)/2.
  EXPECT_NEAR(rank_correlation({{1, 5}, {2, 5}, {3, 6}}), std::sqrt(3.0) / 2, 1e-15);
}

}  // namespace
}  // namespace repsc::experiments
