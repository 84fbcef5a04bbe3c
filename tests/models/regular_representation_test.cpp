// R of Assumption 4.1: its exact structure, that it is uniformly random, and what Lemma D.1 says of
// it.
#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <Eigen/Core>
#include <string>

#include "models/statistics.hpp"
#include "repsc/models.hpp"
#include "support/errors.hpp"

namespace repsc {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Eigen::MatrixXd dense(const Graph& R) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(R.num_nodes(), R.num_nodes());
  for (Index u = 0; u < R.num_nodes(); ++u) {
    for (const Index v : R.neighbors(u)) matrix(u, v) = 1;
  }
  return matrix;
}

TEST(RegularRepresentation, satisfies_assumption_4_1) {
  expect_assumption(sample_regular_representation(1200, 5, 40, 1), 5, 40);
  expect_assumption(sample_regular_representation(60, 3, 3, 2), 3, 3);    // matchings
  expect_assumption(sample_regular_representation(60, 3, 54, 3), 3, 54);  // nearly full
  expect_assumption(sample_regular_representation(24, 4, 24, 4), 4, 24);  // full
  expect_assumption(sample_regular_representation(50, 1, 11, 5), 1, 11);  // one cluster
  expect_assumption(sample_regular_representation(7, 7, 7, 6), 7, 7);     // clusters of one
  expect_assumption(sample_regular_representation(15, 3, 9, 7), 3, 9);    // odd clusters
  expect_assumption(sample_regular_representation(1, 1, 1, 8), 1, 1);
}

TEST(RegularRepresentation, satisfies_assumption_4_1_for_every_feasible_small_shape) {
  EXPECT_TRUE(rc::check("Assumption 4.1", [] {
    const Index K = *rc::gen::inRange(1, 6);
    const Index n = *rc::gen::inRange(1, 20);
    const Index m = *rc::gen::inRange(1, n + 1);
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    if (n % 2 == 1 && m % 2 == 0) {
      RC_ASSERT_THROWS_AS((void)sample_regular_representation(K * n, K, K * m, seed), InvalidInput);
      return;
    }
    expect_assumption(sample_regular_representation(K * n, K, K * m, seed), K, K * m);
  }));
}

TEST(RegularRepresentation, has_the_vectors_of_lemma_d1_in_the_null_space_of_RJ) {
  const Index N = 60;
  const Index K = 4;
  const Eigen::MatrixXd R = dense(sample_regular_representation(N, K, 20, 3));
  const Eigen::MatrixXd J =
      Eigen::MatrixXd::Identity(N, N) - Eigen::MatrixXd::Constant(N, N, 1.0 / N);
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(N);
  EXPECT_LT((R * ones - 20 * ones).norm(), 1e-12);
  EXPECT_LT((R * J * ones).norm(), 1e-11);
  for (Index k = 0; k + 1 < K; ++k) {
    Eigen::VectorXd u = Eigen::VectorXd::Constant(N, -1.0 / (K - 1));
    u.segment(k * (N / K), N / K).setOnes();
    EXPECT_LT((R * J * u).norm(), 1e-11);
  }
}

TEST(RegularRepresentation, draws_every_two_cluster_graph_of_eight_nodes_equally_often) {
  // Within a cluster of 4: three perfect matchings. Between: 90 matrices with row and column sums 2
  // (OEIS A001499), so 3 * 3 * 90 = 810 graphs in all.
  set_num_threads(1);  // starting threads would take longer than these samples
  std::map<std::uint64_t, double> observed;
  const int count = 40500;
  for (int seed = 0; seed < count; ++seed) {
    ++observed[pair_bits(sample_regular_representation(8, 2, 4, static_cast<std::uint64_t>(seed)))];
  }
  set_num_threads({});
  ASSERT_EQ(observed.size(), 810U);
  std::map<std::uint64_t, double> expected;
  for (const auto& [graph, times] : observed) expected[graph] = count / 810.0;
  EXPECT_LT(std::abs(chi_square_z(observed, expected)), 4);
}

