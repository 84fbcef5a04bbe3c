// The policy: what runs for what was given, what is refused, and that every decision has a reason.
#include "repsc/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "repsc/models.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Index N = 60;

Graph similarity(Index num_nodes = N) {
  return sample_planted_partition(equal_clusters(num_nodes, 2), 0.5, 0.2, 1);
}

/// Not a union of cliques.
Graph representation(Index num_nodes = N) {
  return sample_planted_partition(samples::shuffled_labels(num_nodes, 3, 2), 0.6, 0.2, 3,
                                  SelfLoops::add);
}

Graph cliques(Index num_nodes = N) {
  return sample_planted_partition(samples::shuffled_labels(num_nodes, 3, 2), 1, 0, 3,
                                  SelfLoops::add);
}

ClusterInput with_representation(Index num_nodes = N) {
  return {similarity(num_nodes), representation(num_nodes)};
}

ClusterInput with_groups() {
  return {similarity(), std::nullopt, samples::shuffled_labels(N, 3, 2)};
}

/// The option that a call of plan() complains about; "" where it does not.
std::string complaint(const ClusterInput& input, const ClusterOptions& options) {
  try {
    (void)plan(input, 2, options);
  } catch (const InvalidOptions& error) {
    return error.fault().option;
  }
  return "";
}

TEST(Plan, chooses_the_method_by_what_was_given) {
  EXPECT_EQ(plan({similarity()}, 2).method, Method::nsc);
  EXPECT_EQ(plan(with_representation(), 2).method, Method::nrepsc);
  EXPECT_EQ(plan(with_groups(), 2).method, Method::nrepsc);
  ClusterInput both = with_representation();
  both.groups = samples::shuffled_labels(N, 3, 2);
  EXPECT_EQ(plan(both, 2).method, Method::nrepsc);
  EXPECT_EQ(plan(with_representation(), 2, {.num_groups = 3}).method, Method::nfairsc);
  for (const Method method : all_methods()) {
    EXPECT_EQ(plan(both, 2, {.method = method}).method, method);
    EXPECT_EQ(plan(both, 2, {.method = method}).cut, cut_of(method));
  }
}

TEST(Plan, agrees_with_the_choice_that_needs_no_graph) {
  for (const bool has_representation : {false, true}) {
    for (const bool has_groups : {false, true}) {
      ClusterInput input{similarity()};
      if (has_representation) input.representation = representation();
      if (has_groups) input.groups = samples::shuffled_labels(N, 3, 2);
      const InputKinds kinds{.representation = has_representation, .groups = has_groups};
      EXPECT_EQ(plan(input, 2).method, choose_method(kinds, {}));
    }
  }
}

TEST(Plan, takes_R_exactly_where_that_is_cheap) {
  const ClusterOptions named{.method = Method::nrepsc};
  const ConstraintPlan of_cliques = plan({similarity(), cliques()}, 2, named).constraint;
  EXPECT_EQ(of_cliques.source, ConstraintSource::exact);
  EXPECT_FALSE(of_cliques.otherwise);
  const ConstraintPlan small = plan(with_representation(), 2, named).constraint;
  EXPECT_EQ(small.source, ConstraintSource::exact);
  EXPECT_EQ(small.otherwise, ConstraintSource::soft);
  EXPECT_EQ(small.strength, 1);
  const ConstraintPlan hard =
      plan(with_representation(), 2, {.constraint = ConstraintKind::hard}).constraint;
  EXPECT_EQ(hard.otherwise, ConstraintSource::low_rank);
  EXPECT_EQ(hard.rank, automatic_rank(N, 2));
}

TEST(Plan, leaves_the_decomposition_of_a_large_R_to_those_who_ask_for_it) {
  const Index large = 2100;
  const ClusterInput input{
      sample_planted_partition(equal_clusters(large, 2), 0.02, 0.01, 1),
      sample_planted_partition(equal_clusters(large, 3), 0.02, 0.01, 2, SelfLoops::add)};
  EXPECT_EQ(plan(input, 2, {.method = Method::nrepsc}).constraint.source, ConstraintSource::soft);
  EXPECT_EQ(plan(input, 2, {.rank = Rank::exact()}).constraint.source, ConstraintSource::exact);
  const ConstraintPlan hard = plan(input, 2, {.constraint = ConstraintKind::hard}).constraint;
  EXPECT_EQ(hard.source, ConstraintSource::low_rank);
  EXPECT_EQ(hard.rank, large / 10);
  EXPECT_TRUE(plan(input, 2).until_labels_settle);
  EXPECT_EQ(plan(input, 2).tolerance, 1e-6);
  EXPECT_FALSE(plan(input, 2, {.tolerance = 1e-3}).until_labels_settle);
}

