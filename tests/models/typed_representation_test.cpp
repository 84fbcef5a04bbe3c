// R of Assumption 4.1 of low rank: its structure, its rank, and which numbers of nodes per type
// fit.
#include <gmock/gmock.h>

#include <Eigen/Core>
#include <Eigen/QR>

#include "models/statistics.hpp"
#include "repsc/models.hpp"
#include "support/errors.hpp"

namespace repsc {
namespace {

Index rank_of(const Graph& R) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(R.num_nodes(), R.num_nodes());
  for (Index u = 0; u < R.num_nodes(); ++u) {
    for (const Index v : R.neighbors(u)) matrix(u, v) = 1;
  }
  return static_cast<Index>(Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(matrix).rank());
}

TEST(TypedRepresentation, satisfies_assumption_4_1_with_a_rank_of_at_most_the_number_of_types) {
  struct Case {
    Index nodes;
    int clusters;
    Index degree, size;
  };
  for (const Case& at : {Case{120, 5, 40, 2}, Case{120, 5, 40, 4}, Case{120, 4, 20, 5},
                         Case{80, 20, 40, 2}, Case{60, 2, 12, 1}}) {
    const Graph R =
        sample_typed_representation(at.nodes, at.clusters, at.degree, at.size, /*seed=*/3);
    ASSERT_EQ(R.num_nodes(), at.nodes);
    expect_assumption(R, at.clusters, at.degree);
    if (at.size > 1) {
      EXPECT_LE(rank_of(R), at.nodes / at.size);
      EXPECT_LE(rank_of(R), at.nodes - at.clusters) << "what the theorems need";
    }
    for (Index u = 0; u < at.nodes; ++u) {
      const auto own = R.neighbors(u);
      const auto first = R.neighbors(u / at.size * at.size);
      EXPECT_TRUE(std::equal(own.begin(), own.end(), first.begin(), first.end())) << "node " << u;
    }
  }
}

TEST(TypedRepresentation, has_the_smallest_number_of_nodes_per_type_that_has_a_graph) {
  EXPECT_EQ(smallest_type_size(1200, 5, 40), 2);
  EXPECT_EQ(smallest_type_size(1200, 8, 40), 5) << "five links to each cluster";
  EXPECT_EQ(smallest_type_size(1200, 20, 40), 2);
  EXPECT_EQ(smallest_type_size(100, 5, 5), 0) << "one link to each cluster";
  EXPECT_EQ(smallest_type_size(100, 3, 12), 0) << "clusters of unequal size";
  // Two nodes per type would leave 9 types with 2 links each, one of them the self-loop.
  EXPECT_EQ(smallest_type_size(18, 1, 4), 0);
  EXPECT_EQ(smallest_type_size(36, 1, 12), 2);
  for (const int K : {1, 2, 5, 10}) {
    for (Index degree = K; degree <= 60; degree += K) {
      const Index size = smallest_type_size(60, K, degree);
      if (size > 0) {
        EXPECT_NO_THROW((void)sample_typed_representation(60, K, degree, size, 1)) << K << degree;
      }
    }
  }
}

TEST(TypedRepresentation, refuses_types_that_do_not_fit) {
  EXPECT_THROW((void)sample_typed_representation(120, 5, 40, 3, 1), InvalidInput);
  EXPECT_THROW((void)sample_typed_representation(120, 5, 40, 0, 1), InvalidInput);
}

}  // namespace
}  // namespace repsc
