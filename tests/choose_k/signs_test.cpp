// Every number of the table against its definition, with dense matrices.
#include <gtest/gtest.h>

#include <algorithm>

#include "repsc/choose_k.hpp"
#include "repsc/kmeans.hpp"
#include "support/dense_scale.hpp"
#include "support/samples.hpp"
#include "support/soft.hpp"

namespace repsc {
namespace {

constexpr Index N = 60;
constexpr std::uint64_t seed = 5;

Matrix dense_sample() {
  return samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.1, 0.4, 2, /*weighted=*/true);
}

Matrix unit(const Matrix& rows) { return rows.rowwise().normalized(); }

/// The lower cut of both scalings of the rows.
double best_cut(const Matrix& A, const Matrix& T, int K) {
  const auto cut = [&](const Matrix& points) {
    return dense_cut(A, kmeans(points, K, {.restarts = 10, .seed = seed}).labels, K, true);
  };
  return std::min(cut(T.leftCols(K)), cut(unit(T.leftCols(K))));
}

/// `spectrum` has all eigenvalues that are known, and T.
void expect_signs(const KSigns& found, const paper::Answer& spectrum, const Matrix& A, int K,
                  const Lots& lots) {
  const Eigen::VectorXd& values = spectrum.values;
  EXPECT_NEAR(found.eigenvalue, values[K - 1], 1e-9);
  EXPECT_NEAR(found.eigengap, values[K] - values[K - 1], 1e-9);
  double later = 0;
  for (Eigen::Index k = K; k + 1 < values.size(); ++k) {
    later = std::max(later, values[k + 1] - values[k]);
  }
  EXPECT_NEAR(found.gap_ratio, found.eigengap / later, 1e-6 * found.gap_ratio) << "K = " << K;
  EXPECT_NEAR(found.cut, best_cut(A, spectrum.embedding, K), 1e-9) << "K = " << K;
  EXPECT_NEAR(found.z, (lots.cut - found.cut) / lots.cut_spread, 1e-9 * std::abs(found.z));
  EXPECT_NEAR(found.share, 1 - found.cut / lots.cut, 1e-12);
}

void expect_lots(const Lots& found, const Matrix& A, int K) {
  const Lots drawn = draw_lots(samples::from_dense(A), std::nullopt, K, seed);
  EXPECT_EQ(found.cut, drawn.cut);
  EXPECT_EQ(found.cut_spread, drawn.cut_spread);
  EXPECT_EQ(found.draws, drawn.draws);
}

/// With to = 15 and below, 32 eigenvalues are computed.
constexpr Eigen::Index num_values = 32;

TEST(Signs, of_plain_clustering_are_those_of_the_definitions) {
  const Matrix A = dense_sample();
  const ClusterCount found = choose_k({samples::from_dense(A)}, {.to = 8, .seed = seed});
  paper::Answer spectrum = paper::nsc(A, num_values);
  spectrum.embedding =
      paper::degrees(A).diagonal().cwiseSqrt().cwiseInverse().asDiagonal() * spectrum.embedding;
  ASSERT_EQ(found.rows.size(), 7U);
  EXPECT_EQ(found.constraint, ConstraintSource::none);
  for (int K = 2; K <= 8; ++K) {
    const KRow& row = found.rows[static_cast<std::size_t>(K - 2)];
    ASSERT_EQ(row.num_clusters, K);
    expect_lots(row.random, A, K);
    expect_signs(row.plain, spectrum, A, K, row.random);
    EXPECT_FALSE(row.constrained);
    ASSERT_TRUE(row.plain.stability);
  }
}

TEST(Signs, of_groups_are_those_within_the_exact_constraint) {
  const Matrix A = dense_sample();
  const Labels groups = samples::shuffled_labels(N, 4, 8);
  const ClusterInput input{samples::from_dense(A), std::nullopt, groups};
  const ClusterCount found = choose_k(input, {.to = 5, .seed = seed});
  const paper::Answer spectrum =
      paper::constrained_normalized(A, paper::group_matrix(groups, 4), num_values);
  EXPECT_EQ(found.constraint, ConstraintSource::exact);
  for (const KRow& row : found.rows) {
    ASSERT_TRUE(row.constrained);
    expect_signs(*row.constrained, spectrum, A, row.num_clusters, row.random);
    EXPECT_FALSE(row.plain.stability) << "the constrained spectrum decides";
    EXPECT_TRUE(row.constrained->stability);
  }
  const Matrix R = samples::block_representation(groups);
  const ClusterCount by_graph =
      choose_k({samples::from_dense(A), samples::from_dense(R)}, {.to = 5, .seed = seed});
  EXPECT_EQ(by_graph.constraint, ConstraintSource::exact) << "a union of cliques";
  EXPECT_NEAR(by_graph.rows[0].constrained->eigengap, found.rows[0].constrained->eigengap, 1e-9);
}

TEST(Signs, of_another_R_are_those_of_the_soft_constraint) {
  const Matrix A = dense_sample();
  const Matrix R = samples::random_representation(N, 0.2, 4);
  const ClusterCount found =
      choose_k({samples::from_dense(A), samples::from_dense(R)}, {.to = 5, .seed = seed});
  EXPECT_EQ(found.constraint, ConstraintSource::soft);
  EXPECT_EQ(found.strength, 0.01);
  const paper::Answer spectrum = paper::soft_normalized(A, R, found.strength, num_values);
  for (const KRow& row : found.rows) {
    ASSERT_TRUE(row.constrained);
    expect_signs(*row.constrained, spectrum, A, row.num_clusters, row.random);
  }
}

TEST(Signs, count_the_nodes_of_the_smallest_cluster) {
  Matrix A = Matrix::Zero(20, 20);  // cliques of 15 and 5 nodes, and one edge
  for (Index i = 0; i < 20; ++i) {
    for (Index j = 0; j < 20; ++j) A(i, j) = i != j && (i < 15) == (j < 15) ? 1 : 0;
  }
  A(0, 19) = A(19, 0) = 1;
  const ClusterCount found = choose_k({samples::from_dense(A)}, {.to = 4});
  EXPECT_EQ(found.rows[0].plain.smallest_cluster, 5);
  EXPECT_NEAR(*found.rows[0].plain.stability, 1, 1e-12);
}

}  // namespace
}  // namespace repsc