TEST(RegularRepresentation, draws_every_2_and_3_regular_graph_on_six_nodes_equally_often) {
  // 60 hexagons and 10 pairs of triangles; their complements are the 3-regular graphs.
  for (const Index degree : {3, 4}) {
    std::map<std::uint64_t, double> observed;
    const int count = 14000;
    for (int seed = 0; seed < count; ++seed) {
      ++observed[pair_bits(
          sample_regular_representation(6, 1, degree, static_cast<std::uint64_t>(seed)))];
    }
    ASSERT_EQ(observed.size(), 70U);
    std::map<std::uint64_t, double> expected;
    for (const auto& [graph, times] : observed) expected[graph] = count / 70.0;
    EXPECT_LT(std::abs(chi_square_z(observed, expected)), 4) << "degree " << degree;
  }
}

TEST(RegularRepresentation, has_as_many_triangles_as_a_uniform_regular_graph) {
  // A random k-regular graph has close to Poisson many triangles, with mean (k - 1)^3 / 6 (Bollobas
  // 1980); the circulant graph at the start has 3 n = 12,000 here, and half-mixed graphs many too.
  const Index N = 4000;
  const Eigen::Index k = 6;
  double triangles = 0;
  const int graphs = 20;
  for (int seed = 0; seed < graphs; ++seed) {
    const Graph R = sample_regular_representation(N, 1, k + 1, static_cast<std::uint64_t>(seed));
    for (Index u = 0; u < N; ++u) {
      for (const Index v : R.neighbors(u)) {
        for (const Index w : R.neighbors(v)) triangles += u < v && v < w && R.has_edge(u, w);
      }
    }
  }
  const double mean = graphs * 125.0 / 6;
  EXPECT_LT(std::abs(triangles - mean) / std::sqrt(mean), 4) << triangles << " against " << mean;
}

TEST(RegularRepresentation, is_no_circulant_and_differs_from_seed_to_seed) {
  const Index N = 40;
  const Graph R = sample_regular_representation(N, 2, 8, 1);
  EXPECT_FALSE(same_entries(R, sample_regular_representation(N, 2, 8, 2)));
  // A circulant block looks the same after a rotation of its cluster.
  const Index n = N / 2;
  for (Index turn = 1; turn < n; ++turn) {
    bool same = true;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        same = same && R.has_edge(i, j) == R.has_edge((i + turn) % n, (j + turn) % n);
      }
    }
    EXPECT_FALSE(same) << "rotation by " << turn;
  }
}

TEST(RegularRepresentation, is_the_same_on_any_number_of_threads) {
  set_num_threads(1);
  const Graph one = sample_regular_representation(600, 6, 36, 4);
  for (const int threads : {2, 3}) {
    set_num_threads(threads);
    EXPECT_TRUE(same_entries(one, sample_regular_representation(600, 6, 36, 4)));
  }
  set_num_threads({});
}

std::string message_of(Index nodes, int clusters, Index degree) {
  return error_of([&] { return sample_regular_representation(nodes, clusters, degree, 1); });
}

TEST(RegularRepresentation, says_what_to_change_if_no_such_graph_exists) {
  EXPECT_THAT(message_of(10, 3, 3),
              HasSubstr("num_clusters = 3: it must divide the number of nodes, 10"));
  EXPECT_THAT(message_of(12, 3, 4), HasSubstr("degree = 4: it must be a multiple of the 3"));
  EXPECT_THAT(message_of(12, 3, 15),
              HasSubstr("from the number of clusters, 3, to the number of nodes, 12"));
  EXPECT_THAT(message_of(12, 3, 0), HasSubstr("degree = 0"));
  EXPECT_THAT(message_of(12, 0, 4), HasSubstr("num_clusters = 0"));
  EXPECT_THAT(message_of(4, 5, 5), HasSubstr("num_clusters = 5"));
  EXPECT_THAT(message_of(15, 3, 6),
              AllOf(HasSubstr("both are odd"), HasSubstr("use degree = 3 or use degree = 9")));
  EXPECT_THAT(message_of(2000000, 1, 2000000), HasSubstr("2e+12 edges"));
}

}  // namespace
}  // namespace repsc
