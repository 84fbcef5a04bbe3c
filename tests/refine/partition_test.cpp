// The books of a partition against sums over dense matrices, after every move.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "refine/dense_objective.hpp"
#include "refine/partition.hpp"

namespace repsc {
namespace {

constexpr CutKind kinds[] = {CutKind::ratio, CutKind::normalized};

/// Trials read the table, fill it, or do without: the same changes in all three ways.
void try_in_turn(Partition& P, Index node, int step, Trial& trial) {
  if (step % 3 == 0) P.refresh();
  if (step % 3 == 1) P.try_moves_and_keep(node, trial);
  step % 2 == 0 ? P.try_moves(node, trial) : P.try_moves_and_keep(node, trial);
}

TEST(Partition, keeps_cut_and_balances_exactly_through_every_move) {
  for (const bool weighted : {false, true}) {
    EXPECT_TRUE(rc::check("random moves", [weighted] {
      const DenseCase c = dense_case(weighted, *rc::gen::arbitrary<std::uint64_t>());
      RandomStream random(*rc::gen::arbitrary<std::uint64_t>());
      for (const CutKind kind : kinds) {
        Partition P(c.similarity, c.representation, c.labels, c.K, kind);
        Labels labels = c.labels;
        for (int step = 0; step < 20; ++step) {
          const auto node = static_cast<Index>(random.below(static_cast<std::uint64_t>(c.N)));
          const auto target = static_cast<Label>(random.below(static_cast<std::uint64_t>(c.K)));
          Trial trial(c.K);
          try_in_turn(P, node, step, trial);
          const double cut = P.cut();
          const double score = P.score();
          P.move(node, target);
          labels[static_cast<std::size_t>(node)] = target;
          RC_ASSERT(P.labels() == labels);
          RC_ASSERT(std::abs(P.cut() - dense_cut(c, labels, kind)) < 1e-9);
          RC_ASSERT(std::abs(P.score() - dense_balances(c, labels).sum()) < 1e-9);
          const auto b = static_cast<std::size_t>(target);
          RC_ASSERT(std::abs(P.cut() - cut - trial.cut[b]) < 1e-9);
          RC_ASSERT(std::abs(P.score() - score - trial.score[b]) < 1e-9);
          for (Index i = 0; i < c.N; ++i) {
            for (Label k = 0; k < c.K; ++k) {
              RC_ASSERT(P.counts(i)[static_cast<std::size_t>(k)] == dense_count(c, labels, i, k));
            }
          }
        }
      }
    }));
  }
}

TEST(Partition, knows_beforehand_what_a_swap_changes) {
  for (const bool weighted : {false, true}) {
    EXPECT_TRUE(rc::check("random pairs", [weighted] {
      const DenseCase c = dense_case(weighted, *rc::gen::arbitrary<std::uint64_t>());
      for (const CutKind kind : kinds) {
        Partition P(c.similarity, c.representation, c.labels, c.K, kind);
        Trial trial(c.K);
        for (Index u = 0; u < c.N; ++u) {
          if (u == c.N / 2) P.refresh();
          for (Index v = 0; v < c.N; ++v) {
            if (P.label(u) == P.label(v)) continue;
            Labels labels = c.labels;
            std::swap(labels[static_cast<std::size_t>(u)], labels[static_cast<std::size_t>(v)]);
            const Partition::Change change = P.try_swap(u, v, trial);
            RC_ASSERT(std::abs(P.cut() + change.cut - dense_cut(c, labels, kind)) < 1e-9);
            RC_ASSERT(std::abs(P.score() + change.score - dense_balances(c, labels).sum()) < 1e-9);
          }
        }
      }
    }));
  }
}

TEST(Partition, scores_a_shortfall_of_zero_exactly_where_the_balance_reaches_alpha) {
  EXPECT_TRUE(rc::check("random moves", [] {
    const DenseCase c = dense_case(false, *rc::gen::arbitrary<std::uint64_t>());
    RandomStream random(*rc::gen::arbitrary<std::uint64_t>());
    const double alpha = *rc::gen::element(0.2, 1.0 / 3, 0.5, 2.0 / 3, 1.0);
    const NodeScore score{.alpha = alpha};
    Partition P(c.similarity, c.representation, c.labels, c.K, CutKind::ratio, score);
    for (int step = 0; step < 20; ++step) {
      const auto node = static_cast<Index>(random.below(static_cast<std::uint64_t>(c.N)));
      const auto target = static_cast<Label>(random.below(static_cast<std::uint64_t>(c.K)));
      Trial trial(c.K);
      try_in_turn(P, node, step, trial);
      const double before = P.score();
      P.move(node, target);
      RC_ASSERT(std::abs(P.score() - before - trial.score[static_cast<std::size_t>(target)]) <
                1e-9);
      const Vector rho = dense_balances(c, P.labels());
      for (Index i = 0; i < c.N; ++i) {
        RC_ASSERT((score(i, P.counts(i)) == 0) == (rho[i] >= alpha));
      }
    }
  }));
}

TEST(Partition, takes_another_score_as_if_it_had_been_the_first) {
  EXPECT_TRUE(rc::check("there and back", [] {
    const DenseCase c = dense_case(true, *rc::gen::arbitrary<std::uint64_t>());
    const NodeScore score{.alpha = *rc::gen::element(0.2, 0.5, 1.0)};
    const Partition direct(c.similarity, c.representation, c.labels, c.K, CutKind::normalized,
                           score);
    Partition changed(c.similarity, c.representation, c.labels, c.K, CutKind::normalized);
    const double balances = changed.score();
    changed.refresh();  // the changes of before must not be used
    if (*rc::gen::arbitrary<bool>()) {
      const Label own = changed.label(0);
      changed.move(0, (own + 1) % c.K);
      changed.move(0, own);
    }
    changed.score_by(score);
    RC_ASSERT(changed.cut() == direct.cut());
    RC_ASSERT(changed.score() == direct.score());
    Trial one(c.K);
    Trial other(c.K);
    for (Index i = 0; i < c.N; ++i) {
      changed.try_moves(i, one);
      direct.try_moves(i, other);
      RC_ASSERT(one.cut == other.cut);
      RC_ASSERT(one.score == other.score);
    }
    changed.score_by({});
    RC_ASSERT(changed.score() == balances);
  }));
}

TEST(Partition, adds_up_to_the_same_bits_however_the_labels_came_about) {
  EXPECT_TRUE(rc::check("there and back", [] {
    const DenseCase c = dense_case(true, *rc::gen::arbitrary<std::uint64_t>());
    Partition direct(c.similarity, c.representation, c.labels, c.K, CutKind::normalized);
    Partition moved = direct;
    for (Index i = 0; i < c.N; ++i) {
      moved.move(i, (moved.label(i) + 1) % c.K);
      moved.move(i, c.labels[static_cast<std::size_t>(i)]);
    }
    moved.add_up();
    RC_ASSERT(moved.cut() == direct.cut());
    RC_ASSERT(moved.score() == direct.score());

    Labels others = c.labels;
    std::rotate(others.begin(), others.begin() + 1, others.end());
    moved.refresh();
    moved.assign(others);
    Partition assigned(c.similarity, c.representation, others, c.K, CutKind::normalized);
    RC_ASSERT(moved.cut() == assigned.cut());
    RC_ASSERT(moved.score() == assigned.score());
    RC_ASSERT(moved.sizes() == assigned.sizes());
    Trial one(c.K);
    Trial other(c.K);
    for (Index i = 0; i < c.N; ++i) {
      moved.try_moves(i, one);
      assigned.try_moves(i, other);
      RC_ASSERT(one.cut == other.cut);
      RC_ASSERT(one.score == other.score);
    }
  }));
}

}  // namespace
}  // namespace repsc
