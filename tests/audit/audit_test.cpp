// Every number of an audit against its definition, by brute force on dense matrices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "repsc/audit.hpp"
#include "support/dense_scale.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

struct Case {
  Matrix A;
  Matrix R;
  Labels labels;
  Labels groups;
  int K = 0;

  [[nodiscard]] Graph G() const { return samples::from_dense(A); }
  [[nodiscard]] Graph representation() const { return samples::from_dense(R); }
};

Case made(Index N, int K, unsigned seed, bool weighted = false) {
  Case of;
  of.K = K;
  of.labels = samples::shuffled_labels(N, K, seed);
  of.groups = samples::shuffled_labels(N, 3, seed + 77);
  of.A = samples::random_dense(of.labels, 0.2, 0.4, seed + 1, weighted);
  of.R = samples::random_representation(N, 0.25, seed + 2);
  return of;
}

std::vector<int> counts_of(const Case& of, const Labels& labels, Index i) {
  std::vector<int> counts(static_cast<std::size_t>(of.K));
  for (Index j = 0; j < of.R.rows(); ++j) {
    if (of.R(i, j) != 0) ++counts[static_cast<std::size_t>(labels[static_cast<std::size_t>(j)])];
  }
  return counts;
}

double rho(const Case& of, const Labels& labels, Index i) {
  const std::vector<int> counts = counts_of(of, labels, i);
  const auto [low, high] = std::minmax_element(counts.begin(), counts.end());
  return *high == 0 ? 1 : static_cast<double>(*low) / *high;
}

bool all_used(const Labels& labels, int K) {
  for (Label k = 0; k < K; ++k) {
    if (std::find(labels.begin(), labels.end(), k) == labels.end()) return false;
  }
  return true;
}

/// The largest balance after one move or swap of any nodes, and the lowest cut with that balance.
struct Best {
  double balance = -1;
  double cut = 0;
};
Best best_by_trial(const Case& of, Index person) {
  Best best;
  const auto consider = [&](const Labels& labels) {
    if (!all_used(labels, of.K)) return;
    const double balance = rho(of, labels, person);
    const double cut = dense_cut(of.A, labels, of.K, true);
    if (balance > best.balance + 1e-12 || (balance > best.balance - 1e-12 && cut < best.cut)) {
      best = {balance, cut};
    }
  };
  for (std::size_t u = 0; u < of.labels.size(); ++u) {
    Labels labels = of.labels;
    for (Label k = 0; k < of.K; ++k) {
      labels[u] = k;
      consider(labels);
    }
    for (std::size_t v = 0; v < u; ++v) {
      labels = of.labels;
      std::swap(labels[u], labels[v]);
      consider(labels);
    }
  }
  return best;
}

void expect_best_step(const Case& of, const Person& person) {
  const double before = rho(of, of.labels, person.node);
  const Best best = best_by_trial(of, person.node);
  const HelpfulStep& step = person.help;
  if (best.balance <= before + 1e-12) {
    EXPECT_EQ(step.kind, HelpfulStep::Kind::none);
    EXPECT_EQ(step.balance, before);
    return;
  }
  ASSERT_NE(step.kind, HelpfulStep::Kind::none) << "node " << person.node;
  Labels after = of.labels;
  EXPECT_EQ(after[static_cast<std::size_t>(step.node)], step.from);
  after[static_cast<std::size_t>(step.node)] = step.to;
  if (step.kind == HelpfulStep::Kind::swap) {
    EXPECT_EQ(after[static_cast<std::size_t>(step.other)], step.to);
    after[static_cast<std::size_t>(step.other)] = step.from;
  }
  EXPECT_NEAR(rho(of, after, person.node), step.balance, 1e-12);
  EXPECT_NEAR(step.balance, best.balance, 1e-12);
  const double start = dense_cut(of.A, of.labels, of.K, true);
  EXPECT_NEAR(dense_cut(of.A, after, of.K, true) - start, step.cut_change, 1e-9);
  EXPECT_NEAR(step.cut_change, best.cut - start, 1e-9) << "node " << person.node;
}

TEST(Explain, finds_the_step_that_is_best_by_brute_force) {
  for (unsigned seed = 0; seed < 24; ++seed) {
    const Case of = made(14 + static_cast<Index>(seed % 5), 2 + static_cast<int>(seed % 3), seed,
                         seed % 2 == 1);
    std::vector<Index> everybody;
    for (Index i = 0; i < of.R.rows(); ++i) everybody.push_back(i);
    for (const Person& person : explain(of.G(), of.representation(), of.labels, of.K, everybody)) {
      expect_best_step(of, person);
    }
  }
}

