// The toy example: every property that the paper's appendix states, by brute force.
#include <Eigen/Eigenvalues>

#include "models/statistics.hpp"
#include "repsc/models.hpp"

namespace repsc {
namespace {

constexpr Index N = 24;

/// Representatives of a node in each of two clusters.
std::pair<int, int> representatives(const Graph& R, const Labels& clusters, Index node) {
  std::pair<int, int> counts{0, 0};
  for (const Index v : R.neighbors(node)) {
    ++(clusters[static_cast<std::size_t>(v)] == 0 ? counts.first : counts.second);
  }
  return counts;
}

TEST(ToyExample, is_a_6_regular_graph_on_24_nodes_with_self_loops) {
  const ToyExample toy = toy_example();
  ASSERT_EQ(toy.representation.num_nodes(), N);
  expect_simple_symmetric(toy.representation, true);
  for (Index u = 0; u < N; ++u) EXPECT_EQ(toy.representation.neighbors(u).size(), 6U);
}

TEST(ToyExample, has_two_protected_groups_of_twelve_that_spectral_clustering_of_R_finds) {
  const ToyExample toy = toy_example();
  Eigen::MatrixXd laplacian = 6 * Eigen::MatrixXd::Identity(N, N);
  for (Index u = 0; u < N; ++u) {
    for (const Index v : toy.representation.neighbors(u)) laplacian(u, v) -= 1;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(laplacian);
  EXPECT_GT(solver.eigenvalues()[1], 1e-6) << "R is connected";
  EXPECT_GT(solver.eigenvalues()[2], solver.eigenvalues()[1] + 0.5) << "two groups are natural";
  const Eigen::VectorXd fiedler = solver.eigenvectors().col(1);
  for (Index u = 0; u < N; ++u) {
    EXPECT_EQ(fiedler[u] * fiedler[0] > 0,
              toy.protected_groups[static_cast<std::size_t>(u)] == toy.protected_groups[0]);
  }
  EXPECT_EQ(std::count(toy.protected_groups.begin(), toy.protected_groups.end(), 0), 12);
  EXPECT_EQ(std::count(toy.protected_groups.begin(), toy.protected_groups.end(), 1), 12);
}

TEST(ToyExample, has_statistically_fair_clusters_that_leave_each_node_one_representative_of_six) {
  const ToyExample toy = toy_example();
  int members[2][2] = {};
  for (std::size_t i = 0; i < 24; ++i) {
    ++members[toy.protected_groups.at(i)][toy.statistically_fair.at(i)];
  }
  for (const auto& group : members) {
    for (const int count : group) EXPECT_EQ(count, 6);
  }
  for (Index u = 0; u < N; ++u) {
    const bool first = toy.statistically_fair[static_cast<std::size_t>(u)] == 0;
    EXPECT_EQ(representatives(toy.representation, toy.statistically_fair, u),
              first ? std::pair(5, 1) : std::pair(1, 5));
  }
}

TEST(ToyExample, has_individually_fair_clusters_with_three_representatives_in_each) {
  const ToyExample toy = toy_example();
  EXPECT_EQ(std::count(toy.individually_fair.begin(), toy.individually_fair.end(), 0), 12);
  for (Index u = 0; u < N; ++u) {
    EXPECT_EQ(representatives(toy.representation, toy.individually_fair, u), std::pair(3, 3));
  }
}

}  // namespace
}  // namespace repsc