TEST(Plan, takes_what_was_asked_for) {
  const ClusterInput input = with_representation();
  EXPECT_EQ(plan(input, 2, {.strength = 3}).constraint.source, ConstraintSource::soft);
  EXPECT_EQ(plan(input, 2, {.strength = 3}).constraint.strength, 3);
  EXPECT_EQ(plan(input, 2, {.rank = Rank::of(7)}).constraint.rank, 7);
  EXPECT_EQ(plan(input, 2, {.embedding_rows = EmbeddingRows::unit}).embedding_rows,
            EmbeddingRows::unit);
  EXPECT_EQ(plan(input, 2, {.strength = 3}).embedding_rows, EmbeddingRows::unit);
  EXPECT_EQ(plan(input, 2, {.rank = Rank::of(7)}).embedding_rows, EmbeddingRows::plain);
  const Plan refined = plan(
      input, 2,
      {.method = Method::usc, .refine = true, .refinement = RefineOptions{.mu = 5}, .seed = 9});
  EXPECT_TRUE(refined.refines);
  EXPECT_EQ(refined.refine.mu, 5);
  EXPECT_EQ(refined.refine.cut, CutKind::ratio);
  EXPECT_EQ(refined.refine.seed, 9U);
  EXPECT_EQ(plan(input, 2, {.regularization = std::nullopt}).regularization,
            input.similarity.degrees().mean());
}

TEST(Plan, searches_only_where_nothing_was_said_about_method_and_constraint) {
  const ClusterInput input = with_representation();
  EXPECT_EQ(plan(input, 2).search->goal, Goal::bargain);
  EXPECT_TRUE(plan(input, 2).refines);
  EXPECT_TRUE(plan(input, 2).search->exact) << "R is small";
  EXPECT_TRUE(plan(with_groups(), 2).search);
  EXPECT_FALSE(plan(input, 2, {.refine = false}).refines);
  EXPECT_TRUE(plan(input, 2, {.refine = false}).search);
  for (const ClusterOptions& said :
       {ClusterOptions{.method = Method::nrepsc}, ClusterOptions{.rank = Rank::of(5)},
        ClusterOptions{.constraint = ConstraintKind::soft}, ClusterOptions{.strength = 2},
        ClusterOptions{.num_groups = 2}}) {
    EXPECT_FALSE(plan(input, 2, said).search);
    EXPECT_FALSE(plan(input, 2, said).refines);
  }
  EXPECT_FALSE(plan({similarity()}, 2).search);
  EXPECT_EQ(plan(input, 2, {.keep_structure = 0.8}).search->goal, Goal::structure);
  EXPECT_EQ(plan(input, 2, {.keep_structure = 0.8}).search->level, 0.8);
  EXPECT_EQ(plan(input, 2, {.fairness = 1.2}).search->goal, Goal::fairness);
  EXPECT_EQ(plan(input, 2, {.refinement = RefineOptions{.mu = 1}}).search->goal, Goal::objective);
  EXPECT_EQ(plan(input, 2, {.refinement = RefineOptions{.min_cluster_size = 3}}).search->goal,
            Goal::bargain);
}

TEST(Plan, tries_both_scalings_of_the_rows_unless_one_was_asked_for) {
  EXPECT_TRUE(plan({similarity()}, 2).better_rows);
  EXPECT_TRUE(plan(with_representation(), 2).better_rows);
  EXPECT_FALSE(plan({similarity()}, 2, {.method = Method::nsc}).better_rows)
      << "nsc by name is Algorithm 3";
  EXPECT_EQ(plan({similarity()}, 2, {.method = Method::nsc}).embedding_rows, EmbeddingRows::unit);
  EXPECT_FALSE(plan({similarity()}, 2, {.embedding_rows = EmbeddingRows::plain}).better_rows);
}

TEST(Plan, lowers_the_cut_of_plain_clusters_unless_they_are_asked_for_by_name) {
  EXPECT_TRUE(plan({similarity()}, 2).lowers_cut);
  EXPECT_FALSE(plan({similarity()}, 2, {.refine = false}).lowers_cut);
  EXPECT_FALSE(plan({similarity()}, 2, {.method = Method::nsc}).lowers_cut);
  EXPECT_FALSE(plan(with_representation(), 2).lowers_cut) << "the search refines";
}

TEST(Plan, refuses_options_that_contradict_each_other_or_the_input) {
  const ClusterInput alone{similarity()};
  const ClusterInput input = with_representation();
  EXPECT_EQ(complaint(alone, {.method = Method::urepsc}), "method");
  EXPECT_EQ(complaint(alone, {.method = Method::nfairsc}), "method");
  EXPECT_EQ(complaint(alone, {.method = Method::nrepsc}), "method");
  EXPECT_EQ(complaint(alone, {.refine = true}), "refine");
  EXPECT_EQ(complaint(alone, {.num_groups = 2}), "num_groups");
  EXPECT_EQ(complaint(alone, {.strength = 1}), "strength");
  EXPECT_EQ(complaint(input, {.method = Method::nsc, .constraint = ConstraintKind::hard}),
            "constraint");
  EXPECT_EQ(complaint(input, {.constraint = ConstraintKind::hard, .strength = 1}), "strength");
  EXPECT_EQ(complaint(input, {.rank = Rank::of(3), .strength = 1}), "rank");
  EXPECT_EQ(complaint(input, {.rank = Rank::exact(), .constraint = ConstraintKind::soft}), "rank");
  EXPECT_EQ(complaint(alone, {.refine = true}), "refine");
  EXPECT_EQ(complaint(input, {.strength = 1, .refinement = RefineOptions{}}), "refinement");
  EXPECT_EQ(complaint(input, {.refinement = RefineOptions{}}), "");
  EXPECT_EQ(complaint(input, {}), "");
}