TEST(Explain, never_empties_a_cluster) {
  Case of = made(12, 3, 4);
  for (Label& label : of.labels) label = label == 2 ? 1 : label;
  of.labels[0] = 2;  // alone
  std::vector<Index> everybody;
  for (Index i = 0; i < 12; ++i) everybody.push_back(i);
  for (const Person& person : explain(of.G(), of.representation(), of.labels, of.K, everybody)) {
    expect_best_step(of, person);
    EXPECT_FALSE(person.help.kind == HelpfulStep::Kind::move && person.help.from == 2);
  }
}

TEST(Explain, finds_the_same_for_groups_as_for_their_graph) {
  const Case of = made(20, 3, 9);
  const Graph R = samples::from_dense(samples::block_representation(of.groups));
  for (Index i = 0; i < 20; ++i) {
    const Person a = explain(of.G(), Representation(of.groups), of.labels, 3, {i}).front();
    const Person b = explain(of.G(), R, of.labels, 3, {i}).front();
    EXPECT_EQ(a.found, b.found);
    EXPECT_EQ(a.help.balance, b.help.balance);
    EXPECT_NEAR(a.help.cut_change, b.help.cut_change, 1e-12);
  }
}

TEST(Explain, gives_reasons) {
  // Node 0: isolated; 1: two representatives for three clusters; 2: all in one cluster; 3: none in
  // the third; 4: uneven; 5: equally many.
  const Labels labels{0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2};
  Matrix R = Matrix::Zero(12, 12);
  const auto link = [&](Index i, std::initializer_list<Index> others) {
    for (const Index j : others) R(i, j) = 1;
  };
  // Rows alone: the counts of a row do not depend on symmetry, so one node at a time.
  const auto reason = [&](Index node, std::initializer_list<Index> others) {
    R.setZero();
    link(node, others);
    R = R.cwiseMax(R.transpose().eval());
    const Matrix A = samples::random_dense(labels, 0.5, 0.4, 3);
    return explain(samples::from_dense(A), samples::from_dense(R), labels, 3, {node})
        .front()
        .reason;
  };
  EXPECT_EQ(reason(0, {0}), Shortfall::isolated);
  EXPECT_EQ(reason(0, {}), Shortfall::isolated);
  EXPECT_EQ(reason(1, {6, 9}), Shortfall::too_few);
  EXPECT_EQ(reason(2, {6, 7, 8}), Shortfall::one_cluster);
  EXPECT_EQ(reason(3, {4, 6, 7}), Shortfall::some_missing);
  EXPECT_EQ(reason(4, {5, 6, 9, 10}), Shortfall::uneven);
  EXPECT_EQ(reason(5, {4, 6, 9}), Shortfall::none);
}

TEST(Audit, counts_people_as_the_definitions_do) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const Case of = made(40, 3, seed, true);
    const Audit found =
        audit(of.G(), of.representation(), of.labels, of.K, of.groups, {.threshold = 0.5});
    Index missing = 0, below = 0;
    std::vector<double> bins(num_bins);
    std::vector<double> received(3);
    for (Index i = 0; i < 40; ++i) {
      const double balance = rho(of, of.labels, i);
      const auto counts = counts_of(of, of.labels, i);
      missing += *std::min_element(counts.begin(), counts.end()) == 0 ? 1 : 0;
      below += balance < 0.5 ? 1 : 0;
      bins[std::min<std::size_t>(num_bins - 1, static_cast<std::size_t>(balance * 20))] += 1. / 40;
      for (std::size_t k = 0; k < 3; ++k) received[k] += counts[k];
    }
    EXPECT_EQ(found.num_missing, missing);
    EXPECT_EQ(found.num_below, below);
    for (std::size_t b = 0; b < bins.size(); ++b) EXPECT_NEAR(found.histogram[b], bins[b], 1e-12);
    double cut = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(static_cast<double>(found.clusters[k].representatives), received[k]);
      cut += found.clusters[k].cut;
    }
    EXPECT_NEAR(cut, dense_cut(of.A, of.labels, 3, true), 1e-9);
    EXPECT_NEAR(found.links.sum() + found.links.trace(), of.A.sum(), 1e-9)
        << "links between clusters in both cells, inside once";
    EXPECT_EQ(found.people.size(), 40U);
    for (std::size_t p = 1; p < found.people.size(); ++p) {
      EXPECT_LE(found.people[p - 1].balance, found.people[p].balance);
    }
    for (const Person& person : found.people) {
      expect_best_step(of, person);
      double expected = 0;
      for (const double each : person.expected) expected += each;
      EXPECT_NEAR(expected, person.num_representatives, 1e-9);
      EXPECT_LE(person.balance, person.limit);
    }
  }
}

