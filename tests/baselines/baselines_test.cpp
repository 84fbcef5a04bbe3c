// Lots against the enumeration of all of them, and the scale against its definition.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "cuda/device.hpp"
#include "repsc/baselines.hpp"
#include "support/dense_scale.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

struct Case {
  Matrix A;
  Matrix R;
  int K;
};

Case random_case(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto N = static_cast<Eigen::Index>(5 + random() % 4);
  Case made{Matrix::Zero(N, N), Matrix::Identity(N, N), static_cast<int>(2 + random() % 2)};
  for (Eigen::Index i = 0; i < N; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      if (random() % 2 == 0) made.A(i, j) = made.A(j, i) = 1.0 + static_cast<double>(random() % 3);
      if (random() % 2 == 0) made.R(i, j) = made.R(j, i) = 1;
    }
  }
  return made;
}

struct Exact {
  double cut = 0;
  double cut_spread = 0;
  double ratio_cut = 0;
  double balance = 0;
};

/// Over all distinct ways to deal 0, 1, ..., K - 1, 0, ..., which are equally likely.
Exact all_lots(const Case& of) {
  Labels labels(static_cast<std::size_t>(of.A.rows()));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = static_cast<Label>(i) % of.K;
  }
  std::sort(labels.begin(), labels.end());
  Exact mean;
  double squares = 0;
  double count = 0;
  do {
    const double cut = dense_cut(of.A, labels, of.K, true);
    mean.cut += cut;
    squares += cut * cut;
    mean.ratio_cut += dense_cut(of.A, labels, of.K, false);
    mean.balance += dense_balance(of.R, labels, of.K);
    ++count;
  } while (std::next_permutation(labels.begin(), labels.end()));
  mean.cut /= count;
  mean.ratio_cut /= count;
  mean.balance /= count;
  mean.cut_spread = std::sqrt(std::max(0.0, squares / count - mean.cut * mean.cut));
  return mean;
}

TEST(Lots, agree_with_the_enumeration_of_all_of_them) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Case of = random_case(seed);
    const Lots found = draw_lots(samples::from_dense(of.A), samples::from_dense(of.R), of.K, seed);
    const Exact exact = all_lots(of);
    ASSERT_EQ(found.draws, 100);
    const double error = 5 / std::sqrt(static_cast<double>(found.draws));  // five standard errors
    EXPECT_NEAR(found.cut, exact.cut, error * exact.cut_spread + 1e-12) << "seed " << seed;
    EXPECT_NEAR(found.cut_spread, exact.cut_spread, 0.5 * exact.cut_spread + 1e-12)
        << "seed " << seed;
    EXPECT_NEAR(found.average_balance, exact.balance, error * found.balance_spread + 1e-12)
        << "seed " << seed;
    EXPECT_NEAR(found.ratio_cut, exact.ratio_cut, 1e-12 * (1 + exact.ratio_cut)) << "seed " << seed;
  }
}

TEST(Lots, are_the_same_for_the_same_seed_and_need_no_representatives) {
  const Case of = random_case(3);
  const Graph G = samples::from_dense(of.A);
  const Lots alone = draw_lots(G, std::nullopt, 2, 7);
  EXPECT_EQ(alone.cut, draw_lots(G, samples::from_dense(of.R), 2, 7).cut);
  EXPECT_NE(alone.cut, draw_lots(G, std::nullopt, 2, 8).cut);
  EXPECT_TRUE(std::isnan(alone.average_balance));
  EXPECT_THROW((void)draw_lots(G, std::nullopt, 0), InvalidInput);
  EXPECT_THROW((void)draw_lots(G, std::nullopt, G.num_nodes() + 1), InvalidInput);
  const Lots singles = draw_lots(G, std::nullopt, G.num_nodes());
  EXPECT_EQ(singles.cut_spread, 0) << "every node is a cluster, whatever the lots";
}

int cuts_on_device = 0;
int graphs_sent = 0;

/// Counts cuts, and uploads of the offsets of graphs of this many nodes.
std::shared_ptr<CudaDevice> counting_device() {
  static const repsc_cuda_functions functions = [] {
    repsc_cuda_functions copy = *repsc_cuda();
    copy.edge_weights = [](repsc_cuda_context* context, repsc_cuda_graph graph,
                           const std::int32_t* labels, std::int64_t count, double* leaving,
                           double* volumes) {
      ++cuts_on_device;
      return repsc_cuda()->edge_weights(context, graph, labels, count, leaving, volumes);
    };
    copy.upload = [](repsc_cuda_context* context, void* to, const void* from, std::int64_t bytes) {
      if (bytes == 301 * 8) ++graphs_sent;
      return repsc_cuda()->upload(context, to, from, bytes);
    };
    return copy;
  }();
  return std::make_shared<CudaDevice>(functions, 0);
}

TEST(Lots, are_the_same_on_a_device_which_gets_the_graph_once) {
  const Index N = 300;
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.1, 0.3, 2));
  const Labels groups = samples::shuffled_labels(N, 4, 3);
  const Lots expected = draw_lots(G, Representation(groups), 3, 5);
  const Lots found = draw_lots(G, Representation(groups), 3, 5, counting_device());
  EXPECT_EQ(cuts_on_device, found.draws);
  EXPECT_EQ(graphs_sent, 1);
  EXPECT_EQ(found.cut, expected.cut);
  EXPECT_EQ(found.cut_spread, expected.cut_spread);
  EXPECT_EQ(found.average_balance, expected.average_balance);
}

