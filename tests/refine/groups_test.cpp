// Refinement by groups, whose R is never built, against sums over the dense R of the groups.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "refine/dense_objective.hpp"
#include "refine/partition.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

constexpr CutKind kinds[] = {CutKind::ratio, CutKind::normalized};

struct GroupCase : DenseCase {
  Labels groups;  ///< numbers with gaps; R links the nodes of each
};

GroupCase group_case(std::uint64_t seed) {
  GroupCase c{dense_case(seed % 2 == 0, seed), {}};
  RandomStream random(seed + 1);
  const Labels group = random_labels(c.N, 3, random);
  for (const Label g : group) c.groups.push_back(7 - 3 * g);
  for (Index i = 0; i < c.N; ++i) {
    for (Index j = 0; j < c.N; ++j) {
      c.R(i, j) = c.groups[static_cast<std::size_t>(i)] == c.groups[static_cast<std::size_t>(j)];
    }
  }
  return c;
}

TEST(PartitionByGroups, keeps_cut_and_balances_exactly_through_moves_and_foresees_swaps) {
  EXPECT_TRUE(rc::check("random moves", [] {
    const GroupCase c = group_case(*rc::gen::arbitrary<std::uint32_t>());
    RandomStream random(*rc::gen::arbitrary<std::uint64_t>());
    for (const CutKind kind : kinds) {
      Partition P(c.similarity, Representation(c.groups), c.labels, c.K, kind);
      Labels labels = c.labels;
      Trial trial(c.K);
      for (int step = 0; step < 20; ++step) {
        const auto node = static_cast<Index>(random.below(static_cast<std::uint64_t>(c.N)));
        const auto other = static_cast<Index>(random.below(static_cast<std::uint64_t>(c.N)));
        const auto target = static_cast<Label>(random.below(static_cast<std::uint64_t>(c.K)));
        if (step % 3 == 0) P.refresh();
        if (P.label(node) != P.label(other)) {
          Labels swapped = labels;
          std::swap(swapped[static_cast<std::size_t>(node)],
                    swapped[static_cast<std::size_t>(other)]);
          const Partition::Change change = P.try_swap(node, other, trial);
          RC_ASSERT(std::abs(P.cut() + change.cut - dense_cut(c, swapped, kind)) < 1e-9);
          RC_ASSERT(std::abs(P.score() + change.score - dense_balances(c, swapped).sum()) < 1e-9);
        }
        step % 2 == 0 ? P.try_moves(node, trial) : P.try_moves_and_keep(node, trial);
        const double score = P.score();
        P.move(node, target);
        labels[static_cast<std::size_t>(node)] = target;
        RC_ASSERT(std::abs(P.cut() - dense_cut(c, labels, kind)) < 1e-9);
        RC_ASSERT(std::abs(P.score() - dense_balances(c, labels).sum()) < 1e-9);
        RC_ASSERT(std::abs(P.score() - score - trial.score[static_cast<std::size_t>(target)]) <
                  1e-9);
      }
    }
  }));
}

TEST(RefineByGroups, ends_where_no_single_move_lowers_the_objective_of_the_dense_R) {
  EXPECT_TRUE(rc::check("random graphs", [] {
    const GroupCase c = group_case(*rc::gen::arbitrary<std::uint32_t>());
    const double mu = *rc::gen::element(0.0, 0.3, 1.0, 5.0);
    for (const CutKind kind : kinds) {
      const Refinement found =
          refine(c.similarity, Representation(c.groups), c.labels, c.K, {.mu = mu, .cut = kind});
      const double objective = dense_objective(c, found.labels, kind, mu);
      RC_ASSERT(std::abs(found.objective - objective) < 1e-9);
      RC_ASSERT(std::abs(found.average_balance - dense_balances(c, found.labels).mean()) < 1e-9);
      RC_ASSERT(objective < dense_objective(c, c.labels, kind, mu) + 1e-9);
      const std::vector<Index> sizes = cluster_sizes(found.labels, c.K);
      Labels moved = found.labels;
      for (Label& label : moved) {
        const Label own = label;
        if (sizes[static_cast<std::size_t>(own)] == 1) continue;
        for (label = 0; label < c.K; ++label) {
          RC_ASSERT(dense_objective(c, moved, kind, mu) > objective - 1e-8);
        }
        label = own;
      }
      const Refinement again = refine(c.similarity, Representation(c.groups), found.labels, c.K,
                                      {.mu = mu, .cut = kind});
      RC_ASSERT(again.labels == found.labels);
    }
  }));
}

TEST(RefineByGroups, finds_what_brute_force_finds_on_most_small_graphs) {
  int optimal = 0;
  constexpr int tried = 40;
  for (std::uint64_t seed = 0; seed < tried; ++seed) {
    const GroupCase c = group_case(seed);
    if (c.N > 9) {
      ++optimal;  // too many labellings
      continue;
    }
    double best = std::numeric_limits<double>::infinity();
    for_every_labelling(c.N, c.K, [&](const Labels& labels) {
      best = std::min(best, dense_objective(c, labels, CutKind::normalized, 1));
    });
    const Refinement found =
        refine(c.similarity, Representation(c.groups), c.labels, c.K, {.mu = 1});
    EXPECT_GT(found.objective, best - 1e-9);
    optimal += found.objective < best + 1e-9 ? 1 : 0;
  }
  EXPECT_GE(optimal, tried - 2);
}

TEST(Representation, refuses_negative_groups_and_numbers_the_others_in_order) {
  EXPECT_THROW(Representation(Labels{0, -1}), InvalidInput);
  const Representation R(Labels{9, 4, 9, 0});
  EXPECT_EQ(R.groups(), (Labels{0, 1, 0, 2}));
  EXPECT_EQ(R.num_sets(), 3);
  EXPECT_EQ(R.set_size(R.set_of(2)), 2);
  EXPECT_EQ(R.sums(), (Vector(4) << 2, 1, 2, 1).finished());
}

}  // namespace
}  // namespace repsc