TEST(Audit, tries_the_cheapest_partners_on_large_graphs) {
  const Case of = made(30, 3, 2);
  const Audit all = audit(of.G(), of.representation(), of.labels, of.K);
  const Audit some = audit(of.G(), of.representation(), of.labels, of.K, {}, {.every_swap = 0});
  for (std::size_t p = 0; p < all.people.size(); ++p) {
    EXPECT_EQ(all.people[p].help.balance, some.people[p].help.balance);
    EXPECT_LE(all.people[p].help.cut_change, some.people[p].help.cut_change + 1e-12);
  }
}

TEST(Audit, lists_as_many_people_as_asked_for) {
  const Case of = made(30, 3, 2);
  const Audit whole = audit(of.G(), of.representation(), of.labels, of.K);
  const Audit part = audit(of.G(), of.representation(), of.labels, of.K, {}, {.most_people = 5});
  ASSERT_EQ(part.people.size(), 5U);
  for (std::size_t p = 0; p < 5; ++p) EXPECT_EQ(part.people[p].node, whole.people[p].node);
}

TEST(Audit, refuses_what_does_not_fit) {
  const Case of = made(20, 2, 1);
  EXPECT_THROW((void)audit(of.G(), of.representation(), Labels(19, 0), 2), InvalidInput);
  EXPECT_THROW((void)audit(of.G(), of.representation(), of.labels, 2, Labels(3, 0)), InvalidInput);
  EXPECT_THROW((void)audit(of.G(), of.representation(), of.labels, 2, {}, {.threshold = 2}),
               InvalidInput);
  EXPECT_THROW((void)explain(of.G(), of.representation(), of.labels, 2, {20}), InvalidInput);
}

/// P(X = x), from binomial coefficients that are exact in double for these sizes.
double hypergeometric(int N, int M, int n, int x) {
  const auto choose = [](int a, int b) {
    double product = 1;
    for (int i = 1; i <= b; ++i) product = product * (a - b + i) / i;
    return b < 0 || b > a ? 0 : product;
  };
  return choose(M, x) * choose(N - M, n - x) / choose(N, n);
}

TEST(Chance, has_at_most_two_and_a_half_percent_on_either_side) {
  for (const int N : {1, 5, 20, 60}) {
    for (int M = 0; M <= N; M += 1 + N / 8) {
      for (int n = 0; n <= N; n += 1 + N / 7) {
        const CountInterval found = chance_interval(N, M, n);
        double below = 0, above = 0, at_low = 0, at_high = 0;
        for (int x = 0; x <= n; ++x) {
          const double p = hypergeometric(N, M, n, x);
          below += x < found.low ? p : 0;
          above += x > found.high ? p : 0;
          at_low = x == found.low ? p : at_low;
          at_high = x == found.high ? p : at_high;
        }
        EXPECT_LE(below, 0.025 + 1e-9);
        EXPECT_LE(above, 0.025 + 1e-9);
        EXPECT_GT(below + at_low, 0.025 - 1e-9) << "the interval is no wider than it must be";
        EXPECT_GT(above + at_high, 0.025 - 1e-9);
      }
    }
  }
}

TEST(Chance, is_the_normal_range_for_many) {
  const CountInterval found = chance_interval(1000000, 300000, 200000);
  const double spread = std::sqrt(200000 * 0.3 * 0.7 * 0.8);
  EXPECT_NEAR(found.low, 60000 - 1.96 * spread, 2);
  EXPECT_NEAR(found.high, 60000 + 1.96 * spread, 2);
}

TEST(Audit, marks_groups_beyond_chance) {
  Case of = made(60, 2, 3);
  for (std::size_t i = 0; i < 60; ++i) of.groups[i] = of.labels[i];  // a group is a cluster
  for (const GroupCell& cell : audit(of.G(), of.representation(), of.labels, 2, of.groups).groups) {
    const bool same = cell.group == cell.cluster;
    EXPECT_EQ(cell.beyond_chance(), same ? 1 : -1);
    EXPECT_NEAR(cell.expected, 15, 1e-12);
  }
}

