// The methods taken apart give what the library gives in one call, and share their decompositions.
#include "experiments/work.hpp"

#include <gtest/gtest.h>

#include "experiments/literal.hpp"
#include "experiments/panel.hpp"
#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "repsc/models.hpp"
#include "repsc/refine.hpp"

namespace repsc::experiments {
namespace {

constexpr int K = 3;

struct Pair {
  Graph R;
  Labels truth;
  Graph G;
};

Pair sampled(Index nodes) {
  Labels groups(static_cast<std::size_t>(nodes));
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = static_cast<Label>(i % 4);
  Pair pair;
  pair.R = sample_planted_partition(groups, 0.8, 0.2, 5, SelfLoops::add);
  pair.truth = equal_clusters(nodes, K);
  pair.G = sample_rpp(pair.R, pair.truth, {.p = 0.95, .q = 0.4, .r = 0.4, .s = 0.05}, 6);
  return pair;
}

Setting setting_of(bool normalized, const char* base, Index rank, int groups) {
  return {.normalized = normalized,
          .method = method_name(normalized, base),
          .nodes = 90,
          .clusters = K,
          .rank = rank,
          .groups = groups,
          .seed = 1};
}

Outcome run_alone(const Setting& setting, const Pair& pair) {
  Problem problem{Pipeline(pair.G, shared_representation(pair.R, std::span(&setting, 1))),
                  pair.truth};
  return run_method(setting, problem);
}

TEST(SharedWork, decomposes_once_for_all_ranks_and_once_for_all_groups_of_both_families) {
  const Pair pair = sampled(90);
  std::vector<Setting> settings;
  for (const bool normalized : {false, true}) {
    for (Index value = 2; value <= 40; value += 2) {
      settings.push_back(setting_of(normalized, "repsc", value, 0));
      settings.push_back(setting_of(normalized, "fairsc", 0, value));
    }
  }
  const auto R = shared_representation(pair.R, settings);
  Problem problem{Pipeline(pair.G, R), pair.truth};
  for (const Setting& setting : settings) {
    EXPECT_GT(run_method(setting, problem).accuracy, 0) << setting.method << ' ' << setting.rank;
  }
  EXPECT_EQ(R->num_decompositions(), 2);
}

Outcome metrics_of(const Pair& pair, const Labels& labels) {
  Outcome outcome;
  measure(outcome, labels, K, pair.G, pair.R, pair.truth);
  return outcome;
}

// An R whose normalized and unnormalized groups differ: one node in ten has hardly any links.
Pair uneven(Index nodes) {
  Pair pair = sampled(nodes);
  Labels groups(static_cast<std::size_t>(nodes));
  for (std::size_t i = 0; i < groups.size(); ++i)
    groups[i] = static_cast<Label>(i % 10 == 0 ? 4 + i : i % 4);
  pair.R = sample_planted_partition(groups, 0.7, 0.05, 5, SelfLoops::add);
  pair.G = sample_rpp(pair.R, pair.truth, {.p = 0.9, .q = 0.5, .r = 0.3, .s = 0.05}, 6);
  return pair;
}

TEST(SharedWork, finds_fairsc_s_groups_by_usc_and_by_nsc_where_the_reading_says_so) {
  const Pair pair = uneven(90);
  Setting setting = setting_of(true, "fairsc", 0, 6);
  const Labels by_usc = cluster(pair.R, 6, {.method = Method::usc, .seed = 1}).labels;
  const Labels by_nsc = cluster(pair.R, 6, {.method = Method::nsc, .seed = 1}).labels;
  ASSERT_LT(accuracy(by_usc, by_nsc), 1) << "the test cannot tell them apart";
  const auto fair_to = [&](const Labels& groups) {
    return metrics_of(pair,
                      cluster(pair.G, groups, K, {.method = Method::nfairsc, .seed = 1}).labels);
  };
  EXPECT_NEAR(run_alone(setting, pair).ratio_cut, fair_to(by_usc).ratio_cut, 1e-9);
  setting.reading = fairsc_by_nsc;
  EXPECT_NEAR(run_alone(setting, pair).ratio_cut, fair_to(by_nsc).ratio_cut, 1e-9);
}

TEST(SharedWork, records_the_sizes_of_clusters) {
  const Pair pair = sampled(90);
  Labels labels(90, 0);
  labels[3] = 1;
  labels[7] = 2;
  const Outcome outcome = metrics_of(pair, labels);
  EXPECT_EQ(outcome.smallest_cluster, 1);
  EXPECT_EQ(outcome.largest_cluster, 88);
  EXPECT_EQ(outcome.single_nodes, 2);
}

TEST(SharedWork, gives_the_metrics_of_the_library_s_own_methods) {
  const Pair pair = sampled(90);
  for (const bool normalized : {false, true}) {
    for (const char* base : {"sc", "fairsc", "repsc"}) {
      const bool rank = base == std::string("repsc"), groups = base == std::string("fairsc");
      Setting setting = setting_of(normalized, base, rank ? 20 : 0, groups ? 4 : 0);
      setting.reading = fairsc_by_nsc;  // the library's own choice
      const Outcome outcome = run_alone(setting, pair);

      const Clustering direct = cluster(pair.G, pair.R, K,
                                        {.method = method_by_name(setting.method),
                                         .rank = Rank::of(20),
                                         .num_groups = 4,
                                         .seed = 1});
      const Metrics metrics = evaluate(pair.G, pair.R, direct.labels, K);
      EXPECT_NEAR(outcome.ratio_cut, metrics.ratio_cut, 1e-12) << setting.method;
      EXPECT_NEAR(outcome.average_balance, metrics.average_balance, 1e-12) << setting.method;
      EXPECT_NEAR(outcome.accuracy, accuracy(direct.labels, pair.truth), 1e-12) << setting.method;
      EXPECT_TRUE(outcome.converged);
    }
  }
}

// Clusters too weak to be found at once, so that refinement has something to do.
Pair blurred(Index nodes) {
  Pair pair = sampled(nodes);
  pair.G = sample_rpp(pair.R, pair.truth, {.p = 0.5, .q = 0.4, .r = 0.35, .s = 0.2}, 6);
  return pair;
}

TEST(SharedWork, refines_the_library_s_soft_clusters_by_the_cut_of_the_family) {
  const Pair pair = blurred(90);
  for (const bool normalized : {false, true}) {
    const CutKind kind = normalized ? CutKind::normalized : CutKind::ratio;
    const Clustering soft = cluster(pair.G, pair.R, K,
                                    {.method = normalized ? Method::nrepsc : Method::urepsc,
                                     .constraint = ConstraintKind::soft,
                                     .strength = 1,
                                     .seed = 1});
    const auto objective = [&](double ratio_cut, double normalized_cut, double balance, double mu) {
      return (normalized ? normalized_cut : ratio_cut) / cut_scale(pair.G, K, kind) - mu * balance;
    };
    const Metrics before = evaluate(pair.G, pair.R, soft.labels, K);
    for (const double mu : {1.0, 5.0}) {
      Setting setting = setting_of(normalized, "repsc-refined", 0, 0);
      setting.strength = 1;
      setting.mu = mu;
      const Outcome outcome = run_alone(setting, pair);

      const Refinement better =
          refine(pair.G, pair.R, soft.labels, K, {.mu = mu, .cut = kind, .seed = 1});
      const Metrics metrics = evaluate(pair.G, pair.R, better.labels, K);
      EXPECT_NEAR(outcome.ratio_cut, metrics.ratio_cut, 1e-12) << setting.method << ' ' << mu;
      EXPECT_NEAR(outcome.normalized_cut, metrics.normalized_cut, 1e-12) << setting.method;
      EXPECT_NEAR(outcome.average_balance, metrics.average_balance, 1e-12) << setting.method;
      EXPECT_NEAR(outcome.minimum_balance, metrics.minimum_balance, 1e-12) << setting.method;
      EXPECT_NEAR(outcome.accuracy, accuracy(better.labels, pair.truth), 1e-12) << setting.method;
      EXPECT_LT(objective(outcome.ratio_cut, outcome.normalized_cut, outcome.average_balance, mu),
                objective(before.ratio_cut, before.normalized_cut, before.average_balance, mu))
          << setting.method << ' ' << mu;
    }
  }
}

TEST(SharedWork, says_where_the_constraint_leaves_too_few_dimensions) {
  const Pair pair = sampled(90);
  EXPECT_THROW((void)run_alone(setting_of(false, "repsc", 90, 0), pair), InvalidInput);
}

// The formulas typed out share nothing with the library but k-means.
TEST(Literal, finds_the_clusters_of_the_library) {
  const Pair pair = sampled(90);
  for (const bool normalized : {false, true}) {
    const Labels literal = literal_repsc(pair.G, pair.R, K, 30, normalized, 1);
    const Clustering ours = cluster(
        pair.G, pair.R, K,
        {.method = normalized ? Method::nrepsc : Method::urepsc, .rank = Rank::of(30), .seed = 1});
    EXPECT_EQ(accuracy(ours.labels, literal), 1) << normalized;
  }
}

}  // namespace
}  // namespace repsc::experiments
