// RCut and NCut against the paper's double sums and trace formulas with dense matrices.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "random_case.hpp"
#include "repsc/metrics.hpp"
#include "support/errors.hpp"

namespace repsc {
namespace {

double cut(const Matrix& A, const Labels& labels, Label k) {
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (labels[i] == k && labels[j] != k) {
        sum += A(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      }
    }
  }
  return sum / 2;
}

double volume(const Matrix& A, const Labels& labels, Label k) {
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == k) sum += A.row(static_cast<Eigen::Index>(i)).sum();
  }
  return sum;
}

TEST(Cuts, are_the_double_sums_and_half_the_traces_of_the_paper) {
  for (const bool weighted : {false, true}) {
    EXPECT_TRUE(rc::check("random graphs and labels", [weighted] {
      const RandomCase c = random_case(weighted, *rc::gen::arbitrary<std::uint64_t>());
      const Graph A = samples::from_dense(c.A);
      const std::vector<double> sizes = sizes_of(c.labels, c.K);
      const Matrix L = Matrix(c.A.rowwise().sum().asDiagonal()) - c.A;
      Matrix T = Matrix::Zero(c.N, c.K);
      double rcut = 0;
      double ncut = 0;
      for (Label k = 0; k < c.K; ++k) {
        if (sizes[static_cast<std::size_t>(k)] == 0) continue;
        rcut += cut(c.A, c.labels, k) / sizes[static_cast<std::size_t>(k)];
        const double vol = volume(c.A, c.labels, k);
        if (vol == 0) continue;
        ncut += cut(c.A, c.labels, k) / vol;
        for (int i = 0; i < c.N; ++i) {
          if (c.labels[static_cast<std::size_t>(i)] == k) T(i, k) = 1 / std::sqrt(vol);
        }
      }
      const Matrix H = membership(c.labels, c.K);
      const double found_rcut = ratio_cut(A, c.labels, c.K);
      const double found_ncut = normalized_cut(A, c.labels, c.K);
      RC_ASSERT(std::abs(found_rcut - rcut) < 1e-12);
      RC_ASSERT(std::abs(found_ncut - ncut) < 1e-12);
      RC_ASSERT(std::abs((H.transpose() * L * H).trace() - 2 * found_rcut) < 1e-11);
      RC_ASSERT(std::abs((T.transpose() * L * T).trace() - 2 * found_ncut) < 1e-11);
    }));
  }
}

TEST(Cuts, of_two_triangles_joined_by_an_edge) {
  // Triangles 0 1 2 and 3 4 5, and the edge 2 - 3: Cut = 1/2, |C| = 3, Vol = 7.
  Matrix A = Matrix::Zero(6, 6);
  for (const auto& [i, j] :
       std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}, {2, 3}}) {
    A(i, j) = A(j, i) = 1;
  }
  const Labels labels{0, 0, 0, 1, 1, 1};
  EXPECT_DOUBLE_EQ(ratio_cut(samples::from_dense(A), labels, 2), 2 * 0.5 / 3);
  EXPECT_DOUBLE_EQ(normalized_cut(samples::from_dense(A), labels, 2), 2 * 0.5 / 7);
  EXPECT_EQ(ratio_cut(samples::from_dense(A), {0, 0, 0, 0, 0, 0}, 1), 0);
  EXPECT_EQ(cluster_sizes({0, 2, 2, 0, 2}, 4), (std::vector<Index>{2, 0, 3, 0}));
}

TEST(Cuts, need_labels_that_fit_the_graph) {
  const Graph A = samples::from_dense(Matrix::Zero(3, 3));
  EXPECT_THROW((void)ratio_cut(A, {0, 1}, 2), InvalidInput);
  EXPECT_THROW((void)normalized_cut(A, {0, 1, 2}, 2), InvalidInput);
  EXPECT_THROW((void)ratio_cut(A, {0, -1, 0}, 2), InvalidInput);
  EXPECT_THROW((void)ratio_cut(A, {0, 0, 0}, 0), InvalidInput);
  EXPECT_THROW((void)ratio_cut(A, {0, 0, 0}, 2'000'000'000), InvalidInput);
  EXPECT_EQ(error_of([&] {
              return ratio_cut(A, {0, 5, 0}, 2);
            }),
            "label 5 of node 1 is not in [0, 2)");
  const Fault fault = fault_of([&] { return ratio_cut(A, {0, 0, 0}, 4); });
  EXPECT_EQ(fault.option, "num_clusters");
  EXPECT_EQ(fault.value, "4");
  EXPECT_EQ(fault.what, "it must be from 1 to the number of nodes, 3");
  EXPECT_EQ(ratio_cut(Graph(), {}, 1), 0);
}

}  // namespace
}  // namespace repsc
