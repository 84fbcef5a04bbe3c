// What the eigenproblems of the certificate are asked for.
#include "certify/dual.hpp"

#include <gtest/gtest.h>

#include "support/samples.hpp"

namespace repsc {
namespace {

TEST(Dual, asks_for_residuals_relative_to_L_however_large_the_penalty_is) {
  const Index N = 1600;
  const Labels clusters = samples::shuffled_labels(N, 3, 1);
  const Labels groups = samples::shuffled_labels(N, 2, 2);
  const Graph G = samples::from_dense(samples::random_dense(clusters, 0.02, 0.04, 3));
  const double tolerance = 3e-3;
  const auto residuals = [&](double strength) {
    const CertifyOptions options{.cut = CutKind::normalized};
    Pipeline data(ClusterInput{G, std::nullopt, groups});
    Dual dual(data, clusters, 3, options);
    EXPECT_TRUE(strength == 0 || dual.matrix(strength).norm() > 100);
    const DualPoint found = dual.solve(strength, {.tolerance = tolerance});
    const Laplacian M = dual.matrix(strength);
    Matrix MX;
    M.apply(found.vectors, MX);
    MX -= found.vectors * (found.vectors.transpose() * MX);
    return MX.colwise().norm().maxCoeff();
  };
  const double plain = residuals(0);
  for (const double strength : {1.0, 100.0}) {
    const double found = residuals(strength);
    EXPECT_LT(found, tolerance) << strength;
    // No more precise than asked for, which would cost products.
    EXPECT_GT(found, 0.01 * plain) << strength;
  }
}

}  // namespace
}  // namespace repsc