TEST(Lots, of_groups_are_those_of_their_cliques) {
  const Case of = random_case(5);
  const Graph G = samples::from_dense(of.A);
  Labels groups(static_cast<std::size_t>(G.num_nodes()));
  Matrix R = Matrix::Zero(G.num_nodes(), G.num_nodes());
  for (Index i = 0; i < G.num_nodes(); ++i) groups[static_cast<std::size_t>(i)] = i % 2;
  for (Index i = 0; i < G.num_nodes(); ++i) {
    for (Index j = 0; j < G.num_nodes(); ++j) R(i, j) = i % 2 == j % 2 ? 1 : 0;
  }
  const Lots by_groups = draw_lots(G, Representation(groups), 2);
  const Lots by_graph = draw_lots(G, samples::from_dense(R), 2);
  EXPECT_EQ(by_groups.average_balance, by_graph.average_balance);
  EXPECT_EQ(by_groups.balance_spread, by_graph.balance_spread);
}

Baselines some_baselines() {
  Baselines made;
  made.plain = {1.0, 0.2};
  made.random.cut = 3.0;
  made.random.cut_spread = 0.1;
  made.random.average_balance = 0.6;
  made.fair_balance = 0.6;
  return made;
}

TEST(Scale, is_1_and_0_at_plain_clustering_and_0_and_1_at_lots) {
  const Baselines scale = some_baselines();
  EXPECT_DOUBLE_EQ(scale.structure_kept(1.0), 1);
  EXPECT_DOUBLE_EQ(scale.fairness_gained(0.2), 0);
  EXPECT_DOUBLE_EQ(scale.structure_kept(3.0), 0);
  EXPECT_DOUBLE_EQ(scale.fairness_gained(0.6), 1);
  EXPECT_DOUBLE_EQ(scale.structure_kept(2.0), 0.5);
  EXPECT_DOUBLE_EQ(scale.structure_kept(0.5), 1.25) << "fair clusters can cut less than plain ones";
  EXPECT_DOUBLE_EQ(scale.fairness_gained(0.8), 1.5);
  EXPECT_DOUBLE_EQ(scale.fairness_gained(0.1), -0.25);
}

TEST(Scale, of_a_coin_between_plain_and_lots_adds_up_to_1) {
  const Baselines scale = some_baselines();
  for (const double share : {0.0, 0.3, 0.5, 0.9}) {
    const double s = scale.structure_kept(share * 1.0 + (1 - share) * 3.0);
    const double f = scale.fairness_gained(share * 0.2 + (1 - share) * 0.6);
    EXPECT_NEAR(s + f, 1, 1e-12);
    EXPECT_LE(s * f, 0.25 + 1e-12);
  }
}

TEST(Scale, is_defined_where_plain_clustering_is_no_better_than_lots) {
  Baselines scale = some_baselines();
  scale.plain.cut = 3.0;
  EXPECT_EQ(scale.structure_kept(3.0), 1);
  EXPECT_EQ(scale.structure_kept(2.0), 1);
  EXPECT_EQ(scale.structure_kept(3.1), 0);
  scale.plain.cut = 4.0;
  EXPECT_EQ(scale.structure_kept(3.0), 1);
  EXPECT_EQ(scale.structure_kept(4.0), 0);
}

TEST(Scale, is_defined_where_plain_clustering_is_fair_already) {
  Baselines scale = some_baselines();
  scale.plain.average_balance = 0.6;
  EXPECT_EQ(scale.fairness_gained(0.6), 1);
  EXPECT_EQ(scale.fairness_gained(0.9), 1);
  EXPECT_DOUBLE_EQ(scale.fairness_gained(0.3), 0.5);
  scale.plain.average_balance = 0.7;
  EXPECT_EQ(scale.fairness_gained(0.65), 1);
  EXPECT_EQ(scale.fairness_gained(0.0), 0);
  scale.fair_balance = 0;
  EXPECT_EQ(scale.fairness_gained(0.0), 1) << "lots balance nobody, so nobody is worse off";
}

TEST(Scale, knows_cuts_that_are_like_those_of_lots) {
  const Baselines scale = some_baselines();
  EXPECT_FALSE(scale.like_random(2.69));
  EXPECT_TRUE(scale.like_random(2.71));
  EXPECT_TRUE(scale.like_random(3.5));
}

TEST(Scale, has_a_balance_that_no_labels_exceed) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Case of = random_case(seed);
    const double limit = average_balance_limit(samples::from_dense(of.R), of.K);
    double expected = 0;
    for (Eigen::Index i = 0; i < of.R.rows(); ++i) {
      const double links = (of.R.row(i).array() != 0).count();
      expected += std::floor(links / of.K) / std::ceil(links / of.K);
    }
    EXPECT_NEAR(limit, expected / static_cast<double>(of.R.rows()), 1e-12);
    Labels labels(static_cast<std::size_t>(of.A.rows()));
    std::mt19937_64 random(seed);
    for (int draw = 0; draw < 200; ++draw) {
      for (Label& label : labels)
        label = static_cast<Label>(random() % static_cast<unsigned>(of.K));
      EXPECT_LE(dense_balance(of.R, labels, of.K), limit + 1e-12);
    }
  }
}

}  // namespace
}  // namespace repsc
