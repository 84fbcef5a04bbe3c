// A literal implementation of Algorithms 2 and 4 (approx.).
//
//   A  similarity graph, D its degrees, L = D - A
//   R  representation graph, V_r its leading eigenvectors
//   Y  basis of null(R_r (I - 11'/N))
//   Q  = (Y'DY)^1/2
#include "experiments/literal.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "repsc/kmeans.hpp"

namespace repsc::experiments {
namespace {

using Dense = Eigen::MatrixXd;
// Give it matrices, not products of them: every type of expression compiles a solver of its own.
using SymmetricEigen = Eigen::SelfAdjointEigenSolver<Dense>;

Dense adjacency(const Graph& graph) {
  Dense M = Dense::Zero(graph.num_nodes(), graph.num_nodes());
  for (Index i = 0; i < graph.num_nodes(); ++i) {
    for (const Index j : graph.neighbors(i)) M(i, j) = 1;
  }
  return M;
}

// The best approximation of rank r in Frobenius norm: the r eigenvalues largest in absolute value.
Dense approximation(const Dense& R, Index rank) {
  const SymmetricEigen eigen(R);
  std::vector<Eigen::Index> order(static_cast<std::size_t>(R.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Eigen::Index i, Eigen::Index j) {
    return std::abs(eigen.eigenvalues()[i]) > std::abs(eigen.eigenvalues()[j]);
  });
  order.resize(static_cast<std::size_t>(rank));
  const Dense V = eigen.eigenvectors()(Eigen::all, order);
  const Vector values = eigen.eigenvalues()(order);
  return V * values.asDiagonal() * V.transpose();
}

// The columns of Q in M' = Q R beyond the rank of M: an orthonormal basis of null(M).
Dense null_space(const Dense& M) {
  Eigen::ColPivHouseholderQR<Dense> qr(M.transpose());
  qr.setThreshold(1e-10);
  const Eigen::Index rank = qr.rank();
  const Dense Q = qr.householderQ();
  return Q.rightCols(M.cols() - rank);
}

}  // namespace

Labels literal_repsc(const Graph& A, const Graph& R, int K, Index rank, bool normalized,
                     std::uint64_t seed) {
  const Index N = A.num_nodes();
  const Dense J = Dense::Identity(N, N) - Dense::Constant(N, N, 1.0 / N);
  const Dense Y = null_space(approximation(adjacency(R), rank) * J);
  const Dense a = adjacency(A);
  const Dense D = a.rowwise().sum().asDiagonal();
  const Dense L = D - a;

  Matrix embedding;
  if (!normalized) {
    const Dense YLY = Y.transpose() * L * Y;
    const SymmetricEigen eigen(YLY);
    embedding = Y * eigen.eigenvectors().leftCols(K);
  } else {
    const Dense YDY = Y.transpose() * D * Y;
    const SymmetricEigen square(YDY);
    const Dense inverse = square.operatorSqrt().inverse();
    const Dense balanced = inverse * Y.transpose() * L * Y * inverse;
    const SymmetricEigen eigen(balanced);
    embedding = Y * inverse * eigen.eigenvectors().leftCols(K);
  }
  return kmeans(embedding, K, {.seed = seed}).labels;
}

}  // namespace repsc::experiments
