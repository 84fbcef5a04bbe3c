// Dense matrices on a device against their definitions.
#include <gtest/gtest.h>

#include "cuda/device.hpp"
#include "support/device.hpp"

namespace repsc {
namespace {

using samples::device;
using samples::random_matrix;
using Functions = repsc_cuda_functions;

Matrix identity(Eigen::Index n) { return Matrix::Identity(n, n); }

/// A square matrix on the device.
DeviceArray<double> sent(const Matrix& S) {
  return {*device(), std::span<const double>(S.data(), static_cast<std::size_t>(S.size()))};
}

Matrix received(const DeviceArray<double>& S, Eigen::Index n) {
  Matrix result(n, n);
  device()->call(&Functions::download, result.data(), S.data(),
                 static_cast<std::int64_t>(result.size()) * std::int64_t{sizeof(double)});
  return result;
}

TEST(DeviceDense, eigenvectors_are_the_rows_that_come_back) {
  for (const Index n : {1, 2, 33, 200}) {
    const Matrix half = random_matrix(n, n, 1);
    const Matrix S = half + half.transpose();
    const DeviceArray<double> on = sent(S);
    Vector values(n);
    device()->call(&Functions::eigen, on.data(), n, values.data());
    const Matrix V = received(on, n);
    EXPECT_LT((V * V.transpose() - identity(n)).norm(), 1e-12 * n);
    EXPECT_LT((V * S - values.asDiagonal() * V).norm(), 1e-12 * n * S.norm());
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    std::vector<Index> order(static_cast<std::size_t>(n));
    for (Index k = 0; k < n; ++k) order[static_cast<std::size_t>(k)] = n - 1 - k;
    order.resize(static_cast<std::size_t>((n + 1) / 2));
    const auto picked = DeviceBlock<double>::packed(*device(), n, static_cast<Index>(order.size()));
    device()->call(&Functions::pick_vectors, on.data(), order.data(), picked);
    EXPECT_EQ(on_host(*device(), picked), Matrix(V(order, Eigen::all).transpose()));
  }
}

TEST(DeviceDense, a_graph_becomes_its_adjacency_matrix) {
  const std::vector<Offset> offsets{0, 2, 3, 3, 5};
  const std::vector<Index> neighbors{0, 3, 1, 0, 3};
  const std::vector<double> weights{0.5, 2, 3, 2, 7};
  for (const bool weighted : {false, true}) {
    Matrix expected = Matrix::Zero(4, 4);
    for (std::size_t i = 0; i < 4; ++i) {
      for (auto e = static_cast<std::size_t>(offsets[i]);
           e < static_cast<std::size_t>(offsets[i + 1]); ++e)
        expected(static_cast<Eigen::Index>(i), neighbors[e]) = weighted ? weights[e] : 1;
    }
    const DeviceGraph graph(
        *device(), {offsets, neighbors,
                    weighted ? std::span<const double>(weights) : std::span<const double>()});
    const DeviceArray<double> S = sent(Matrix::Constant(4, 4, 9));
    device()->call(&Functions::fill_dense, graph.view(), S.data());
    EXPECT_EQ(received(S, 4), expected);
  }
}

TEST(DeviceDense, dividing_by_the_factor_of_the_gram_matrix_makes_columns_orthonormal) {
  for (const auto& [rows, cols] :
       std::vector<std::pair<Index, Index>>{{5, 1}, {60, 7}, {300, 90}}) {
    const Matrix A = random_matrix(rows, cols, 2);
    const DeviceBlock<double> on = on_device(*device(), A);
    const DeviceArray<double> G = sent(Matrix::Zero(cols, cols));
    device()->call(&Functions::dense_gram, on, G.data());
    const Matrix gram = A.transpose() * A;
    const Matrix lower = received(G, cols).triangularView<Eigen::Lower>();
    EXPECT_LT((lower - Matrix(gram.triangularView<Eigen::Lower>())).norm(), 1e-12 * gram.norm());
    std::int32_t definite = 0;
    device()->call(&Functions::cholesky, G.data(), cols, &definite);
    EXPECT_EQ(definite, 1);
    const Matrix L = received(G, cols).triangularView<Eigen::Lower>();
    EXPECT_LT((L * L.transpose() - gram).norm(), 1e-12 * gram.norm());
    device()->call(&Functions::divide_by_factor, on, G.data());
    const Matrix Q = on_host(*device(), on);
    EXPECT_LT((Q.transpose() * Q - identity(cols)).norm(), 1e-11);
    EXPECT_LT((Q * L.transpose() - A).norm(), 1e-12 * A.norm());

    const Matrix X = random_matrix(rows, 6, 3);
    const DeviceBlock<double> left = on_device(*device(), X);
    device()->call(&Functions::remove, on, left);
    EXPECT_LT((on_host(*device(), left) - (X - Q * (Q.transpose() * X))).norm(), 1e-12 * X.norm());
  }
}

TEST(DeviceDense, outer_products_are_added_and_an_indefinite_matrix_is_told) {
  const Index n = 20;
  const Matrix u = random_matrix(n, 1, 4);
  const DeviceArray<double> G = sent(identity(n));
  device()->call(&Functions::add_outer_product, G.data(), n, u.data(), -2.0);
  EXPECT_LT((received(G, n) - (identity(n) - 2 * u * u.transpose())).norm(), 1e-13 * n);
  std::int32_t definite = 1;
  device()->call(&Functions::cholesky, G.data(), n, &definite);
  EXPECT_EQ(definite, 0);
}

TEST(DeviceDense, floats_are_refused) {
  const DeviceBlock<float> X(*device(), 10, 2);
  EXPECT_THROW(device()->call(&Functions::remove, X, X), InvalidInput);
}

}  // namespace
}  // namespace repsc
