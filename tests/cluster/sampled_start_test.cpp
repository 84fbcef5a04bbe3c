// A start from a part of the edges: fewer products with the whole graph for the same labels, and no
// harm where the part says nothing.
#include "cluster/sampled_start.hpp"

#include <gtest/gtest.h>

#include "repsc/metrics.hpp"
#include "repsc/models.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

constexpr Index N = 6000;
constexpr int K = 4;

const Labels& clusters() {
  static const Labels all = samples::shuffled_labels(N, K, 1);
  return all;
}
const Labels& groups() {
  static const Labels all = samples::shuffled_labels(N, 3, 2);
  return all;
}

/// About 120 neighbours per node; groups are as visible as clusters.
ClusterInput planted() {
  return {sample_rpp_groups(groups(), clusters(), {.p = 0.08, .q = 0.03, .r = 0.03, .s = 0.002}, 3),
          std::nullopt, groups()};
}

Plan plan_from(const ClusterInput& input, Method method, int sampled_start) {
  Plan chosen = plan(input, K, {.method = method});
  EXPECT_EQ(chosen.sampled_start, 0);  // a small graph
  chosen.sampled_start = sampled_start;
  return chosen;
}

Clustering run(const ClusterInput& input, const Plan& chosen) {
  return Pipeline(&input).run(chosen);
}

TEST(SampledStart, lies_near_the_eigenvectors_and_satisfies_the_constraint) {
  const ClusterInput input = planted();
  const Plan chosen = plan_from(input, Method::nfairsc, 4);
  const Laplacian L(input.similarity, Normalization::symmetric);
  const Constraint constraint = group_constraint(groups(), L.scale());
  const EmbeddingStart T = sampled_start(Pipeline(&input), chosen);
  ASSERT_EQ(T.rows.cols(), K - 1);
  const Matrix start = L.scale().cwiseInverse().asDiagonal() * T.rows;
  EXPECT_LT(constraint.residual(start), 1e-5);

  Plan precise = plan_from(input, Method::nfairsc, 0);
  precise.until_labels_settle = false;
  const Matrix X = lowest_eigenvectors(L, constraint, precise).vectors.rightCols(K - 1);
  // Of the squared length of each vector, more than half lies in the span of the exact ones; of a
  // random vector, 3 / N.
  for (Eigen::Index k = 0; k < K - 1; ++k)
    EXPECT_GT((X.transpose() * start.col(k)).squaredNorm(), 0.5 * start.col(k).squaredNorm());
}

TEST(SampledStart, saves_products_and_gives_the_same_labels) {
  const ClusterInput plain{sample_planted_partition(clusters(), 0.05, 0.01, 3)};
  for (const Method method : {Method::nfairsc, Method::nsc}) {
    SCOPED_TRACE(name(method));
    const ClusterInput input = method == Method::nsc ? plain : planted();
    const Clustering random = run(input, plan_from(input, method, 0));
    const Clustering sampled = run(input, plan_from(input, method, 4));
    EXPECT_TRUE(sampled.converged);
    EXPECT_LT(sampled.iterations, random.iterations);
    EXPECT_GE(adjusted_rand_index(sampled.labels, random.labels), 0.999);
    EXPECT_EQ(run(input, plan_from(input, method, 4)).labels, sampled.labels);
  }
}

TEST(SampledStart, of_a_part_that_shows_nothing_does_no_harm) {
  const ClusterInput input = planted();
  const Clustering random = run(input, plan_from(input, Method::nfairsc, 0));
  const Clustering sampled = run(input, plan_from(input, Method::nfairsc, 300));
  EXPECT_TRUE(sampled.converged);
  EXPECT_LE(sampled.iterations, random.iterations + 4);
  EXPECT_GE(adjusted_rand_index(sampled.labels, random.labels), 0.999);
}

TEST(SampledStart, of_no_edges_is_none) {
  const ClusterInput input = planted();
  const int too_many = 1 << 30;
  EXPECT_EQ(sampled_start(Pipeline(&input), plan_from(input, Method::nsc, too_many)).rows.size(),
            0);
}

}  // namespace
}  // namespace repsc
