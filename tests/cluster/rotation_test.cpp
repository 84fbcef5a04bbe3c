// Rounding by rotation: indicators that were turned are turned back, and against Eigen's pivoted
// QR.
#include "cluster/rotation.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>

#include "core/random.hpp"
#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "support/points.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

using samples::random_points;

Matrix random_rotation(int K, std::uint64_t seed) {
  return Eigen::HouseholderQR<Matrix>(random_points(K, K, seed)).householderQ();
}

/// Whether two labellings are the same but for the numbers of the clusters.
bool same_clusters(const Labels& a, const Labels& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if ((a[i] == a[j]) != (b[i] == b[j])) return false;
    }
  }
  return true;
}

TEST(LabelsByRotation, turn_indicators_back_whatever_the_rotation_and_the_lengths_of_rows) {
  for (const int K : {1, 2, 3, 7}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Labels truth = samples::shuffled_labels(60, K, seed);
      Matrix T = Matrix::Zero(60, K);
      RandomStream stream(seed + 100);
      for (Index i = 0; i < 60; ++i) {
        T(i, truth[static_cast<std::size_t>(i)]) = 0.1 + stream.uniform();
      }
      T = T * random_rotation(K, seed) + 0.01 * random_points(60, K, seed + 200);
      const auto found = labels_by_rotation(T);
      ASSERT_EQ(found.size(), 2U);
      for (const Labels& labels : found) EXPECT_TRUE(same_clusters(labels, truth)) << K << seed;
    }
  }
}

TEST(LabelsByRotation, take_rows_without_full_rank) {
  for (const Matrix& T : {Matrix(Matrix::Zero(5, 2)), Matrix(Matrix::Ones(5, 3))}) {
    for (const Labels& labels : labels_by_rotation(T)) EXPECT_EQ(labels.size(), 5U);
  }
}

/// cluster_qr of Damle, Minden and Ying with Eigen's decompositions.
Labels by_pivoted_qr(const Matrix& T) {
  const Eigen::Index K = T.cols();
  const Eigen::ColPivHouseholderQR<Matrix> qr(Matrix(T.transpose()));
  Matrix rows(K, K);
  for (Eigen::Index k = 0; k < K; ++k) rows.col(k) = T.row(qr.colsPermutation().indices()[k]);
  const Eigen::BDCSVD<Matrix> svd(rows, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Matrix Y = (T * (svd.matrixU() * svd.matrixV().transpose())).cwiseAbs();
  Labels labels;
  for (Eigen::Index i = 0; i < T.rows(); ++i) {
    Eigen::Index column = 0;
    Y.row(i).maxCoeff(&column);
    labels.push_back(static_cast<Label>(column));
  }
  return labels;
}

TEST(PlainClustering, cuts_no_more_than_other_roundings_of_its_embedding) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const int K = 4;
    const Labels truth = samples::shuffled_labels(90, K, seed);
    const Graph G = samples::from_dense(samples::random_dense(truth, 0.08, 0.25, seed, true));
    if (!isolated_nodes(G).empty()) continue;
    const Matrix T =
        cluster(G, K, {.method = Method::nsc, .embedding_rows = EmbeddingRows::plain}).embedding;
    const Labels other = by_pivoted_qr(T);
    EXPECT_TRUE(same_clusters(labels_by_rotation(T).front(), other)) << seed;
    EXPECT_LE(normalized_cut(G, cluster(G, K).labels, K),
              normalized_cut(G, other, K) * (1 + 1e-12));
  }
}

}  // namespace
}  // namespace repsc