TEST(Audit, keeps_the_numbers_of_groups) {
  Case of = made(60, 3, 8);
  // Groups 9 and 2, of which 9 comes first; no node is in the others.
  for (std::size_t i = 0; i < 60; ++i) of.groups[i] = i % 5 < 3 ? 9 : 2;
  const Audit found = audit(of.G(), of.representation(), of.labels, 3, of.groups);
  EXPECT_THAT(found.group_numbers, testing::ElementsAre(2, 9));
  ASSERT_EQ(found.groups.size(), 6U);
  for (const GroupCell& cell : found.groups) {
    const Label number = found.group_numbers[static_cast<std::size_t>(cell.group)];
    Index count = 0;
    for (std::size_t i = 0; i < 60; ++i) {
      count += of.groups[i] == number && of.labels[i] == cell.cluster ? 1 : 0;
    }
    EXPECT_EQ(cell.count, count);
  }
  ASSERT_EQ(found.histogram_by_group.size(), 2U);
  for (std::size_t g = 0; g < 2; ++g) {
    double members = 0, zero = 0;
    for (Index i = 0; i < 60; ++i) {
      if (of.groups[static_cast<std::size_t>(i)] != found.group_numbers[g]) continue;
      ++members;
      zero += rho(of, of.labels, i) == 0 ? 1 : 0;
    }
    EXPECT_GE(found.histogram_by_group[g][0] + 1e-12, zero / members);
  }
  const Comparison changed = compare(of.G(), of.representation(), of.labels, 3,
                                     samples::shuffled_labels(60, 3, 5), 3, of.groups);
  ASSERT_EQ(changed.groups.size(), 2U);
  EXPECT_EQ(changed.groups[0].number, 2);
  EXPECT_EQ(changed.groups[0].num_nodes, 24);
  EXPECT_EQ(changed.groups[1].number, 9);
  double before = 0;
  for (Index i = 0; i < 60; ++i) {
    if (of.groups[static_cast<std::size_t>(i)] == 9) before += rho(of, of.labels, i);
  }
  EXPECT_NEAR(changed.groups[1].before, before / 36, 1e-12);
}

TEST(Compare, says_who_gains_and_who_loses) {
  const Case of = made(40, 3, 6);
  const Labels other = samples::shuffled_labels(40, 3, 99);
  const Comparison found =
      compare(of.G(), of.representation(), of.labels, 3, other, 3, of.groups, 4);
  Index gained = 0, lost = 0;
  double gain = 0, loss = 0, largest = 0;
  for (Index i = 0; i < 40; ++i) {
    const double change = rho(of, other, i) - rho(of, of.labels, i);
    gained += change > 0 ? 1 : 0;
    lost += change < 0 ? 1 : 0;
    gain += std::max(0.0, change);
    loss += std::max(0.0, -change);
    largest = std::max(largest, -change);
  }
  EXPECT_EQ(found.num_gained, gained);
  EXPECT_EQ(found.num_lost, lost);
  EXPECT_NEAR(found.mean_gain, gain / gained, 1e-12);
  EXPECT_NEAR(found.mean_loss, loss / lost, 1e-12);
  ASSERT_EQ(found.losers.size(), 4U);
  EXPECT_NEAR(found.losers[0].before - found.losers[0].after, largest, 1e-12);
  EXPECT_NEAR(found.before.average_balance, dense_balance(of.R, of.labels, 3), 1e-12);
  EXPECT_NEAR(found.after.normalized_cut, dense_cut(of.A, other, 3, true), 1e-9);
  double sum = 0;
  for (const Comparison::OfGroup& group : found.groups) sum += group.after * group.num_nodes;
  EXPECT_NEAR(sum / 40, found.after.average_balance, 1e-12);
  const Comparison same = compare(of.G(), of.representation(), of.labels, 3, of.labels, 3);
  EXPECT_EQ(same.num_gained + same.num_lost, 0);
  EXPECT_EQ(same.mean_loss, 0);
  EXPECT_EQ(same.agreement, 1);
}

TEST(LotsHistogram, is_that_of_random_labels) {
  const Case of = made(60, 3, 6);
  const std::vector<double> found = lots_histogram(of.representation(), 3);
  double total = 0, mean = 0;
  for (std::size_t b = 0; b < found.size(); ++b) {
    total += found[b];
    mean += found[b] * (static_cast<double>(b) + 0.5) / num_bins;
  }
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_NEAR(mean, draw_lots(of.G(), of.representation(), 3).average_balance, 0.06);
}

}  // namespace
}  // namespace repsc