TEST(Plan, refuses_numbers_that_do_not_fit_the_graphs) {
  const ClusterInput input = with_representation();
  const auto option = [&](int K, const ClusterOptions& options) {
    try {
      (void)plan(input, K, options);
    } catch (const InvalidInput& error) {
      return error.fault().option + ' ' + error.fault().value;
    }
    return std::string();
  };
  EXPECT_EQ(option(1, {}), "num_clusters 1");
  EXPECT_EQ(option(61, {}), "num_clusters 61");
  EXPECT_EQ(option(2, {.rank = Rank::of(59)}), "rank 59");
  EXPECT_EQ(option(2, {.method = Method::ufairsc, .num_groups = 99}), "num_groups 99");
  EXPECT_THROW((void)plan({similarity(), representation(30)}, 2), InvalidInput);
}

TEST(Plan, names_what_has_no_effect) {
  ClusterInput both = with_representation();
  both.groups = samples::shuffled_labels(N, 3, 2);
  const auto ignored = [&](const ClusterOptions& options) {
    return plan(both, 2, options).ignored;
  };
  EXPECT_THAT(ignored({.method = Method::nsc, .rank = Rank::of(3)}), ElementsAre("groups", "rank"));
  EXPECT_THAT(ignored({.method = Method::nrepsc}), ElementsAre("groups"));
  EXPECT_THAT(ignored({.method = Method::nfairsc, .num_groups = 3}), ElementsAre("num_groups"));
  EXPECT_THAT(ignored({.method = Method::nfairsc}), IsEmpty());
  EXPECT_THAT(plan(with_representation(), 2, {.num_groups = 3}).ignored, IsEmpty());
}

TEST(Plan, gives_a_reason_for_every_decision) {
  for (const ClusterInput& input : {ClusterInput{similarity()}, with_representation(),
                                    with_groups(), ClusterInput{similarity(), cliques()}}) {
    const Plan chosen = plan(input, 2);
    ASSERT_GE(chosen.decisions.size(), 6U);
    for (const Decision& decision : chosen.decisions) {
      EXPECT_FALSE(decision.choice.empty()) << decision.what;
      EXPECT_FALSE(decision.reason.empty()) << decision.what;
      EXPECT_THAT(describe(chosen), HasSubstr(decision.reason));
    }
    EXPECT_THAT(chosen.decisions.front().choice, HasSubstr(name(chosen.method)));
  }
}

TEST(PathPlan, is_for_the_representation_aware_methods) {
  EXPECT_EQ(choose_path_method({}), Method::nrepsc);
  EXPECT_EQ(choose_path_method({.method = Method::urepsc}), Method::urepsc);
  EXPECT_THROW((void)choose_path_method({.method = Method::nsc}), InvalidOptions);
}

TEST(TargetPlan, has_a_family_and_nothing_else_to_choose) {
  const InputKinds given{.representation = true};
  EXPECT_EQ(choose_target_cut(given, {}), CutKind::normalized);
  EXPECT_EQ(choose_target_cut(given, {.method = Method::usc}), CutKind::ratio);
  EXPECT_THROW((void)choose_target_cut({}, {}), InvalidOptions);
  for (const ClusterOptions& said :
       {ClusterOptions{.method = Method::nfairsc}, ClusterOptions{.rank = Rank::of(5)},
        ClusterOptions{.constraint = ConstraintKind::soft}, ClusterOptions{.strength = 2},
        ClusterOptions{.refine = false}}) {
    EXPECT_THROW((void)choose_target_cut(given, said), InvalidOptions);
  }
}

TEST(Methods, are_found_by_name_and_belong_to_one_kind) {
  for (const Method method : all_methods()) {
    EXPECT_EQ(method_by_name(name(method)), method);
    EXPECT_EQ(is_plain(method) + is_representation_aware(method) + is_fair_to_groups(method), 1);
  }
  EXPECT_THROW((void)method_by_name("auto"), InvalidOptions);
}

TEST(Plan, starts_from_a_part_of_the_edges_of_large_graphs_that_have_enough_of_them) {
  constexpr Index large = Index{1} << 22U;
  EXPECT_EQ(automatic_sample(large, Offset{32} * large), 8);
  EXPECT_EQ(automatic_sample(large - 1, Offset{32} * large), 0);
  EXPECT_EQ(automatic_sample(large, Offset{32} * large - 1), 0);
  EXPECT_EQ(automatic_sample(std::numeric_limits<Index>::max(), Offset{1} << 40U), 8);
}

}  // namespace
}  // namespace repsc
